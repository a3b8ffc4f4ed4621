#include "base/plan.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_lines.hpp"

namespace streamgage {
namespace {

constexpr int kMostSamples = 1'000'000;
constexpr int kMostThreads = 1 << 20;

// Reads the members of one JSON object. The first thing that is wrong is kept, and everything
// after it is left alone, so that a parser reads as a list of its fields.
class Reader {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object_.is_object()) {
      complain("{} must be a JSON object", where_);
    }
  }

  template <class... Arguments>
  void complain(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    if (!error_) {
      error_ = Error{fmt::format(form, std::forward<Arguments>(arguments)...), ExitStatus::kUsage};
    }
  }

  void adopt(const std::optional<Error>& error) {
    if (!error_) {
      error_ = error;
    }
  }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  void allow_only(std::initializer_list<std::string_view> known) {
    if (error_) {
      return;
    }
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        complain("{} has the unknown key '{}'; known are {}", where_, key, fmt::join(known, ", "));
      }
    }
  }

  // The member, or nullptr where it is absent or null.
  const Json* find(const char* key) {
    if (error_) {
      return nullptr;
    }
    const auto member = object_.find(key);
    return member == object_.end() || member->is_null() ? nullptr : &*member;
  }

  template <class Integer>
  void integer(const char* key, Integer least, Integer most, Integer& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    const bool fits = member->is_number_unsigned()
                          ? member->get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                          : member->is_number_integer() && std::is_signed_v<Integer>;
    if (!fits || member->get<Integer>() < least) {
      complain("{} of {} must be a whole number from {} to {}, but is {}", key, where_, least, most,
               member->dump());
      return;
    }
    value = member->get<Integer>();
  }

  template <class Integer>
  void integer(const char* key, Integer least, Integer most, std::optional<Integer>& value) {
    if (find(key) != nullptr) {
      Integer read = least;
      integer(key, least, most, read);
      value = read;
    }
  }

  void positive(const char* key, double& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    if (!member->is_number() || !(member->get<double>() > 0.0) ||
        !std::isfinite(member->get<double>())) {
      complain("{} of {} must be a number above 0, but is {}", key, where_, member->dump());
      return;
    }
    value = member->get<double>();
  }

  void positive(const char* key, std::optional<double>& value) {
    if (find(key) != nullptr) {
      positive(key, value.emplace());
    }
  }

  void boolean(const char* key, bool& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    if (!member->is_boolean()) {
      complain("{} of {} must be true or false, but is {}", key, where_, member->dump());
      return;
    }
    value = member->get<bool>();
  }

  // One of the given words.
  template <class Value>
  void word(const char* key, std::initializer_list<Value> choices, Value& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    std::vector<std::string_view> names;
    for (const Value choice : choices) {
      names.push_back(name_of(choice));
      if (*member == names.back()) {
        value = choice;
        return;
      }
    }
    complain("{} of {} must be one of {}, but is {}", key, where_, fmt::join(names, ", "),
             member->dump());
  }

  bool words(const char* key, std::vector<std::string>& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return false;
    }
    const auto is_word = [](const Json& item) { return item.is_string(); };
    if (!member->is_array() || member->empty() ||
        !std::all_of(member->begin(), member->end(), is_word)) {
      complain("{} of {} must be a list of at least one name, but is {}", key, where_,
               member->dump());
      return false;
    }
    value = member->get<std::vector<std::string>>();
    return true;
  }

  void text(const char* key, std::string& value) {
    const Json* member = find(key);
    if (member == nullptr || !member->is_string()) {
      complain("{} of {} must be a text", key, where_);
      return;
    }
    value = member->get<std::string>();
  }

  // Of CPUs or NUMA nodes, as `what` says.
  void numbers(const char* key, std::string_view what, CpuList& value) {
    const Json* member = find(key);
    if (member == nullptr) {
      return;
    }
    const auto is_number = [](const Json& item) {
      return item.is_number_unsigned() && item.get<std::uint64_t>() < kMostThreads;
    };
    if (!member->is_array() || member->empty() ||
        !std::all_of(member->begin(), member->end(), is_number)) {
      complain("{} of {} must be a list of at least one {} number, but is {}", key, where_, what,
               member->dump());
      return;
    }
    value = member->get<CpuList>();
  }

 private:
  const Json& object_;
  std::string where_;
  std::optional<Error> error_;
};

std::optional<Error> read_placement(const Json& object, PlacementRequest& placement) {
  Reader reader(object, "placement");
  reader.allow_only({"kind", "cpus", "threads", "expression", "oversubscribe"});
  reader.word("kind", {PlacementKind::kCores, PlacementKind::kCpus, PlacementKind::kNone},
              placement.kind);
  reader.numbers("cpus", "CPU", placement.cpus);
  reader.integer("threads", 1, kMostThreads, placement.threads);
  if (reader.find("expression") != nullptr) {
    reader.text("expression", placement.expression.emplace());
  }
  reader.boolean("oversubscribe", placement.oversubscribe);
  const bool names_cpus = !placement.cpus.empty() || placement.expression;
  if ((placement.kind == PlacementKind::kCpus) != names_cpus) {
    reader.complain("placement names CPUs if and only if its kind is 'cpus'");
  }
  if (!placement.cpus.empty() && placement.expression) {
    reader.complain("placement has both cpus and an expression; leave one of them out");
  }
  if (placement.oversubscribe && !names_cpus) {
    reader.complain("oversubscribe goes with CPUs that placement names");
  }
  return reader.error();
}

