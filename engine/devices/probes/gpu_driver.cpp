// A driver for tests, libcuda.so.1 or by hip_names.h libamdhip64.so, whose GPUs are this process.
// Each has memory of its own: what another one's is mistaken for fails. It runs the kernels that
// the PTX names, or those of gpu_compiler.cpp, compiled for the host from the same source; and it
// fails as drivers do, as STREAMGAGE_TEST_GPU asks, by the names of CUDA's:
//
//   FUNCTION=CODE         that function fails, such as cuInit=100
//   FUNCTION=CODE@CALL    from its call of that number on
//   devices=N gpu=NAME capability=61 mode=2 memory_kilohertz=N bus_bits=N ecc=0 integrated=1
//   room=BYTES            all that may be allocated
//   pinned=BYTES          all of the host's memory that may be pinned
//   copies=lost           copies in a stream end, and copy nothing
//   copied=BYTE           every copy in a stream makes that byte of its target wrong
//   peers=no              no device reaches the memory of another one
//   together=yes          a copy of pageable memory waits for another one, or fails in the end
//   ptx=CODE              PTX does not load, what the compiler makes does
//   architecture=gfx906   of the GPU by HIP
//   wrong=ELEMENT         every kernel but the one that fills makes that element of a wrong
//   sums=wrong            every reduction is wrong
//   stamps=FACTOR         of the time that events show
#include <dlfcn.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "devices/probes/host_compiler.hpp"
#include "devices/probes/host_words.h"
#include "kernels/catalogue.hpp"

using Code = int;
using Address = unsigned long long;
using streamgage::probes::asked_for;
using streamgage::probes::number_asked_for;

