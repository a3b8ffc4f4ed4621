#include "lock/machine_lock.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "lock/holder.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

constexpr long kNanosecondsBetweenLooks = 500'000'000;
constexpr int kOpenings = 100;

// Where files are the kernel's own: writing to one changes the system.
constexpr auto kKernelFiles =
    std::to_array<long>({PROC_SUPER_MAGIC, SYSFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
                         DEBUGFS_MAGIC, TRACEFS_MAGIC, SECURITYFS_MAGIC});

// What is not a plain file, such as a link that somebody put there, is never written to.
constexpr int kAnyFile = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

bool all_can_write(const std::string& folder) {
  struct stat status {};
  return stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         (status.st_mode & S_IWOTH) != 0 && access(folder.c_str(), W_OK) == 0;
}

// An open file, or -1 and errno. The file is made only where it is not there: in a folder that
// others write to, the kernel refuses to open another user's file with O_CREAT.
int open_file(const std::string& path) {
  for (int attempt = 0; attempt < kOpenings; ++attempt) {
    int descriptor = open(path.c_str(), O_RDWR | kAnyFile);
    if (descriptor < 0 && (errno == EACCES || errno == EPERM || errno == EROFS)) {
      // Enough for a lock; only the holder's name cannot be written.
      descriptor = open(path.c_str(), O_RDONLY | kAnyFile);
    }
    if (descriptor >= 0 || errno != ENOENT) {
      return descriptor;
    }
    descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | kAnyFile, 0666);
    if (descriptor >= 0) {
      (void)fchmod(descriptor, 0666);  // whatever the umask is
      return descriptor;
    }
    if (errno != EEXIST) {
      return -1;
    }
  }
  return -1;
}

// Why that file is no lock and is to be left alone, or nothing. A second name would be that of
// somebody's file.
std::optional<std::string> foreign_kind(int descriptor) {
  struct stat status {};
  struct statfs system {};
  if (fstat(descriptor, &status) != 0 || fstatfs(descriptor, &system) != 0) {
    return std::strerror(errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a plain file";
  }
  if (std::find(kKernelFiles.begin(), kKernelFiles.end(), system.f_type) != kKernelFiles.end()) {
    return "it is a file of the kernel";
  }
  if (status.st_nlink > 1) {
    return "it has a second name";
  }
  return std::nullopt;
}

// Whether the path still leads to the open file: somebody may have removed it.
bool is_at(int descriptor, const std::string& path) {
  struct stat mine {};
  struct stat there {};
  return fstat(descriptor, &mine) == 0 && lstat(path.c_str(), &there) == 0 &&
         mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

void write_holder(int descriptor) {
  const std::string line = to_line(this_process());
  if (ftruncate(descriptor, 0) == 0) {
    [[maybe_unused]] const ssize_t written = pwrite(descriptor, line.data(), line.size(), 0);
  }
}

// The start of the file, longer than any holder's line; nothing, and errno, where it cannot be
// read.
std::optional<std::string> text_in(int descriptor) {
  std::array<char, 64> text{};
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  return length < 0 ? std::nullopt
                    : std::optional(std::string(text.data(), static_cast<std::size_t>(length)));
}

std::string text_of(int descriptor) { return text_in(descriptor).value_or(""); }

// The reason if the file is not a lock's; nothing if it is one.
std::optional<std::string> foreign_content(int descriptor) {
  const auto text = text_in(descriptor);
  if (!text) {
    return std::strerror(errno);
  }
  return text->empty() || parse_holder(*text) ? std::nullopt
                                              : std::optional("it contains something else");
}

// The holder's line with the number of the file, as that line alone may be in another lock's file.
std::string identity_of_holder(int descriptor) {
  struct stat status {};
  const std::string line = text_of(descriptor);
  const bool is_known = parse_holder(line) && fstat(descriptor, &status) == 0;
  return is_known ? fmt::format("{} {}", status.st_ino, line) : std::string{};
}

// Who holds the lock. A process that is gone has left its name to one that could not write its own.
std::string name_holder(int descriptor) {
  const auto holder = parse_holder(text_of(descriptor));
  if (!holder || (kill(holder->process, 0) != 0 && errno == ESRCH)) {
    return "an unknown process";
  }
  return describe(*holder);
}

// SIGINT and SIGTERM come only while `wait` waits: none is lost between a look and the next pause.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;
  SignalsHeldBack(SignalsHeldBack&&) = delete;
  SignalsHeldBack& operator=(SignalsHeldBack&&) = delete;
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  void wait() const {
    const timespec pause{0, kNanosecondsBetweenLooks};
    ppoll(nullptr, 0, &pause, &before_);
  }

 private:
  sigset_t before_{};
};

LockAttempt go_without(const std::string& path, const std::string& why) {
  LockAttempt attempt;
  attempt.defect = fmt::format(
      "the lock {} cannot be used ({}), so another measurement may run at the same time and spoil "
      "this one",
      path, why);
  return attempt;
}

Error not_a_lock(const std::string& path, const std::string& why) {
  return {fmt::format("{} is not a lock of streamgage ({}) and was left unchanged; set "
                      "STREAMGAGE_LOCK to another file, or to none to measure without a lock",
                      path, why),
          ExitStatus::kFailed};
}

// Of a path that cannot be opened: what is there is not ours, or there can be no lock.
Result<LockAttempt> not_opened(const std::string& path, int error) {
  struct stat there {};
  if (lstat(path.c_str(), &there) != 0) {
    return go_without(path, std::strerror(error));
  }
  const bool is_folder = S_ISDIR(there.st_mode);
  return tl::unexpected<Error>(not_a_lock(path, S_ISLNK(there.st_mode) ? "it is a link"
                                                : is_folder            ? "it is a folder"
                                                                       : std::strerror(error)));
}

// A process has one lock. What it forks, such as a user's kernel, must not keep it.
std::atomic<int> held_by_this_process{-1};

void leave_lock_to_parent() {
  if (const int descriptor = held_by_this_process.exchange(-1); descriptor >= 0) {
    close(descriptor);
  }
}

}  // namespace

