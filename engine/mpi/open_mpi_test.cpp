#include "mpi/open_mpi.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mpi/mpi_transport.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage::engine {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// An environment.
Variable variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> const char* {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second.c_str();
  };
}

TEST(MpiSearch, TheLaunchersOwnLibraryComesFirst) {
  const Launch launch{MpiFamily::kOpenMpi, 2, 0, "/opt/openmpi/bin/orterun"};
  const MpiSearch search = search_by(launch, variables({{"PATH", "/usr/bin"}}));
  EXPECT_EQ(search.named, "");
  EXPECT_EQ(search.family, MpiFamily::kOpenMpi);
  EXPECT_THAT(search.folders,
              ElementsAre("/opt/openmpi/lib", "/opt/openmpi/lib64", "/opt/openmpi/lib/release"));
  EXPECT_EQ(search.names.front(), "libmpi.so.40");
}

TEST(MpiSearch, OfAFamilyOnlyItsOwnNamesAreTriedAndThoseOfTheStandard) {
  const auto names = [](const Launch& launch, const Variable& variable) {
    return search_by(launch, variable).names;
  };
  const Launch hydra{MpiFamily::kMpich, 2, 0, "/usr/bin/hydra_pmi_proxy"};
  EXPECT_THAT(names(hydra, variables({})),
              ElementsAre("libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1", "libmpi_abi.so.0",
                          "libmpi.so"));
  const Launch batch{MpiFamily::kUnknown, 2, 0, ""};
  EXPECT_EQ(names(batch, variables({{"PMIX_RANK", "0"}})).front(), "libmpi.so.40");
  EXPECT_EQ(names(batch, variables({{"PMI_RANK", "0"}})).front(), "libmpi.so.12");
}

TEST(MpiSearch, InABatchSystemTheFirstMpiOnThePathIsTaken) {
  const FakeTree tree;
  const std::string root = tree.path("an_mpi");
  std::filesystem::create_directories(root + "/bin");
  std::ofstream(root + "/bin/mpicc").put('\n');
  std::filesystem::permissions(root + "/bin/mpicc", std::filesystem::perms::owner_all);
  const MpiSearch search =
      search_by({}, variables({{"PATH", ":/no/such/folder:" + root + "/bin:/usr/bin"}}));
  EXPECT_EQ(search.folders.front(), std::filesystem::canonical(root).string() + "/lib");
  EXPECT_THAT(search_by({}, variables({})).folders, IsEmpty());
}

#ifdef STREAMGAGE_MPI_PROBES

std::string probe(const std::string& name) { return STREAMGAGE_MPI_PROBES "/" + name + ".so"; }

Result<std::unique_ptr<Mpi>> open_named(const std::string& file) {
  return open_mpi({file, MpiFamily::kUnknown, {}, {}});
}

std::string why_not(const std::string& file) {
  const auto mpi = open_named(file);
  return mpi ? "it was opened" : mpi.error().message;
}

class EachMpi : public testing::TestWithParam<const char*> {};

TEST_P(EachMpi, CarriesMessages) {
  const auto opened = open_named(probe(GetParam()));
  ASSERT_TRUE(opened) << opened.error().message;
  Mpi& mpi = **opened;
  EXPECT_EQ(mpi.name(), "Fake MPI 1.0 (" + probe(GetParam()) + ")");
  ASSERT_TRUE(mpi.start());
  EXPECT_EQ(mpi.rank(), 0);
  EXPECT_EQ(mpi.size(), 1);
  EXPECT_FALSE(mpi.probe(std::nullopt, 3));
  for (const std::optional<int> from : {std::optional<int>(), std::optional<int>(0)}) {
    Mpi::Request sent = mpi.send("a message", 0, 3);
    EXPECT_TRUE(mpi.test(sent));
    EXPECT_TRUE(mpi.test(sent));  // once it is done, the library is not asked again
    EXPECT_FALSE(mpi.probe(from, 4));
    const auto found = mpi.probe(from, 3);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->from, 0);
    EXPECT_EQ(found->tag, 3);
    EXPECT_EQ(found->bytes, 9);
    EXPECT_EQ(mpi.receive(*found), "a message");
  }
  mpi.forget(mpi.send_sign(0, 5));
  Mpi::Request sign = mpi.receive_sign(0, 5);
  EXPECT_TRUE(mpi.test(sign));
  Mpi::Request barrier = mpi.barrier();
  EXPECT_FALSE(mpi.test(barrier));
  EXPECT_TRUE(mpi.test(barrier));
  mpi.finish();
}

TEST_P(EachMpi, IsATransportOfOneRank) {
  const auto opened = open_named(probe(GetParam()));
  ASSERT_TRUE(opened) << opened.error().message;
  MpiTransport transport(**opened);
  EXPECT_EQ(transport.size(), 1);
  EXPECT_EQ(transport.broadcast("order", 1.0), "order");
  EXPECT_THAT(*transport.gather("answer", 1.0), ElementsAre("answer"));
  EXPECT_TRUE(transport.barrier(1.0));
}

TEST_P(EachMpi, EndsItsRanksWithAStatus) {
  EXPECT_EXIT((*open_named(probe(GetParam())))->abort(9), testing::ExitedWithCode(9), "");
}

