#include "devices/drivers/opencl_device.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices/compiler_log.hpp"
#include "devices/device_source.hpp"
#include "devices/drivers/device_place.hpp"
#include "devices/drivers/forbidden_file.hpp"
#include "devices/drivers/opencl_functions.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine::opencl {
namespace {

// Launches that wait in the queue at a time.
constexpr std::int64_t kMostQueued = 256;

struct Found {
  Platform platform;
  DeviceId device;
};

std::string name_of_code(Int code) {
  switch (code) {
    case -3:
      return "the driver has no compiler";
    case -4:
      return "its memory is full";
    case -5:
      return "it is out of resources";
    case -6:
      return "the host's memory is full";
    case -11:
      return "the kernel does not compile";
    case -54:
      return "such a group is too large for it";
    case -61:
      return "such an array is too large for it";
    default:
      return "the driver refuses it";
  }
}

Error error_of(const std::string& id, const std::string& what, Int code) {
  return {fmt::format("{}: {}: {} (OpenCL error {})", id, what, name_of_code(code), code),
          ExitStatus::kFailed};
}

template <class Value>
Value number_of(const Functions& cl, DeviceId device, Uint key) {
  Value value{};
  return cl.GetDeviceInfo(device, key, sizeof value, &value, nullptr) == kSuccess ? value : Value{};
}

// A text, by a function that is asked for its length first.
template <class Ask>
std::string text_by(Ask&& ask) {
  std::size_t bytes = 0;
  if (ask(0, nullptr, &bytes) != kSuccess || bytes == 0) {
    return {};
  }
  std::string text(bytes, '\0');
  if (ask(bytes, text.data(), nullptr) != kSuccess) {
    return {};
  }
  text.resize(text.find('\0') == std::string::npos ? text.size() : text.find('\0'));
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string{}
                                    : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string text_of(const Functions& cl, DeviceId device, Uint key) {
  return text_by([&](std::size_t bytes, void* to, std::size_t* needed) {
    return cl.GetDeviceInfo(device, key, bytes, to, needed);
  });
}

std::string text_of(const Functions& cl, Platform platform, Uint key) {
  return text_by([&](std::size_t bytes, void* to, std::size_t* needed) {
    return cl.GetPlatformInfo(platform, key, bytes, to, needed);
  });
}

// Why a driver may see no device.
std::string forbidden() {
  return forbidden_file({"/dev/kfd", "/dev/dri/renderD128", "/dev/nvidiactl"});
}

// Those of all platforms, in the order of the drivers; a platform without devices has none.
Result<std::vector<Found>> find_all(const Functions& cl) {
  Uint count = 0;
  const Int code = cl.GetPlatformIDs(0, nullptr, &count);
  if (code == kPlatformNotFound || (code == kSuccess && count == 0)) {
    return usage_error(fmt::format(
        "OpenCL finds no driver of a device; install that of the GPU, or pocl-opencl-icd "
        "for the processor{}",
        forbidden()));
  }
  std::vector<Platform> platforms(count);
  if (code != kSuccess || cl.GetPlatformIDs(count, platforms.data(), nullptr) != kSuccess) {
    return failure(fmt::format("OpenCL does not list its drivers (OpenCL error {})", code));
  }
  std::vector<Found> found;
  for (auto* const platform : platforms) {
    Uint devices = 0;
    if (cl.GetDeviceIDs(platform, kTypeAll, 0, nullptr, &devices) != kSuccess || devices == 0) {
      continue;
    }
    std::vector<DeviceId> ids(devices);
    if (cl.GetDeviceIDs(platform, kTypeAll, devices, ids.data(), nullptr) == kSuccess) {
      for (auto* const id : ids) {
        found.push_back({platform, id});
      }
    }
  }
  if (found.empty()) {
    std::vector<std::string> names;
    names.reserve(platforms.size());
    for (auto* const platform : platforms) {
      names.push_back(text_of(cl, platform, kPlatformName));
    }
    return usage_error(
        fmt::format("the OpenCL driver {} finds no device{}", fmt::join(names, ", "), forbidden()));
  }
  return found;
}

std::string kind_of(Bits type) {
  return (type & kTypeGpu) != 0           ? "gpu"
         : (type & kTypeCpu) != 0         ? "cpu"
         : (type & kTypeAccelerator) != 0 ? "accelerator"
                                          : "other";
}

// Empty where the driver has none of the extensions that say it.
std::string pci_address_of(const Functions& cl, DeviceId device) {
  const auto says = [&](Uint key, auto& value) {
    return cl.GetDeviceInfo(device, key, sizeof value, &value, nullptr) == kSuccess;
  };
  if (PciKhronos place{}; says(kPciKhronos, place)) {
    return pci_address(place.domain, place.bus, place.device, place.function);
  }
  Uint bus = 0;
  Uint slot = 0;  // with the function in its lowest three bits
  if (says(kPciBusNvidia, bus) && says(kPciSlotNvidia, slot)) {
    return pci_address(number_of<Uint>(cl, device, kPciDomainNvidia), bus, slot >> 3U, slot & 7U);
  }
  constexpr Uint kPci = 1;
  if (TopologyAmd place{}; says(kTopologyAmd, place) && place.kind == kPci) {
    return pci_address(0, place.bus, place.device, place.function);
  }
  return {};
}

DeviceFacts facts_of(const Functions& cl, const Found& found, std::string id) {
  DeviceFacts facts;
  facts.id = std::move(id);
  facts.interface = "OpenCL";
  facts.name = text_of(cl, found.device, kDeviceName);
  facts.vendor = text_of(cl, found.device, kVendor);
  facts.driver = fmt::format("{}, {}; driver {}", text_of(cl, found.platform, kPlatformName),
                             text_of(cl, found.platform, kPlatformVersion),
                             text_of(cl, found.device, kDriverVersion));
  facts.code = "OpenCL C by " + facts.driver;
  facts.kind = kind_of(number_of<Bits>(cl, found.device, kDeviceType));
  facts.compute_units = number_of<Uint>(cl, found.device, kComputeUnits);
  facts.clock_hertz = number_of<Uint>(cl, found.device, kClockMegahertz) * std::uint64_t{1'000'000};
  facts.memory_bytes = number_of<std::uint64_t>(cl, found.device, kMemoryBytes);
  facts.largest_array_bytes = number_of<std::uint64_t>(cl, found.device, kLargestArray);
  // Of a GPU the drivers of NVIDIA and AMD give the caches of the compute units here, not the one
  // before its memory.
  if (facts.kind != "gpu") {
    facts.cache_bytes = number_of<std::uint64_t>(cl, found.device, kCacheBytes);
  }
  facts.line_bytes = number_of<Uint>(cl, found.device, kLineBytes);
  facts.most_group_items = number_of<std::size_t>(cl, found.device, kGroupItems);
  facts.has_double = number_of<Bits>(cl, found.device, kDoubles) != 0;
  facts.shares_host_memory = number_of<Uint>(cl, found.device, kSharesMemory) != 0;
  facts.tick_seconds =
      static_cast<double>(number_of<std::size_t>(cl, found.device, kTickNanoseconds)) * 1e-9;
  facts.pci_address = pci_address_of(cl, found.device);
  if (!facts.pci_address.empty()) {
    facts.numa_node = numa_node_of(facts.pci_address);
  }
  return facts;
}

class OpenClMemory final : public DeviceMemory {
 public:
  OpenClMemory(const Functions& cl, Memory handle) : cl_(cl), handle_(handle) {}
  OpenClMemory(const OpenClMemory&) = delete;
  OpenClMemory& operator=(const OpenClMemory&) = delete;
  OpenClMemory(OpenClMemory&&) = delete;
  OpenClMemory& operator=(OpenClMemory&&) = delete;
  ~OpenClMemory() override { (void)cl_.ReleaseMemObject(handle_); }
  [[nodiscard]] Memory handle() const { return handle_; }

 private:
  const Functions& cl_;
  Memory handle_;
};

// A buffer in the host's memory, which stays mapped: drivers pin its pages.
class OpenClPinned final : public PinnedMemory {
 public:
  OpenClPinned(const Functions& cl, Queue queue, Memory handle, std::span<std::byte> bytes)
      : cl_(cl), queue_(queue), handle_(handle), bytes_(bytes) {}
  OpenClPinned(const OpenClPinned&) = delete;
  OpenClPinned& operator=(const OpenClPinned&) = delete;
  OpenClPinned(OpenClPinned&&) = delete;
  OpenClPinned& operator=(OpenClPinned&&) = delete;
  ~OpenClPinned() override {
    (void)cl_.EnqueueUnmapMemObject(queue_, handle_, bytes_.data(), 0, nullptr, nullptr);
    (void)cl_.Finish(queue_);
    (void)cl_.ReleaseMemObject(handle_);
  }
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }

 private:
  const Functions& cl_;
  Queue queue_;
  Memory handle_;
  std::span<std::byte> bytes_;
};

class OpenClKernel final : public DeviceKernel {
 public:
  OpenClKernel(const Functions& cl, Program program, Kernel handle, std::uint64_t most)
      : cl_(cl), program_(program), handle_(handle), most_(most) {}
  OpenClKernel(const OpenClKernel&) = delete;
  OpenClKernel& operator=(const OpenClKernel&) = delete;
  OpenClKernel(OpenClKernel&&) = delete;
  OpenClKernel& operator=(OpenClKernel&&) = delete;
  ~OpenClKernel() override {
    (void)cl_.ReleaseKernel(handle_);
    (void)cl_.ReleaseProgram(program_);
  }
  [[nodiscard]] std::uint64_t most_group_items() const override { return most_; }
  [[nodiscard]] Kernel handle() const { return handle_; }

