// For tests: a device in this process. It knows the programs of device_source.hpp by their text and
// computes what they say, in a made time; and it fails on request as drivers do.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "devices/device.hpp"
#include "devices/device_source.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/reference.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage::engine {

// What goes wrong.
struct Trouble {
  int allocations = std::numeric_limits<int>::max();  // that succeed
  bool has_stamps = true;
  double stamps_over_host = 1.0;
  std::optional<std::size_t> wrong_element = std::nullopt;  // of a, in every kernel that stores
  int most_loads = 8;                              // shapes with more loads in flight do not start
  std::optional<int> wrong_loads = std::nullopt;   // shapes with so many compute wrong values
  std::optional<int> faulty_loads = std::nullopt;  // nothing runs any more after one with so many
  std::optional<DeviceState> state = std::nullopt;
  bool lost_copies = false;                              // copies end, and copy nothing
  std::optional<std::size_t> wrong_byte = std::nullopt;  // of every target of a copy
  bool reaches_others = true;
  std::optional<std::uint64_t> wrong_walk = std::nullopt;  // walk number so and so ends elsewhere
};

// Of its own, or a part of another.
class HostMemory final : public DeviceMemory {
 public:
  explicit HostMemory(std::uint64_t size) : own_(size), bytes_(own_) {}
  explicit HostMemory(std::span<std::byte> part) : bytes_(part) {}
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> own_;
  std::span<std::byte> bytes_;
};

class HostPinned final : public PinnedMemory {
 public:
  explicit HostPinned(std::uint64_t size) : bytes_(size) {}
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }

 private:
  mutable std::vector<std::byte> bytes_;
};

class HostKernel final : public DeviceKernel {
 public:
  using Run = std::function<void(std::span<const Argument>, const Grid&)>;
  HostKernel(Run work, int in_flight) : run(std::move(work)), loads(in_flight) {}
  [[nodiscard]] std::uint64_t most_group_items() const override { return 256; }
  Run run;
  int loads;
};

// Of a load of the chase.
inline constexpr double kHostCacheSeconds = 1e-7;
inline constexpr double kHostMemorySeconds = 5e-7;

inline constexpr double kHostLinkBytesPerSecond = 20e9;