INSTANTIATE_TEST_SUITE_P(Interfaces, EachMpi, testing::Values("open_mpi", "mpich", "standard"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(OpenMpi, WhatCannotBeUsedIsRefusedWithTheReason) {
  EXPECT_EQ(why_not("/no/libmpi.so.40"),
            "the MPI library /no/libmpi.so.40 cannot be loaded: cannot open shared object file: No "
            "such file or directory; name the launcher's library with STREAMGAGE_MPI_LIBRARY");
  EXPECT_THAT(why_not(probe("without_ibarrier")), HasSubstr("has no MPI_Ibarrier, which ranks"));
  EXPECT_THAT(why_not(probe("later_standard")),
              HasSubstr("has version 2 of MPI's standard binary interface, but streamgage knows "
                        "only version 1;"));
  EXPECT_THAT(why_not("libm.so.6"), HasSubstr("has none of the binary interfaces"));
}

TEST(OpenMpi, ALibraryOfAnotherProcessorCannotBeLoaded) {
  const FakeTree tree;
  const std::string file = tree.path("libmpi.so.12");
  std::filesystem::copy_file(probe("mpich"), file);
  std::fstream elf(file, std::ios::in | std::ios::out | std::ios::binary);
  constexpr std::streamoff kMachine = 18;  // of the header of an ELF file
  elf.seekp(kMachine).put('\x7f');
  elf.close();
  EXPECT_THAT(why_not(file), AllOf(StartsWith("the MPI library " + file + " cannot be loaded: "),
                                   Not(HasSubstr(": " + file))));
}

// A folder of libraries, as they are installed, in the tree.
std::string folder_with(const FakeTree& tree, const std::map<std::string, std::string>& libraries) {
  static int number = 0;
  const std::string folder = tree.path("libraries" + std::to_string(++number));
  std::filesystem::create_directories(folder);
  for (const auto& [name, library] : libraries) {
    std::filesystem::copy_file(probe(library), folder + "/" + name);
  }
  return folder;
}

TEST(OpenMpi, ALibraryOfAnotherFamilyIsPassedOver) {
  const FakeTree tree;
  const std::string folder =
      folder_with(tree, {{"libmpi.so.12", "open_mpi"}, {"libmpich.so.12", "mpich"}});
  const auto mpi = open_mpi({"", MpiFamily::kMpich, {folder}, {"libmpi.so.12", "libmpich.so.12"}});
  ASSERT_TRUE(mpi) << mpi.error().message;
  EXPECT_EQ((*mpi)->name(), "Fake MPI 1.0 (" + folder + "/libmpich.so.12)");
}

TEST(OpenMpi, TheLaunchersLibraryIsNotReplacedByAnotherWhereItCannotBeUsed) {
  const FakeTree tree;
  const std::string broken = folder_with(tree, {{"libmpi.so.12", "without_ibarrier"}});
  const std::string whole = folder_with(tree, {{"libmpi.so.12", "mpich"}});
  const auto mpi = open_mpi({"", MpiFamily::kMpich, {broken, whole}, {"libmpi.so.12"}});
  ASSERT_FALSE(mpi);
  EXPECT_THAT(mpi.error().message,
              StartsWith("the MPI library " + broken + "/libmpi.so.12 has no"));
}

TEST(OpenMpi, WhereThereIsNoneItIsSaidWhereItWasLookedFor) {
  const auto mpi = open_mpi({"", MpiFamily::kMpich, {"/no/lib"}, {"libno.so.1", "libnot.so.1"}});
  ASSERT_FALSE(mpi);
  EXPECT_EQ(
      mpi.error().message,
      "no MPI library was found (looked for libno.so.1, libnot.so.1 in /no/lib and where the "
      "dynamic linker looks); load the module of the launcher's MPI, or name its library with "
      "STREAMGAGE_MPI_LIBRARY");
}

TEST(OpenMpi, ALibraryThatDoesNotStartIsReported) {
  const auto why = [](const std::string& name) {
    return (*open_named(probe(name)))->start().error().message;
  };
  EXPECT_EQ(why("init_fails"),
            "Fake MPI 1.0 (" + probe("init_fails") + ") does not start: no fabric");
  EXPECT_THAT(why("no_threads"), HasSubstr("does not support threads"));
}

TEST(OpenMpiDeathTest, ALibraryThatEndsTheProcessIsReported) {
  EXPECT_EXIT((void)(*open_named(probe("ends_the_process")))->start(), testing::ExitedWithCode(7),
              "streamgage-engine: Fake MPI 1.0 .* does not start");
}

TEST(MpiWorld, HasAsManyRanksAsWereStarted) {
  const auto opened = open_named(probe("world_of_three"));
  ASSERT_TRUE(opened) << opened.error().message;
  const Mpi& mpi = **opened;
  const auto launched = [](std::optional<int> ranks) {
    return Launch{MpiFamily::kMpich, ranks, 0, ""};
  };
  EXPECT_TRUE(check_world(mpi, launched({}), {}));
  EXPECT_TRUE(check_world(mpi, launched(3), 3));
  EXPECT_TRUE(check_world(mpi, launched(1), 3));  // what an outer launcher has set
  const auto other = check_world(mpi, launched(4), {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().status, ExitStatus::kFailed);
  EXPECT_THAT(other.error().message,
              AllOf(StartsWith("4 ranks were started, but Fake MPI 1.0 ("),
                    HasSubstr(") made a world of 3: it is not the launcher's MPI; name")));
  const auto fewer = check_world(mpi, launched(3), 1);
  ASSERT_FALSE(fewer);
  EXPECT_EQ(fewer.error().status, ExitStatus::kUsage);
  EXPECT_EQ(fewer.error().message,
            "1 rank was requested with --ranks, but the launcher started 3; make the two numbers "
            "equal");
}

#endif

}  // namespace
}  // namespace streamgage::engine
