#include "kernels/own/kernel_guard.hpp"

#include <setjmp.h>  // NOLINT(modernize-deprecated-headers): sigsetjmp is POSIX's
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/own/fault.hpp"

namespace streamgage::engine {
namespace {

constexpr std::array kDeadly{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::int64_t kNextTo = std::int64_t{4} << 20U;  // bytes: guard pages and some more
constexpr std::uintptr_t kNullPages = 64U << 10U;
constexpr double kLongest = 1e9;  // seconds
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
  Text& operator<<(const Text& other) {
    for (std::size_t at = 0; at < other.length_ && length_ < bytes_.size(); ++at) {
      bytes_.at(length_++) = other.bytes_.at(at);
    }
    return *this;
  }
  [[nodiscard]] const char* data() const { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const { return length_; }
  void clear() { length_ = 0; }

 private:
  std::array<char, 4096> bytes_{};
  std::size_t length_ = 0;
};

// Signal handlers know nothing but what is global.
std::atomic<const WatchedKernel*> running{nullptr};
std::atomic_flag is_dying = ATOMIC_FLAG_INIT;
std::array<struct sigaction, kDeadly.size()> former{};

// Of a call that is survived: the thread that makes it, and what is reported of its death.
volatile pid_t trial_thread = 0;
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
      return "SIGBUS: memory that cannot be had, or an address that is not aligned";
    case SIGFPE:
      return "SIGFPE: arithmetic that is not defined, such as a division of integers by zero";
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
  if (signal == SIGALRM) {
    text << "does not return within " << kernel.timeout_text.c_str();
    return FailureReason::kTimeout;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  // The kernel reports an address that no pointer can have as 0.
  const bool is_mapped_out = info.si_code == SEGV_MAPERR || info.si_code == SEGV_ACCERR;
  if (signal == SIGSEGV && describe_array(kernel, address, fault_of(context).kind, text)) {
    return FailureReason::kOutside;
  }
  if (signal == SIGSEGV && is_mapped_out && address < kNullPages && !kernel.arrays.empty()) {
    text << "uses a null pointer, as one is given for every array beyond the "
         << static_cast<std::int64_t>(kernel.arrays.size()) << " that it declares";
    return FailureReason::kAccess;
  }
  text << "crashes (" << name_of_signal(signal)
       << (signal == SIGSEGV ? ", at an address that is in none of its arrays)" : ")");
  return FailureReason::kCrash;
}

void write_all(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(descriptor, data, size);
    if (written < 0 && errno != EINTR) {
      return;
    }
    if (written > 0) {
      data += written;
      size -= static_cast<std::size_t>(written);
    }
  }
}

// Only the first thread that dies reports it.
[[noreturn]] void end_process(const WatchedKernel& kernel, FailureReason reason, const Text& what) {
  static Text record;
  record.clear();
  record << kernel.record_start.c_str() << name_of(reason) << R"(","message":")"
         << kernel.subject.c_str() << " " << what << ".\"}\n";
  if (kernel.descriptor >= 0) {
    write_all(kernel.descriptor, record.data(), record.size());
  }
  record.clear();
  record << "streamgage-engine: " << kernel.subject.c_str() << " " << what << ".\n";
  write_all(STDERR_FILENO, record.data(), record.size());
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
    if (signal != SIGALRM) {
      restore_former();  // it comes again, and has nothing to do with a user's kernel
    }
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
    death_text << "uses threads of its own: streamgage divides the iterations among its threads";
    end_process(*kernel, FailureReason::kAccess, death_text);
  }
  const FailureReason reason = describe_death(*kernel, signal, *info, context, death_text);
  end_process(*kernel, reason, death_text);
}

// exit() and what Fortran's stop makes of it.
void note_exit() {
  if (const WatchedKernel* kernel = running.load(); kernel != nullptr) {
    death_text.clear();
    death_text << "ends the program";
    end_process(*kernel, FailureReason::kCrash, death_text);
  }
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
    sigaction(SIGALRM, &action, nullptr);
    return std::atexit(&note_exit) == 0;
  }();
  (void)is_installed;
}

void set_timer(double seconds) {
  seconds = std::min(seconds, kLongest);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

// What is JSON's in a text, as a part of a longer one.
std::string escaped(const std::string& text) {
  const std::string quoted = nlohmann::ordered_json(text).dump(
      -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
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

void WatchedKernel::prepare() {
  record_start =
      fmt::format(R"({{"record":"kernel-failure","kernel":"{}","source":"{}","reason":")",
                  escaped(name), escaped(source));
  subject = fmt::format("the kernel {} of {}", escaped(name), escaped(source));
  timeout_text = fmt::format("{:g} s", timeout_seconds);
}

GuardedRun::GuardedRun(const WatchedKernel& kernel) {
  install_handlers();
  prepare_thread();
  running = &kernel;
  set_timer(kernel.timeout_seconds);
}

GuardedRun::~GuardedRun() {
  set_timer(0.0);
  running = nullptr;
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
  WatchedKernel watched = kernel;
  watched.prepare();
  const GuardedRun guarded(watched);
  trial_filter = filter;
  std::optional<Death> death;
  try {
    if (!returns(call)) {
      death = Death{death_reason, std::string(death_text.data(), death_text.size())};
    }
  } catch (const std::exception& exception) {
    death = Death{FailureReason::kCrash, fmt::format("throws an exception: {}", exception.what())};
  }
  trial_thread = 0;
  trial_filter = nullptr;
  return death;
}

}  // namespace streamgage::engine