MachineLock::MachineLock(int descriptor) : descriptor_(descriptor) {
  static const int installed = pthread_atfork(nullptr, nullptr, &leave_lock_to_parent);
  (void)installed;
  held_by_this_process = descriptor;
}

MachineLock::~MachineLock() {
  if (descriptor_ < 0) {
    return;
  }
  if (parse_holder(text_of(descriptor_))) {
    [[maybe_unused]] const int emptied = ftruncate(descriptor_, 0);
  }
  int mine = descriptor_;
  held_by_this_process.compare_exchange_strong(mine, -1);
  close(descriptor_);  // gives the lock back
}

Result<LockAttempt> try_lock(const std::string& path) {
  for (int opened = 0; opened < kOpenings; ++opened) {
    const int descriptor = open_file(path);
    if (descriptor < 0) {
      return not_opened(path, errno);
    }
    if (const auto why = foreign_kind(descriptor)) {
      close(descriptor);
      return tl::unexpected<Error>(not_a_lock(path, *why));
    }
    const int error = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (const auto why = foreign_content(descriptor)) {
      close(descriptor);
      return tl::unexpected<Error>(not_a_lock(path, *why));
    }
    if (error != 0) {
      LockAttempt attempt;
      attempt.holder = identity_of_holder(descriptor);
      attempt.other = fmt::format(
          "another measurement ({}) holds the lock {}, and two at once would spoil each other",
          name_holder(descriptor), path);
      close(descriptor);
      return error == EWOULDBLOCK ? std::move(attempt) : go_without(path, std::strerror(error));
    }
    MachineLock lock(descriptor);
    if (is_at(descriptor, path)) {
      write_holder(descriptor);
      return LockAttempt{std::move(lock), identity_of_holder(descriptor), {}, {}};
    }
  }
  return go_without(path, "it is removed again and again");
}

Error lock_refused(const std::string& other) {
  return {other + ": measure when it has ended, or leave out --no-wait", ExitStatus::kFailed};
}

Result<TakenLock> take_lock(const LockRequest& request) {
  if (!request.path) {
    return TakenLock{};
  }
  const SignalsHeldBack signals;
  for (bool noted = false;; noted = true) {
    STREAMGAGE_TRY(LockAttempt attempt, try_lock(*request.path));
    if (attempt.defect) {
      request.note(*attempt.defect);
    }
    if (!attempt.other) {
      return TakenLock{std::move(attempt.lock), 0};
    }
    if (!request.wait) {
      return tl::unexpected<Error>(lock_refused(*attempt.other));
    }
    if (!noted) {
      request.note("waiting: " + *attempt.other);
    }
    if (const int signal = request.stop_signal(); signal != 0) {
      return TakenLock{{}, signal};
    }
    signals.wait();
  }
}

std::optional<std::string> lock_path(const char* variable) {
  const std::string_view asked = variable != nullptr ? variable : "";
  if (asked == "none") {
    return std::nullopt;
  }
  if (!asked.empty()) {
    return std::string(asked);
  }
  return all_can_write("/run/lock") ? "/run/lock/streamgage.lock" : "/tmp/streamgage.lock";
}

}  // namespace streamgage::engine
