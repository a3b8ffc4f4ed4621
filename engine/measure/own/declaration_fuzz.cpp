// Whatever a user's kernel declares, it is refused in one sentence, or has sizes that can be
// computed with; see scripts/fuzz.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/own/declaration.hpp"
#include "kernels/own/own_kernel.hpp"
#include "measure/own/own_sizes.hpp"

namespace streamgage::engine {
namespace {

constexpr std::size_t kLongestSentence = 600;
constexpr std::array<std::uint64_t, 5> kSizes{1, 24 << 10, 64 << 20, 1ULL << 36U, 1ULL << 62U};
constexpr std::array kUsualNumbers{0.0,  1.0,  -1.0, 0.5,    19.5,    1e5,    1e7,
                                   1e30, 1e-6, 1e9,  1e-300, -1e-300, 5e-324, 1e308};

void require(bool fact) {
  if (!fact) {
    std::abort();
  }
}

// Numbers and texts out of what the fuzzer gives; zeros after its end.
class Source {
 public:
  Source(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t size = std::min(left_, sizeof value);
    std::memcpy(&value, data_, size);
    data_ += size;
    left_ -= size;
    return value;
  }

  double number() {
    const auto kind = take<std::uint8_t>();
    return kind < kUsualNumbers.size() ? kUsualNumbers.at(kind) : take<double>();
  }

  std::int64_t integer() {
    const auto kind = take<std::uint8_t>();
    return kind < 64 ? std::int64_t{1} << (kind % 63) : kind < 128 ? kind : take<std::int64_t>();
  }

  // Null, a usual text, or bytes; it lives as long as this object.
  const char* text(const char* usual) {
    const auto kind = take<std::uint8_t>();
    if (kind < 200) {
      return usual;
    }
    if (kind < 205) {
      return nullptr;
    }
    std::string bytes;
    for (std::size_t count = take<std::uint8_t>() % 80; count > 0; --count) {
      bytes += take<char>();
    }
    texts_.push_back(std::make_unique<std::string>(bytes));
    return texts_.back()->c_str();
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
  std::vector<std::unique_ptr<std::string>> texts_;
};

double run_nothing(const streamgage_call* /*call*/) { return 0.0; }

void check_facts(const OwnKernel& kernel) {
  require(!kernel.arrays.empty() && kernel.arrays.size() <= STREAMGAGE_MOST_ARRAYS);
  require(kernel.grain >= 1 && std::isfinite(kernel.flops) && kernel.flops >= 0.0);
  for (const OwnArray& array : kernel.arrays) {
    require(std::isfinite(array.bytes) && array.bytes > 0.0 && array.bytes <= 1e8);
    require(array.per_iteration > 0.0 && (array.is_read || array.is_written));
  }
}

void check_sizes(const OwnKernel& kernel, std::uint64_t bytes, int parts) {
  const auto of_array = iterations_of_array(kernel, bytes);
  if (!of_array) {
    require(of_array.error().message.size() < kLongestSentence);
    return;
  }
  const std::int64_t iterations = *of_array;
  require(iterations > 0 && iterations % kernel.grain == 0);
  require(largest_array_bytes(kernel, iterations) <= bytes);
  require(all_arrays_bytes(kernel, iterations) / STREAMGAGE_MOST_ARRAYS <= bytes);
  require(arrays_worth(kernel) >= 1 && arrays_worth(kernel) <= STREAMGAGE_MOST_ARRAYS);
  for (const OwnArray& array : kernel.arrays) {
    // The ranges of all threads have every element once.
    std::int64_t next = 0;
    std::int64_t element = 0;
    for (const Range& range : partition_iterations(kernel, iterations, parts)) {
      require(range.begin == next && range.end >= range.begin);
      next = range.end;
      if (range.size() > 0) {
        const Range elements = array.elements_of(range, iterations);
        require(elements.begin == element && elements.end >= elements.begin);
        element = elements.end;
      }
    }
    require(next == iterations && element == array.elements(iterations));
  }
  // As the engine writes it: a formula may be no UTF-8.
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  require(!to_record(kernel, iterations).dump(-1, ' ', false, kReplace).empty());
}

void declare(Source source) {
  std::array<streamgage_array, STREAMGAGE_MOST_ARRAYS> arrays{};
  constexpr std::array kNames{"a", "b", "c", "d", "e", "f", "g", "h",
                              "i", "j", "k", "l", "m", "n", "o", "p"};
  constexpr std::array kTypes{"double", "float", "int32", "int64"};
  streamgage_kernel declared{};
  declared.version = source.take<std::uint8_t>() < 250 ? STREAMGAGE_KERNEL_VERSION : 2;
  declared.name = source.text("mine");
  declared.formula = source.text("a = b");
  declared.arrays = arrays.data();
  declared.array_count = source.take<std::uint8_t>() % (STREAMGAGE_MOST_ARRAYS + 1);
  declared.flops = source.number();
  declared.grain = source.integer();
  declared.run = &run_nothing;
  for (std::int32_t at = 0; at < declared.array_count; ++at) {
    streamgage_array& array = arrays.at(static_cast<std::size_t>(at));
    array.name = source.text(kNames.at(static_cast<std::size_t>(at)));
    array.type = source.text(kTypes.at(source.take<std::uint8_t>() % kTypes.size()));
    array.access = source.take<std::uint8_t>() % 5;
    array.per_iteration = source.number();
    array.extra = source.integer();
    array.bytes = source.number();
  }
  OwnKernel kernel;
  if (const auto wrong = take_declaration(declared, kernel)) {
    require(!wrong->empty() && wrong->size() < kLongestSentence);
    require(std::none_of(wrong->begin(), wrong->end(),
                         [](char letter) { return static_cast<unsigned char>(letter) < ' '; }));
    return;
  }
  check_facts(kernel);
  for (const std::uint64_t bytes : kSizes) {
    check_sizes(kernel, bytes, 1 + source.take<std::uint8_t>());
  }
}

}  // namespace
}  // namespace streamgage::engine

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  streamgage::engine::declare({data, size});
  return 0;
}
