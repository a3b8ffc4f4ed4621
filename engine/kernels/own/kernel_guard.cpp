#include "kernels/own/kernel_guard.hpp"

#include <setjmp.h>  // NOLINT(modernize-deprecated-headers): sigsetjmp is POSIX's
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "kernels/own/fault.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

constexpr std::array kDeadly{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::int64_t kNextTo = std::int64_t{4} << 20U;  // bytes: guard pages and some more
constexpr std::uintptr_t kNullPages = 64U << 10U;
constexpr double kLongest = 1e9;         // seconds
constexpr double kLeastToLoadOrEnd = 2;  // seconds: a disk or much memory may be slow
constexpr std::size_t kSignalStack = 64U << 10U;

// A text that a signal handler can write: it allocates nothing and cuts off what does not fit.
class Text {
 public:
  Text& operator<<(const char* text) {
    while (*text != '\0' && length_ < bytes_.size()) {
      bytes_.at(length_++) = *text++;
    }
    return *this;
  }
  Text& operator<<(std::int64_t number) {
    std::array<char, 24> digits{};
    std::size_t at = digits.size() - 1;
    const bool is_negative = number < 0;
    auto rest =
        is_negative ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    do {
      digits.at(--at) = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (is_negative) {
      digits.at(--at) = '-';
    }
    return *this << &digits.at(at);
  }
  [[nodiscard]] std::string_view view() const { return {bytes_.data(), length_}; }
  void clear() { length_ = 0; }

 private:
  std::array<char, kLongestDeath> bytes_{};
  std::size_t length_ = 0;
};

// Signal handlers know nothing but what is global.
std::atomic<const WatchedKernel*> running{nullptr};
std::atomic_flag is_dying = ATOMIC_FLAG_INIT;
std::array<struct sigaction, kDeadly.size()> former{};

// The page that a watching process shares; without one, a page that nothing reads.
KernelWatch unwatched;
std::atomic<KernelWatch*> watch{&unwatched};
int watched_descriptor = -1;

// Of a call that is survived: the thread that makes it, and what is reported of its death.
volatile pid_t trial_thread = 0;
pid_t guarded_process = 0;
sigjmp_buf trial_start;
FaultFilter trial_filter = nullptr;
FailureReason death_reason = FailureReason::kCrash;
Text death_text;

static_assert(std::atomic<const WatchedKernel*>::is_always_lock_free);

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

// "writes element 1000 of its array a, which has the elements 0 to 999", if it is such an address.
bool describe_array(const WatchedKernel& kernel, std::uintptr_t address, FaultKind kind,
                    Text& text) {
  const WatchedArray* nearest = nullptr;
  std::int64_t nearest_distance = kNextTo;
  for (const WatchedArray& array : kernel.arrays) {
    const auto at = static_cast<std::int64_t>(address) - static_cast<std::int64_t>(array.data);
    const std::int64_t size = array.elements * array.element_bytes;
    const std::int64_t distance = at < 0 ? -at : at >= size ? at - size + 1 : 0;
    if (distance < nearest_distance) {
      nearest = &array;
      nearest_distance = distance;
    }
  }
  if (nearest == nullptr) {
    return false;
  }
  const auto at = static_cast<std::int64_t>(address) - static_cast<std::int64_t>(nearest->data);
  const std::int64_t size = nearest->element_bytes;
  const std::int64_t element = at < 0 ? -((size - 1 - at) / size) : at / size;
  text << (kind == FaultKind::kWrite  ? "writes"
           : kind == FaultKind::kRead ? "reads"
                                      : "touches")
       << " element " << element << " of its array " << nearest->name.c_str()
       << ", which has the elements 0 to " << nearest->elements - 1;
  return true;
}

const char* name_of_signal(int signal) {
  switch (signal) {
    case SIGBUS:
      return "SIGBUS: unavailable memory, or a misaligned address";
    case SIGFPE:
      return "SIGFPE: undefined arithmetic, such as an integer division by zero";
    case SIGILL:
      return "SIGILL: an instruction that this processor does not know";
    case SIGABRT:
      return "SIGABRT: it calls abort";
    default:
      return "SIGSEGV";
  }
}

FailureReason describe_death(const WatchedKernel& kernel, int signal, const siginfo_t& info,
                             const void* context, Text& text) {
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  // The kernel reports an address that no pointer can have as 0.
  const bool is_mapped_out = info.si_code == SEGV_MAPERR || info.si_code == SEGV_ACCERR;
  if (signal == SIGSEGV && describe_array(kernel, address, fault_of(context).kind, text)) {
    return FailureReason::kOutside;
  }
  if (signal == SIGSEGV && is_mapped_out && address < kNullPages && !kernel.arrays.empty()) {
    text << "uses a null pointer; streamgage passes one for every array beyond the "
         << static_cast<std::int64_t>(kernel.arrays.size()) << " that it declares";
    return FailureReason::kAccess;
  }
  text << "crashes (" << name_of_signal(signal)
       << (signal == SIGSEGV ? ", at an address outside all its arrays)" : ")")
       << (kernel.phase == KernelPhase::kLoading  ? " while it is loaded"
           : kernel.phase == KernelPhase::kEnding ? " at the end of the program"
                                                  : "");
  return FailureReason::kCrash;
}

// Only the first thread that dies reports it, and no process that the kernel has forked.
[[noreturn]] void end_guarded_process(FailureReason reason, std::string_view what) {
  KernelWatch& page = *watch.load();
  if (getpid() == guarded_process) {
    page.reason = reason;
    put_text(page.what, what);
    page.has_died = true;
  }
  _exit(1);
}

void restore_former() {
  for (std::size_t number = 0; number < kDeadly.size(); ++number) {
    sigaction(kDeadly.at(number), &former.at(number), nullptr);
  }
}

extern "C" void note_death(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const WatchedKernel* kernel = running.load();
  if (kernel == nullptr) {
    restore_former();  // it comes again, and has nothing to do with a user's kernel
    return;
  }
  if (trial_thread == this_thread()) {
    if (signal == SIGSEGV && trial_filter != nullptr &&
        trial_filter(reinterpret_cast<std::uintptr_t>(info->si_addr),
                     fault_of(context).instruction)) {
      errno = error;
      return;
    }
    death_text.clear();
    death_reason = describe_death(*kernel, signal, *info, context, death_text);
    siglongjmp(trial_start, 1);
  }
  if (is_dying.test_and_set()) {
    for (;;) {
      pause();
    }
  }
  death_text.clear();
  if (signal == SIGSEGV && trial_thread != 0 && trial_filter != nullptr) {
    // The pages were made inaccessible to see what the thread that makes the call does with them.
    death_text << "uses its own threads; remove them, because streamgage already divides the "
                  "iterations among threads";
    end_guarded_process(FailureReason::kAccess, death_text.view());
  }
  const FailureReason reason = describe_death(*kernel, signal, *info, context, death_text);
  end_guarded_process(reason, death_text.view());
}

void install_handlers() {
  static const bool is_installed = [] {
    struct sigaction action {};
    action.sa_sigaction = &note_death;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (std::size_t number = 0; number < kDeadly.size(); ++number) {
      sigaction(kDeadly.at(number), &action, &former.at(number));
    }
    return true;
  }();
  (void)is_installed;
}

std::int64_t nanoseconds_until(double seconds) {
  const auto since = std::chrono::duration<double>(now().time_since_epoch()).count();
  return static_cast<std::int64_t>((since + std::min(seconds, kLongest)) * 1e9);
}

bool has_children() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

FileState state_of(int descriptor) {
  struct stat status {};
  return descriptor < 0 || fstat(descriptor, &status) != 0
             ? FileState{}
             : FileState{status.st_dev, status.st_ino, lseek(descriptor, 0, SEEK_CUR)};
}

bool is_same_file(const FileState& one, const FileState& other) {
  return one.device == other.device && one.number == other.number;
}

// What a kernel does to the file of the records, if anything. What it prints goes to stderr, and
// may go to that file, too.
const char* misuse_of_records(const FileState& before) {
  const FileState after = state_of(watched_descriptor);
  if (!is_same_file(before, after)) {
    return "closes a file that it did not open: the one that the records go to";
  }
  if (before.offset != after.offset && !is_same_file(after, state_of(STDERR_FILENO))) {
    return "writes to a file that it did not open: the one that the records go to";
  }
  return nullptr;
}

// Whether it does, or a signal's handler jumps back. Alone in its function: a jump may leave the
// other variables of a function that is jumped into as they should not be.
[[gnu::noinline]] bool returns(const std::function<void()>& call) {
  if (sigsetjmp(trial_start, 1) != 0) {
    return false;
  }
  trial_thread = this_thread();
  call();
  return true;
}

}  // namespace

GuardedRun::GuardedRun(const WatchedKernel& kernel)
    : process_(getpid()), had_children_(has_children()), records_(state_of(watched_descriptor)) {
  install_handlers();
  prepare_thread();
  guarded_process = process_;
  KernelWatch& page = *watch.load();
  page.phase = kernel.phase;
  page.timeout_seconds = kernel.phase == KernelPhase::kRunning
                             ? kernel.timeout_seconds
                             : std::max(kernel.timeout_seconds, kLeastToLoadOrEnd);
  put_text(page.name, kernel.name);
  put_text(page.source, kernel.source);
  running = &kernel;
  page.calls.fetch_add(1);
  page.deadline = nanoseconds_until(page.timeout_seconds);
}

GuardedRun::~GuardedRun() {
  if (getpid() != process_) {
    _exit(0);  // a process that the kernel has forked would go on measuring
  }
  if (!had_children_ && has_children()) {
    end_guarded_process(FailureReason::kAccess,
                        "starts its own processes; remove them, because streamgage already divides "
                        "the iterations among threads");
  }
  if (const char* misuse = misuse_of_records(records_); misuse != nullptr) {
    end_guarded_process(FailureReason::kAccess, misuse);
  }
  watch.load()->deadline = 0;
  running = nullptr;
}

void share_watch(KernelWatch& page, int descriptor) {
  watch = &page;
  watched_descriptor = descriptor;
}

void exit_guarded(const std::string& sources, double timeout_seconds, int status) {
  watch.load()->exit_status = status;
  WatchedKernel kernel;
  kernel.source = sources;
  kernel.timeout_seconds = timeout_seconds;
  kernel.phase = KernelPhase::kEnding;
  const GuardedRun guarded(kernel);
  std::exit(status);
}

void prepare_thread() {
  stack_t present{};
  if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  // Never given back: the thread may outlive whoever would.
  void* memory =
      mmap(nullptr, kSignalStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    stack_t stack{};
    stack.ss_sp = memory;
    stack.ss_size = kSignalStack;
    (void)sigaltstack(&stack, nullptr);
  }
}

std::optional<Death> try_call(const WatchedKernel& kernel, const std::function<void()>& call,
                              FaultFilter filter) {
  const GuardedRun guarded(kernel);
  trial_filter = filter;
  std::optional<Death> death;
  try {
    if (!returns(call)) {
      death = Death{death_reason, std::string(death_text.view())};
    }
  } catch (const std::exception& exception) {
    death = Death{FailureReason::kCrash, fmt::format("throws an exception: {}", exception.what())};
  } catch (...) {
    // pthread_exit() unwinds like an exception, and can only be passed on.
    end_guarded_process(FailureReason::kCrash,
                        "ends its thread, or throws something other than a std::exception");
  }
  trial_thread = 0;
  trial_filter = nullptr;
  return death;
}

}  // namespace streamgage::engine
