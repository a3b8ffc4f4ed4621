// Elements that follow a pattern (see Expectation): written, compared all, or compared in spots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "measure/expectation.hpp"
#include "measure/workload.hpp"
#include "streamgage/memory/partition.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

template <class T>
std::vector<T> as_elements(const std::vector<double>& pattern) {
  return std::vector<T>(pattern.begin(), pattern.end());
}

// Calls visit(first index, entry of the pattern, count) for runs of elements that follow the
// pattern without wrapping.
template <class Visit>
void walk_periods(const Range& range, Visit&& visit) {
  for (std::int64_t i = range.begin; i < range.end;) {
    const std::int64_t entry = i % Expectation::kPeriod;
    const std::int64_t count = std::min(Expectation::kPeriod - entry, range.end - i);
    visit(i, entry, count);
    i += count;
  }
}

template <class T>
void fill_range(T* array, const std::vector<T>& pattern, const Range& range) {
  walk_periods(range, [&](std::int64_t i, std::int64_t entry, std::int64_t count) {
    std::copy_n(pattern.begin() + entry, count, array + i);
  });
}

template <class T>
Check check_range(const T* array, const std::vector<T>& pattern, const Range& range) {
  Check check;
  check.checked = range.size();
  walk_periods(range, [&](std::int64_t i, std::int64_t entry, std::int64_t count) {
    const T* expected = pattern.data() + entry;
    std::int64_t wrong = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      // A NaN differs from everything, and is found.
      wrong += array[i + k] == expected[k] ? 0 : 1;
    }
    if (wrong != 0 && !check.first_wrong) {
      const auto differs = [](T one, T other) { return !(one == other); };
      const std::int64_t k = std::mismatch(array + i, array + i + count, expected,
                                           [&](T one, T other) { return !differs(one, other); })
                                 .first -
                             (array + i);
      check.first_wrong = i + k;
      check.expected = static_cast<double>(expected[k]);
      check.found = static_cast<double>(array[i + k]);
    }
    check.wrong += wrong;
  });
  return check;
}

inline Check merge(const std::vector<Check>& parts) {
  Check all;
  for (const Check& part : parts) {
    all.checked += part.checked;
    all.wrong += part.wrong;
    if (part.first_wrong && !all.first_wrong) {
      all.first_wrong = part.first_wrong;
      all.expected = part.expected;
      all.found = part.found;
    }
  }
  return all;
}

template <class T>
Check check_in_parallel(const Team& team, const void* array, const std::vector<double>& pattern,
                        const std::vector<Range>& parts) {
  const std::vector<T> expected = as_elements<T>(pattern);
  std::vector<Check> checks(parts.size());
  team.each([&](int thread) {
    const auto part = static_cast<std::size_t>(thread);
    checks[part] = check_range(static_cast<const T*>(array), expected, parts[part]);
  });
  return merge(checks);
}

constexpr std::int64_t kSpotChecksAPart = 16;

template <class T>
bool spots_are_right(const void* array, const std::vector<double>& pattern, const Range& part) {
  const auto* elements = static_cast<const T*>(array);
  for (std::int64_t spot = 0; spot < kSpotChecksAPart && part.size() > 0; ++spot) {
    // Evenly spread, both ends included.
    const std::int64_t i =
        part.begin + (part.size() - 1) * spot / std::max<std::int64_t>(1, kSpotChecksAPart - 1);
    const auto expected =
        static_cast<T>(pattern[static_cast<std::size_t>(i % Expectation::kPeriod)]);
    if (!(elements[i] == expected)) {
      return false;
    }
  }
  return true;
}

}  // namespace streamgage::engine
