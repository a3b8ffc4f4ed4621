#include "devices/drivers/gpu_device.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices/code_texts.hpp"
#include "devices/device_source.hpp"
#include "devices/drivers/device_place.hpp"
#include "devices/drivers/forbidden_file.hpp"
#include "devices/drivers/gpu_compiler.hpp"
#include "devices/drivers/gpu_functions.hpp"
#include "devices/drivers/hwmon_state.hpp"
#include "devices/drivers/kfd_node.hpp"
#include "devices/drivers/nvml.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/team/spin_barrier.hpp"
#include "streamgage/team/thread_trial.hpp"

namespace streamgage::engine::gpu {
namespace {

constexpr int kPtxCapability = 70;  // of the PTX in this engine
constexpr std::uint64_t kMajorOfBulkCopies = 9;
// A group has so much without being asked for; several of them share a processor's.
constexpr std::uint64_t kRingBytes = 48 * kKiB;
constexpr std::uint64_t kKilohertz = 1000;

// The numbers of what a driver is asked of a device; -1: it is not asked.
struct Attributes {
  int group_items;
  int clock_kilohertz;
  int processors;
  int is_integrated;
  int compute_mode;
  int ecc;
  int memory_kilohertz;
  int memory_bus_bits;
  int cache_bytes;
  int major;
  int minor;
};

// What one of the two interfaces has of its own.
struct Driver {
  std::string_view word;       // before the number of a device
  std::string_view interface;  // as people call it
  std::string_view vendor;
  std::string_view language;
  std::vector<const char*> visible;  // variables that say which devices a process sees
  std::string_view to_install;       // with its compiler
  std::string_view compiler;
  Attributes attributes;
  std::uint64_t most_items;  // of a launch; 0: no array has more
  int widest_vector_bytes;
  double tick_seconds;             // of events
  std::string_view embedded_name;  // of what clang made for this driver at build
  std::string_view embedded_kind;  // the same, as a result has it
  std::string_view taken;          // what the driver does with it
  std::span<const Assembly> (*embedded)();
  Result<const Functions*> (*load)();
  std::string (*version)(int number);
  Result<std::string> (*compiler_version)();
  Result<std::string> (*compile)(const std::string& source, const std::string& file,
                                 int capability);
  std::string (*forbidden)();
};

// The numbers are those of cuda.h; of cuEventElapsedTime it says "a resolution of around 0.5
// microseconds".
const Driver kCuda{
    "cuda",
    "CUDA",
    "NVIDIA",
    "CUDA C++",
    {"CUDA_VISIBLE_DEVICES"},
    "libnvrtc.so of CUDA's toolkit",
    "NVRTC",
    {1, 13, 16, 18, 20, 32, 36, 37, 38, 75, 76},
    0,
    32,
    0.5e-6,
    "PTX",
    "PTX of sm_70",
    "compiled",
    embedded_ptx,
    load_cuda,
    [](int number) { return fmt::format("CUDA {}.{}", number / 1000, number % 1000 / 10); },
    nvrtc_version,
    compile_by_nvrtc,
    [] {
      return forbidden_file({"/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm"});
    },
};

// The numbers are those of hip_runtime_api.h since ROCm 5. The clock and the width of the memory
// are not asked for: how many transfers a clock has differs between these GPUs (two with HBM2,
// sixteen with GDDR6), so that they give no peak. Whether error correction is on is not asked for
// either: ROCm's runtime always answers that it is off (rocdevice.cpp of ROCm/clr), also of an
// MI300X, whose memory has it. It refuses launches of 2^32 work-items (hip_module.cpp of ROCm/clr:
// gridDim x blockDim). Its documentation says of events "a resolution of 1 us". Eight vectors of 32
// bytes of each of four arrays would take all registers of a work-item.
const Driver kHip{
    "hip",
    "HIP",
    "AMD",
    "HIP C++",
    // "GPU isolation techniques" of ROCm's documentation has all of them; Slurm sets the second.
    {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"},
    "libhiprtc.so of ROCm",
    "hipRTC",
    {56, 5, 63, 16, 6, -1, -1, -1, 19, 23, 61},
    0xffff'ffff,
    16,
    1e-6,
    "machine code",
    "machine code",
    "loaded",
    embedded_amdgcn,
    load_hip,
    [](int number) {
      return fmt::format("HIP {}.{}.{}", number / 10'000'000, number / 100'000 % 100,
                         number % 100'000);
    },
    hiprtc_version,
    compile_by_hiprtc,
    [] {
      return forbidden_file({"/dev/kfd", "/dev/dri/renderD128"});
    },
};

std::string_view name_of_code(Code code) {
  switch (code) {
    case kOutOfMemory:
      return "its memory is full";
    case kStubLibrary:
      return "its library is the stub of a toolkit and no driver";
    case kUnavailable:
      return "another program has it for itself";
    case kNoBinaryForGpu:
      return "the kernels are not for this GPU";
    case kEccError:
      return "its memory has an error that it cannot correct";
    case kInvalidPtx:
    case kUnsupportedPtx:
      return "the driver is too old for these kernels";
    case kNoJitCompiler:
      return "the driver's own compiler, libnvidia-ptxjitcompiler.so.1, is missing";
    case kOperatingSystem:
    case kNotPermitted:
      return "the system does not permit it";
    case kIllegalAddress:
      return "it used memory that is not its own";
    case kOutOfResources:
      return "it is out of resources";
    case kLaunchFailed:
      return "it ended in the middle";
    case kNotReady:
      return "it is not ready yet; where GPUs are joined by NVSwitch, start nvidia-fabricmanager";
    case kDriverMismatch:
      return "the driver's library and its kernel module are of different versions";
    case kNoForwardCompatibility:
      return "its library is for forward compatibility (cuda-compat), which a visible GPU does not "
             "support; run without that library, or hide that GPU (CUDA_VISIBLE_DEVICES)";
    case kNoJitAllowed:
      return "CUDA_DISABLE_PTX_JIT forbids the driver to compile";
    default:
      return "the driver refuses it";
  }
}

// "its memory is full (CUDA_ERROR_OUT_OF_MEMORY)".
std::string reason_of(const Functions& api, Code code) {
  const char* name = nullptr;
  if (api.NameOfError != nullptr) {
    name = api.NameOfError(code);
  } else if (api.GetErrorName(code, &name) != kSuccess) {
    name = nullptr;
  }
  return name == nullptr ? fmt::format("{} (error {})", name_of_code(code), code)
                         : fmt::format("{} ({})", name_of_code(code), name);
}

Error error_of(const Functions& api, const std::string& id, const std::string& what, Code code) {
  return {fmt::format("{}: {}: {}", id, what, reason_of(api, code)), ExitStatus::kFailed};
}

int attribute_of(const Functions& api, DeviceNumber device, int attribute) {
  int value = 0;
  const bool is_known =
      attribute >= 0 && api.DeviceGetAttribute(&value, attribute, device) == kSuccess;
  return is_known ? std::max(value, 0) : 0;
}

template <class Ask>
std::string text_by(Ask&& ask) {
  std::array<char, 256> text{};
  return ask(text.data(), static_cast<int>(text.size())) == kSuccess ? text.data() : std::string{};
}

std::string name_of(const Functions& api, DeviceNumber device) {
  return text_by([&](char* to, int bytes) { return api.DeviceGetName(to, bytes, device); });
}

// As nvidia-smi and rocm-smi show it. By HIP it is the text itself: the sixteen digits of the
// number that AMD gives to a GPU; one without has "XX" there (info_.uuid_ in rocdevice.cpp of
// ROCm/clr).
std::string uuid_of(const Driver& driver, const Functions& api, DeviceNumber device,
                    bool is_slice) {
  const auto ask = is_slice ? api.DeviceGetUuidOfSlice : api.DeviceGetUuid;
  Uuid uuid{};
  if (ask == nullptr || ask(&uuid, device) != kSuccess) {
    return {};
  }
  if (&driver == &kHip) {
    const bool is_text = std::all_of(uuid.begin(), uuid.end(),
                                     [](unsigned char each) { return std::isxdigit(each) != 0; });
    return is_text ? fmt::format("GPU-{}", std::string(uuid.begin(), uuid.end())) : std::string{};
  }
  std::string text = is_slice ? "MIG" : "GPU";
  constexpr std::array<std::size_t, 5> kGroups{0, 4, 6, 8, 10};
  for (std::size_t number = 0; number < uuid.size(); ++number) {
    const bool begins = std::find(kGroups.begin(), kGroups.end(), number) != kGroups.end();
    text += fmt::format("{}{:02x}", begins ? "-" : "", uuid[number]);
  }
  return text;
}

// All devices that the driver shows to this process.
Result<std::vector<DeviceNumber>> numbers_of(const Driver& driver, const Functions& api) {
  const auto no_device = [&] {
    std::vector<std::string> set;
    for (const char* const name : driver.visible) {
      if (const char* const value = std::getenv(name)) {
        set.push_back(fmt::format("{}={}", name, value));
      }
    }
    return usage_error(fmt::format("the {} driver finds no GPU{}{}{}", driver.interface,
                                   set.empty() ? "" : " with ", fmt::join(set, ", "),
                                   driver.forbidden()));
  };
  if (&driver == &kCuda) {
    // CUDA itself begins with the fastest GPU. In this order a number is mostly nvidia-smi's.
    (void)setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0);
  }
  const Code code = api.Init(0);
  if (code == kNoDevice) {
    return no_device();
  }
  if (code != kSuccess) {
    return usage_error(fmt::format("the {} driver does not start: {}{}", driver.interface,
                                   reason_of(api, code), driver.forbidden()));
  }
  int count = 0;
  const Code counted = api.DeviceGetCount(&count);
  if (counted != kSuccess) {
    return failure(fmt::format("the {} driver does not list its GPUs: {}", driver.interface,
                               reason_of(api, counted)));
  }
  std::vector<DeviceNumber> devices;
  for (int number = 0; number < count; ++number) {
    DeviceNumber device = 0;
    if (api.DeviceGet(&device, number) == kSuccess) {
      devices.push_back(device);
    }
  }
  if (devices.empty()) {
    return no_device();
  }
  return devices;
}

// A device, with the other sources of what is known of it.
struct Found {
  DeviceNumber number = 0;
  std::string id;
  std::string pci_address;
  std::optional<nvml::Gpu> nvml;
};

Found found_at(const Driver& driver, const Functions& api, const std::vector<DeviceNumber>& all,
               std::size_t number) {
  Found found{all[number], fmt::format("{}:{}", driver.word, number), "", std::nullopt};
  found.pci_address =
      text_by([&](char* to, int bytes) { return api.DeviceGetPCIBusId(to, bytes, found.number); });
  if (&driver == &kCuda) {
    found.nvml = nvml::Gpu::find(found.pci_address);
  }
  return found;
}

// What NVIDIA's driver does not say, NVML may.
void add_facts_of_nvml(const nvml::Gpu& gpu, DeviceFacts& facts) {
  if (const std::string driver = nvml::Gpu::driver_version(); !driver.empty()) {
    facts.driver += fmt::format("; driver {}", driver);
  }
  if (facts.shares_host_memory) {
    return;
  }
  if (facts.memory_clock_hertz == 0) {
    facts.memory_clock_hertz = gpu.memory_clock_hertz();
  }
  if (facts.memory_bus_bits == 0) {
    facts.memory_bus_bits = gpu.memory_bus_bits();
  }
}

DeviceFacts facts_of(const Driver& driver, const Functions& api, const Found& found) {
  const Attributes& attributes = driver.attributes;
  const auto value_of = [&](int which) {
    return static_cast<std::uint64_t>(attribute_of(api, found.number, which));
  };
  DeviceFacts facts;
  facts.id = found.id;
  facts.interface = driver.interface;
  facts.name = name_of(api, found.number);
  facts.vendor = driver.vendor;
  facts.language = KernelLanguage::kCudaCpp;
  int version = 0;
  (void)api.DriverGetVersion(&version);
  facts.driver = driver.version(version);
  facts.kind = "gpu";
  const std::size_t slice = facts.name.find("MIG ");
  facts.slice = slice == std::string::npos ? "" : facts.name.substr(slice);
  facts.compute_units = value_of(attributes.processors);
  facts.clock_hertz = value_of(attributes.clock_kilohertz) * kKilohertz;
  std::size_t bytes = 0;
  facts.memory_bytes = api.DeviceTotalMem(&bytes, found.number) == kSuccess ? bytes : 0;
  facts.cache_bytes = value_of(attributes.cache_bytes);
  facts.most_group_items = value_of(attributes.group_items);
  facts.most_items = driver.most_items;
  facts.widest_vector_bytes = driver.widest_vector_bytes;
  facts.shares_host_memory = value_of(attributes.is_integrated) != 0;
  // Of an integrated GPU the driver's numbers are not those of the memory: for a Jetson AGX Orin,
  // whose memory has 204.8 GB/s, 612 MHz and 256 bits. The backend for CUDA of intel/llvm replaces
  // them, too (its pull request 8418).
  if (!facts.shares_host_memory) {
    facts.memory_clock_hertz = value_of(attributes.memory_kilohertz) * kKilohertz;
    facts.memory_bus_bits = value_of(attributes.memory_bus_bits);
  }
  if (attributes.ecc >= 0) {
    facts.has_ecc = value_of(attributes.ecc) != 0;
  }
  facts.has_double = true;
  facts.tick_seconds = driver.tick_seconds;
  facts.pci_address = found.pci_address;
  std::transform(facts.pci_address.begin(), facts.pci_address.end(), facts.pci_address.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  const std::string place = address_of_gpu(facts.pci_address);
  facts.numa_node = numa_node_of(place);
  facts.uuid = uuid_of(driver, api, found.number, !facts.slice.empty());
  if (&driver == &kCuda) {
    facts.architecture =
        fmt::format("sm_{}{}", value_of(attributes.major), value_of(attributes.minor));
    facts.ring_bytes = value_of(attributes.major) >= kMajorOfBulkCopies ? kRingBytes : 0;
    if (found.nvml) {
      add_facts_of_nvml(*found.nvml, facts);
    }
  } else {
    facts.slice = partition_of(place);
    // HIP knows the second level alone, and an Infinity Cache is larger: without KFD it is not
    // known.
    const auto node = find_kfd_node(found.pci_address);
    facts.cache_bytes =
        node && node->cache_bytes > 0 ? std::max(node->cache_bytes, facts.cache_bytes) : 0;
    facts.architecture = node ? node->architecture : "";
  }
  return facts;
}

// A device as a process uses it. HIP has no context.
struct Use {
  DeviceNumber device = 0;
  Context context = nullptr;
};

// Makes it the device of this thread.
Code make_current(const Functions& api, const Use& use) {
  return api.SetDevice != nullptr ? api.SetDevice(use.device) : api.CtxSetCurrent(use.context);
}

void give_back(const Functions& api, const Use& use) {
  if (api.DevicePrimaryCtxRelease != nullptr) {
    (void)api.DevicePrimaryCtxRelease(use.device);
  }
}

// Makes it a device of this process, and that of this thread.
Code take(const Functions& api, Use& use) {
  if (api.DevicePrimaryCtxRetain != nullptr) {
    const Code code = api.DevicePrimaryCtxRetain(&use.context, use.device);
    if (code != kSuccess) {
      return code;
    }
  }
  const Code code = make_current(api, use);
  if (code != kSuccess) {
    give_back(api, use);
  }
  return code;
}

// What copies from and to a device's memory need.
struct Home {
  Use use;
  std::array<Stream, 2> streams{};  // for copies at the same time
};

class GpuMemory final : public DeviceMemory {
 public:
  // Without `api` it is a part of other memory, which is not given back.
  GpuMemory(const Functions* api, const Home& home, Address address)
      : api_(api), home_(home), address_(address) {}
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  GpuMemory(GpuMemory&&) = delete;
  GpuMemory& operator=(GpuMemory&&) = delete;
  ~GpuMemory() override {
    if (api_ != nullptr) {
      (void)make_current(*api_, home_.use);
      (void)api_->MemFree(address_);
    }
  }
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] const Home& home() const { return home_; }

 private:
  const Functions* api_;
  const Home& home_;
  Address address_;
};

class GpuPinned final : public PinnedMemory {
 public:
  GpuPinned(const Functions& api, std::span<std::byte> bytes) : api_(api), bytes_(bytes) {}
  GpuPinned(const GpuPinned&) = delete;
  GpuPinned& operator=(const GpuPinned&) = delete;
  GpuPinned(GpuPinned&&) = delete;
  GpuPinned& operator=(GpuPinned&&) = delete;
  ~GpuPinned() override { (void)api_.MemFreeHost(bytes_.data()); }
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }

 private:
  const Functions& api_;
  std::span<std::byte> bytes_;
};

// What the driver has loaded: the kernels of one compilation. HIP keeps the address of the image,
// and may read it when a kernel is asked for (hip_fatbin.cpp of ROCm/clr), so that it stays as
// long.
class LoadedModule {
 public:
  LoadedModule(const Functions& api, std::string image) : api_(api), image_(std::move(image)) {}
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  LoadedModule(LoadedModule&&) = delete;
  LoadedModule& operator=(LoadedModule&&) = delete;
  ~LoadedModule() {
    if (handle_ != nullptr) {
      (void)api_.ModuleUnload(handle_);
    }
  }

