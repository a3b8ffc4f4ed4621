// One thread that loads the memory: it streams through arrays of its own, for as much of the time
// as is asked of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/latency_plan.hpp"
#include "kernels/variant.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage::engine {

// The kernel of a mix. Ordinary vector stores go to lines that the kernel itself reads, and
// streaming ones read none, so that nothing but what it names crosses the bus. An error where this
// processor has no streaming stores.
Result<Variant> variant_of(Mix mix);

// Between the threads that load the memory and the one that measures meanwhile.
struct LoadSignals {
  std::atomic<double> effort = 0.0;  // see Steering; may change at any time
  std::atomic<int> running = 0;
  std::atomic<bool> stop = false;
};

class Generator {
 public:
  // Two arrays of so many bytes each; nothing is touched yet.
  static Result<Generator> reserve(std::uint64_t bytes, bool huge_pages);

  // Fills the arrays: on the thread that will generate.
  void touch();

  // Streams with that kernel until the signal to stop, for the share of the time that the effort
  // asks of this place; bytes() says meanwhile how much. Counts itself as running once it could
  // stream: what another kernel has written is checked before, and made again.
  void run(const Variant& variant, int place, LoadSignals& signals);

  // Bytes that the kernel read and wrote since it was made.
  [[nodiscard]] std::uint64_t bytes() const {
    return bytes_->value.load(std::memory_order_relaxed);
  }

  // Elements that are not what they must be, and pieces whose sum was wrong; the next run starts
  // from known values again.
  std::int64_t check();

  // What one piece of a run with that kernel moves.
  static std::uint64_t bytes_of_a_piece(const Variant& variant);

 private:
  // Written by one thread and read by another, in pairs of lines of its own.
  struct alignas(128) Counter {
    std::atomic<std::uint64_t> value = 0;
  };

  Generator(Array a, Array b, std::int64_t elements);

  void fill_a();
  void stream(const Variant& variant, const Operands& operands, int pieces);
  // Elements of each array that the kernel uses. Two that it only reads are the halves of one.
  [[nodiscard]] std::int64_t span_of(const Kernel& kernel) const;

  Array a_;
  Array b_;
  std::int64_t elements_;
  std::unique_ptr<Counter> bytes_;
  std::int64_t position_ = 0;       // of the next piece that is written
  std::int64_t read_position_ = 0;  // of the next one of a kernel that only reads
  std::int64_t passes_ = 0;         // that have ended since a was filled
  std::int64_t wrong_ = 0;
  const Kernel* last_ = nullptr;  // that has written to a since it was filled
};

}  // namespace streamgage::engine
