#include "base/plan.hpp"

#include <limits>

#include "base/json_lines.hpp"
#include "base/json_reader.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

constexpr int kMostSamples = 1'000'000;
constexpr int kMostThreads = 1 << 20;
constexpr std::uint64_t kMostCacheBytes = std::uint64_t{1} << 40U;

Result<void> read_sampling(const Json& object, Sampling& sampling) {
  JsonReader reader(object, "sampling");
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
  return reader.result();
}

// Which shapes exist is not the parser's to say.
Result<void> read_shape(const Json& object, AccessShape& shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  JsonReader reader(object, "shape");
  reader.allow_only({"streams", "block_bytes", "read_prefetch_bytes", "write_prefetch_bytes"});
  reader.integer("streams", 1, 1 << 20, shape.streams);
  reader.integer<std::int64_t>("block_bytes", 0, kMost, shape.block_bytes);
  reader.integer<std::int64_t>("read_prefetch_bytes", 0, kMost, shape.read_prefetch_bytes);
  reader.integer<std::int64_t>("write_prefetch_bytes", 0, kMost, shape.write_prefetch_bytes);
  return reader.result();
}

Result<void> read_known_shape(const Json& object, KnownShape& known) {
  JsonReader reader(object, "an entry of known in tuning");
  reader.allow_only({"kernel", "store", "isa", "shape", "forced_read"});
  reader.text("kernel", known.kernel);
  reader.text("store", known.store);
  reader.text("isa", known.isa);
  if (const Json* shape = reader.find("shape")) {
    reader.adopt(read_shape(*shape, known.shape));
  } else {
    reader.complain("an entry of known in tuning has no shape");
  }
  if (const Json* forced = reader.find("forced_read")) {
    reader.adopt(read_shape(*forced, known.forced_read.emplace()));
  }
  return reader.result();
}

Result<void> read_plain_library(const Json& object, PlainLibrary& library) {
  JsonReader reader(object, "plain_library");
  reader.allow_only({"path", "code"});
  reader.text("path", library.path);
  reader.text("code", library.code);
  return reader.result();
}

Result<void> read_own_kernel(const Json& object, OwnKernelFile& file) {
  JsonReader reader(object, "an entry of own_kernels");
  reader.allow_only({"path", "code", "source", "language"});
  reader.text("path", file.path);
  reader.text("code", file.code);
  if (reader.find("source") != nullptr) {
    reader.text("source", file.source.emplace());
  }
  reader.word("language", {KernelLanguage::kOpenClC, KernelLanguage::kCudaCpp}, file.language);
  return reader.result();
}

void read_own_kernels(JsonReader& reader, Plan& plan) {
  const Json* files = reader.find("own_kernels");
  if (files != nullptr && !files->is_array()) {
    reader.complain("own_kernels of the plan must be a list");
  } else if (files != nullptr) {
    for (const Json& file : *files) {
      reader.adopt(read_own_kernel(file, plan.own_kernels.emplace_back()));
    }
  }
  reader.positive("kernel_timeout_seconds", plan.kernel_timeout_seconds);
  reader.boolean("check_kernels", plan.check_kernels);
  if (plan.check_kernels && plan.own_kernels.empty()) {
    reader.complain("check_kernels needs own_kernels, but the plan has none");
  }
}

// Where the catalogue's arrays start, and what they hold; own kernels say that of theirs.
void read_initial_arrays(JsonReader& reader, Plan& plan) {
  reader.word("init", {Init::kPattern, Init::kConstant, Init::kRandom}, plan.init);
  reader.integer<std::uint64_t>("alignment_bytes", 1, kMostAlignment, plan.alignment_bytes);
  const std::uint64_t alignment = plan.alignment_bytes.value_or(kMostAlignment);
  if (alignment < size_of(plan.type) || (alignment & (alignment - 1)) != 0) {
    reader.complain("alignment_bytes of the plan must be a power of two from {} to {}, but is {}",
                    size_of(plan.type), kMostAlignment, alignment);
  }
  if (!plan.own_kernels.empty() && (plan.alignment_bytes || plan.init != Init::kPattern)) {
    reader.complain(
        "alignment_bytes and init apply only to built-in kernels; leave out either these two or "
        "own_kernels");
  }
}

