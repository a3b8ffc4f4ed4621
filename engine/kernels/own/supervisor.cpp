#include "kernels/own/supervisor.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/json_lines.hpp"
#include "kernels/own/kernel_guard.hpp"
#include "kernels/own/kernel_watch.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage::engine {
namespace {

using Nanoseconds = std::int64_t;

constexpr std::array kWatchedSignals{SIGCHLD, SIGINT, SIGTERM, SIGTSTP, SIGHUP, SIGQUIT};
constexpr Nanoseconds kSecond = 1'000'000'000;
constexpr Nanoseconds kGrace = 2 * kSecond;  // for the call that runs when a signal asks for an end
constexpr Nanoseconds kSuspended = kSecond;  // who wakes up so late was suspended itself
constexpr Nanoseconds kLongestSupervisorSleep = 10 * kSecond;
constexpr Nanoseconds kLongestClearing = 5 * kSecond;
constexpr long kBetweenKills = 2'000'000;  // nanoseconds

Nanoseconds steady_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now().time_since_epoch()).count();
}

Nanoseconds nanoseconds(double seconds) {
  return static_cast<Nanoseconds>(std::min(seconds, 1e9) * 1e9);
}

// The processes whose parent this one is.
std::vector<pid_t> children_of_this_process() {
  std::vector<pid_t> children;
  const auto self = static_cast<std::uint64_t>(getpid());
  std::error_code error;
  std::filesystem::directory_iterator folder("/proc", error);
  for (; !error && folder != std::filesystem::directory_iterator(); folder.increment(error)) {
    const auto process = parse_unsigned(folder->path().filename().string());
    const auto stat = process ? read_pseudo_file(folder->path().string() + "/stat")
                              : tl::unexpected(std::error_code{});
    if (!stat) {
      continue;
    }
    // "12 (a name) S 1 ...": the name may hold anything.
    std::string_view rest = *stat;
    rest.remove_prefix(std::min(rest.size(), rest.rfind(')') + 1));
    (void)take_word(rest);
    if (parse_unsigned(take_word(rest)) == self) {
      children.push_back(static_cast<pid_t>(*process));
    }
  }
  return children;
}

// Ends what is left: the group of the worker, and what has left the group and has become a child of
// this process when its own parent ended.
void end_all_that_is_left(pid_t group) {
  (void)kill(-group, SIGKILL);
  const Nanoseconds end = steady_now() + kLongestClearing;
  const timespec pause{0, kBetweenKills};
  for (bool is_first = true; steady_now() < end; is_first = false) {
    pid_t ended = 0;
    do {
      ended = waitpid(-1, nullptr, WNOHANG);
    } while (ended > 0);
    if (ended < 0) {
      return;
    }
    if (!is_first) {
      for (const pid_t child : children_of_this_process()) {
        (void)kill(child, SIGKILL);
      }
    }
    nanosleep(&pause, nullptr);
  }
}

