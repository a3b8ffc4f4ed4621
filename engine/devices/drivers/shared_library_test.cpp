#include "devices/drivers/shared_library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/drivers/vendor_folders.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

#if STREAMGAGE_DLOPEN

namespace streamgage::engine {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(SharedLibrary, IsAlsoLookedForWhereVendorsPutIt) {
  const FakeTree tree;
  tree.write("lib/libof_no_vendor.so", "no library\n");
  const auto elsewhere = SharedLibrary::load({"libof_no_vendor.so"}, {tree.path("else")});
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().message,
            "libof_no_vendor.so is missing, also in " + tree.path("else"));
  // What is there and cannot be loaded says why.
  const auto broken =
      SharedLibrary::load({"libof_no_vendor.so"}, {tree.path("else"), tree.path("lib")});
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message, HasSubstr(tree.path("lib/libof_no_vendor.so")));
  EXPECT_THAT(broken.error().message, HasSubstr("file too short"));
}

TEST(SharedLibrary, IsLoadedFromTheFolderOfAVendor) {
  Dl_info libc{};
  ASSERT_NE(dladdr(dlsym(RTLD_DEFAULT, "getenv"), &libc), 0);
  const FakeTree tree;
  std::filesystem::create_symlink(libc.dli_fname, tree.path("libof_a_vendor.so"));
  EXPECT_FALSE(SharedLibrary::load({"libof_a_vendor.so"}));
  auto library = SharedLibrary::load({"libof_a_vendor.so"}, {tree.path("else"), tree.path("")});
  ASSERT_TRUE(library) << library.error().message;
  void* function = nullptr;
  library->bind("getenv", function);
  EXPECT_NE(function, nullptr);
}

TEST(VendorFolders, AVariableNamesThemInPlaceOfTheUsualOnes) {
  const FakeTree tree;
  tree.write("venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "");
  const EnvironmentGuard rocm("ROCM_PATH", "/apps/rocm-6.3");
  EXPECT_THAT(folders_of_rocm(), ElementsAre("/apps/rocm-6.3/lib"));
  const EnvironmentGuard home("CUDA_HOME", "/apps/cuda");
  const EnvironmentGuard environment("VIRTUAL_ENV", tree.path("venv"));
  const auto toolkit = folders_of_cuda_toolkit();
  EXPECT_EQ(toolkit.front(), "/apps/cuda/lib64");
  EXPECT_THAT(toolkit, Not(Contains("/usr/local/cuda/lib64")));
  EXPECT_THAT(toolkit,
              Contains(tree.path("venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib")));
}

TEST(VendorFolders, WithoutAVariableTheyAreTheUsualOnes) {
  const EnvironmentGuard rocm("ROCM_PATH", "");
  EXPECT_THAT(folders_of_rocm(), ElementsAre("/opt/rocm/lib"));
  const EnvironmentGuard home("CUDA_HOME", "");
  const EnvironmentGuard path("CUDA_PATH", "");
  EXPECT_EQ(folders_of_cuda_toolkit().front(), "/usr/local/cuda/lib64");
}

}  // namespace
}  // namespace streamgage::engine

#endif
