#include "measure/openmp_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(OpenmpLibrary, IsTheOneThatRunsTheThreads) {
  const auto library = openmp_library();
#if STREAMGAGE_DLOPEN
  ASSERT_TRUE(library);
  EXPECT_THAT(*library, testing::HasSubstr("omp"));
#else
  EXPECT_FALSE(library);
#endif
}

}  // namespace
}  // namespace streamgage::engine