  // To be called once, before anything else.
  Code load(std::span<int> options, std::span<void*> values) {
    return api_.ModuleLoadDataEx(&handle_, image_.c_str(), static_cast<unsigned>(options.size()),
                                 options.data(), values.data());
  }
  [[nodiscard]] Module handle() const { return handle_; }

 private:
  const Functions& api_;
  std::string image_;
  Module handle_ = nullptr;
};

class GpuKernel final : public DeviceKernel {
 public:
  GpuKernel(std::shared_ptr<LoadedModule> module, Function handle, std::uint64_t most)
      : module_(std::move(module)), handle_(handle), most_(most) {}
  [[nodiscard]] std::uint64_t most_group_items() const override { return most_; }
  [[nodiscard]] Function handle() const { return handle_; }

 private:
  std::shared_ptr<LoadedModule> module_;
  Function handle_;
  std::uint64_t most_;
};

// A module, or why the driver does not take it.
struct Loading {
  std::shared_ptr<LoadedModule> module;
  Code code = kSuccess;
  std::string reason;
};

Loading load_module(const Functions& api, std::string image) {
  // Filled by the driver's compiler.
  std::array<char, 512> log{};
  std::array<int, 2> options{kErrorLog, kErrorLogBytes};
  auto* const bytes =
      reinterpret_cast<void*>(log.size() - 1);  // NOLINT(performance-no-int-to-ptr): as CUDA has it
  std::array<void*, 2> values{log.data(), bytes};
  auto module = std::make_shared<LoadedModule>(api, std::move(image));
  Loading loading;
  loading.code = module->load(options, values);
  if (loading.code != kSuccess) {
    const std::string_view said = log.data();
    loading.reason = reason_of(api, loading.code);
    if (!said.empty()) {
      loading.reason += fmt::format(": {}", said.substr(0, said.find('\n')));
    }
    return loading;
  }
  loading.module = std::move(module);
  return loading;
}

// The one that has the kernel of that name; null: none has it.
const Assembly* find_assembly(std::span<const Assembly> all, std::string_view name) {
  for (const Assembly& each : all) {
    const bool begins = name.substr(0, each.module.size()) == each.module;
    if (begins && (name.size() == each.module.size() || name[each.module.size()] == '_')) {
      return &each;
    }
  }
  return nullptr;
}

// Copies of one way.
struct TimedCopies {
  Code code = kSuccess;
  Instant start{};
  Instant end{};
};

// From the first start to the last end.
double seconds_of(std::span<const TimedCopies> ways) {
  Instant first = ways.front().start;
  Instant last = ways.front().end;
  for (const TimedCopies& way : ways) {
    first = std::min(first, way.start);
    last = std::max(last, way.end);
  }
  return seconds_between(first, last);
}

class GpuDevice final : public Device {
 public:
  // Holds what take() took, and gives it back.
  GpuDevice(const Driver& driver, const Functions& api, const Found& found, const Use& use,
            DeviceFacts facts)
      : driver_(driver),
        api_(api),
        home_{use},
        facts_(std::move(facts)),
        pci_address_(found.pci_address),
        nvml_(found.nvml),
        capability_(attribute_of(api, use.device, driver.attributes.major) * 10 +
                    attribute_of(api, use.device, driver.attributes.minor)) {}
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;
  GpuDevice(GpuDevice&&) = delete;
  GpuDevice& operator=(GpuDevice&&) = delete;
  ~GpuDevice() override {
    (void)make_current(api_, home_.use);
    for (auto* const event : {first_, last_}) {
      if (event != nullptr) {
        (void)api_.EventDestroy(event);
      }
    }
    for (auto* const stream : home_.streams) {
      if (stream != nullptr) {
        (void)api_.StreamDestroy(stream);
      }
    }
    modules_.clear();
    own_modules_.clear();
    give_back(api_, home_.use);
  }

