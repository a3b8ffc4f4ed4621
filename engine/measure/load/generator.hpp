// One thread that loads the memory: it streams through its own arrays for the requested share of
// the time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/latency_plan.hpp"
#include "kernels/variant.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage::engine {

// Returns the kernel of a mix. Ordinary vector stores go to lines that the kernel itself reads, and
// streaming stores read no lines, so only what the kernel names crosses the bus. It is an error if
// this processor has no streaming stores.
Result<Variant> variant_of(Mix mix);

// Shared by the load threads and the thread that measures meanwhile.
struct LoadSignals {
  std::atomic<double> effort = 0.0;  // see Steering; may change at any time
  std::atomic<int> running = 0;
  std::atomic<bool> stop = false;
};

class Generator {
 public:
  // Reserves two arrays of `bytes` each; nothing is touched yet.
  static Result<Generator> reserve(std::uint64_t bytes, PageSize pages);

  // Fills the arrays; call it on the thread that will generate.
  void touch();

  // Streams with that kernel until the signal to stop, for the share of the time that the effort
  // asks of this place; bytes() counts meanwhile. If another kernel has written to the arrays,
  // checks and refills them first, and only then counts itself as running.
  void run(const Variant& variant, int place, LoadSignals& signals);

  // Returns the bytes that the kernel read and wrote since it was made.
  [[nodiscard]] std::uint64_t bytes() const {
    return bytes_->value.load(std::memory_order_relaxed);
  }

  // Returns a number that grows as long as the thread that runs has its CPU, some ten thousand
  // times a second, also while it rests.
  [[nodiscard]] std::uint64_t beats() const {
    return beats_->value.load(std::memory_order_relaxed);
  }

  // Returns the number of wrong elements, and of pieces with a wrong sum; the next run starts from
  // known values again.
  std::int64_t check();

  // Returns the bytes that one piece of a run with that kernel moves.
  static std::uint64_t bytes_of_a_piece(const Variant& variant);

 private:
  // Written by one thread and read by another, in pairs of lines of its own.
  struct alignas(128) Counter {
    std::atomic<std::uint64_t> value = 0;
  };

  Generator(Array a, Array b, std::int64_t elements);

  void fill_a();
  void beat() { beats_->value.store(beats() + 1, std::memory_order_relaxed); }
  void stream(const Variant& variant, const Operands& operands, int pieces);
  // Elements of each array that the kernel uses. Two that it only reads are the halves of one.
  [[nodiscard]] std::int64_t span_of(const Kernel& kernel) const;

  Array a_;
  Array b_;
  std::int64_t elements_;
  std::unique_ptr<Counter> bytes_;
  std::unique_ptr<Counter> beats_;
  std::int64_t position_ = 0;       // of the next piece that is written
  std::int64_t read_position_ = 0;  // of the next one of a kernel that only reads
  std::int64_t passes_ = 0;         // that have ended since a was filled
  std::int64_t wrong_ = 0;
  const Kernel* last_ = nullptr;  // that has written to a since it was filled
};

}  // namespace streamgage::engine