 private:
  const Functions& cl_;
  Program program_;
  Kernel handle_;
  std::uint64_t most_;
};

class OpenClDevice final : public Device {
 public:
  OpenClDevice(const Functions& cl, DeviceId device, Context context, Queue queue, Queue other,
               DeviceFacts facts)
      : cl_(cl),
        device_(device),
        context_(context),
        queue_(queue),
        other_(other),
        facts_(std::move(facts)) {}
  OpenClDevice(const OpenClDevice&) = delete;
  OpenClDevice& operator=(const OpenClDevice&) = delete;
  OpenClDevice(OpenClDevice&&) = delete;
  OpenClDevice& operator=(OpenClDevice&&) = delete;
  ~OpenClDevice() override {
    (void)cl_.ReleaseCommandQueue(other_);
    (void)cl_.ReleaseCommandQueue(queue_);
    (void)cl_.ReleaseContext(context_);
  }

  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }

  Result<std::unique_ptr<DeviceMemory>> allocate(std::uint64_t bytes) override {
    Int code = kSuccess;
    auto* const handle = cl_.CreateBuffer(context_, kReadWrite, bytes, nullptr, &code);
    if (handle == nullptr || code != kSuccess) {
      return tl::unexpected(error_of(
          facts_.id, fmt::format("an array of {} cannot be allocated", format_bytes(bytes)), code));
    }
    return std::make_unique<OpenClMemory>(cl_, handle);
  }