  // Creates what times launches and what copies wait in, and decides what compiles the kernels.
  Result<void> prepare() {
    STREAMGAGE_TRY(checked("it gives no events", api_.EventCreate(&first_, 0)));
    STREAMGAGE_TRY(checked("it gives no events", api_.EventCreate(&last_, 0)));
    for (Stream& stream : home_.streams) {
      STREAMGAGE_TRY(checked("it gives no streams", api_.StreamCreate(&stream, kWaitsForOthers)));
    }
    STREAMGAGE_TRY(const std::string why_not_embedded, try_embedded());
    if (takes_embedded_) {
      return {};
    }
    STREAMGAGE_TRY(facts_.code, compiler_for("has no kernels: " + why_not_embedded));
    return {};
  }

  [[nodiscard]] const DeviceFacts& facts() const override { return facts_; }

  Result<std::unique_ptr<DeviceMemory>> allocate(std::uint64_t bytes) override {
    STREAMGAGE_TRY(enter());
    Address address = 0;
    const Code code = api_.MemAlloc(&address, bytes);
    if (code != kSuccess) {
      return tl::unexpected(
          error_of(api_, facts_.id,
                   fmt::format("an array of {} cannot be allocated", format_bytes(bytes)), code));
    }
    return std::make_unique<GpuMemory>(&api_, home_, address);
  }