namespace {

constexpr Code kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kInvalidImage = 200,
               kInvalidContext = 201, kNoBinaryForGpu = 209, kNotFound = 500,
               kPeerAccessEnabled = 704, kLaunchFailed = 719;
constexpr std::string_view kCompiled = "// made by the compiler of tests\n";
constexpr std::size_t kStackBytes = std::size_t{64} << 10U;

// Of the caller's memory, which has to stay, as with HIP (FatBinaryInfo of ROCm/clr keeps its
// address).
struct HostModule {
  std::string_view text;
  bool is_embedded;  // PTX, or machine code from a bundle
};

struct HostFunction {
  std::string name;
  void (*call)(void**) = nullptr;
  HostIndex* item = nullptr;
  HostIndex* group = nullptr;
  HostIndex* items = nullptr;
  HostIndex* groups = nullptr;
  void (**barrier)() = nullptr;
  HostBulk* bulk = nullptr;
  unsigned char* shared = nullptr;  // the memory of a group
};

struct HostEvent {
  std::chrono::steady_clock::time_point time;
};

// What is left to do when the host waits for it.
struct HostStream {
  std::vector<std::function<void()>> copies;
};

bool is_by_address = false;  // the order of the devices
std::map<std::string, int> calls;
std::mutex calls_mutex;
std::map<Address, std::size_t> memory;
std::map<Address, int> owners;          // of that memory
std::set<std::pair<int, int>> reached;  // pairs of devices with access
std::map<void*, std::size_t> pinned;
std::vector<std::unique_ptr<HostFunction>> functions;
#ifdef STREAMGAGE_TEST_HIP
thread_local int device_in_use = 0;
#else
thread_local int device_in_use = -1;  // no context
std::array<int, 16> contexts{};       // a place for each device
#endif

// The code with which a function fails now, or success.
Code trouble(const char* function) {
  const std::scoped_lock lock(calls_mutex);
  const int call = ++calls[function];
  const auto asked = asked_for(function);
  if (!asked) {
    return kSuccess;
  }
  const std::size_t at = asked->find('@');
  const int from = at == std::string::npos ? 1 : std::stoi(asked->substr(at + 1));
  return call >= from ? std::stoi(*asked) : kSuccess;
}

template <class Place>
std::size_t bytes_in(const std::map<Place, std::size_t>& places) {
  std::size_t bytes = 0;
  for (const auto& [place, size] : places) {
    bytes += size;
  }
  return bytes;
}

std::uintptr_t number_of(Address address) { return address; }
std::uintptr_t number_of(const void* place) { return reinterpret_cast<std::uintptr_t>(place); }
void* place_of(Address address) { return reinterpret_cast<void*>(address); }

// Whether all of these bytes are in an allocation.
template <class Place>
bool has(const std::map<Place, std::size_t>& places, Place begin, std::size_t bytes) {
  const auto after = places.upper_bound(begin);
  if (after == places.begin()) {
    return false;
  }
  const auto& [place, size] = *std::prev(after);
  const auto offset = number_of(begin) - number_of(place);
  return offset + bytes <= size;
}

// The device that has all of these bytes; -1: none.
int owner_of(Address address, std::size_t bytes) {
  return has(memory, address, bytes) ? std::prev(owners.upper_bound(address))->second : -1;
}

bool is_mine(Address address, std::size_t bytes) {
  return device_in_use >= 0 && owner_of(address, bytes) == device_in_use;
}

void copy_in_stream(void* to, const void* from, std::size_t bytes) {
  if (!asked_for("copies")) {
    std::memcpy(to, from, bytes);
  }
  const long wrong = number_asked_for("copied", -1);
  if (wrong >= 0 && static_cast<std::size_t>(wrong) < bytes) {
    static_cast<unsigned char*>(to)[wrong] ^= 1U;
  }
}

// Whether two threads come here, one of which may have to wait for the other.
bool meets_another() {
  static std::mutex mutex;
  static std::condition_variable changed;
  static int came = 0;
  std::unique_lock lock(mutex);
  const int pair = came++ / 2;
  changed.notify_all();
  return changed.wait_for(lock, std::chrono::seconds(20), [&] { return came / 2 > pair; });
}

// Copies of pageable memory are done when the function returns, others when the host waits.
Code start_copy(HostStream& stream, void* to, const void* from, std::size_t bytes, bool is_pinned) {
  if (device_in_use < 0) {
    return kInvalidContext;
  }
  if (is_pinned) {
    stream.copies.emplace_back([=] { copy_in_stream(to, from, bytes); });
    return kSuccess;
  }
  copy_in_stream(to, from, bytes);
  return asked_for("together") && !meets_another() ? kLaunchFailed : kSuccess;
}

// The source of a kernel by its name: streamgage_triad_double_2_4, that with "_streaming",
// streamgage_ring_triad_double_2_4, streamgage_fill_double or streamgage_chase.
std::string source_of(const std::string& name) {
  std::vector<std::string> words{""};
  for (const char letter : name) {
    if (letter == '_') {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  const bool has_ring = words.at(1) == "ring";
  if (has_ring) {
    words.erase(words.begin() + 1);
  }
  if (words.at(1) == "chase") {
    return "#include \"cuda.h\"\n#define NAME " + name + "\n#include \"chase.h\"\n";
  }
  const std::string head =
      "#include \"cuda.h\"\n#define NAME " + name + "\n#define T " + words.at(2) + "\n";
  if (words.at(1) == "fill") {
    return head + "#include \"fill.h\"\n";
  }
  for (const auto& kernel : streamgage::engine::kCatalogue) {
    if (kernel.name == words.at(1)) {
      const std::string formula(kernel.formula.substr(kernel.formula.find("= ") + 2));
      return head + "#define LANES " + words.at(3) + "\n#define LOADS " + words.at(4) +
             "\n#define STREAMING " + (words.size() > 5 ? "1" : "0") + "\n#define RING " +
             (has_ring ? "1" : "0") + "\n#define FORMULA " + formula + "\n#define READS " +
             std::to_string(kernel.reads) + "\n#define REDUCES " + (kernel.reduces() ? "1" : "0") +
             "\n#include \"stream.h\"\n";
    }
  }
  return {};
}

#ifdef STREAMGAGE_TEST_HIP
constexpr std::string_view kBundle = "__CLANG_OFFLOAD_BUNDLE__";

// The code for the GPU in what clang's ClangOffloadBundler.rst describes; nothing without it.
std::string_view code_in_bundle(const char* bundle) {
  const std::string wanted = "--" + asked_for("architecture").value_or("gfx90a");
  const char* at = bundle + kBundle.size();
  const auto next = [&at] {
    std::uint64_t value = 0;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  };
  for (std::uint64_t left = next(); left > 0; --left) {
    const std::uint64_t offset = next();
    const std::uint64_t bytes = next();
    const std::uint64_t letters = next();
    const std::string target(at, letters);
    at += letters;
    if (target.size() >= wanted.size() && target.substr(target.size() - wanted.size()) == wanted) {
      return {bundle + offset, bytes};
    }
  }
  return {};
}
#endif

template <class Value>
void find(void* library, const char* name, Value& value) {
  value = reinterpret_cast<Value>(dlsym(library, name));
}

// The work-items of a group in turn: one that waits lets the next one go on. Bulk copies end as
// late as may be, or at once: every other one, and the last one first. So what takes too early, or
// brings too early, gets what is wrong. A group that goes on for ever, or breaks a rule of bulk
// copies, is a launch that fails.
class Group {
 public:
  static Code run(const HostFunction& kernel, void** arguments, unsigned items, unsigned shared) {
    Group group(kernel, arguments, items, shared);
    current_ = &group;
    *kernel.barrier = [] { current_->meet(); };
    *kernel.bulk = {[](bulk_barrier* barrier) { current_->begin(barrier); },
                    [] { current_->unfenced_.clear(); },
                    [](bulk_barrier* barrier, unsigned bytes) { current_->expect(barrier, bytes); },
                    [](void* to, const void* from, unsigned bytes, bulk_barrier* barrier) {
                      current_->copy({static_cast<unsigned char*>(to), from, bytes, barrier});
                    },
                    [](bulk_barrier* barrier, unsigned turn) { current_->wait(barrier, turn); }};
    std::memset(kernel.shared, 0xA5, shared);
    while (!group.left_.empty() && group.is_right_) {
      group.moved_ = false;
      const std::set<unsigned> round = group.left_;
      for (const unsigned item : round) {
        group.go_on(item);
      }
      if (!group.moved_) {
        group.end_a_copy();
      }
    }
    current_ = nullptr;
    return group.is_right_ && group.copies_.empty() ? kSuccess : kLaunchFailed;
  }

 private:
  struct Barrier {
    long bytes = 0;  // that are still to come
    bool is_expecting = false;
    unsigned turn = 0;
  };
  struct Copy {
    unsigned char* to;
    const void* from;
    unsigned bytes;
    bulk_barrier* barrier;
  };

  Group(const HostFunction& kernel, void** arguments, unsigned items, unsigned shared)
      : kernel_(kernel), arguments_(arguments), shared_(shared), contexts_(items) {
    static std::vector<std::unique_ptr<char[]>> stacks;
    while (stacks.size() < items) {
      stacks.emplace_back(new char[kStackBytes]);
    }
    for (unsigned item = 0; item < items; ++item) {
      getcontext(&contexts_[item]);
      contexts_[item].uc_stack.ss_sp = stacks[item].get();
      contexts_[item].uc_stack.ss_size = kStackBytes;
      contexts_[item].uc_link = &driver_;
      makecontext(&contexts_[item], &Group::work, 0);
      left_.insert(item);
    }
  }

  static void work() {
    current_->kernel_.call(current_->arguments_);
    current_->left_.erase(current_->item_);
    current_->moved_ = true;
  }

  void go_on(unsigned item) {
    item_ = item;
    kernel_.item->x = item;
    swapcontext(&driver_, &contexts_[item]);
  }

  void leave() { swapcontext(&contexts_[item_], &driver_); }

  void meet() {
    const unsigned meeting = meetings_;
    if (++met_ == left_.size()) {
      met_ = 0;
      ++meetings_;
      moved_ = true;
    }
    while (meetings_ == meeting) {
      leave();
    }
  }

  // Within the memory of the group, at a multiple of `bytes`.
  [[nodiscard]] bool is_shared(const void* place, unsigned size, unsigned bytes) const {
    const auto* const at = static_cast<const unsigned char*>(place);
    return at >= kernel_.shared && at + size <= kernel_.shared + shared_ &&
           (at - kernel_.shared) % bytes == 0;
  }

  void demand(bool condition) {
    is_right_ = is_right_ && condition;
    moved_ = moved_ || !condition;
  }

  void begin(bulk_barrier* barrier) {
    demand(is_shared(barrier, sizeof *barrier, sizeof *barrier));
    barriers_[barrier] = {};
    unfenced_.insert(barrier);
  }

  void expect(bulk_barrier* barrier, unsigned bytes) {
    demand(barriers_.count(barrier) == 1 && !barriers_[barrier].is_expecting);
    barriers_[barrier].is_expecting = true;
    barriers_[barrier].bytes += bytes;
    look_at(barriers_[barrier]);
  }

  void copy(const Copy& asked) {
    demand(is_shared(asked.to, asked.bytes, 16) && asked.bytes > 0 && asked.bytes % 16 == 0 &&
           reinterpret_cast<std::uintptr_t>(asked.from) % 16 == 0 &&
           has(memory, reinterpret_cast<Address>(asked.from), asked.bytes) && unfenced_.empty() &&
           barriers_.count(asked.barrier) == 1);
    if (is_right_) {
      copies_.push_back(asked);
    }
    if (++copied_ % 2 == 0) {
      end_a_copy();
    }
  }

  // The youngest; without any, all wait for what does not come.
  void end_a_copy() {
    demand(!copies_.empty());
    if (!copies_.empty()) {
      const Copy copy = copies_.back();
      copies_.pop_back();
      std::memcpy(copy.to, copy.from, copy.bytes);
      barriers_[copy.barrier].bytes -= copy.bytes;
      look_at(barriers_[copy.barrier]);
    }
  }

  static void look_at(Barrier& barrier) {
    if (barrier.is_expecting && barrier.bytes == 0) {
      barrier.is_expecting = false;
      barrier.turn ^= 1U;
    }
  }

  void wait(bulk_barrier* barrier, unsigned turn) {
    while (barriers_[barrier].turn == turn) {
      leave();
    }
    moved_ = true;
  }

  static inline Group* current_ = nullptr;
  const HostFunction& kernel_;
  void** arguments_;
  unsigned shared_;
  std::vector<ucontext_t> contexts_;
  ucontext_t driver_{};
  std::set<unsigned> left_;
  unsigned item_ = 0;
  std::size_t met_ = 0;  // items that have come to the barrier
  unsigned meetings_ = 0;
  bool moved_ = false;  // in this round
  bool is_right_ = true;
  std::map<bulk_barrier*, Barrier> barriers_;
  std::set<bulk_barrier*> unfenced_;
  std::vector<Copy> copies_;
  unsigned copied_ = 0;
};

#ifndef STREAMGAGE_TEST_HIP
int device_of(const void* context) {
  return static_cast<int>(static_cast<const int*>(context) - contexts.data());
}
#endif

Code enable_access(int peer) {
  if (const Code code = trouble("cuCtxEnablePeerAccess"); code != kSuccess) {
    return code;
  }
  return reached.emplace(device_in_use, peer).second ? kSuccess : kPeerAccessEnabled;
}

struct PeerPlace {
  Address address;
  int device;
};

// Through the host where there is no access, as drivers do.
Code copy_between(const PeerPlace& to, const PeerPlace& from, std::size_t bytes, void* stream) {
  if (owner_of(to.address, bytes) != to.device || owner_of(from.address, bytes) != from.device) {
    return kInvalidValue;
  }
  const Code code = trouble("cuMemcpyPeerAsync");
  return code != kSuccess ? code
                          : start_copy(*static_cast<HostStream*>(stream), place_of(to.address),
                                       place_of(from.address), bytes, true);
}

// Makes wrong what a test asks for.
void spoil(const HostFunction& kernel, void** arguments) {
  if (kernel.name.find("_fill_") != std::string::npos) {
    return;
  }
  bool reduces = false;
  for (const auto& each : streamgage::engine::kCatalogue) {
    const bool is_this = kernel.name.find("_" + std::string(each.name) + "_") != std::string::npos;
    reduces = reduces || (is_this && each.reduces());
  }
  const int sums = kernel.name.find("_ring_") == std::string::npos ? 8 : 9;
  const bool is_double = kernel.name.find("_double_") != std::string::npos;
  const std::size_t bytes = is_double ? sizeof(double) : sizeof(float);
  const long element = reduces ? (asked_for("sums") ? 0 : -1) : number_asked_for("wrong", -1);
  if (element < 0) {
    return;
  }
  const Address address = *static_cast<Address*>(arguments[reduces ? sums : 0]);
  auto* const at =
      reinterpret_cast<unsigned char*>(address) + bytes * static_cast<std::size_t>(element);
  at[bytes - 1] ^= 0x40U;
}

}  // namespace

extern "C" {

Code cuInit(unsigned /*flags*/) {
  calls.clear();
  reached.clear();
  const char* const order = std::getenv("CUDA_DEVICE_ORDER");
  is_by_address = order != nullptr && std::strcmp(order, "PCI_BUS_ID") == 0;
  return trouble("cuInit");
}

Code cuDriverGetVersion(int* version) {
#ifdef STREAMGAGE_TEST_HIP
  *version = 60342134;
#else
  *version = 12040;
#endif
  return trouble("cuDriverGetVersion");
}

Code cuDeviceGetCount(int* count) {
  *count = static_cast<int>(number_asked_for("devices", 1));
  return trouble("cuDeviceGetCount");
}

Code cuDeviceGet(int* device, int number) {
  *device = number;
  return trouble("cuDeviceGet");
}

Code cuDeviceGetName(char* name, int bytes, int /*device*/) {
  std::string text = asked_for("gpu").value_or("Test-GPU");
  for (char& letter : text) {
    letter = letter == '-' ? ' ' : letter;
  }
  std::snprintf(name, static_cast<std::size_t>(bytes), "%s", text.c_str());
  return trouble("cuDeviceGetName");
}

Code cuDeviceTotalMem_v2(std::size_t* bytes, int /*device*/) {
  *bytes = std::size_t{1} << 30U;
  return trouble("cuDeviceTotalMem_v2");
}

// The numbers are those of cuda.h and of hip_runtime_api.h.
Code cuDeviceGetAttribute(int* value, int attribute, int /*device*/) {
  const long capability = number_asked_for("capability", 90);
#ifdef STREAMGAGE_TEST_HIP
  const std::map<int, long> values{
      {0, 0},  // of every GPU; see ROCm/clr's rocdevice.cpp
      {5, 2'100'000},
      {6, number_asked_for("mode", 0)},
      {16, 0},
      {19, 64 << 10},
      {23, capability / 10},
      {56, 1024},
      {61, capability % 10},
      {63, 4},
  };
#else
  const std::map<int, long> values{
      {1, 1024},
      {13, 1'980'000},
      {16, 4},
      {18, number_asked_for("integrated", 0)},
      {20, number_asked_for("mode", 0)},
      {32, number_asked_for("ecc", 1)},
      {36, number_asked_for("memory_kilohertz", 2'619'000)},
      {37, number_asked_for("bus_bits", 5120)},
      {38, 64 << 10},
      {75, capability / 10},
      {76, capability % 10},
  };
#endif
  const auto found = values.find(attribute);
  if (found == values.end()) {
    return kInvalidValue;
  }
  *value = static_cast<int>(found->second);
  return trouble("cuDeviceGetAttribute");
}

// The last one is the fastest, which is the first of all unless CUDA_DEVICE_ORDER says otherwise.
Code cuDeviceGetPCIBusId(char* text, int bytes, int device) {
  const int devices = static_cast<int>(number_asked_for("devices", 1));
  const int place = is_by_address ? device : devices - 1 - device;
  std::snprintf(text, static_cast<std::size_t>(bytes), "ffff:%02x:00.0",
                0x17U + static_cast<unsigned>(place));
  return trouble("cuDeviceGetPCIBusId");
}

// HIP gives the digits as a text; CUDA the number, and of a slice by its newer function that of it.
Code cuDeviceGetUuid(unsigned char* uuid, int device) {
#ifdef STREAMGAGE_TEST_HIP
  const std::string text = asked_for("uuid").value_or("18a5c3f2e4d6b70") + std::to_string(device);
  std::memset(uuid, 0, 16);
  std::memcpy(uuid, text.data(), std::min<std::size_t>(text.size(), 16));
#else
  for (unsigned char place = 0; place < 16; ++place) {
    uuid[place] = static_cast<unsigned char>(0xa0 + place);
  }
  uuid[15] = static_cast<unsigned char>(device);
#endif
  return trouble("cuDeviceGetUuid");
}

#ifndef STREAMGAGE_TEST_HIP
Code cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  const Code code = cuDeviceGetUuid(uuid, device);
  if (asked_for("gpu").value_or("").find("MIG") != std::string::npos) {
    uuid[0] = 0x51;
  }
  return code;
}
#endif

Code cuDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = device != peer && !asked_for("peers") ? 1 : 0;
  return trouble("cuDeviceCanAccessPeer");
}

#ifdef STREAMGAGE_TEST_HIP

Code hipSetDevice(int device) {
  device_in_use = device;
  return trouble("hipSetDevice");
}

Code hipDeviceEnablePeerAccess(int peer, unsigned /*flags*/) { return enable_access(peer); }

Code hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                        std::size_t bytes, void* stream) {
  return copy_between({number_of(to), to_device}, {number_of(from), from_device}, bytes, stream);
}

