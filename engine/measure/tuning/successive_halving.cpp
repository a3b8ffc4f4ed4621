#include "measure/tuning/successive_halving.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "streamgage/statistics/summary.hpp"

namespace streamgage::engine {
namespace {

constexpr std::size_t kMostRounds = 31;  // of a stage: more would change no order

class Stage {
 public:
  explicit Stage(std::vector<std::size_t> field)
      : field_(std::move(field)), ratios_(field_.size()) {}

  // One round; false where `time` ended the race.
  bool run_round(std::mt19937_64& random,
                 const std::function<std::optional<double>(std::size_t)>& time) {
    std::vector<std::size_t> order(field_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    std::vector<double> seconds(field_.size());
    for (const std::size_t place : order) {
      const auto taken = time(field_[place]);
      if (!taken) {
        return false;
      }
      seconds[place] = *taken;
      spent_ += *taken;
    }
    const double usual = median(seconds);
    for (std::size_t place = 0; place < field_.size(); ++place) {
      ratios_[place].push_back(seconds[place] / usual);
    }
    ++rounds_;
    return true;
  }

  [[nodiscard]] double spent() const { return spent_; }
  [[nodiscard]] std::size_t rounds() const { return rounds_; }
  // Whether one more round would fit into that much time.
  [[nodiscard]] bool has_time(double budget) const {
    return spent_ + spent_ / static_cast<double>(rounds_) <= budget;
  }

  // The field, best first.
  [[nodiscard]] std::vector<std::size_t> ranked() const {
    std::vector<std::pair<double, std::size_t>> ranking;
    for (std::size_t place = 0; place < field_.size(); ++place) {
      ranking.emplace_back(median(ratios_[place]), field_[place]);
    }
    std::sort(ranking.begin(), ranking.end());
    std::vector<std::size_t> best_first;
    best_first.reserve(ranking.size());
    for (const auto& [ratio, candidate] : ranking) {
      best_first.push_back(candidate);
    }
    return best_first;
  }

 private:
  std::vector<std::size_t> field_;
  std::vector<std::vector<double>> ratios_;
  double spent_ = 0.0;
  std::size_t rounds_ = 0;
};

}  // namespace

std::optional<Race> race(std::size_t candidates, double budget_seconds, std::mt19937_64& random,
                         const std::function<std::optional<double>(std::size_t)>& time) {
  std::vector<std::size_t> field(candidates);
  std::iota(field.begin(), field.end(), std::size_t{0});
  Race result;
  double left = budget_seconds;
  while (field.size() > 1) {
    const auto stages = static_cast<double>(std::bit_width(field.size() - 1));
    Stage stage(field);
    do {
      if (!stage.run_round(random, time)) {
        return std::nullopt;
      }
    } while (stage.rounds() < kMostRounds && stage.has_time(left / stages));
    result.samples += stage.rounds() * field.size();
    left -= stage.spent();
    field = stage.ranked();
    // What is left behind stands before those that were left behind earlier.
    const auto better = field.begin() + static_cast<std::ptrdiff_t>((field.size() + 1) / 2);
    result.standing.insert(result.standing.begin(), better, field.end());
    field.erase(better, field.end());
  }
  result.standing.insert(result.standing.begin(), field.begin(), field.end());
  return result;
}

}  // namespace streamgage::engine