  Result<std::unique_ptr<DeviceMemory>> part_of(DeviceMemory& whole, std::uint64_t offset,
                                                std::uint64_t bytes) override {
    const BufferRegion region{offset, bytes};
    Int code = kSuccess;
    auto* const handle = cl_.CreateSubBuffer(handle_of(whole), kReadWrite, kRegion, &region, &code);
    if (handle == nullptr || code != kSuccess) {
      return tl::unexpected(error_of(facts_.id, "an array has no parts", code));
    }
    return std::make_unique<OpenClMemory>(cl_, handle);
  }

  Result<void> read(const DeviceMemory& memory, std::uint64_t offset,
                    std::span<std::byte> to) override {
    return checked("reading an array back failed",
                   cl_.EnqueueReadBuffer(queue_, handle_of(memory), kTrue, offset, to.size(),
                                         to.data(), 0, nullptr, nullptr));
  }

  Result<void> write(DeviceMemory& memory, std::uint64_t offset,
                     std::span<const std::byte> from) override {
    return checked("writing an array failed",
                   cl_.EnqueueWriteBuffer(queue_, handle_of(memory), kTrue, offset, from.size(),
                                          from.data(), 0, nullptr, nullptr));
  }

  Result<std::unique_ptr<PinnedMemory>> allocate_pinned(std::uint64_t bytes) override {
    Int code = kSuccess;
    auto* const handle =
        cl_.CreateBuffer(context_, kReadWrite | kInHostMemory, bytes, nullptr, &code);
    void* mapped = nullptr;
    if (handle != nullptr && code == kSuccess) {
      mapped = cl_.EnqueueMapBuffer(queue_, handle, kTrue, kMapRead | kMapWrite, 0, bytes, 0,
                                    nullptr, nullptr, &code);
    }
    if (mapped == nullptr || code != kSuccess) {
      if (handle != nullptr) {
        (void)cl_.ReleaseMemObject(handle);
      }
      return tl::unexpected(error_of(
          facts_.id, fmt::format("{} of the host's memory cannot be pinned", format_bytes(bytes)),
          code));
    }
    return std::make_unique<OpenClPinned>(cl_, queue_, handle,
                                          std::span(static_cast<std::byte*>(mapped), bytes));
  }