const char* hipGetErrorName(Code code) {
  return code == 2     ? "hipErrorOutOfMemory"
         : code == 209 ? "hipErrorNoBinaryForGpu"
         : code == 719 ? "hipErrorLaunchFailure"
                       : "hipErrorUnknown";
}

#else

Code cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = &contexts.at(static_cast<std::size_t>(device));
  return trouble("cuDevicePrimaryCtxRetain");
}

Code cuDevicePrimaryCtxRelease(int /*device*/) {
  functions.clear();
  return kSuccess;
}

// The real NVRTC asks the driver for it, and does without.
Code cuGetExportTable(const void** table, const void* /*name*/) {
  *table = nullptr;
  return kNotFound;
}

Code cuCtxSetCurrent(void* context) {
  device_in_use = device_of(context);
  return trouble("cuCtxSetCurrent");
}

Code cuCtxEnablePeerAccess(void* peer, unsigned /*flags*/) {
  return enable_access(device_of(peer));
}

Code cuMemcpyPeerAsync(Address to, void* to_context, Address from, void* from_context,
                       std::size_t bytes, void* stream) {
  return copy_between({to, device_of(to_context)}, {from, device_of(from_context)}, bytes, stream);
}

Code cuGetErrorName(Code code, const char** name) {
  static const std::map<Code, const char*> names{
      {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
      {218, "CUDA_ERROR_INVALID_PTX"},
      {221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND"},
      {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
      {304, "CUDA_ERROR_OPERATING_SYSTEM"},
      {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {719, "CUDA_ERROR_LAUNCH_FAILED"},
      {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
  };
  const auto found = names.find(code);
  *name = found == names.end() ? nullptr : found->second;
  return found == names.end() ? kInvalidValue : kSuccess;
}

#endif

Code cuCtxSynchronize() { return trouble("cuCtxSynchronize"); }

Code cuMemAlloc_v2(Address* address, std::size_t bytes) {
  if (const Code code = trouble("cuMemAlloc_v2"); code != kSuccess) {
    return code;
  }
  const auto most = static_cast<std::size_t>(number_asked_for("room", 1L << 30U));
  const bool fits = device_in_use >= 0 && bytes_in(memory) + bytes <= most;
  void* const place = fits ? std::aligned_alloc(256, (bytes + 255) / 256 * 256) : nullptr;
  if (place == nullptr) {
    return kOutOfMemory;
  }
  std::memset(place, 0xA5, bytes);
  *address = reinterpret_cast<Address>(place);
  memory[*address] = bytes;
  owners[*address] = device_in_use;
  return kSuccess;
}

Code cuMemFree_v2(Address address) {
  if (memory.erase(address) == 0) {
    return kInvalidValue;
  }
  owners.erase(address);
  std::free(place_of(address));
  return kSuccess;
}

Code cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
  if (!is_mine(from, bytes)) {
    return kInvalidValue;
  }
  std::memcpy(to, place_of(from), bytes);
  return trouble("cuMemcpyDtoH_v2");
}

Code cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
  if (!is_mine(to, bytes)) {
    return kInvalidValue;
  }
  std::memcpy(place_of(to), from, bytes);
  return trouble("cuMemcpyHtoD_v2");
}

Code cuMemHostAlloc(void** address, std::size_t bytes, unsigned /*flags*/) {
  if (const Code code = trouble("cuMemHostAlloc"); code != kSuccess) {
    return code;
  }
  const auto most = static_cast<std::size_t>(number_asked_for("pinned", 1L << 30U));
  const bool fits = bytes_in(pinned) + bytes <= most;
  *address = fits ? std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096) : nullptr;
  if (*address == nullptr) {
    return kOutOfMemory;
  }
  pinned[*address] = bytes;
  return kSuccess;
}

Code cuMemFreeHost(void* address) {
  if (pinned.erase(address) == 0) {
    return kInvalidValue;
  }
  std::free(address);
  return kSuccess;
}

Code cuStreamCreate(void** stream, unsigned /*flags*/) {
  *stream = new HostStream{};
  return trouble("cuStreamCreate");
}

Code cuStreamDestroy_v2(void* stream) {
  delete static_cast<HostStream*>(stream);
  return kSuccess;
}

Code cuStreamSynchronize(void* stream) {
  auto& copies = static_cast<HostStream*>(stream)->copies;
  for (const auto& copy : copies) {
    copy();
  }
  copies.clear();
  return trouble("cuStreamSynchronize");
}

Code cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, void* stream) {
  if (!is_mine(to, bytes)) {
    return kInvalidValue;
  }
  const Code code = trouble("cuMemcpyHtoDAsync_v2");
  return code != kSuccess ? code
                          : start_copy(*static_cast<HostStream*>(stream), place_of(to), from, bytes,
                                       has(pinned, const_cast<void*>(from), bytes));
}

Code cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void* stream) {
  if (!is_mine(from, bytes)) {
    return kInvalidValue;
  }
  const Code code = trouble("cuMemcpyDtoHAsync_v2");
  return code != kSuccess ? code
                          : start_copy(*static_cast<HostStream*>(stream), to, place_of(from), bytes,
                                       has(pinned, to, bytes));
}