// Signals that come one after the other to who asks for them, until it is destroyed.
class SignalsInTurn {
 public:
  SignalsInTurn() {
    sigemptyset(&signals_);
    for (const int signal : kWatchedSignals) {
      sigaddset(&signals_, signal);
    }
    (void)std::signal(SIGCHLD, SIG_DFL);  // else no child could be waited for
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  SignalsInTurn(const SignalsInTurn&) = delete;
  SignalsInTurn& operator=(const SignalsInTurn&) = delete;
  SignalsInTurn(SignalsInTurn&&) = delete;
  SignalsInTurn& operator=(SignalsInTurn&&) = delete;
  ~SignalsInTurn() { restore(); }

  void restore() const { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  // 0 where none came.
  [[nodiscard]] int wait(Nanoseconds longest) const {
    longest = std::max<Nanoseconds>(longest, 0);
    const timespec most{static_cast<time_t>(longest / kSecond),
                        static_cast<long>(longest % kSecond)};
    const int signal = sigtimedwait(&signals_, nullptr, &most);
    return std::max(signal, 0);
  }

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

class Supervisor {
 public:
  Supervisor(const Supervision& supervision, const KernelWatch& page, pid_t worker,
             const SignalsInTurn& signals)
      : supervision_(supervision), page_(page), worker_(worker), signals_(signals) {}

  Result<int> watch() {
    while (!status_) {
      const Nanoseconds wake = wake_at();
      const int signal = signals_.wait(wake - steady_now());
      if (signal == 0 && steady_now() > wake + kSuspended) {
        excuse();
      }
      reap();
      if (!status_) {
        act_on(signal);
        look_at_the_call();
      }
    }
    end_all_that_is_left(worker_);
    return judge();
  }

 private:
  // A call that began before all were suspended has its time again.
  void excuse() { not_before_ = steady_now() + nanoseconds(page_.timeout_seconds); }

  // The latest moment to look: no call that begins now is overdue before its time has passed.
  [[nodiscard]] Nanoseconds wake_at() const {
    const Nanoseconds at = steady_now();
    if (stopping_ != 0) {
      return std::min(at + kGrace, stop_look_);
    }
    const Nanoseconds deadline = page_.deadline;
    const Nanoseconds next = at + nanoseconds(supervision_.timeout_seconds);
    const Nanoseconds wanted = deadline == 0 ? next : std::max(deadline, not_before_);
    return std::min(wanted, at + kLongestSupervisorSleep);
  }

  void reap() {
    int status = 0;
    for (;;) {
      const pid_t child = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED);
      if (child <= 0) {
        return;
      }
      if (child != worker_) {
        continue;  // what a kernel has started
      }
      is_stopped_ = WIFSTOPPED(status);
      if (WIFEXITED(status) || WIFSIGNALED(status)) {
        status_ = status;
      }
    }
  }

  void act_on(int signal) {
    switch (signal) {
      case SIGINT:
      case SIGTERM:
        if (stopping_ == SIGINT && signal == SIGINT) {
          end_worker();
          return;
        }
        if (stopping_ == 0) {
          stopping_ = signal;
          stop_call_ = page_.calls;
          stop_look_ = steady_now() + kGrace;
        }
        (void)kill(worker_, signal);
        return;
      case SIGHUP:
      case SIGQUIT:
        stopping_ = signal;
        end_worker();
        return;
      case SIGTSTP:
        (void)kill(-worker_, SIGSTOP);
        (void)raise(SIGSTOP);  // returns when this process is continued
        (void)kill(-worker_, SIGCONT);
        excuse();
        return;
      default:
        return;
    }
  }

  // Ends the worker where its call takes too long, or does not end after a signal.
  void look_at_the_call() {
    const Nanoseconds at = steady_now();
    const Nanoseconds deadline = page_.deadline;
    if (status_) {
      return;
    }
    if (stopping_ != 0 && at >= stop_look_) {
      const std::uint64_t calls = page_.calls;
      if (deadline != 0 && calls == stop_call_) {
        end_worker();
        return;
      }
      stop_call_ = calls;
      stop_look_ = at + kGrace;
    }
    if (stopping_ == 0 && deadline != 0 && at >= std::max(deadline, not_before_)) {
      overdue_ = is_stopped_ ? "stops the program (SIGSTOP), and " : "";
      end_worker();
    }
  }

  void end_worker() {
    (void)kill(-worker_, SIGKILL);
    int status = 0;
    while (waitpid(worker_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = status;
    was_ended_ = true;
  }

  Result<int> judge() {
    if (was_ended_ && !overdue_) {
      return die_like_the_signal();
    }
    if (stopping_ != 0 && WIFEXITED(*status_) && WEXITSTATUS(*status_) == 128 + stopping_) {
      return 128 + stopping_;  // it has ended itself in time, with its last record
    }
    if (page_.has_died) {
      return fail(page_.reason, text_in(page_.what));
    }
    if (overdue_) {
      return fail(FailureReason::kTimeout, *overdue_ + what_is_overdue());
    }
    if (WIFSIGNALED(*status_)) {
      if (page_.deadline == 0) {
        return die_by(WTERMSIG(*status_));
      }
      return fail(FailureReason::kCrash, what_of_signal(WTERMSIG(*status_)));
    }
    const int status = WEXITSTATUS(*status_);
    if (page_.deadline == 0 ||
        (page_.phase == KernelPhase::kEnding && status == page_.exit_status)) {
      return status;
    }
    return fail(FailureReason::kCrash, what_of_exit());
  }

  [[nodiscard]] std::string what_is_overdue() const {
    const std::string limit = fmt::format("{:g} s", page_.timeout_seconds);
    switch (page_.phase) {
      case KernelPhase::kLoading:
        return fmt::format(
            "does not finish loading within {}: a constructor or its declaring function does not "
            "return",
            limit);
      case KernelPhase::kEnding:
        return fmt::format(
            "keeps the program from ending within {}: a destructor or an atexit function does not "
            "return",
            limit);
      case KernelPhase::kRunning:
        break;
    }
    return "does not return within " + limit;
  }

  [[nodiscard]] std::string what_of_exit() const {
    switch (page_.phase) {
      case KernelPhase::kLoading:
        return "ends the program while it is loaded";
      case KernelPhase::kEnding:
        return "ends the program with its own exit status";
      case KernelPhase::kRunning:
        break;
    }
    return "ends the program";
  }

  [[nodiscard]] static std::string what_of_signal(int signal) {
    return signal == SIGKILL
               ? "was running when SIGKILL ended the program, perhaps because memory ran out"
               : fmt::format("crashes (signal {}: {})", signal, strsignal(signal));
  }

  Result<int> fail(FailureReason reason, const std::string& what) {
    const std::string name = text_in(page_.name);
    const std::string source = text_in(page_.source);
    const KernelFailure found{name.empty() ? std::nullopt : std::optional(name), source, reason,
                              fmt::format("{} {}", subject_of(name, source), what)};
    STREAMGAGE_TRY(JsonLines(supervision_.descriptor).write(to_record(found)));
    return failure(found.message);
  }

  [[nodiscard]] int die_like_the_signal() const {
    return stopping_ == SIGHUP || stopping_ == SIGQUIT ? die_by(stopping_) : 128 + stopping_;
  }

  // So that whoever started this process sees what has happened.
  [[nodiscard]] int die_by(int number) const {
    (void)std::signal(number, SIG_DFL);
    signals_.restore();
    (void)raise(number);
    return 128 + number;
  }

  const Supervision& supervision_;
  const KernelWatch& page_;
  pid_t worker_;
  const SignalsInTurn& signals_;
  std::optional<int> status_;           // of the worker, once it has ended
  bool was_ended_ = false;              // by this process
  bool is_stopped_ = false;             // the worker, by a signal
  std::optional<std::string> overdue_;  // begins the sentence of a call that took too long
  Nanoseconds not_before_ = 0;          // no call is overdue before that
  int stopping_ = 0;                    // the signal that asked for an end
  std::uint64_t stop_call_ = 0;         // the call that ran when it was last looked for its end
  Nanoseconds stop_look_ = 0;           // when to look again
};

Result<KernelWatch*> shared_page() {
  void* memory =
      mmap(nullptr, sizeof(KernelWatch), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return failure(fmt::format("users' kernels cannot be watched: {}", std::strerror(errno)));
  }
  return new (memory) KernelWatch;  // stays until the process ends
}

[[noreturn]] void work_as_a_child(const Supervision& supervision, KernelWatch& page, pid_t parent,
                                  const std::function<int()>& work) {
  (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(1);
  }
  // What a kernel starts is then a child of this process, whatever becomes of those in between.
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
  share_watch(page, supervision.descriptor);
  exit_guarded(supervision.sources, supervision.timeout_seconds, work());
}

}  // namespace

Result<int> supervise(const Supervision& supervision, const std::function<int()>& work) {
  STREAMGAGE_TRY(KernelWatch* const page, shared_page());
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
  (void)std::fflush(nullptr);
  const pid_t parent = getpid();
  const SignalsInTurn signals;
  const pid_t worker = fork();
  if (worker < 0) {
    return failure(
        fmt::format("a process for users' kernels cannot be started: {}", std::strerror(errno)));
  }
  if (worker == 0) {
    signals.restore();
    work_as_a_child(supervision, *page, parent, work);
  }
  (void)setpgid(worker, worker);  // here as well: who is first does not matter
  return Supervisor(supervision, *page, worker, signals).watch();
}

}  // namespace streamgage::engine