Result<void> read_tuning(const Json& object, TuningRequest& tuning) {
  JsonReader reader(object, "tuning");
  reader.allow_only({"budget_seconds", "known", "first"});
  reader.positive("budget_seconds", tuning.budget_seconds);
  reader.boolean("first", tuning.first);
  const Json* known = reader.find("known");
  if (known != nullptr && !known->is_array()) {
    reader.complain("known of tuning must be a list");
  } else if (known != nullptr) {
    for (const Json& one : *known) {
      reader.adopt(read_known_shape(one, tuning.known.emplace_back()));
    }
  }
  return reader.result();
}

Result<void> read_tier(const Json& object, Tier& tier) {
  JsonReader reader(object, "a tier");
  reader.allow_only({"kernels", "stores"});
  if (!reader.words("kernels", tier.kernels)) {
    reader.complain("a tier names no kernels");
  }
  std::vector<std::string> stores;
  if (reader.words("stores", stores)) {
    tier.stores = std::move(stores);
  }
  return reader.result();
}

void read_tiers(JsonReader& reader, std::vector<Tier>& tiers) {
  const Json* listed = reader.find("tiers");
  if (listed != nullptr && !listed->is_array()) {
    reader.complain("tiers of the plan must be a list");
  } else if (listed != nullptr) {
    for (const Json& one : *listed) {
      reader.adopt(read_tier(one, tiers.emplace_back()));
    }
  }
}

// A kernel runs where its language does; which device compiles which is not the parser's to say.
void check_languages(JsonReader& reader, const Plan& plan) {
  for (const OwnKernelFile& file : plan.own_kernels) {
    const bool is_object = file.language == KernelLanguage::kSharedObject;
    if (is_object == plan.device.has_value()) {
      reader.complain("{} of own_kernels does not run {}", file.source.value_or(file.path),
                      is_object ? "on a device: give the language of its source"
                                : "on the processor: name a device");
    }
  }
}

// What is the processor's to choose.
void read_device(JsonReader& reader, Plan& plan) {
  if (plan.copies && (reader.find("device") == nullptr || !plan.kernels.empty() || plan.tuning ||
                      plan.working_set_bytes || plan.last_level_cache_bytes)) {
    reader.complain(
        "the plan asks for copies: name a device, and leave kernels, tuning, working_set_bytes and "
        "last_level_cache_bytes out");
  }
  if (reader.find("peer") != nullptr) {
    reader.text("peer", plan.peer.emplace());
    if (!plan.copies) {
      reader.complain("the plan names a peer: ask for copies, too");
    }
  }
  if (reader.find("device") == nullptr) {
    return;
  }
  reader.text("device", plan.device.emplace());
  if (plan.peer == plan.device) {
    reader.complain("the plan names a peer: name another device than the first");
  }
  for (const char* key : {"stores", "isas", "shape", "plain_library", "alignment_bytes",
                          "memory_nodes", "evidence"}) {
    const Json* value = reader.find(key);
    if (value != nullptr && !value->empty()) {
      reader.complain(
          "{} of the plan is for a processor, and the plan names a device: leave it out", key);
    }
  }
  const bool asks_more =
      plan.checks || plan.stream_view || plan.idle_latency || plan.core_clock || plan.counters;
  if (asks_more || plan.init != Init::kPattern || !plan.tiers.empty() ||
      plan.placement.kind == PlacementKind::kCpus || plan.placement.threads) {
    reader.complain(
        "the plan names a device, but also asks for what only processors have: leave placement, "
        "init, tiers, checks, stream_view, idle_latency, core_clock and counters out");
  }
}

}  // namespace

std::string_view name_of(ElementType type) {
  return type == ElementType::kDouble ? "double" : "float";
}

std::string_view name_of(Init init) {
  switch (init) {
    case Init::kConstant:
      return "constant";
    case Init::kRandom:
      return "random";
    case Init::kPattern:
      break;
  }
  return "pattern";
}

std::string_view name_of(KernelLanguage language) {
  switch (language) {
    case KernelLanguage::kOpenClC:
      return "opencl-c";
    case KernelLanguage::kCudaCpp:
      return "cuda-c++";
    case KernelLanguage::kSharedObject:
      break;
  }
  return "shared-object";
}

std::size_t size_of(ElementType type) {
  return type == ElementType::kDouble ? sizeof(double) : sizeof(float);
}