Code cuModuleLoadDataEx(void** module, const void* image, unsigned options, int* keys,
                        void** values) {
#ifdef STREAMGAGE_TEST_HIP
  if (std::memcmp(image, kBundle.data(), kBundle.size()) == 0) {
    const std::string_view found = code_in_bundle(static_cast<const char*>(image));
    if (found.empty()) {
      return kNoBinaryForGpu;
    }
    *module = new HostModule{found, true};
    return trouble("cuModuleLoadDataEx");
  }
#endif
  const std::string_view text = static_cast<const char*>(image);
  const bool is_ptx = text.find(".version ") != std::string_view::npos;
  Code code = trouble("cuModuleLoadDataEx");
  if (code == kSuccess && is_ptx) {
    code = static_cast<Code>(number_asked_for("ptx", kSuccess));
  }
  if (code == kSuccess && !is_ptx && text.substr(0, kCompiled.size()) != kCompiled) {
    code = kInvalidImage;
  }
  if (code != kSuccess) {
    for (unsigned option = 0; option < options; ++option) {
      if (keys[option] == 5 && is_ptx) {  // CU_JIT_ERROR_LOG_BUFFER
        std::strcpy(static_cast<char*>(values[option]), "ptxas: what the test's driver says\nmore");
      }
    }
    return code;
  }
  *module = new HostModule{text, is_ptx};
  return kSuccess;
}