  Result<std::unique_ptr<DeviceMemory>> part_of(DeviceMemory& whole, std::uint64_t offset,
                                                std::uint64_t /*bytes*/) override {
    return std::make_unique<GpuMemory>(nullptr, home_, address_of(whole) + offset);
  }

  Result<void> read(const DeviceMemory& memory, std::uint64_t offset,
                    std::span<std::byte> to) override {
    STREAMGAGE_TRY(enter());
    return checked("reading an array back failed",
                   api_.MemcpyDtoH(to.data(), address_of(memory) + offset, to.size()));
  }

  Result<void> write(DeviceMemory& memory, std::uint64_t offset,
                     std::span<const std::byte> from) override {
    STREAMGAGE_TRY(enter());
    return checked("writing an array failed",
                   api_.MemcpyHtoD(address_of(memory) + offset, from.data(), from.size()));
  }

  Result<std::unique_ptr<PinnedMemory>> allocate_pinned(std::uint64_t bytes) override {
    STREAMGAGE_TRY(enter());
    void* address = nullptr;
    const Code code = api_.MemHostAlloc(&address, bytes, kUsualPinned);
    if (code != kSuccess) {
      return tl::unexpected(error_of(
          api_, facts_.id,
          fmt::format("{} of the host's memory cannot be pinned", format_bytes(bytes)), code));
    }
    return std::make_unique<GpuPinned>(api_, std::span(static_cast<std::byte*>(address), bytes));
  }

