// A micro-benchmark: how fast all cores read an array together, with every step that makes such a
// figure right. An argument says where threads run, such as "S0:0-3".
#include <streamgage/streamgage.hpp>

#include <cstdio>

namespace sg = streamgage;

namespace {

int fail(const sg::Error& error) {
  std::fprintf(stderr, "microbenchmark: %s\n", error.message.c_str());
  return static_cast<int>(error.status);
}

}  // namespace

int main(int count, char** arguments) {
  const auto machine = sg::discover_machine();
  if (!machine) return fail(machine.error());
  sg::PlacementRequest request;
  if (count > 1) {
    request.kind = sg::PlacementKind::kCpus;
    request.expression = arguments[1];
  }
  const auto placement = sg::choose_placement(*machine, request, sg::runtime_thread_count());
  if (!placement) return fail(placement.error());
  const auto team = sg::Team::assemble(*placement);
  if (!team) return fail(team.error());
  if (const auto proof = sg::prove(*team, *placement); !proof) return fail(proof.error());

  // STREAM's rule: four times the last-level caches in use, which would hold a smaller array.
  sg::SizeRequest rule;
  rule.last_level_cache_bytes = sg::last_level_cache_bytes(*machine, placement->cpus);
  rule.element_bytes = sizeof(std::int64_t);
  rule.arrays = 1;
  rule.threads = team->size();
  const auto size = sg::choose_array_size(sg::memory_budget(*machine, {}), rule);
  if (!size) return fail(size.error());
  const auto array = sg::make_array<std::int64_t>(*team, size->elements);  // each touches its part
  if (!array) return fail(array.error());
  const sg::TimedWork sum{[&](int thread) {
    const auto [begin, end] = array->ranges[static_cast<std::size_t>(thread)];
    std::int64_t total = 0;
    for (std::int64_t i = begin; i < end; ++i) total += array->data()[i];
    return static_cast<double>(total);
  }};

  sg::Sampling sampling;
  sampling.budget_seconds = 5.0;
  sg::Sampler sampler(sampling);
  std::optional<sg::StoppedBy> stopped;
  while (!stopped) stopped = sampler.add(team->time(sum).seconds);

  const sg::Summary seconds = sg::summarize(sampler.samples());
  const auto bytes = static_cast<double>(size->bytes);
  std::printf("%.2f GB/s, median of %zu (%s), %d threads on CPUs %s\n",
              bytes / seconds.median / 1e9, seconds.count, sg::name_of(*stopped).data(),
              team->size(), sg::format_cpu_list(placement->cpus).c_str());
  std::printf("array of %s, last-level caches of %s%s\n", sg::format_bytes(size->bytes).c_str(),
              sg::format_bytes(rule.last_level_cache_bytes).c_str(),
              size->cap_bytes ? ": free memory allows no more" : "");
  if (seconds.interval) {
    std::printf("95 %% interval of the median: %.2f to %.2f GB/s\n",
                bytes / seconds.interval->high / 1e9, bytes / seconds.interval->low / 1e9);
  } else {
    std::printf("too few samples for an interval of the median\n");
  }
}