std::optional<Error> read_sampling(const Json& object, Sampling& sampling) {
  Reader reader(object, "sampling");
  reader.allow_only({"min_samples", "look_every", "max_samples", "budget_seconds", "epoch_blocks"});
  reader.integer("min_samples", 1, kMostSamples, sampling.min_samples);
  reader.integer("look_every", 1, kMostSamples, sampling.look_every);
  reader.integer("max_samples", 1, kMostSamples, sampling.max_samples);
  reader.positive("budget_seconds", sampling.budget_seconds);
  reader.integer("epoch_blocks", 1, kMostSamples, sampling.epoch_blocks);
  if (sampling.max_samples < sampling.min_samples) {
    reader.complain("max_samples of sampling ({}) is below min_samples ({})", sampling.max_samples,
                    sampling.min_samples);
  }
  return reader.error();
}

// Which shapes exist is not the parser's to say.
std::optional<Error> read_shape(const Json& object, AccessShape& shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  Reader reader(object, "shape");
  reader.allow_only({"streams", "block_bytes", "read_prefetch_bytes", "write_prefetch_bytes"});
  reader.integer("streams", 1, 1 << 20, shape.streams);
  reader.integer<std::int64_t>("block_bytes", 0, kMost, shape.block_bytes);
  reader.integer<std::int64_t>("read_prefetch_bytes", 0, kMost, shape.read_prefetch_bytes);
  reader.integer<std::int64_t>("write_prefetch_bytes", 0, kMost, shape.write_prefetch_bytes);
  return reader.error();
}

std::optional<Error> read_known_shape(const Json& object, KnownShape& known) {
  Reader reader(object, "a known shape of tuning");
  reader.allow_only({"kernel", "store", "isa", "shape", "forced_read"});
  reader.text("kernel", known.kernel);
  reader.text("store", known.store);
  reader.text("isa", known.isa);
  if (const Json* shape = reader.find("shape")) {
    reader.adopt(read_shape(*shape, known.shape));
  } else {
    reader.complain("a known shape of tuning has no shape");
  }
  if (const Json* forced = reader.find("forced_read")) {
    reader.adopt(read_shape(*forced, known.forced_read.emplace()));
  }
  return reader.error();
}

std::optional<Error> read_tuning(const Json& object, TuningRequest& tuning) {
  Reader reader(object, "tuning");
  reader.allow_only({"budget_seconds", "known"});
  reader.positive("budget_seconds", tuning.budget_seconds);
  const Json* known = reader.find("known");
  if (known != nullptr && !known->is_array()) {
    reader.complain("known of tuning must be a list");
  } else if (known != nullptr) {
    for (const Json& one : *known) {
      reader.adopt(read_known_shape(one, tuning.known.emplace_back()));
    }
  }
  return reader.error();
}

}  // namespace

std::string_view name_of(ElementType type) {
  return type == ElementType::kDouble ? "double" : "float";
}

std::size_t size_of(ElementType type) {
  return type == ElementType::kDouble ? sizeof(double) : sizeof(float);
}

std::string_view name_of(PlacementKind kind) {
  switch (kind) {
    case PlacementKind::kCores:
      return "cores";
    case PlacementKind::kCpus:
      return "cpus";
    case PlacementKind::kNone:
      break;
  }
  return "none";
}

Result<Plan> parse_plan(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    return usage_error(
        "the plan is not JSON; schema/plan.schema.json describes what a plan looks like");
  }
  Plan plan;
  int schema = 0;
  Reader reader(json, "the plan");
  reader.integer("schema", 1, std::numeric_limits<int>::max(), schema);
  if (schema > kSchemaVersion) {
    reader.complain(
        "the plan is of version {}, and this engine knows versions up to {}; use a newer engine",
        schema, kSchemaVersion);
  }
  if (schema == 0) {
    reader.complain("the plan names no version; write \"schema\": {}", kSchemaVersion);
  }
  reader.allow_only({"schema", "kernels", "stores", "isas", "shape", "tuning", "type", "placement",
                     "array_bytes", "seed", "sampling", "huge_pages", "memory_nodes", "checks",
                     "idle_latency", "counters", "peak_bytes_per_second"});
  if (!reader.words("kernels", plan.kernels)) {
    reader.complain("the plan names no kernels");
  }
  std::vector<std::string> stores;
  if (reader.words("stores", stores)) {
    plan.stores = std::move(stores);
  }
  std::vector<std::string> isas;
  if (reader.words("isas", isas)) {
    plan.isas = std::move(isas);
  }
  if (const Json* shape = reader.find("shape")) {
    reader.adopt(read_shape(*shape, plan.shape.emplace()));
  }
  if (const Json* tuning = reader.find("tuning")) {
    reader.adopt(read_tuning(*tuning, plan.tuning.emplace()));
    if (plan.shape) {
      reader.complain("the plan gives a shape and asks for tuning; leave one of them out");
    }
  }
  reader.word("type", {ElementType::kDouble, ElementType::kFloat}, plan.type);
  reader.integer<std::uint64_t>("array_bytes", 1, std::uint64_t{1} << 60U, plan.array_bytes);
  reader.integer<std::uint64_t>("seed", 0, std::numeric_limits<std::uint64_t>::max(), plan.seed);
  reader.boolean("huge_pages", plan.huge_pages);
  reader.numbers("memory_nodes", "NUMA node", plan.memory_nodes);
  reader.boolean("checks", plan.checks);
  reader.boolean("idle_latency", plan.idle_latency);
  reader.boolean("counters", plan.counters);
  reader.positive("peak_bytes_per_second", plan.peak_bytes_per_second);
  if (const Json* placement = reader.find("placement")) {
    reader.adopt(read_placement(*placement, plan.placement));
  }
  if (const Json* sampling = reader.find("sampling")) {
    reader.adopt(read_sampling(*sampling, plan.sampling));
  }
  if (reader.error()) {
    return tl::unexpected<Error>(*reader.error());
  }
  return plan;
}

}  // namespace streamgage