class HostDevice final : public Device {
 public:
  explicit HostDevice(const Trouble& trouble = {}) : trouble_(trouble) {
    facts_.id = "host:0";
    facts_.name = "a device in this process";
    facts_.kind = "other";
    facts_.driver = "none";
    facts_.interface = "none";
    facts_.code = "this process";
    facts_.compute_units = 2;
    facts_.memory_bytes = std::uint64_t{1} << 30U;
    facts_.largest_array_bytes = std::uint64_t{1} << 28U;
    facts_.cache_bytes = std::uint64_t{1} << 16U;
    facts_.most_group_items = 256;
    facts_.has_double = true;
    facts_.tick_seconds = 1e-9;
  }

  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }
  DeviceFacts& changed_facts() { return facts_; }
  [[nodiscard]] std::int64_t launches() const { return launches_; }  // until now

  [[nodiscard]] const CpuList& copied_on() const { return copied_on_; }  // the CPUs of the thread

  // What the kernel `name` of a program does that only a test has.
  void teach(const std::string& source, const std::string& name, HostKernel::Run run) {
    taught_[{source, name}] = std::move(run);
  }

  // Its compiler takes no program, and says that.
  void refuse_programs(std::string log) { refusal_ = std::move(log); }

  template <class T>
  static T* elements_of(const Argument& argument) {
    const auto* memory = std::get<const DeviceMemory*>(argument);
    return memory == nullptr ? nullptr : reinterpret_cast<T*>(bytes_of(*memory));
  }

  Result<std::unique_ptr<DeviceMemory>> allocate(std::uint64_t bytes) override {
    if (trouble_.allocations-- <= 0) {
      return failure("host:0: its memory is full");
    }
    return std::make_unique<HostMemory>(bytes);
  }

  Result<std::unique_ptr<DeviceMemory>> part_of(DeviceMemory& whole, std::uint64_t offset,
                                                std::uint64_t bytes) override {
    return std::make_unique<HostMemory>(std::span(bytes_of(whole) + offset, bytes));
  }

  Result<void> read(const DeviceMemory& memory, std::uint64_t offset,
                    std::span<std::byte> to) override {
    std::memcpy(to.data(), bytes_of(memory) + offset, to.size());
    return {};
  }

  Result<void> write(DeviceMemory& memory, std::uint64_t offset,
                     std::span<const std::byte> from) override {
    std::memcpy(bytes_of(memory) + offset, from.data(), from.size());
    return {};
  }

  Result<std::unique_ptr<PinnedMemory>> allocate_pinned(std::uint64_t bytes) override {
    if (trouble_.allocations-- <= 0) {
      return failure("host:0: no memory can be pinned");
    }
    return std::make_unique<HostPinned>(bytes);
  }

  // In a made time: both at once take as long as one.
  Result<double> transfer(std::span<const Transfer> transfers, std::int64_t times) override {
    copied_on_ = affinity_mask().value_or(CpuList{});
    std::size_t bytes = 0;
    for (const Transfer& each : transfers) {
      std::byte* const to = bytes_of(each.to);
      bytes = each.bytes;
      if (trouble_.lost_copies) {
        continue;
      }
      std::memcpy(to, bytes_of(each.from), bytes);
      if (trouble_.wrong_byte && *trouble_.wrong_byte < bytes) {
        to[*trouble_.wrong_byte] ^= std::byte{1};
      }
    }
    return static_cast<double>(bytes) * static_cast<double>(times) / kHostLinkBytesPerSecond;
  }

  Result<bool> reach(Device& /*other*/) override { return trouble_.reaches_others; }

  Result<std::unique_ptr<DeviceKernel>> compile(const std::string& source,
                                                const char* name) override {
    if (refusal_) {
      return failure(*refusal_);
    }
    if (const auto taught = taught_.find({source, name}); taught != taught_.end()) {
      return std::make_unique<HostKernel>(taught->second, 0);
    }
    if (source == chase_program().text) {
      return std::make_unique<HostKernel>(
          [this](std::span<const Argument> arguments, const Grid& /*grid*/) { chase(arguments); },
          0);
    }
    auto found = find<double>(source, ElementType::kDouble);
    if (!found) {
      found = find<float>(source, ElementType::kFloat);
    }
    if (!found) {
      return failure("host:0: this program is not known");
    }
    return found;
  }

  Result<std::unique_ptr<DeviceKernel>> compile_own(const OwnProgram& program,
                                                    const char* name) override {
    return compile(program.text, name);
  }

  Result<LaunchTimes> launch(DeviceKernel& kernel, std::span<const Argument> arguments,
                             const Grid& grid, std::int64_t times) override {
    auto& known = dynamic_cast<HostKernel&>(kernel);
    is_lost_ = is_lost_ || known.loads == trouble_.faulty_loads;
    if (is_lost_) {
      return failure("host:0: a kernel used memory that is not its own");
    }
    if (known.loads > trouble_.most_loads) {
      return failure("host:0: it is out of resources");
    }
    if (facts_.most_items > 0 && grid.groups * grid.group_items > facts_.most_items) {
      return failure("host:0: a launch of too many work-items");
    }
    LaunchTimes taken;
    launches_ += times;
    for (std::int64_t time = 0; time < times; ++time) {
      known.run(arguments, grid);
      // More loads in flight are quicker.
      taken.host_seconds += known.loads == 0 ? 1e-5 : 2e-3 / (1.0 + 0.1 * known.loads);
      taken.host_seconds += std::exchange(walk_seconds_, 0.0);
    }
    if (trouble_.has_stamps) {
      taken.event_seconds = taken.host_seconds * trouble_.stamps_over_host;
    }
    return taken;
  }

  std::optional<DeviceState> state() override { return trouble_.state; }

 private:
  static std::byte* bytes_of(const DeviceMemory& memory) {
    return dynamic_cast<const HostMemory&>(memory).bytes().data();
  }

  static std::byte* bytes_of(const TransferEnd& end) {
    const auto* const memory = std::get_if<DeviceMemory*>(&end);
    return memory == nullptr ? std::get<std::byte*>(end) : bytes_of(**memory);
  }

  // In a made time, longer where the chain is larger than the cache.
  void chase(std::span<const Argument> arguments) {
    const std::byte* const links = elements_of<std::byte>(arguments[0]);
    auto place = std::get<std::uint64_t>(arguments[1]);
    const auto loads = std::get<std::uint64_t>(arguments[2]);
    for (std::uint64_t load = 0; load < loads; ++load) {
      std::memcpy(&place, links + place, sizeof place);
    }
    *elements_of<std::uint64_t>(arguments[3]) = place + (walks_++ == trouble_.wrong_walk ? 64 : 0);
    const auto* const memory = std::get<const DeviceMemory*>(arguments[0]);
    const bool fits = dynamic_cast<const HostMemory&>(*memory).bytes().size() <= facts_.cache_bytes;
    walk_seconds_ = static_cast<double>(loads) * (fits ? kHostCacheSeconds : kHostMemorySeconds);
  }

  template <class T>
  static void fill(std::span<const Argument> arguments) {
    T* const a = elements_of<T>(arguments[0]);
    const T* const pattern = elements_of<T>(arguments[1]);
    const auto period = std::get<std::uint32_t>(arguments[2]);
    for (std::uint64_t i = 0; i < std::get<std::uint64_t>(arguments[3]); ++i) {
      a[i] = pattern[i % period];
    }
  }

  template <class T>
  void stream(const Kernel& kernel, std::uint64_t lanes, bool is_wrong,
              std::span<const Argument> arguments, const Grid& grid) const {
    std::array<T*, 4> operands{};
    for (std::size_t number = 0; number < operands.size(); ++number) {
      operands[number] = elements_of<T>(arguments[number]);
    }
    const auto value = [&](std::size_t number, std::uint64_t i) {
      const bool is_read = (kernel.reads >> number & 1U) != 0;
      return is_read ? operands[number][i] : T{};
    };
    const std::uint64_t first = std::get<std::uint64_t>(arguments[5]) * lanes;
    const std::uint64_t end = first + std::get<std::uint64_t>(arguments[6]) * lanes;
    std::vector<T> groups(grid.groups);
    for (std::uint32_t pass = 0; pass < std::get<std::uint32_t>(arguments[7]); ++pass) {
      std::transform(groups.begin(), groups.end(), groups.begin(), [](T sum) { return -sum; });
      for (std::uint64_t i = first; i < end; ++i) {
        const T computed =
            reference<T>(kernel.id, {value(0, i), value(1, i), value(2, i), value(3, i)},
                         std::get<T>(arguments[4]));
        if (kernel.reduces()) {
          groups[i % grid.groups] += computed;
        } else {
          operands[0][i] = i == trouble_.wrong_element || is_wrong ? computed + T{1} : computed;
        }
      }
    }
    if (kernel.reduces()) {
      std::copy(groups.begin(), groups.end(), elements_of<T>(arguments[8]));
    }
  }

  // Nothing where the text is of no program of that type.
  template <class T>
  [[nodiscard]] Result<std::unique_ptr<DeviceKernel>> find(const std::string& source,
                                                           ElementType type) const {
    if (source == fill_program(type).text) {
      return std::make_unique<HostKernel>(
          [](std::span<const Argument> arguments, const Grid& /*grid*/) { fill<T>(arguments); }, 0);
    }
    for (const Kernel& kernel : kCatalogue) {
      for (int bytes = sizeof(T); bytes <= 64; bytes *= 2) {
        for (int loads = 1; loads <= 8; loads *= 2) {
          for (const CacheHint hint : {CacheHint::kNone, CacheHint::kStreaming}) {
            if (source ==
                stream_program(kernel, type, {bytes, loads, 1, std::nullopt, hint}).text) {
              const std::uint64_t lanes = static_cast<std::uint64_t>(bytes) / sizeof(T);
              return std::make_unique<HostKernel>(
                  [this, &kernel, lanes, loads](std::span<const Argument> arguments,
                                                const Grid& grid) {
                    stream<T>(kernel, lanes, loads == trouble_.wrong_loads, arguments, grid);
                  },
                  loads);
            }
          }
        }
      }
    }
    return failure("unknown");
  }

  Trouble trouble_;
  DeviceFacts facts_;
  std::map<std::pair<std::string, std::string>, HostKernel::Run> taught_;
  std::optional<std::string> refusal_;
  CpuList copied_on_;
  std::int64_t launches_ = 0;
  bool is_lost_ = false;
  std::uint64_t walks_ = 0;
  double walk_seconds_ = 0.0;  // of the launch that runs
};

}  // namespace streamgage::engine
