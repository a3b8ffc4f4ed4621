#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "streamgage/c/guard.hpp"
#include "streamgage/c/handles.hpp"
#include "streamgage/memory/array_size.hpp"
#include "streamgage/memory/memory_nodes.hpp"
#include "streamgage/memory/pages.hpp"
#include "streamgage/team/first_touch.hpp"

using streamgage::CpuList;
using streamgage::Result;

streamgage_range streamgage_part(int64_t elements, size_t element_bytes, int parts, int part) {
  return streamgage::guarded(nullptr, streamgage_range{}, [&]() -> Result<streamgage_range> {
    if (elements <= 0 || element_bytes == 0 || part < 0 || part >= parts) {
      return streamgage_range{};
    }
    const streamgage::Range range = streamgage::part_of(elements, element_bytes, parts, part);
    return streamgage_range{range.begin, range.end};
  });
}

uint64_t streamgage_array_bytes(const streamgage_machine* machine,
                                const streamgage_placement* placement, int arrays,
                                size_t element_bytes, streamgage_error* error) {
  return streamgage::guarded<uint64_t>(error, 0, [&]() -> Result<uint64_t> {
    STREAMGAGE_TRY(streamgage::require(machine, placement));
    if (arrays < 1 || element_bytes == 0) {
      return streamgage::usage_error(
          "there must be at least one array, with elements of at least one byte");
    }
    const auto& found = machine->machine;
    const CpuList& cpus = placement->placement.cpus;
    streamgage::SizeRequest request;
    request.last_level_cache_bytes =
        streamgage::last_level_cache_bytes(found, cpus.empty() ? found.allowed_cpus : cpus);
    request.element_bytes = element_bytes;
    request.arrays = arrays;
    request.threads = placement->placement.threads;
    return streamgage::choose_array_size(streamgage::memory_budget(found, {}), request)
        .map([](const streamgage::ArraySize& size) { return size.bytes; });
  });
}

streamgage_buffer* streamgage_buffer_create(uint64_t bytes, bool huge_pages, const int* nodes,
                                            size_t count, streamgage_error* error) {
  return streamgage::guarded<streamgage_buffer*>(
      error, nullptr, [&]() -> Result<streamgage_buffer*> {
        if (bytes == 0) {
          return streamgage::usage_error("an array must have at least one byte");
        }
        const CpuList from = streamgage::copy_in(nodes, count);
        const auto pages = huge_pages ? streamgage::PageSize::kHuge : streamgage::PageSize::kSmall;
        return streamgage::Array::reserve(bytes, pages, from).map([](streamgage::Array array) {
          return new streamgage_buffer{std::move(array)};
        });
      });
}

void streamgage_buffer_free(streamgage_buffer* buffer) { delete buffer; }

void* streamgage_buffer_data(const streamgage_buffer* buffer) {
  return buffer == nullptr ? nullptr : buffer->array.data();
}

uint64_t streamgage_buffer_bytes(const streamgage_buffer* buffer) {
  return buffer == nullptr ? 0 : buffer->array.bytes();
}

streamgage_status streamgage_buffer_touch(const streamgage_buffer* buffer,
                                          const streamgage_team* team, int64_t elements,
                                          size_t element_bytes, streamgage_error* error) {
  return streamgage::guarded_status(error, [&]() -> Result<void> {
    STREAMGAGE_TRY(streamgage::require(buffer, team));
    const streamgage::Array& array = buffer->array;
    if (element_bytes == 0 || elements < 1 ||
        static_cast<uint64_t>(elements) > array.bytes() / element_bytes) {
      return streamgage::usage_error(fmt::format("{} elements of {} bytes do not fit into {} bytes",
                                                 elements, element_bytes, array.bytes()));
    }
    const auto ranges = streamgage::partition(elements, element_bytes, team->team.size());
    (void)streamgage::first_touch(team->team, array, ranges, element_bytes);
    return {};
  });
}

size_t streamgage_buffer_nodes(const streamgage_buffer* buffer, uint64_t begin, uint64_t end,
                               int* nodes, size_t most, streamgage_error* error) {
  return streamgage::guarded<size_t>(error, 0, [&]() -> Result<size_t> {
    STREAMGAGE_TRY(streamgage::require(buffer));
    if (begin >= end || end > buffer->array.bytes()) {
      return streamgage::usage_error(fmt::format(
          "bytes {} to {} are not within an array of {} bytes", begin, end, buffer->array.bytes()));
    }
    if (nodes == nullptr || most == 0) {
      return 0;
    }
    constexpr size_t kMost = std::numeric_limits<int>::max();
    const auto pages = streamgage::nodes_of_pages(
        buffer->array, {static_cast<int64_t>(begin), static_cast<int64_t>(end)}, 1,
        static_cast<int>(std::min(most, kMost)));
    if (pages.reason) {
      return streamgage::failure(*pages.reason);
    }
    return std::min(streamgage::copy_out(pages.nodes, nodes, most), most);
  });
}

double streamgage_buffer_huge_share(const streamgage_buffer* buffer) {
  return streamgage::guarded(nullptr, -1.0, [&]() -> Result<double> {
    STREAMGAGE_TRY(streamgage::require(buffer));
    return streamgage::huge_page_share(buffer->array).value_or(-1.0);
  });
}