  // Each way has a queue of its own.
  Result<double> transfer(std::span<const Transfer> transfers, std::int64_t times) override {
    Int code = kSuccess;
    const Instant start = now();
    for (std::int64_t done = 0; done < times && code == kSuccess;) {
      for (std::int64_t queued = 0; queued < kMostQueued && done < times && code == kSuccess;
           ++queued, ++done) {
        for (const Transfer& each : transfers) {
          code = code == kSuccess ? start_transfer(each) : code;
        }
        // Else the second way may wait for the first to end.
        (void)cl_.Flush(queue_);
        (void)cl_.Flush(other_);
      }
      for (auto* const queue : {queue_, other_}) {
        const Int finished = cl_.Finish(queue);
        code = code == kSuccess ? finished : code;
      }
    }
    const double seconds = seconds_between(start, now());
    STREAMGAGE_TRY(checked("a copy between the host and the device failed", code));
    return seconds;
  }

  Result<std::unique_ptr<DeviceKernel>> compile(const std::string& source,
                                                const char* name) override {
    return build(std::string(opencl_words()) + "#line 1\n" + source, name);
  }

  Result<std::unique_ptr<DeviceKernel>> compile_own(const OwnProgram& program,
                                                    const char* name) override {
    return build(program.text, name);
  }

  Result<LaunchTimes> launch(DeviceKernel& kernel, std::span<const Argument> arguments,
                             const Grid& grid, std::int64_t times) override {
    auto* const handle = dynamic_cast<OpenClKernel&>(kernel).handle();
    for (std::size_t number = 0; number < arguments.size(); ++number) {
      STREAMGAGE_TRY(set(handle, static_cast<Uint>(number), arguments[number]));
    }
    LaunchTimes sum;
    sum.event_seconds = 0.0;
    for (std::int64_t left = times; left > 0; left -= kMostQueued) {
      STREAMGAGE_TRY(launch_some(handle, grid, std::min(left, kMostQueued), sum));
    }
    return sum;
  }

 private:
  Result<std::unique_ptr<DeviceKernel>> build(const std::string& whole, const char* name) {
    const char* text = whole.c_str();
    const std::size_t length = whole.size();
    Int code = kSuccess;
    auto* const program = cl_.CreateProgramWithSource(context_, 1, &text, &length, &code);
    if (program == nullptr || code != kSuccess) {
      return tl::unexpected(error_of(facts_.id, "a kernel is not taken", code));
    }
    code = cl_.BuildProgram(program, 1, &device_, "", nullptr, nullptr);
    auto* const handle = code == kSuccess ? cl_.CreateKernel(program, name, &code) : nullptr;
    if (handle == nullptr || code != kSuccess) {
      const std::string log = text_by([&](std::size_t bytes, void* to, std::size_t* needed) {
        return cl_.GetProgramBuildInfo(program, device_, kBuildLog, bytes, to, needed);
      });
      (void)cl_.ReleaseProgram(program);
      Error error = error_of(facts_.id, "a kernel cannot be built", code);
      error.message += log.empty() ? "" : ": " + errors_of(log);
      return tl::unexpected(std::move(error));
    }
    std::size_t most = 0;
    (void)cl_.GetKernelWorkGroupInfo(handle, device_, kKernelGroupItems, sizeof most, &most,
                                     nullptr);
    return std::make_unique<OpenClKernel>(cl_, program, handle,
                                          most > 0 ? most : facts_.most_group_items);
  }

  Int start_transfer(const Transfer& transfer) {
    constexpr Uint kGoOn = 0;
    if (auto* const* const host = std::get_if<std::byte*>(&transfer.from)) {
      auto* const memory = handle_of(*std::get<DeviceMemory*>(transfer.to));
      return cl_.EnqueueWriteBuffer(queue_, memory, kGoOn, 0, transfer.bytes, *host, 0, nullptr,
                                    nullptr);
    }
    auto* const memory = handle_of(*std::get<DeviceMemory*>(transfer.from));
    return cl_.EnqueueReadBuffer(other_, memory, kGoOn, 0, transfer.bytes,
                                 std::get<std::byte*>(transfer.to), 0, nullptr, nullptr);
  }

  static Memory handle_of(const DeviceMemory& memory) {
    return dynamic_cast<const OpenClMemory&>(memory).handle();
  }

  [[nodiscard]] Result<void> checked(const char* what, Int code) const {
    if (code != kSuccess) {
      return tl::unexpected(error_of(facts_.id, what, code));
    }
    return {};
  }