Code cuModuleUnload(void* module) {
  delete static_cast<HostModule*>(module);
  return kSuccess;
}

Code cuModuleGetFunction(void** function, void* module, const char* name) {
  if (const Code code = trouble("cuModuleGetFunction"); code != kSuccess) {
    return code;
  }
  const auto& from = *static_cast<HostModule*>(module);
#ifdef STREAMGAGE_TEST_HIP
  const std::string symbol = '\0' + std::string(name) + '\0';
#else
  const std::string symbol = ".entry " + std::string(name) + "(";
#endif
  if (from.is_embedded && from.text.find(symbol) == std::string::npos) {
    return kNotFound;
  }
  void* const library = streamgage::probes::load_kernel(
      from.is_embedded ? source_of(name) : std::string(from.text), name);
  if (library == nullptr) {
    return kNotFound;
  }
  auto found = std::make_unique<HostFunction>();
  found->name = name;
  find(library, "streamgage_call", found->call);
  find(library, "threadIdx", found->item);
  find(library, "blockIdx", found->group);
  find(library, "blockDim", found->items);
  find(library, "gridDim", found->groups);
  find(library, "streamgage_barrier", found->barrier);
  find(library, "streamgage_bulk", found->bulk);
  find(library, "part", found->shared);
  *function = found.get();
  functions.push_back(std::move(found));
  return kSuccess;
}

