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

// How long it took, and the CPU of every thread just after it.
struct Touch {
  double seconds = 0.0;
  CpuList cpus;
};

// `write` is what touches: it has each thread of the team write its part of what there is.
Touch first_touch(const Team& team, const std::function<void()>& write);

// Writes zeros, each thread to its range of elements, and those beyond the last range by the last
// thread. There is one range a thread, as partition() makes them.
Touch first_touch(const Team& team, const Array& array, const std::vector<Range>& ranges,
                  std::size_t element_bytes);

// An array of so many elements of type T, touched by the team: thread number t works on ranges[t].
template <class T>
struct SharedArray {
  Array array;
  std::vector<Range> ranges;

  // The elements.
  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(array.data()); }
};

// Reserves it, with huge pages where the kernel gives them, and lets the team touch it.
template <class T>
Result<SharedArray<T>> make_array(const Team& team, std::int64_t elements, bool huge_pages = true) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(elements) * sizeof(T);
  return Array::reserve(bytes, huge_pages).map([&](Array array) {
    SharedArray<T> shared{std::move(array), partition(elements, sizeof(T), team.size())};
    first_touch(team, shared.array, shared.ranges, sizeof(T));
    return shared;
  });
}

}  // namespace streamgage
