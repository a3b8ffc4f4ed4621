#include "measure/own/own_workload.hpp"

#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "measure/kernel_call.hpp"
#include "measure/own/own_sizes.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

// After so many passes with s = 0.5 a float is still far from the least and the greatest of them.
constexpr std::int64_t kMostPasses = 64;
constexpr std::size_t kLongestReason = 256;

std::string without_stop(std::string sentence) {
  while (!sentence.empty() && (sentence.back() == '.' || sentence.back() == '\n')) {
    sentence.pop_back();
  }
  return sentence;
}

}  // namespace

Result<OwnWorkload> OwnWorkload::reserve(SharedOwnKernel kernel, std::int64_t iterations,
                                         int threads, const OwnMemory& memory,
                                         double timeout_seconds) {
  STREAMGAGE_TRY(auto arrays, OwnArrays::reserve(*kernel, iterations, memory, timeout_seconds));
  auto parts = partition_iterations(*kernel, iterations, threads);
  return OwnWorkload(std::move(kernel), std::move(arrays), std::move(parts), memory,
                     timeout_seconds);
}

OwnWorkload::OwnWorkload(SharedOwnKernel kernel, OwnArrays arrays, std::vector<Range> parts,
                         OwnMemory memory, double timeout_seconds)
    : kernel_(std::move(kernel)),
      arrays_(std::move(arrays)),
      parts_(std::move(parts)),
      memory_(std::move(memory)),
      timeout_seconds_(timeout_seconds) {}

void OwnWorkload::fill(const Team& team) {
  team.each([this](int thread) {
    prepare_thread();
    arrays_.fill_plainly(parts_[static_cast<std::size_t>(thread)]);
  });
  arrays_.paint();
  if (kernel_->fill != nullptr) {
    const GuardedRun guarded(arrays_.watched());
    team.each(
        [this](int thread) { arrays_.fill_by_kernel(parts_[static_cast<std::size_t>(thread)]); });
  }
  passes_ = 0;
}

Result<void> OwnWorkload::renew() {
  const std::int64_t iterations = arrays_.iterations();
  {
    const OwnArrays former = std::move(arrays_);  // given back first: memory may not hold two sets
  }
  STREAMGAGE_TRY(auto arrays, OwnArrays::reserve(*kernel_, iterations, memory_, timeout_seconds_));
  arrays_ = std::move(arrays);
  return {};
}

void OwnWorkload::make_ready(const Team& team, std::int64_t passes) {
  if (kernel_->changes_what_it_reads() && passes_ > 0 && passes_ + passes > kMostPasses) {
    fill(team);
  }
}

OwnRun OwnWorkload::run(const Team& team, double s, std::int64_t passes,
                        const std::string& region) {
  make_ready(team, passes);
  passes_ += passes;
  OwnRun outcome;
  const KernelCode code(kernel_->run, arrays_.iterations());
  {
    const GuardedRun guarded(arrays_.watched());
    outcome.timing = time_call(
        team, {code, {arrays_.table(), nullptr, nullptr, nullptr}, s, passes, region}, parts_);
  }
  outcome.failure = damage();
  return outcome;
}

OwnValidation OwnWorkload::run_and_check(const Team& team, double s, const std::string& region) {
  fill(team);
  OwnRun outcome = run(team, s, 1, region);
  OwnValidation validation{std::move(outcome.timing), std::nullopt, std::move(outcome.failure)};
  if (kernel_->check == nullptr) {
    return validation;
  }
  std::vector<std::int64_t> wrong(parts_.size(), 0);
  std::vector<std::array<char, kLongestReason>> reasons(parts_.size());
  {
    const GuardedRun guarded(arrays_.watched());
    team.each([&](int thread) {
      const auto part = static_cast<std::size_t>(thread);
      if (parts_[part].size() > 0) {
        const streamgage_call call = arrays_.call(parts_[part], s, validation.timing.value);
        wrong[part] = kernel_->check(&call, reasons[part].data(), kLongestReason - 1);
      }
    });
  }
  validation.wrong = 0;
  std::string why;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    *validation.wrong += std::abs(wrong[part]);
    if (why.empty() && wrong[part] != 0) {
      why = without_stop(reasons[part].data());
    }
  }
  if (*validation.wrong != 0 && !validation.failure) {
    validation.failure = failure_of(
        *kernel_, FailureReason::kCheck,
        fmt::format("fails its own check: {} of {} iterations are wrong{}{}", *validation.wrong,
                    arrays_.iterations(), why.empty() ? "" : ": ", why));
  }
  if (auto failure = damage(); failure && !validation.failure) {
    validation.failure = std::move(failure);
  }
  return validation;
}

std::optional<KernelFailure> OwnWorkload::damage() const {
  const auto what = arrays_.damage();
  return what ? std::optional(failure_of(*kernel_, FailureReason::kOutside, *what)) : std::nullopt;
}

}  // namespace streamgage::engine
