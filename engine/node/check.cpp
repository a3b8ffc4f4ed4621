#include "node/check.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "node/warnings.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr const char* kHowToExpect = "give one such as triad=420GB/s or triad=420GB/s,-5%";
constexpr double kMostExpected = 1e15;
constexpr std::array<std::pair<std::string_view, double>, 3> kRateUnits{
    {{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}}};

tl::unexpected<Error> refuse_expectation(std::string_view text, std::string_view why) {
  return usage_error(fmt::format("--expect '{}' {}: {}", text, why, kHowToExpect));
}

// Takes a number from the start of the text; nothing where there is none.
std::optional<double> take_number(std::string_view& text) {
  double value = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) {
    return {};
  }
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ');
  return end == std::string_view::npos ? "" : text.substr(start, end + 1 - start);
}

std::string expected_name(const ExpectedRate& expected) {
  return std::string(expected.kernel->name) +
         (expected.store == StoreMode::kPlain ? "" : fmt::format(" {}", name_of(expected.store)));
}

const Figure* expected_figure(const NodeResult& result, const ExpectedRate& expected) {
  const auto found =
      std::find_if(result.figures.begin(), result.figures.end(), [&](const Figure& each) {
        return each.variant.kernel == expected.kernel && each.variant.store == expected.store;
      });
  return found == result.figures.end() ? nullptr : &*found;
}

double share_reached(const NodeResult& result, const ExpectedRate& expected) {
  const Figure* figure = expected_figure(result, expected);
  return figure == nullptr ? 0.0 : figure->rate.median / expected.limit();
}

std::string in_words(const NodeResult& result, const ExpectedRate& expected) {
  const Figure* figure = expected_figure(result, expected);
  const std::string allowed =
      expected.tolerance > 0
          ? fmt::format(" ({} - {:.3g} %)", format_rate(expected.rate), 100.0 * expected.tolerance)
          : "";
  return fmt::format("{} {}, expected at least {}{}", expected_name(expected),
                     figure == nullptr ? "was not measured" : format_gbps(figure->rate.median),
                     format_rate(expected.limit()), allowed);
}

// The text in plain ASCII, cut to what a reason may be long. A row of other characters, which a
// shell or Slurm might take for more than text, becomes a blank.
std::string as_reason(std::string_view text) {
  constexpr std::string_view kPlain = " .,:;%+/()[]'-";
  std::string reason;
  bool is_strange = false;
  for (const char letter : text) {
    const bool is_word = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                         (letter >= 'a' && letter <= 'z');
    if (is_word || kPlain.find(letter) != std::string_view::npos) {
      reason += letter;
      is_strange = false;
    } else if (!std::exchange(is_strange, true)) {
      reason += ' ';
    }
  }
  reason.resize(std::min(reason.size(), kMostBytesOfReason - 1));
  return std::string(without_blanks(reason));
}

std::string_view verdict_in_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFine:
      return "ok";
    case Verdict::kSlow:
      return "slow";
    case Verdict::kWrong:
      return "wrong";
    case Verdict::kUndecided:
    case Verdict::kCannotTell:
      break;
  }
  return "cannot tell";
}

}  // namespace