Result<void> read_placement(const Json& object, PlacementRequest& placement) {
  JsonReader reader(object, "placement");
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
    reader.complain("placement must name CPUs if its kind is 'cpus', and none otherwise");
  }
  if (!placement.cpus.empty() && placement.expression) {
    reader.complain("placement has both cpus and an expression; leave one of them out");
  }
  if (placement.oversubscribe && !names_cpus) {
    reader.complain("oversubscribe works only if placement names CPUs");
  }
  return reader.result();
}

Result<Plan> parse_plan(std::string_view text) {
  STREAMGAGE_TRY(const Json json, parse_plan_json(text));
  Plan plan;
  int schema = 0;
  JsonReader reader(json, "the plan");
  reader.integer("schema", 1, std::numeric_limits<int>::max(), schema);
  if (schema > kSchemaVersion) {
    reader.complain(
        "the plan has version {}, but this engine knows versions up to {}; use a newer engine",
        schema, kSchemaVersion);
  }
  if (schema == 0) {
    reader.complain("the plan names no version; write \"schema\": {}", kSchemaVersion);
  }
  reader.allow_only({"schema",
                     "device",
                     "copies",
                     "peer",
                     "kernels",
                     "evidence",
                     "own_kernels",
                     "kernel_timeout_seconds",
                     "check_kernels",
                     "stores",
                     "isas",
                     "shape",
                     "tuning",
                     "plain_library",
                     "type",
                     "init",
                     "alignment_bytes",
                     "placement",
                     "array_bytes",
                     "working_set_bytes",
                     "last_level_cache_bytes",
                     "seed",
                     "sampling",
                     "tiers",
                     "pages",
                     "stream_view",
                     "memory_nodes",
                     "checks",
                     "idle_latency",
                     "core_clock",
                     "counters",
                     "peak_bytes_per_second"});
  read_own_kernels(reader, plan);
  reader.boolean("copies", plan.copies);
  const Json* kernels = reader.find("kernels");
  const bool needs_kernels = plan.own_kernels.empty() && !plan.copies;
  if (kernels != nullptr && *kernels == Json::array() && !needs_kernels) {
    plan.kernels.clear();
  } else if (!reader.words("kernels", plan.kernels)) {
    reader.complain("the plan names no kernels");
  }
  if (const Json* evidence = reader.find("evidence");
      evidence != nullptr && *evidence != Json::array()) {
    reader.words("evidence", plan.evidence);
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
  if (const Json* library = reader.find("plain_library")) {
    reader.adopt(read_plain_library(*library, plan.plain_library.emplace()));
  }
  reader.word("type", {ElementType::kDouble, ElementType::kFloat}, plan.type);
  read_initial_arrays(reader, plan);
  reader.integer<std::uint64_t>("array_bytes", 1, std::uint64_t{1} << 60U, plan.array_bytes);
  reader.integer<std::uint64_t>("working_set_bytes", 1, std::uint64_t{1} << 60U,
                                plan.working_set_bytes);
  if (plan.array_bytes && plan.working_set_bytes) {
    reader.complain("the plan gives array_bytes and working_set_bytes; leave one of them out");
  }
  reader.integer<std::uint64_t>("last_level_cache_bytes", 1, kMostCacheBytes,
                                plan.last_level_cache_bytes);
  reader.integer<std::uint64_t>("seed", 0, std::numeric_limits<std::uint64_t>::max(), plan.seed);
  reader.word("pages", {PageSize::kSmall, PageSize::kHuge, PageSize::kGiant}, plan.pages);
  if (plan.pages == PageSize::kGiant && !plan.own_kernels.empty()) {
    reader.complain(
        "pages of 1g apply only to built-in kernels; leave out own_kernels, or ask for "
        "pages of 2m or 4k");
  }
  reader.numbers("memory_nodes", "NUMA node", plan.memory_nodes);
  reader.boolean("checks", plan.checks);
  reader.boolean("stream_view", plan.stream_view);
  reader.boolean("idle_latency", plan.idle_latency);
  reader.boolean("core_clock", plan.core_clock);
  reader.boolean("counters", plan.counters);
  reader.positive("peak_bytes_per_second", plan.peak_bytes_per_second);
  if (const Json* placement = reader.find("placement")) {
    reader.adopt(read_placement(*placement, plan.placement));
  }
  if (const Json* sampling = reader.find("sampling")) {
    reader.adopt(read_sampling(*sampling, plan.sampling));
  }
  read_tiers(reader, plan.tiers);
  read_device(reader, plan);
  check_languages(reader, plan);
  STREAMGAGE_TRY(reader.result());
  return plan;
}

}  // namespace streamgage::engine