  // Each way has a stream and a thread of its own. The functions that copy return at once where the
  // host's memory is pinned. Where it is pageable, they return when the host has done its part
  // ("API synchronization behavior" in CUDA's reference), so one thread would copy the ways in
  // turn. Programs that copy both ways at once have two threads, too. Between two devices the
  // stream is that of the one whose memory is read.
  Result<double> transfer(std::span<const Transfer> transfers, std::int64_t times) override {
    const std::size_t ways = transfers.size();
    STREAMGAGE_TRY(try_threads(static_cast<int>(ways) - 1));
    STREAMGAGE_TRY(settle(transfers));
    std::vector<TimedCopies> done(ways);
    SpinBarrier barrier(static_cast<int>(ways));
    const auto copy = [&](std::size_t way) {
      const Home& home = starter_of(transfers[way]);
      auto* const stream = home.streams[way % home.streams.size()];
      TimedCopies& copies = done[way];
      copies.code = make_current(api_, home.use);
      barrier.wait();
      copies.start = now();
      for (std::int64_t time = 0; time < times && copies.code == kSuccess; ++time) {
        copies.code = start_transfer(transfers[way], stream);
      }
      const Code finished = api_.StreamSynchronize(stream);
      copies.end = now();
      copies.code = copies.code == kSuccess ? finished : copies.code;
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t way = 1; way < ways; ++way) {
        others.emplace_back(copy, way);
      }
      copy(0);
    }
    for (std::size_t way = 0; way < ways; ++way) {
      STREAMGAGE_TRY(checked(is_of_host(transfers[way])
                                 ? "a copy between the host and the device failed"
                                 : "a copy between two devices failed",
                             done[way].code));
    }
    return seconds_of(done);
  }

