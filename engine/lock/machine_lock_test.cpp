#include "lock/machine_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lock/holder.hpp"

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class MachineLockTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = testing::TempDir() + "lock-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    path_ = folder + "/lock";
  }

  void TearDown() override {
    unlink(path_.c_str());
    unlink((folder_ + "/other").c_str());
    rmdir(folder_.c_str());
  }

  LockRequest request(bool wait) {
    LockRequest request;
    request.path = path_;
    request.wait = wait;
    request.note = [this](const std::string& note) { notes_.push_back(note); };
    return request;
  }

  // The sentence with which the path is refused.
  std::string refusal() {
    const auto taken = take_lock(request(true));
    EXPECT_FALSE(taken);
    EXPECT_THAT(notes_, IsEmpty());
    return taken ? "" : taken.error().message;
  }

  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::string folder_;
  std::string path_;
  std::vector<std::string> notes_;
};

TEST_F(MachineLockTest, IsHeldByOneAtATime) {
  auto first = take_lock(request(false));
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->lock.held());
  const auto second = take_lock(request(false));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().status, ExitStatus::kFailed);
  EXPECT_THAT(second.error().message,
              StartsWith("another measurement (process " + std::to_string(getpid()) + " of user "));
  EXPECT_THAT(second.error().message, HasSubstr(" holds the lock " + path_ + ", and two at once"));
  first->lock = MachineLock();
  EXPECT_TRUE(take_lock(request(false))->lock.held());
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(MachineLockTest, TheFileNamesItsHolderAndNoOneAfterwards) {
  auto taken = take_lock(request(false));
  const auto holder = parse_holder(text_of(path_));
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->process, getpid());
  EXPECT_EQ(holder->user, getuid());
  taken->lock = MachineLock();
  EXPECT_EQ(text_of(path_), "");
}

TEST_F(MachineLockTest, EveryUserCanOpenItWhateverTheMaskOfItsMaker) {
  const mode_t before = umask(0077);
  const auto taken = take_lock(request(false));
  umask(before);
  struct stat status {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0666U);
}

TEST_F(MachineLockTest, WaitsUntilTheOtherHasEndedAndSaysSoOnce) {
  auto first = take_lock(request(false));
  LockRequest patient = request(true);
  patient.note = [&](const std::string& note) {
    notes_.push_back(note);
    first->lock = MachineLock();
  };
  const auto second = take_lock(patient);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->lock.held());
  EXPECT_THAT(notes_, ElementsAre(StartsWith("waiting: another measurement (process ")));
}

TEST_F(MachineLockTest, ASignalEndsTheWaiting) {
  const auto first = take_lock(request(false));
  LockRequest patient = request(true);
  patient.stop_signal = [] { return SIGTERM; };
  const auto second = take_lock(patient);
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->lock.held());
  EXPECT_EQ(second->signal, SIGTERM);
}

TEST_F(MachineLockTest, ADeadProcessHoldsNothing) {
  const pid_t child = fork();
  if (child == 0) {
    const auto taken = take_lock(request(false));
    raise(SIGKILL);
    _exit(taken ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_THAT(text_of(path_), StartsWith(std::to_string(child) + " "));  // nobody tidied up
  const auto taken = take_lock(request(false));
  EXPECT_TRUE(taken->lock.held());
  EXPECT_THAT(text_of(path_), StartsWith(std::to_string(getpid()) + " "));
}

TEST_F(MachineLockTest, TheNameOfAProcessThatIsGoneIsNotReported) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  const auto first = take_lock(request(false));
  std::ofstream(path_) << to_line({child, 0, "2026-01-31T12:00:00Z"});
  const auto second = take_lock(request(false));
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("(an unknown process)"));
}

TEST_F(MachineLockTest, IsNotPassedOnToAProgramThatIsStarted) {
  const auto taken = take_lock(request(false));
  struct stat lock {};
  ASSERT_EQ(stat(path_.c_str(), &lock), 0);
  int found = 0;
  for (int descriptor = 0; descriptor < 256; ++descriptor) {
    struct stat status {};
    if (fstat(descriptor, &status) == 0 && status.st_ino == lock.st_ino &&
        status.st_dev == lock.st_dev) {
      ++found;
      EXPECT_NE(static_cast<unsigned>(fcntl(descriptor, F_GETFD)) & FD_CLOEXEC, 0U);
    }
  }
  EXPECT_EQ(found, 1);
}

TEST_F(MachineLockTest, AFileThatWasRemovedIsMadeAnew) {
  const auto first = take_lock(request(false));
  unlink(path_.c_str());
  const auto second = take_lock(request(false));
  EXPECT_TRUE(second->lock.held());
  EXPECT_THAT(text_of(path_), StartsWith(std::to_string(getpid()) + " "));
}