Result<ExpectedRate> parse_expected_rate(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    return refuse_expectation(text, "names no figure");
  }
  ExpectedRate expected;
  const std::string_view name = without_blanks(text.substr(0, equals));
  const std::size_t space = name.find(' ');
  STREAMGAGE_TRY(expected.kernel, find_kernel(name.substr(0, space)));
  if (space != std::string_view::npos) {
    STREAMGAGE_TRY(expected.store, find_store_mode(without_blanks(name.substr(space))));
  }
  std::string_view rest = without_blanks(text.substr(equals + 1));
  const auto number = take_number(rest);
  if (!number) {
    return refuse_expectation(text, "has no number");
  }
  rest = without_blanks(rest);
  const auto* unit = std::find_if(kRateUnits.begin(), kRateUnits.end(),
                                  [&](const auto& each) { return rest.starts_with(each.first); });
  if (unit == kRateUnits.end()) {
    return refuse_expectation(text, "has no unit (GB/s, MB/s or TB/s)");
  }
  expected.rate = *number * unit->second;
  if (expected.rate <= 0 || expected.rate > kMostExpected) {
    return refuse_expectation(text, "is not a rate above 0 and up to 1000 TB/s");
  }
  rest = without_blanks(rest.substr(unit->first.size()));
  if (rest.empty()) {
    return expected;
  }
  if (!rest.starts_with(",")) {
    return refuse_expectation(text, fmt::format("ends with '{}'", rest));
  }
  rest = without_blanks(rest.substr(1));
  const auto percent = rest.starts_with("-") ? take_number(rest) : std::nullopt;
  if (!percent || without_blanks(rest) != "%" || *percent <= -100) {
    return refuse_expectation(text, "has no percentage from -0 % to -99 % after its comma");
  }
  expected.tolerance = -*percent / 100.0;
  return expected;
}

Verdict judge(const NodeResult& result, const std::vector<ExpectedRate>& expected) {
  const auto wrong = [](const Figure& each) { return each.valid == false; };
  if (std::any_of(result.figures.begin(), result.figures.end(), wrong)) {
    return Verdict::kWrong;
  }
  bool below = false;
  bool surely = false;
  for (const ExpectedRate& each : expected) {
    const Figure* figure = expected_figure(result, each);
    if (figure == nullptr) {
      return Verdict::kCannotTell;
    }
    below = below || figure->rate.median < each.limit();
    surely = surely || (figure->rate.interval && figure->rate.interval->high < each.limit());
  }
  if (!below) {
    return Verdict::kFine;
  }
  if (disturbance_of(result)) {
    return Verdict::kCannotTell;
  }
  return surely ? Verdict::kSlow : Verdict::kUndecided;
}

bool needs_second(Verdict first, double run_seconds, double spent, const CheckLength& length) {
  const bool open = first != Verdict::kFine && first != Verdict::kWrong;
  return open && spent + run_seconds <= length.whole;
}

Verdict settle(Verdict last) { return last == Verdict::kUndecided ? Verdict::kCannotTell : last; }

int exit_status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFine:
      return 0;
    case Verdict::kSlow:
    case Verdict::kWrong:
      return 1;
    case Verdict::kUndecided:
    case Verdict::kCannotTell:
      break;
  }
  return kCouldNotCheck;
}

std::string format_verdict(Verdict verdict, const NodeResult& last,
                           const std::vector<ExpectedRate>& expected, int runs) {
  std::vector<ExpectedRate> worst_first = expected;
  std::stable_sort(worst_first.begin(), worst_first.end(),
                   [&](const ExpectedRate& one, const ExpectedRate& other) {
                     return share_reached(last, one) < share_reached(last, other);
                   });
  std::vector<std::string> parts;
  if (verdict == Verdict::kWrong) {
    parts.push_back(fmt::format("results are wrong, test the memory and the {}",
                                last.device ? "device" : "processor"));
  }
  const auto disturbance = disturbance_of(last);
  if (verdict == Verdict::kCannotTell) {
    parts.push_back(
        disturbance.value_or(runs > 1 ? "below the limit twice, but the 95 % interval reaches it"
                                      : "there was no time for a second run to decide"));
  }
  for (const ExpectedRate& each : worst_first) {
    parts.push_back(in_words(last, each));
  }
  if (runs > 1) {
    parts.emplace_back("measured twice");
  }
  return as_reason(fmt::format("{}: {}{}", verdict_in_words(verdict),
                               last.device ? last.device->facts.id + ' ' : "",
                               fmt::join(parts, "; "))) +
         '\n';
}

}  // namespace streamgage::engine