  Result<bool> reach(Device& other) override {
    const auto* const peer = dynamic_cast<const GpuDevice*>(&other);
    if (peer == nullptr || &peer->driver_ != &driver_) {
      return Device::reach(other);
    }
    int can = 0;
    STREAMGAGE_TRY(
        checked("the driver does not say which devices it reaches",
                api_.DeviceCanAccessPeer(&can, home_.use.device, peer->home_.use.device)));
    if (can == 0) {
      return false;
    }
    STREAMGAGE_TRY(enter());
    const Code code = api_.CtxEnablePeerAccess != nullptr
                          ? api_.CtxEnablePeerAccess(peer->home_.use.context, 0)
                          : api_.EnablePeerAccessByNumber(peer->home_.use.device, 0);
    if (code == kNoPeerAccess || code == kTooManyPeers) {
      return false;
    }
    STREAMGAGE_TRY(checked("access to another device's memory cannot be enabled",
                           code == kPeerAccessEnabled ? kSuccess : code));
    return true;
  }

  [[nodiscard]] std::uint64_t base_of_links(const DeviceMemory& links) const override {
    return address_of(links);
  }

  Result<std::unique_ptr<DeviceKernel>> compile(const std::string& source,
                                                const char* name) override {
    STREAMGAGE_TRY(enter());
    STREAMGAGE_TRY(auto module, module_with(source, name));
    return kernel_in(std::move(module), name);
  }

  Result<std::unique_ptr<DeviceKernel>> compile_own(const OwnProgram& program,
                                                    const char* name) override {
    STREAMGAGE_TRY(enter());
    auto& module = own_modules_[program.text];
    if (!module) {
      STREAMGAGE_TRY(module, compiled(program.text, program.file));
    }
    return kernel_in(module, name);
  }

  Result<std::string> own_compiler() override {
    return compiler_for("cannot run your own kernels: ");
  }

  Result<LaunchTimes> launch(DeviceKernel& kernel, std::span<const Argument> arguments,
                             const Grid& grid, std::int64_t times) override {
    STREAMGAGE_TRY(enter());
    auto* const handle = dynamic_cast<GpuKernel&>(kernel).handle();
    std::vector<Argument> values(arguments.begin(), arguments.end());
    std::vector<Address> addresses;
    addresses.reserve(values.size());
    std::vector<void*> places;
    std::size_t shared = 0;
    for (Argument& argument : values) {
      if (const auto* bytes = std::get_if<SharedBytes>(&argument)) {
        shared += bytes->bytes;
      } else if (const auto* memory = std::get_if<const DeviceMemory*>(&argument)) {
        addresses.push_back(*memory == nullptr ? 0 : address_of(**memory));
        places.push_back(&addresses.back());
      } else {
        places.push_back(
            std::visit([](auto& value) { return static_cast<void*>(&value); }, argument));
      }
    }
    const Instant start = now();
    Code code = api_.EventRecord(first_, nullptr);
    for (std::int64_t time = 0; time < times && code == kSuccess; ++time) {
      code = api_.LaunchKernel(handle, static_cast<unsigned>(grid.groups), 1, 1,
                               static_cast<unsigned>(grid.group_items), 1, 1,
                               static_cast<unsigned>(shared), nullptr, places.data(), nullptr);
    }
    if (code == kSuccess) {
      code = api_.EventRecord(last_, nullptr);
    }
    const Code finished = api_.CtxSynchronize();
    LaunchTimes taken;
    taken.host_seconds = seconds_between(start, now());
    STREAMGAGE_TRY(checked("a kernel cannot be started", code));
    STREAMGAGE_TRY(checked("a kernel failed", finished));
    float milliseconds = 0.0F;
    if (api_.EventElapsedTime(&milliseconds, first_, last_) == kSuccess) {
      taken.event_seconds = static_cast<double>(milliseconds) * 1e-3;
    }
    return taken;
  }

