#include "ranks/host_lock.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ranks/part.hpp"
#include "world/testing/thread_transport.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

// A lock of its own for each test, whatever else runs here.
class HostsLock : public testing::Test {
 protected:
  HostsLock() { (void)setenv("STREAMGAGE_LOCK", path_.c_str(), 1); }
  ~HostsLock() override {
    (void)unsetenv("STREAMGAGE_LOCK");
    std::filesystem::remove(path_);
  }

  std::string path_ = testing::TempDir() + "ranks_lock." + std::to_string(getpid());
};

// Four ranks on two hosts, which share one lock.
void with_hosts(const std::function<void(Crew&)>& lead) {
  const Machine machine;
  with_ranks(4, [&](Transport& transport) {
    World world(transport, 60.0);
    const std::array<const char*, 4> hosts{"a", "b", "a", "b"};
    const std::string host = hosts.at(static_cast<std::size_t>(transport.rank()));
    ASSERT_TRUE(world.meet(host, host));
    Part part(world, machine);
    if (!world.is_root()) {
      EXPECT_TRUE(serve(world, part));
      return;
    }
    Crew crew(world, part);
    lead(crew);
    crew.dismiss();
  });
}

TEST_F(HostsLock, HostsThatShareOneDoNotWaitForEachOther) {
  with_hosts([&](Crew& crew) {
    const auto locked = lock_hosts(crew, {false});
    ASSERT_TRUE(locked) << locked.error().message;
    EXPECT_FALSE(locked->waited);
    EXPECT_TRUE(try_lock(path_)->other) << "nobody holds it";
  });
  EXPECT_TRUE(try_lock(path_)->lock.held()) << "it was not given back";
}

TEST_F(HostsLock, AnotherMeasurementIsReportedWithItsHost) {
  const auto other = try_lock(path_);
  ASSERT_TRUE(other->lock.held());
  with_hosts([&](Crew& crew) {
    const auto locked = lock_hosts(crew, {false});
    ASSERT_FALSE(locked);
    EXPECT_THAT(locked.error().message, HasSubstr("on host a another measurement (process "));
    EXPECT_THAT(locked.error().message, HasSubstr("or leave out --no-wait"));
    EXPECT_FALSE(crew.is_broken());
  });
}

TEST_F(HostsLock, AFileThatIsNoLockIsReportedWithItsRank) {
  std::ofstream(path_) << "precious";
  with_hosts([&](Crew& crew) {
    const auto locked = lock_hosts(crew, {true});
    ASSERT_FALSE(locked);
    EXPECT_THAT(locked.error().message, HasSubstr("rank 0 on host a: " + path_ + " is not a lock"));
    EXPECT_FALSE(crew.is_broken());
  });
  EXPECT_EQ(std::filesystem::file_size(path_), 8U);
}

TEST_F(HostsLock, IsWaitedForUntilItIsFree) {
  auto other = std::make_unique<LockAttempt>(std::move(*try_lock(path_)));
  std::string noted;
  with_hosts([&](Crew& crew) {
    const auto locked = lock_hosts(crew, {true, [&](const std::string& note) {
                                            noted = note;
                                            other.reset();
                                          }});
    ASSERT_TRUE(locked) << locked.error().message;
    EXPECT_TRUE(locked->waited);
  });
  EXPECT_THAT(noted, HasSubstr("waiting: on host a another measurement (process "));
}

}  // namespace
}  // namespace streamgage::engine
