// Whatever is given to the library for C, no call ends the program or reaches memory that is not
// its own, and what it returns is what streamgage.h says; see scripts/fuzz.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "streamgage/streamgage.h"

namespace {

constexpr std::uint64_t kMostTouched = 1U
                                       << 20U;  // bytes: more is what was asked for, and takes time
constexpr int kFewThreads = 4;
constexpr int kManyThreads = 1 << 20;  // are refused before any is started

void check(bool fact) {
  if (!fact) {
    std::abort();
  }
}

// Values out of the fuzzer's bytes: the ends of ranges, or any.
class Draw {
 public:
  explicit Draw(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool is_over() const { return bytes_.empty(); }

  std::uint8_t byte() {
    if (bytes_.empty()) {
      return 0;
    }
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }

  template <class Number>
  Number number() {
    using Limits = std::numeric_limits<Number>;
    const std::array ends{Number{0},
                          Number{1},
                          Number{2},
                          Number{7},
                          Number{100},
                          static_cast<Number>(-1),
                          Limits::max(),
                          Limits::lowest(),
                          static_cast<Number>(Limits::max() / 2),
                          Number{127},
                          static_cast<Number>(129),
                          static_cast<Number>(4096),
                          static_cast<Number>(1 << 21)};
    const std::uint8_t which = byte();
    if (which < ends.size()) {
      return ends[which];
    }
    std::array<std::uint8_t, sizeof(Number)> raw{};
    const std::size_t length = which % (sizeof(Number) + 1);
    for (std::size_t i = 0; i < length; ++i) {
      raw[i] = byte();
    }
    Number made{};
    std::memcpy(&made, raw.data(), sizeof made);
    return made;
  }

  double real() {
    const std::array ends{0.0,    -0.0,  1.0,      -1.0,      0.95,
                          1e-300, 1e308, HUGE_VAL, -HUGE_VAL, std::nan("")};
    const std::uint8_t which = byte();
    return which < ends.size() ? ends[which] : number<double>();
  }

  std::optional<std::string> text() {
    const std::uint8_t length = byte();
    if (length == 255) {
      return std::nullopt;
    }
    std::string made;
    for (int i = 0; i < length && !is_over(); ++i) {
      made += static_cast<char>(byte());
    }
    return made;
  }

  template <class Number>
  std::vector<Number> list() {
    std::vector<Number> made(byte() % 9U);
    for (Number& each : made) {
      if constexpr (std::is_floating_point_v<Number>) {
        each = real();
      } else {
        each = number<Number>();
      }
    }
    return made;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

const char* pointer(const std::optional<std::string>& text) {
  return text ? text->c_str() : nullptr;
}

void check_error(const streamgage_error& error) {
  check(error.status >= STREAMGAGE_OK && error.status <= STREAMGAGE_BAD_REQUEST);
  const bool ends = std::memchr(error.message, '\0', sizeof error.message) != nullptr;
  check(ends && (error.status == STREAMGAGE_OK) == (error.message[0] == '\0'));
}

// The handles of one program.
class Program {
 public:
  Program() : machine_(streamgage_machine_discover(nullptr)) { check(machine_ != nullptr); }
  ~Program() {
    streamgage_placement_free(placement_);
    streamgage_team_free(team_);
    streamgage_buffer_free(buffer_);
    streamgage_region_free(region_);
    streamgage_sampler_free(sampler_);
    streamgage_machine_free(machine_);
  }
  Program(const Program&) = delete;
  Program(Program&&) = delete;
  Program& operator=(const Program&) = delete;
  Program& operator=(Program&&) = delete;

  void call(Draw& draw) {
    streamgage_error own{};
    streamgage_error* const error = draw.byte() % 4 == 0 ? nullptr : &own;
    const streamgage_machine* const machine = draw.byte() % 8 == 0 ? nullptr : machine_;
    switch (draw.byte() % 12U) {
      case 0:
        part(draw);
        break;
      case 1:
        (void)streamgage_bind_this_thread(draw.number<int>(), error);
        break;
      case 2:
        machine_facts(machine, draw);
        break;
      case 3:
        place(machine, draw, error);
        break;
      case 4:
        assemble(draw, error);
        break;
      case 5:
        run(draw, error);
        break;
      case 6:
        reserve(draw, error);
        break;
      case 7:
        touch(draw, error);
        break;
      case 8:
        pages(draw, error);
        break;
      case 9:
        count_traffic(draw, error);
        break;
      case 10:
        sample(draw, error);
        break;
      default:
        summarize(draw, error);
        (void)streamgage_array_bytes(machine, placement_, draw.number<int>(),
                                     draw.number<std::size_t>(), error);
    }
    if (error != nullptr) {
      check_error(own);
    }
  }

 private:
  static void part(Draw& draw) {
    const auto elements = draw.number<std::int64_t>();
    const auto bytes = draw.number<std::size_t>();
    const int parts = draw.number<int>();
    const int number = draw.number<int>();
    const streamgage_range range = streamgage_part(elements, bytes, parts, number);
    check(range.begin >= 0 && range.begin <= range.end);
    check(range.end <= std::max<std::int64_t>(elements, 0));
    if (elements > 0 && bytes > 0 && number >= 0 && number < parts) {
      check(number > 0 || range.begin == 0);
      const streamgage_range next = streamgage_part(elements, bytes, parts, number + 1);
      check(number + 1 == parts ? range.end == elements : next.begin == range.end);
    }
  }

  static void machine_facts(const streamgage_machine* machine, Draw& draw) {
    std::array<int, 4> some{};
    const std::size_t most = draw.byte() % 5U;
    int* const to = draw.byte() % 4 == 0 ? nullptr : some.data();
    (void)streamgage_machine_cpus(machine, to, most);
    (void)streamgage_machine_nodes(machine, to, most);
    (void)streamgage_machine_packages(machine);
    (void)streamgage_machine_cores(machine);
    (void)streamgage_machine_hardware_threads(machine);
    (void)streamgage_machine_memory(machine);
    (void)streamgage_machine_memory_available(machine);
    (void)streamgage_machine_processor(machine);
    (void)streamgage_machine_hypervisor(machine);
    const std::vector<int> cpus = draw.list<int>();
    (void)streamgage_machine_last_level_cache(machine, cpus.data(), cpus.size());
    (void)streamgage_machine_last_level_cache(machine, nullptr, most);
  }

  void place(const streamgage_machine* machine, Draw& draw, streamgage_error* error) {
    const bool bound = draw.byte() % 2 == 0;
    const auto expression = draw.text();
    const int threads = draw.number<int>();
    streamgage_placement* const made =
        bound ? streamgage_placement_choose(machine, pointer(expression), threads, error)
              : streamgage_placement_choose_unbound(machine, threads, error);
    if (made != nullptr) {
      streamgage_placement_free(placement_);
      placement_ = made;
    }
    std::array<int, 2> cpus{};
    (void)streamgage_placement_cpus(placement_, draw.byte() % 2 == 0 ? nullptr : cpus.data(),
                                    cpus.size());
  }

  void assemble(Draw& draw, streamgage_error* error) {
    const int threads = streamgage_placement_threads(placement_);
    if (threads > kFewThreads && threads < kManyThreads) {
      return;
    }
    streamgage_team* const made =
        streamgage_team_assemble(draw.byte() % 8 == 0 ? nullptr : placement_, error);
    if (made != nullptr) {
      check(threads <= kFewThreads);
      streamgage_team_free(team_);
      team_ = made;
    }
  }

  void run(Draw& draw, streamgage_error* error) const {
    const streamgage_work one = [](int /*thread*/, void* /*context*/) { return 1.0; };
    const streamgage_work work = draw.byte() % 4 == 0 ? nullptr : one;
    const double value = streamgage_team_run(team_, work, nullptr);
    check(value == (work == nullptr ? 0.0 : streamgage_team_size(team_)));
    (void)streamgage_team_time(team_, work, nullptr);
    (void)streamgage_team_prove(team_, error);
  }

  void reserve(Draw& draw, streamgage_error* error) {
    const auto bytes = draw.number<std::uint64_t>();
    const std::vector<int> nodes = draw.list<int>();
    const bool huge = draw.byte() % 2 == 0;
    const int* const given = draw.byte() % 8 == 0 ? nullptr : nodes.data();
    streamgage_buffer* const made =
        streamgage_buffer_create(bytes, huge, given, nodes.size(), error);
    if (made != nullptr) {
      check(streamgage_buffer_bytes(made) == bytes && streamgage_buffer_data(made) != nullptr);
      streamgage_buffer_free(buffer_);
      buffer_ = made;
    }
  }

  void touch(Draw& draw, streamgage_error* error) const {
    const auto elements = draw.number<std::int64_t>();
    const auto bytes = draw.number<std::size_t>();
    const std::uint64_t all = streamgage_buffer_bytes(buffer_);
    const bool fits =
        elements > 0 && bytes > 0 && static_cast<std::uint64_t>(elements) <= all / bytes;
    if (fits && static_cast<std::uint64_t>(elements) > kMostTouched / bytes) {
      return;
    }
    const streamgage_status status =
        streamgage_buffer_touch(buffer_, team_, elements, bytes, error);
    check((status == STREAMGAGE_OK) == (fits && team_ != nullptr));
  }

  void pages(Draw& draw, streamgage_error* error) const {
    std::array<int, 16> nodes{};
    const std::size_t most = draw.byte() % (nodes.size() + 1);
    int* const to = draw.byte() % 8 == 0 ? nullptr : nodes.data();
    const auto begin = draw.number<std::uint64_t>();
    const auto end = draw.number<std::uint64_t>();
    check(streamgage_buffer_nodes(buffer_, begin, end, to, most, error) <= most);
    const double share = streamgage_buffer_huge_share(buffer_);
    check(share == -1.0 || (share >= 0.0 && share <= 1.0));
  }

  void count_traffic(Draw& draw, streamgage_error* error) {
    if (region_ == nullptr || draw.byte() % 8 == 0) {
      const auto root = draw.text();
      const auto recording = draw.text();
      streamgage_region* const made =
          streamgage_region_open_replay(pointer(root), pointer(recording), error);
      if (made != nullptr) {
        streamgage_region_free(region_);
        region_ = made;
      }
    }
    streamgage_traffic traffic{};
    streamgage_traffic* const to = draw.byte() % 8 == 0 ? nullptr : &traffic;
    streamgage_region_start(region_);
    streamgage_region_stop(region_);
    (void)streamgage_region_source(region_);
    check(streamgage_region_reason(region_) != nullptr);
    check(streamgage_region_remedy(region_) != nullptr);
    (void)streamgage_region_domains(region_);
    (void)streamgage_region_traffic(region_, to, error);
    (void)streamgage_region_domain_traffic(region_, draw.number<std::size_t>(), to, error);
  }

  void sample(Draw& draw, streamgage_error* error) {
    const streamgage_sampling sampling{draw.number<int>(), draw.number<int>(), draw.number<int>(),
                                       draw.real()};
    streamgage_sampler* const made =
        streamgage_sampler_create(draw.byte() % 4 == 0 ? nullptr : &sampling, error);
    if (made != nullptr) {
      streamgage_sampler_free(sampler_);
      sampler_ = made;
    }
    for (int i = draw.byte() % 64; i > 0; --i) {
      (void)streamgage_sampler_add(sampler_, draw.real());
    }
    std::array<double, 3> seconds{};
    (void)streamgage_sampler_samples(sampler_, draw.byte() % 4 == 0 ? nullptr : seconds.data(),
                                     draw.byte() % 4U);
  }

  static void summarize(Draw& draw, streamgage_error* error) {
    const std::vector<double> values = draw.list<double>();
    streamgage_summary summary{};
    (void)streamgage_summarize(draw.byte() % 8 == 0 ? nullptr : values.data(), values.size(),
                               draw.real(), draw.byte() % 8 == 0 ? nullptr : &summary, error);
  }

  streamgage_machine* machine_;
  streamgage_placement* placement_ = nullptr;
  streamgage_team* team_ = nullptr;
  streamgage_buffer* buffer_ = nullptr;
  streamgage_region* region_ = nullptr;
  streamgage_sampler* sampler_ = nullptr;
};

}  // namespace

// The name and the types are libFuzzer's.
// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Program program;  // a machine is found once, and a program has one team
  Draw draw({data, size});
  while (!draw.is_over()) {
    program.call(draw);
  }
  return 0;
}
