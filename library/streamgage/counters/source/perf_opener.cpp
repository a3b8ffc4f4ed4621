#include "streamgage/counters/source/perf_opener.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace streamgage {
namespace {

std::error_code system_error() { return {errno, std::generic_category()}; }

class PerfCounter final : public OpenCounter {
 public:
  explicit PerfCounter(int descriptor) : descriptor_(descriptor) {}
  ~PerfCounter() override { close(descriptor_); }
  PerfCounter(const PerfCounter&) = delete;
  PerfCounter& operator=(const PerfCounter&) = delete;
  PerfCounter(PerfCounter&&) = delete;
  PerfCounter& operator=(PerfCounter&&) = delete;

  tl::expected<Tally, std::error_code> read() override {
    std::array<std::uint64_t, 3> values{};  // in the order of read_format
    const ssize_t got = ::read(descriptor_, values.data(), sizeof values);
    if (got < 0) {
      return tl::unexpected(system_error());
    }
    if (got != sizeof values) {  // the end of the file: the kernel gave the event up
      return tl::unexpected(std::make_error_code(std::errc::no_such_device));
    }
    return Tally{values[0], values[1], values[2]};
  }

 private:
  int descriptor_;
};

}  // namespace

OpenedCounter PerfOpener::open(const CounterRequest& request) {
  if (request.words[3] != 0) {  // config3 has no place in the attributes of older kernels
    return tl::unexpected(std::make_error_code(std::errc::not_supported));
  }
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = request.type;
  attributes.config = request.words[0];
  attributes.config1 = request.words[1];
  attributes.config2 = request.words[2];
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const long descriptor =
      syscall(SYS_perf_event_open, &attributes, -1, request.cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (descriptor < 0) {
    return tl::unexpected(system_error());
  }
  return std::make_unique<PerfCounter>(static_cast<int>(descriptor));
}

}  // namespace streamgage