  std::optional<DeviceState> state() override {
    auto state =
        nvml_ ? std::optional(nvml_->state()) : read_hwmon_state(address_of_gpu(pci_address_));
    // By its address the whole GPU is found, whose processes and power are of all slices.
    if (state && !facts_.slice.empty()) {
      state->other_processes.reset();
      state->watts.reset();
      state->limit_watts.reset();
    }
    return state;
  }

 private:
  // What compiles at run time; or an error, which says what the GPU lacks without it.
  [[nodiscard]] Result<std::string> compiler_for(const std::string& lack) const {
    const auto compiler = driver_.compiler_version();
    if (!compiler) {
      return usage_error(fmt::format(
          "{} ({}) {}{}, which would compile them, is not there ({}): install {}", facts_.id,
          facts_.name, lack, driver_.compiler, compiler.error().message, driver_.to_install));
    }
    return fmt::format("{} by {}, {}", driver_.language, *compiler, facts_.driver);
  }

  // Whether the driver takes what is embedded for it; if not, why, as the beginning of a sentence.
  Result<std::string> try_embedded() {
    if (driver_.embedded().empty()) {
      return fmt::format("this engine was built without clang and has no {} of them; and ",
                         driver_.embedded_name);
    }
    if (&driver_ == &kCuda && capability_ < kPtxCapability) {
      return fmt::format(
          "the PTX in this engine is for compute capability 7.0 and later, and this "
          "GPU's is {}.{}; and ",
          capability_ / 10, capability_ % 10);
    }
    const Assembly& first =
        *find_assembly(driver_.embedded(), fill_program(ElementType::kFloat).name);
    const Loading tried = load_module(api_, std::string(first.text));
    if (tried.module) {
      takes_embedded_ = true;
      facts_.code = fmt::format("{} by {}, {} by {}", driver_.embedded_kind, embedded_compiler(),
                                driver_.taken, facts_.driver);
      return std::string{};
    }
    const bool is_of_code = tried.code == kInvalidImage || tried.code == kInvalidPtx ||
                            tried.code == kUnsupportedPtx || tried.code == kNoJitCompiler ||
                            tried.code == kNoJitAllowed || tried.code == kNoBinaryForGpu;
    if (!is_of_code) {
      return failure(fmt::format("{}: a kernel cannot be loaded: {}", facts_.id, tried.reason));
    }
    return fmt::format("the driver does not take the {} in this engine: {}; and ",
                       driver_.embedded_name, tried.reason);
  }

  // Makes this the device of the calling thread; two may be open.
  [[nodiscard]] Result<void> enter() const {
    return checked("it cannot be used", make_current(api_, home_.use));
  }

  // The memory at that end; null: it is the host's.
  static const GpuMemory* memory_at(const TransferEnd& end) {
    const auto* const memory = std::get_if<DeviceMemory*>(&end);
    return memory == nullptr ? nullptr : dynamic_cast<const GpuMemory*>(*memory);
  }

  static bool is_of_host(const Transfer& transfer) {
    return memory_at(transfer.from) == nullptr || memory_at(transfer.to) == nullptr;
  }

  static const Home& starter_of(const Transfer& transfer) {
    const GpuMemory* const source = memory_at(transfer.from);
    return (source != nullptr ? source : memory_at(transfer.to))->home();
  }

  // Waits for what was written before on every device: a stream waits for its own device alone.
  [[nodiscard]] Result<void> settle(std::span<const Transfer> transfers) const {
    for (const Transfer& transfer : transfers) {
      for (const TransferEnd& end : {transfer.from, transfer.to}) {
        if (const GpuMemory* const memory = memory_at(end)) {
          STREAMGAGE_TRY(checked("it cannot be used", make_current(api_, memory->home().use)));
          STREAMGAGE_TRY(checked("writing an array failed", api_.CtxSynchronize()));
        }
      }
    }
    return {};
  }

  [[nodiscard]] Code start_transfer(const Transfer& transfer, Stream stream) const {
    const GpuMemory* const from = memory_at(transfer.from);
    const GpuMemory* const to = memory_at(transfer.to);
    const std::size_t bytes = transfer.bytes;
    if (from == nullptr) {
      return api_.MemcpyHtoDAsync(to->address(), std::get<std::byte*>(transfer.from), bytes,
                                  stream);
    }
    if (to == nullptr) {
      return api_.MemcpyDtoHAsync(std::get<std::byte*>(transfer.to), from->address(), bytes,
                                  stream);
    }
    const Use& source = from->home().use;
    const Use& target = to->home().use;
    return api_.MemcpyPeerAsync != nullptr
               ? api_.MemcpyPeerAsync(to->address(), target.context, from->address(),
                                      source.context, bytes, stream)
               : api_.MemcpyPeerAsyncByNumber(to->address(), target.device, from->address(),
                                              source.device, bytes, stream);
  }

  static Address address_of(const DeviceMemory& memory) {
    return dynamic_cast<const GpuMemory&>(memory).address();
  }

  [[nodiscard]] Result<void> checked(const char* what, Code code) const {
    if (code != kSuccess) {
      return tl::unexpected(error_of(api_, facts_.id, what, code));
    }
    return {};
  }

