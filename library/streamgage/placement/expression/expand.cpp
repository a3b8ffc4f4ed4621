#include "streamgage/placement/expression/expand.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/placement/expression/selection.hpp"
#include "streamgage/placement/expression/wording.hpp"

namespace streamgage {
namespace {

constexpr std::size_t kMostCpus = 1 << 16;

class Expander {
 public:
  Expander(const Expression& expression, const ThreadDomains& domains, Oversubscribe oversubscribe)
      : expression_(expression), domains_(domains), oversubscribe_(oversubscribe) {}

  Result<CpuList> expand() {
    for (const ExpressionPart& part : expression_.parts) {
      STREAMGAGE_TRY(
          take(part).map_error([this](const Error& error) { return with_context(error); }));
    }
    return std::move(cpus_);
  }

 private:
  Result<void> take(const ExpressionPart& part) {
    STREAMGAGE_TRY(const auto selected,
                   select_cpus(part, domains_, oversubscribe_, kMostCpus - cpus_.size()));
    for (const int cpu : selected) {
      const auto [named, fresh] = named_by_.emplace(cpu, &part);
      if (!fresh && oversubscribe_ == Oversubscribe::kRefused) {
        const std::string where = named->second == &part
                                      ? std::string("twice")
                                      : fmt::format("again, after {}", shown(named->second->text));
        return usage_error(
            fmt::format("{} names CPU {} {}, and two threads on one CPU would take "
                        "turns; name each CPU once, or add --allow-oversubscribe",
                        shown(part.text), cpu, where));
      }
      cpus_.push_back(cpu);
    }
    return {};
  }

  [[nodiscard]] Error with_context(const Error& error) const {
    if (expression_.parts.size() == 1) {
      return error;
    }
    // Named in full: std::quoted, which some headers bring along, takes a std::string more closely.
    return {fmt::format("in {}: {}", streamgage::quoted(expression_.text), error.message),
            error.status};
  }

  const Expression& expression_;
  const ThreadDomains& domains_;
  Oversubscribe oversubscribe_;
  CpuList cpus_;
  std::map<int, const ExpressionPart*> named_by_;
};

}  // namespace

Result<CpuList> expand(const Expression& expression, const ThreadDomains& domains,
                       Oversubscribe oversubscribe) {
  return Expander(expression, domains, oversubscribe).expand();
}

Result<CpuList> expand(std::string_view text, const Machine& machine, Oversubscribe oversubscribe) {
  STREAMGAGE_TRY(const auto expression, parse_expression(text));
  return expand(expression, thread_domains(machine), oversubscribe);
}

}  // namespace streamgage
