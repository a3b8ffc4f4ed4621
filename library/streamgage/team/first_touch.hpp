// First touch: each page of an array goes to the NUMA node of the thread that writes it first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"
#include "streamgage/memory/partition.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage {

// The time that a first touch took, and the CPU of every thread just after it.
struct Touch {
  double seconds = 0.0;
  CpuList cpus;
};

// Touches by calling `write`, which has each thread of the team write its part.
Touch first_touch(const Team& team, const std::function<void()>& write);

// Writes zeros: each thread to its range of elements. There is one range per thread, as partition()
// makes them.
Touch first_touch(const Team& team, const Array& array, const std::vector<Range>& ranges,
                  std::size_t element_bytes);

// An array of this many elements of type T, touched by the team: thread number t works on
// ranges[t].
template <class T>
struct SharedArray {
  Array array;
  std::vector<Range> ranges;

  // Returns the elements.
  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(array.data()); }
};

// Reserves the array, with huge pages if the kernel gives them, and lets the team touch it.
template <class T>
Result<SharedArray<T>> make_array(const Team& team, std::int64_t elements, bool huge_pages = true) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(elements) * sizeof(T);
  return Array::reserve(bytes, huge_pages ? PageSize::kHuge : PageSize::kSmall)
      .map([&](Array array) {
        SharedArray<T> shared{std::move(array), partition(elements, sizeof(T), team.size())};
        first_touch(team, shared.array, shared.ranges, sizeof(T));
        return shared;
      });
}

}  // namespace streamgage
