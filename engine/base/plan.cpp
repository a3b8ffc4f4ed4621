#include "base/plan.hpp"

#include <cstdint>

#include "base/json_lines.hpp"
#include "base/json_reader.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

void check_sampling(JsonReader& reader, const Sampling& sampling) {
  if (sampling.max_samples < sampling.min_samples) {
    reader.complain("max_samples of sampling ({}) is below min_samples ({})", sampling.max_samples,
                    sampling.min_samples);
  }
}

// Of kernels there is one at least, unless something else is measured.
void check_kernels(JsonReader& reader, const Plan& plan) {
  if (plan.kernels.empty() && plan.own_kernels.empty() && !plan.copies) {
    reader.complain("the plan names no kernels");
  }
  if (plan.check_kernels && plan.own_kernels.empty()) {
    reader.complain("check_kernels needs own_kernels, but the plan has none");
  }
  if (plan.shape && plan.tuning) {
    reader.complain("the plan gives a shape and asks for tuning; leave one of them out");
  }
}

// Where the catalogue's arrays start, and what they hold; own kernels say that of theirs.
void check_arrays(JsonReader& reader, const Plan& plan) {
  const std::uint64_t alignment = plan.alignment_bytes.value_or(kLargestAlignment);
  if (alignment < size_of(plan.type) || (alignment & (alignment - 1)) != 0) {
    reader.complain("alignment_bytes of the plan must be a power of two from {} to {}, but is {}",
                    size_of(plan.type), kLargestAlignment, alignment);
  }
  if (!plan.own_kernels.empty() && (plan.alignment_bytes || plan.init != Init::kPattern)) {
    reader.complain(
        "alignment_bytes and init apply only to built-in kernels; leave out either these two or "
        "own_kernels");
  }
  if (plan.array_bytes && plan.working_set_bytes) {
    reader.complain("the plan gives array_bytes and working_set_bytes; leave one of them out");
  }
  if (plan.pages == PageSize::kGiant && !plan.own_kernels.empty()) {
    reader.complain(
        "pages of 1g apply only to built-in kernels; leave out own_kernels, or ask for "
        "pages of 2m or 4k");
  }
}

// A kernel runs where its language does; which device compiles which is not the parser's to say.
void check_languages(JsonReader& reader, const Plan& plan) {
  for (const OwnKernelFile& file : plan.own_kernels) {
    if (file.language.has_value() != plan.device.has_value()) {
      reader.complain("{} of own_kernels does not run {}", file.source.value_or(file.path),
                      plan.device ? "on a device: give the language of its source"
                                  : "on the processor: name a device");
    }
  }
}

// What is the processor's to choose.
void check_device(JsonReader& reader, const Plan& plan) {
  if (plan.copies && (!plan.device || !plan.kernels.empty() || plan.tuning ||
                      plan.working_set_bytes || plan.last_level_cache_bytes)) {
    reader.complain(
        "the plan asks for copies: name a device, and leave kernels, tuning, working_set_bytes and "
        "last_level_cache_bytes out");
  }
  if (plan.peer && !plan.copies) {
    reader.complain("the plan names a peer: ask for copies, too");
  }
  if (!plan.device) {
    return;
  }
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

std::size_t size_of(ElementType type) {
  return type == ElementType::kDouble ? sizeof(double) : sizeof(float);
}

void check_placement(JsonReader& reader, const PlacementRequest& placement) {
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
}

void check_version(JsonReader& reader) {
  int version = 0;
  reader.member("schema", Whole{1}, version);
  if (version > kSchemaVersion) {
    reader.complain(
        "the plan has version {}, but this engine knows versions up to {}; use a newer engine",
        version, kSchemaVersion);
  }
  if (version == 0) {
    reader.complain("the plan names no version; write \"schema\": {}", kSchemaVersion);
  }
}

Result<Plan> parse_plan(std::string_view text) {
  STREAMGAGE_TRY(const Json json, parse_plan_json(text));
  Plan plan;
  JsonReader reader(json, kWholePlan);
  check_version(reader);
  reader.whole(plan);
  check_sampling(reader, plan.sampling);
  check_placement(reader, plan.placement);
  check_kernels(reader, plan);
  check_arrays(reader, plan);
  check_device(reader, plan);
  check_languages(reader, plan);
  STREAMGAGE_TRY(reader.result());
  return plan;
}

}  // namespace streamgage::engine