  // The embedded assembly of that kernel, which is kept; or what the compiler makes of the source.
  Result<std::shared_ptr<LoadedModule>> module_with(const std::string& source, const char* name) {
    const Assembly* const assembly =
        takes_embedded_ ? find_assembly(driver_.embedded(), name) : nullptr;
    if (assembly != nullptr) {
      auto& module = modules_[assembly->module];
      if (!module) {
        STREAMGAGE_TRY(module, loaded(std::string(assembly->text)));
      }
      return module;
    }
    return compiled(std::string(cuda_words()) + "#line 1\n" + source, "kernel.cu");
  }

  [[nodiscard]] Result<std::shared_ptr<LoadedModule>> compiled(const std::string& source,
                                                               const std::string& file) const {
    const auto image = driver_.compile(source, file, capability_);
    if (!image) {
      return failure(fmt::format("{}: {}", facts_.id, image.error().message));
    }
    return loaded(*image);
  }

  [[nodiscard]] Result<std::unique_ptr<DeviceKernel>> kernel_in(
      std::shared_ptr<LoadedModule> module, const char* name) const {
    Function handle = nullptr;
    STREAMGAGE_TRY(checked("a kernel is not in what was compiled",
                           api_.ModuleGetFunction(&handle, module->handle(), name)));
    int most = 0;
    (void)api_.FuncGetAttribute(&most, kFunctionGroupItems, handle);
    return std::make_unique<GpuKernel>(
        std::move(module), handle,
        most > 0 ? static_cast<std::uint64_t>(most) : facts_.most_group_items);
  }

  [[nodiscard]] Result<std::shared_ptr<LoadedModule>> loaded(std::string image) const {
    Loading loading = load_module(api_, std::move(image));
    if (!loading.module) {
      return failure(fmt::format("{}: a kernel cannot be loaded: {}", facts_.id, loading.reason));
    }
    return std::move(loading.module);
  }

  const Driver& driver_;
  const Functions& api_;
  Home home_;
  DeviceFacts facts_;
  std::string pci_address_;
  std::optional<nvml::Gpu> nvml_;
  int capability_;
  bool takes_embedded_ = false;
  Event first_ = nullptr;
  Event last_ = nullptr;
  std::map<std::string_view, std::shared_ptr<LoadedModule>> modules_;
  std::map<std::string, std::shared_ptr<LoadedModule>> own_modules_;  // by their text
};

// "cuda:0 (Tesla V100), cuda:1 (...)".
std::string describe(const Driver& driver, const Functions& api,
                     const std::vector<DeviceNumber>& devices) {
  std::vector<std::string> names;
  names.reserve(devices.size());
  for (std::size_t number = 0; number < devices.size(); ++number) {
    names.push_back(fmt::format("{}:{} ({})", driver.word, number, name_of(api, devices[number])));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<std::vector<DeviceFacts>> list(const Driver& driver) {
  STREAMGAGE_TRY(const Functions* const api, driver.load());
  STREAMGAGE_TRY(const auto devices, numbers_of(driver, *api));
  std::vector<DeviceFacts> facts;
  facts.reserve(devices.size());
  for (std::size_t number = 0; number < devices.size(); ++number) {
    facts.push_back(facts_of(driver, *api, found_at(driver, *api, devices, number)));
  }
  return facts;
}

Result<std::unique_ptr<Device>> open(const Driver& driver, unsigned number) {
  STREAMGAGE_TRY(const Functions* const api, driver.load());
  STREAMGAGE_TRY(const auto devices, numbers_of(driver, *api));
  if (number >= devices.size()) {
    return usage_error(fmt::format("there is no device {}:{}; there is {}", driver.word, number,
                                   describe(driver, *api, devices)));
  }
  const Found found = found_at(driver, *api, devices, number);
  DeviceFacts facts = facts_of(driver, *api, found);
  if (attribute_of(*api, found.number, driver.attributes.compute_mode) == kModeProhibited) {
    return usage_error(fmt::format(
        "{} ({}) cannot run kernels: its compute mode prohibits it, which an administrator may "
        "change (nvidia-smi -c DEFAULT)",
        facts.id, facts.name));
  }
  Use use{found.number};
  if (const Code code = take(*api, use); code != kSuccess) {
    Error error = error_of(*api, facts.id, facts.name + " cannot be opened", code);
    error.message += driver.forbidden();
    return tl::unexpected(std::move(error));
  }
  auto device = std::make_unique<GpuDevice>(driver, *api, found, use, std::move(facts));
  STREAMGAGE_TRY(device->prepare());
  return device;
}

}  // namespace

Result<std::vector<DeviceFacts>> list_cuda() { return list(kCuda); }
Result<std::unique_ptr<Device>> open_cuda(unsigned number) { return open(kCuda, number); }
Result<std::vector<DeviceFacts>> list_hip() { return list(kHip); }
Result<std::unique_ptr<Device>> open_hip(unsigned number) { return open(kHip, number); }

}  // namespace streamgage::engine::gpu