TEST_F(MachineLockTest, ALinkIsNotFollowedAndWhatItNamesIsLeftAlone) {
  const std::string other = folder_ + "/other";
  std::ofstream(other) << "precious";
  ASSERT_EQ(symlink(other.c_str(), path_.c_str()), 0);
  EXPECT_THAT(refusal(), HasSubstr("(it is a link)"));
  EXPECT_EQ(text_of(other), "precious");
}

TEST_F(MachineLockTest, AFileOfTwoNamesIsLeftAlone) {
  const std::string other = folder_ + "/other";
  std::ofstream(other).close();
  ASSERT_EQ(link(other.c_str(), path_.c_str()), 0);
  EXPECT_THAT(refusal(), HasSubstr("(it has a second name)"));
  EXPECT_EQ(text_of(other), "");
}

TEST_F(MachineLockTest, WhatIsNoPlainFileIsRefusedAndDoesNotHoldTheRunUp) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(refusal(), HasSubstr("(it is not a plain file)"));
  path_ = "/dev/null";
  EXPECT_THAT(refusal(), HasSubstr("(it is not a plain file)"));
  path_ = folder_;
  EXPECT_THAT(refusal(), HasSubstr("(it is a folder)"));
  path_ = folder_ + "/lock";
}

TEST_F(MachineLockTest, AFileThatHoldsSomethingElseIsLeftAsItIs) {
  for (const std::string text : {"precious\n", "\n", "4711 1000 2026-01-31T12:00:00Z",
                                 "4711 1000 2026-01-31T12:00:00Z\nprecious\n"}) {
    std::ofstream(path_) << text;
    EXPECT_EQ(refusal(),
              path_ +
                  " is not a lock of streamgage (it contains something else) and was left "
                  "unchanged; set STREAMGAGE_LOCK to another file, or to none to "
                  "measure without a lock");
    EXPECT_EQ(text_of(path_), text);
  }
}

TEST_F(MachineLockTest, AFileThatHoldsSomethingElseIsNotWaitedFor) {
  std::ofstream(path_) << "precious";
  const int other = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  EXPECT_THAT(refusal(), HasSubstr("(it contains something else)"));
  close(other);
}

// It reads as empty, and what is written there is a setting.
TEST_F(MachineLockTest, AFileOfTheKernelIsLeftAlone) {
  path_ = "/proc/self/attr/exec";
  if (access(path_.c_str(), F_OK) != 0) {
    path_ = "/proc/self/comm";
  }
  EXPECT_THAT(refusal(), HasSubstr("(it is a file of the kernel)"));
  path_ = folder_ + "/lock";
}

TEST_F(MachineLockTest, WhatCameIntoTheFileWhileItWasHeldIsLeftThere) {
  auto taken = take_lock(request(false));
  ASSERT_TRUE(taken->lock.held());
  std::ofstream(path_) << "precious";
  taken->lock = MachineLock();
  EXPECT_EQ(text_of(path_), "precious");
}

TEST_F(MachineLockTest, AForkedProcessDoesNotKeepIt) {
  auto taken = take_lock(request(false));
  ASSERT_TRUE(taken->lock.held());
  const pid_t child = fork();
  if (child == 0) {
    raise(SIGSTOP);
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, WUNTRACED), child);
  taken->lock = MachineLock();
  const auto again = take_lock(request(false));
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->lock.held());
}

TEST_F(MachineLockTest, AFolderThatIsNotThereCostsANote) {
  path_ = folder_ + "/none/lock";
  const auto taken = take_lock(request(false));
  ASSERT_TRUE(taken);
  EXPECT_FALSE(taken->lock.held());
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("cannot be used (No such file or directory)")));
  path_ = folder_ + "/lock";
}

TEST_F(MachineLockTest, NoLockIsTakenWhereNoneIsWanted) {
  LockRequest request = this->request(false);
  request.path = lock_path("none");
  EXPECT_FALSE(take_lock(request)->lock.held());
  EXPECT_THAT(notes_, IsEmpty());
}

TEST(LockPath, IsTheUsersOrOneThatAllUsersShare) {
  EXPECT_EQ(lock_path("/some/where"), "/some/where");
  EXPECT_FALSE(lock_path("none"));
  EXPECT_EQ(lock_path(nullptr), lock_path(""));
  EXPECT_THAT(lock_path(nullptr).value(), testing::EndsWith("/streamgage.lock"));
}

}  // namespace
}  // namespace streamgage::engine
