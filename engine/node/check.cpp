#include "node/check.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "node/rate_words.hpp"

namespace streamgage::engine {
namespace {

const record::NodeFigure* figure_of(const record::NodeLine& run, const record::NodeLimit& limit) {
  const auto found = std::find_if(run.figures.begin(), run.figures.end(),
                                  [&](const auto& each) { return each.kernel == limit.kernel; });
  return found == run.figures.end() ? nullptr : &*found;
}

double share_reached(const record::NodeLine& run, const record::NodeLimit& limit) {
  const record::NodeFigure* figure = figure_of(run, limit);
  return figure == nullptr ? 0.0 : figure->gbps / limit.limit_gbps;
}

std::string in_words(const record::NodeLine& run, const record::NodeLimit& limit) {
  const record::NodeFigure* figure = figure_of(run, limit);
  const double missing = 1.0 - limit.limit_gbps / limit.expected_gbps;
  const std::string allowance =
      missing > kLeastAllowance
          ? fmt::format(kAllowance, format_rate(limit.expected_gbps), 100.0 * missing)
          : "";
  return fmt::format(kFigureAndLimit, limit.kernel,
                     figure == nullptr ? std::string(kNotMeasured) : format_gbps(figure->gbps),
                     format_rate(limit.limit_gbps), allowance);
}

// The text in plain ASCII, cut to what a reason may be long. A row of other characters becomes a
// blank.
std::string as_reason(std::string_view text) {
  std::string reason;
  bool is_strange = false;
  for (const char letter : text) {
    const bool is_word = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                         (letter >= 'a' && letter <= 'z');
    if (is_word || kReasonMarks.find(letter) != std::string_view::npos) {
      reason += letter;
      is_strange = false;
    } else if (!std::exchange(is_strange, true)) {
      reason += ' ';
    }
  }
  reason.resize(std::min<std::size_t>(reason.size(), kLongestReason - 1));
  reason.erase(reason.find_last_not_of(' ') + 1);
  return reason;
}

}  // namespace

RunVerdict judge(const record::NodeLine& run) {
  const auto wrong = [](const record::NodeFigure& each) { return each.valid == false; };
  if (std::any_of(run.figures.begin(), run.figures.end(), wrong)) {
    return RunVerdict::kWrong;
  }
  bool below = false;
  bool surely = false;
  for (const record::NodeLimit& each : run.expected) {
    const record::NodeFigure* figure = figure_of(run, each);
    if (figure == nullptr) {
      return RunVerdict::kCannotTell;
    }
    below = below || figure->gbps < each.limit_gbps;
    surely = surely || (figure->high && *figure->high < each.limit_gbps);
  }
  if (!below) {
    return run.expected.empty() ? RunVerdict::kCannotTell : RunVerdict::kFine;
  }
  if (run.disturbance) {
    return RunVerdict::kCannotTell;
  }
  return surely ? RunVerdict::kSlow : RunVerdict::kUndecided;
}

bool needs_second(RunVerdict first, double run_seconds, double spent, const CheckLength& length) {
  const bool open = first != RunVerdict::kFine && first != RunVerdict::kWrong;
  return open && spent + run_seconds <= length.whole;
}

Verdict settle(RunVerdict last) {
  switch (last) {
    case RunVerdict::kFine:
      return Verdict::kFine;
    case RunVerdict::kSlow:
      return Verdict::kSlow;
    case RunVerdict::kWrong:
      return Verdict::kWrong;
    case RunVerdict::kCannotTell:
    case RunVerdict::kUndecided:
      break;
  }
  return Verdict::kCannotTell;
}

std::string format_verdict(Verdict verdict, const record::NodeLine& last, int runs) {
  std::vector<record::NodeLimit> worst_first = last.expected;
  std::stable_sort(worst_first.begin(), worst_first.end(),
                   [&](const record::NodeLimit& one, const record::NodeLimit& other) {
                     return share_reached(last, one) < share_reached(last, other);
                   });
  std::vector<std::string> parts;
  if (verdict == Verdict::kWrong) {
    parts.push_back(fmt::format(kWrongResults, last.device ? "device" : "processor"));
  }
  const auto is_measured = [&last](const record::NodeLimit& each) {
    return figure_of(last, each) != nullptr;
  };
  if (verdict == Verdict::kCannotTell && last.disturbance) {
    parts.push_back(*last.disturbance);
  } else if (verdict == Verdict::kCannotTell &&
             std::all_of(worst_first.begin(), worst_first.end(), is_measured)) {
    parts.emplace_back(runs > 1 ? kNearItsLimit : kNoTimeLeft);
  }
  for (const record::NodeLimit& each : worst_first) {
    parts.push_back(in_words(last, each));
  }
  if (runs > 1) {
    parts.emplace_back(kMeasuredTwice);
  }
  return as_reason(fmt::format("{}: {}{}", words_of(verdict),
                               last.device ? last.device->id + ' ' : "", fmt::join(parts, "; "))) +
         '\n';
}

}  // namespace streamgage::engine
