#include "devices/drivers/gpu_device.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices/code_texts.hpp"
#include "devices/device_source.hpp"
#include "devices/drivers/device_place.hpp"
#include "devices/drivers/gpu_error.hpp"
#include "devices/drivers/gpu_facts.hpp"
#include "devices/drivers/gpu_functions.hpp"
#include "devices/drivers/gpu_interface.hpp"
#include "devices/drivers/gpu_memory.hpp"
#include "devices/drivers/gpu_module.hpp"
#include "devices/drivers/gpu_transfer.hpp"
#include "devices/drivers/hwmon_state.hpp"
#include "devices/drivers/nvml.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine::gpu {
namespace {

constexpr int kPtxCapability = 70;  // of the PTX in this engine

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

  Result<double> transfer(std::span<const Transfer> transfers, std::int64_t times) override {
    return time_transfers(api_, facts_.id, transfers, times);
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

  static Address address_of(const DeviceMemory& memory) {
    return dynamic_cast<const GpuMemory&>(memory).address();
  }

  [[nodiscard]] Result<void> checked(const char* what, Code code) const {
    return gpu::checked(api_, facts_.id, what, code);
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