Code cuFuncGetAttribute(int* value, int attribute, void* /*function*/) {
  *value = 512;
  return attribute == 0 ? trouble("cuFuncGetAttribute") : kInvalidValue;
}

Code cuLaunchKernel(void* function, unsigned groups, unsigned /*y*/, unsigned /*z*/, unsigned items,
                    unsigned /*items_y*/, unsigned /*items_z*/, unsigned shared, void* /*stream*/,
                    void** arguments, void** /*extra*/) {
  if (const Code code = trouble("cuLaunchKernel"); code != kSuccess) {
    return code;
  }
  if (groups == 0 || items == 0 || items > 1024) {
    return kInvalidValue;
  }
  const auto& kernel = *static_cast<HostFunction*>(function);
  *kernel.items = {items, 1, 1};
  *kernel.groups = {groups, 1, 1};
  for (unsigned group = 0; group < groups; ++group) {
    *kernel.group = {group, 0, 0};
    if (shared > 0) {
      if (const Code code = Group::run(kernel, arguments, items, shared); code != kSuccess) {
        return code;
      }
      continue;
    }
    for (unsigned item = 0; item < items; ++item) {
      *kernel.item = {item, 0, 0};
      kernel.call(arguments);
    }
  }
  spoil(kernel, arguments);
  return kSuccess;
}

Code cuEventCreate(void** event, unsigned /*flags*/) {
  *event = new HostEvent{};
  return trouble("cuEventCreate");
}

Code cuEventDestroy_v2(void* event) {
  delete static_cast<HostEvent*>(event);
  return kSuccess;
}

Code cuEventRecord(void* event, void* /*stream*/) {
  static_cast<HostEvent*>(event)->time = std::chrono::steady_clock::now();
  return trouble("cuEventRecord");
}

Code cuEventElapsedTime(float* milliseconds, void* start, void* end) {
  const std::chrono::duration<double, std::milli> taken =
      static_cast<HostEvent*>(end)->time - static_cast<HostEvent*>(start)->time;
  const auto factor = asked_for("stamps");
  *milliseconds = static_cast<float>(taken.count() * (factor ? std::stod(*factor) : 1.0));
  return trouble("cuEventElapsedTime");
}

}  // extern "C"
