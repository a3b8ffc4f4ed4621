#include "measure/own/own_arrays.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "measure/expectation.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

template <class T>
void fill_elements(std::byte* data, const Range& elements, std::size_t salt) {
  auto* array = reinterpret_cast<T*>(data);
  for (std::int64_t i = elements.begin; i < elements.end; ++i) {
    array[i] = static_cast<T>(mixed_eighth(static_cast<std::uint64_t>(i), salt));
  }
}

}  // namespace

Result<OwnArrays> OwnArrays::reserve(const OwnKernel& kernel, std::int64_t iterations,
                                     const OwnMemory& memory, double timeout_seconds) {
  std::vector<GuardedArray> arrays;
  for (const OwnArray& declared : kernel.arrays) {
    STREAMGAGE_TRY(auto array, GuardedArray::reserve(declared.array_bytes(iterations),
                                                     memory.guards, memory.pages, memory.nodes));
    arrays.push_back(std::move(array));
  }
  return OwnArrays(kernel, iterations, std::move(arrays), timeout_seconds);
}

OwnArrays::OwnArrays(const OwnKernel& kernel, std::int64_t iterations,
                     std::vector<GuardedArray> arrays, double timeout_seconds)
    : kernel_(&kernel),
      iterations_(iterations),
      arrays_(std::move(arrays)),
      table_(std::make_unique<std::vector<void*>>(4 * STREAMGAGE_MOST_ARRAYS, nullptr)),
      watched_(std::make_unique<WatchedKernel>()) {
  watched_->name = kernel.name;
  watched_->source = kernel.source;
  watched_->timeout_seconds = timeout_seconds;
  for (std::size_t number = 0; number < arrays_.size(); ++number) {
    const OwnArray& declared = kernel.arrays[number];
    (*table_)[number] = arrays_[number].data();
    watched_->arrays.push_back(
        {declared.name, reinterpret_cast<std::uintptr_t>(arrays_[number].data()),
         declared.elements(iterations), static_cast<std::int64_t>(size_of(declared.type))});
  }
}

streamgage_call OwnArrays::call(const Range& range, double scalar, double value) const {
  streamgage_call call{};
  call.arrays = table();
  call.begin = range.begin;
  call.end = range.end;
  call.iterations = iterations_;
  call.scalar = scalar;
  call.value = value;
  return call;
}

void OwnArrays::fill_plainly(const Range& range) const {
  for (std::size_t number = 0; number < arrays_.size(); ++number) {
    const OwnArray& declared = kernel_->arrays[number];
    const Range elements = declared.elements_of(range, iterations_);
    std::byte* data = arrays_[number].data();
    const std::size_t size = size_of(declared.type);
    switch (declared.type) {
      case ArrayType::kDouble:
        fill_elements<double>(data, elements, number + 1);
        break;
      case ArrayType::kFloat:
        fill_elements<float>(data, elements, number + 1);
        break;
      case ArrayType::kInt32:
      case ArrayType::kInt64:
        std::memset(data + static_cast<std::size_t>(elements.begin) * size, 0,
                    static_cast<std::size_t>(elements.size()) * size);
    }
  }
}

void OwnArrays::fill_by_kernel(const Range& range) const {
  if (kernel_->fill != nullptr) {
    const streamgage_call call = this->call(range);
    kernel_->fill(&call);
  }
}

void OwnArrays::paint() const {
  for (const GuardedArray& array : arrays_) {
    array.paint();
  }
}

std::optional<std::string> OwnArrays::damage() const {
  for (std::size_t number = 0; number < arrays_.size(); ++number) {
    const auto at = arrays_[number].damage();
    if (at) {
      const WatchedArray& array = watched_->arrays[number];
      const std::int64_t size = array.element_bytes;
      const std::int64_t element = *at < 0 ? -((size - 1 - *at) / size) : *at / size;
      return fmt::format("writes element {} of its array {}, which has the elements 0 to {}",
                         element, array.name, array.elements - 1);
    }
  }
  return std::nullopt;
}

}  // namespace streamgage::engine
