// Measures the traffic and the bandwidth of a region of its own, or says why there is no traffic to
// tell. The arguments replay counters: the folder of a machine, and a recording of its counters.
#include <streamgage/streamgage.hpp>

#include <cstdio>

namespace sg = streamgage;

namespace {

constexpr std::int64_t kElements = 1 << 22;

int fail(const sg::Error& error) {
  std::fprintf(stderr, "region: %s\n", error.message.c_str());
  return static_cast<int>(error.status);
}

sg::Result<sg::TrafficRegion> open_region(int count, char** arguments) {
  if (count == 3) {
    return sg::TrafficRegion::replay(arguments[1], arguments[2]);
  }
  return sg::TrafficRegion::open();
}

}  // namespace

int main(int count, char** arguments) {
  const auto machine = sg::discover_machine();
  if (!machine) return fail(machine.error());
  const auto placement = sg::choose_placement(*machine, {}, sg::runtime_thread_count());
  if (!placement) return fail(placement.error());
  const auto team = sg::Team::assemble(*placement);
  if (!team) return fail(team.error());
  if (const auto proof = sg::prove(*team, *placement); !proof) return fail(proof.error());

  const auto from = sg::make_array<double>(*team, kElements);
  if (!from) return fail(from.error());
  const auto to = sg::make_array<double>(*team, kElements);
  if (!to) return fail(to.error());
  auto region = open_region(count, arguments);
  if (!region) return fail(region.error());

  region->start();
  const sg::Timing timing = team->time({[&](int thread) {
    const auto [begin, end] = from->ranges[static_cast<std::size_t>(thread)];
    for (std::int64_t i = begin; i < end; ++i) to->data()[i] = 2.0 * from->data()[i];
    return 0.0;
  }});
  region->stop();

  std::printf("%d threads on CPUs %s, %d of them moved\n", team->size(),
              sg::format_cpu_list(placement->cpus).c_str(), timing.moved);
  const double nominal = 2.0 * sizeof(double) * kElements;
  std::printf("nominal  %8.1f MB  %6.2f GB/s\n", nominal / 1e6, nominal / timing.seconds / 1e9);
  if (const auto volume = region->volume()) {
    std::printf("traffic  %8.1f MB  %6.2f GB/s  by %s\n", volume->total / 1e6,
                volume->total / region->traffic().seconds / 1e9, region->source().c_str());
    if (volume->read && volume->written) {
      std::printf("         %8.1f MB read, %.1f MB written\n", *volume->read / 1e6,
                  *volume->written / 1e6);
    }
  } else {
    std::printf("no traffic: %s\n", volume.error().message.c_str());
    std::printf("what would help: %s\n", region->remedy().c_str());
  }
  return 0;
}