  Result<void> set(Kernel kernel, Uint number, const Argument& argument) {
    const Int code = std::visit(
        [&](const auto& value) {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, SharedBytes>) {
            return cl_.SetKernelArg(kernel, number, value.bytes, nullptr);
          } else if constexpr (std::is_same_v<Value, const DeviceMemory*>) {
            Memory memory = value == nullptr ? nullptr : handle_of(*value);
            return cl_.SetKernelArg(kernel, number, sizeof(Memory), &memory);
          } else {
            return cl_.SetKernelArg(kernel, number, sizeof value, &value);
          }
        },
        argument);
    return checked("a kernel does not take its arguments", code);
  }

  // Adds to `sum`. Events that the driver gave are released, whatever fails.
  Result<void> launch_some(Kernel kernel, const Grid& grid, std::int64_t times, LaunchTimes& sum) {
    const std::size_t items = grid.group_items;
    const std::size_t all = grid.groups * grid.group_items;
    std::vector<Event> events;
    events.reserve(static_cast<std::size_t>(times));
    Int code = kSuccess;
    const Instant start = now();
    for (std::int64_t time = 0; time < times && code == kSuccess; ++time) {
      Event event = nullptr;
      code = cl_.EnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &all, &items, 0, nullptr, &event);
      if (event != nullptr) {
        events.push_back(event);
      }
    }
    const Int finished = cl_.Finish(queue_);
    sum.host_seconds += seconds_between(start, now());
    for (auto* const event : events) {
      add(event, sum.event_seconds);
      (void)cl_.ReleaseEvent(event);
    }
    STREAMGAGE_TRY(checked("a kernel cannot be started", code));
    return checked("a kernel failed", finished);
  }

  void add(Event event, std::optional<double>& seconds) const {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    const bool known =
        cl_.GetEventProfilingInfo(event, kEventStart, sizeof start, &start, nullptr) == kSuccess &&
        cl_.GetEventProfilingInfo(event, kEventEnd, sizeof end, &end, nullptr) == kSuccess &&
        end >= start;
    if (!known) {
      seconds.reset();
    } else if (seconds) {
      *seconds += static_cast<double>(end - start) * 1e-9;
    }
  }

  const Functions& cl_;
  DeviceId device_;
  Context context_;
  Queue queue_;
  Queue other_;  // for what runs at the same time
  DeviceFacts facts_;
};

// "opencl:0 (Tesla V100), opencl:1 (...)".
std::string describe(const Functions& cl, const std::vector<Found>& found) {
  std::vector<std::string> names;
  names.reserve(found.size());
  for (std::size_t number = 0; number < found.size(); ++number) {
    names.push_back(
        fmt::format("opencl:{} ({})", number, text_of(cl, found[number].device, kDeviceName)));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Result<std::vector<DeviceFacts>> list() {
  STREAMGAGE_TRY(const Functions* const cl, load());
  STREAMGAGE_TRY(const auto found, find_all(*cl));
  std::vector<DeviceFacts> all;
  all.reserve(found.size());
  for (const Found& each : found) {
    all.push_back(facts_of(*cl, each, fmt::format("opencl:{}", all.size())));
  }
  return all;
}

Result<std::unique_ptr<Device>> open(unsigned number) {
  STREAMGAGE_TRY(const Functions* const cl, load());
  STREAMGAGE_TRY(const auto found, find_all(*cl));
  const std::string id = fmt::format("opencl:{}", number);
  if (number >= found.size()) {
    return usage_error(fmt::format("there is no device {}; there is {}", id, describe(*cl, found)));
  }
  const Found& one = found[number];
  DeviceFacts facts = facts_of(*cl, one, id);
  if (number_of<Uint>(*cl, one.device, kIsAvailable) == 0 ||
      number_of<Uint>(*cl, one.device, kHasCompiler) == 0) {
    return usage_error(
        fmt::format("{} ({}) cannot run kernels: its driver says that it is not "
                    "available, or has no compiler",
                    id, facts.name));
  }
  Int code = kSuccess;
  auto* const context = cl->CreateContext(nullptr, 1, &one.device, nullptr, nullptr, &code);
  if (context == nullptr || code != kSuccess) {
    Error error = error_of(id, facts.name + " cannot be opened", code);
    error.message += forbidden();
    return tl::unexpected(std::move(error));
  }
  auto* const queue = cl->CreateCommandQueue(context, one.device, kQueueProfiling, &code);
  auto* const other = queue == nullptr || code != kSuccess
                          ? nullptr
                          : cl->CreateCommandQueue(context, one.device, 0, &code);
  if (other == nullptr || code != kSuccess) {
    if (queue != nullptr) {
      (void)cl->ReleaseCommandQueue(queue);
    }
    (void)cl->ReleaseContext(context);
    return tl::unexpected(error_of(id, facts.name + " gives no queue", code));
  }
  return std::make_unique<OpenClDevice>(*cl, one.device, context, queue, other, std::move(facts));
}

}  // namespace streamgage::engine::opencl
