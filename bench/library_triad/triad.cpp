// STREAM's triad as a program on the library: library_triad ELEMENTS SAMPLES prints
// the seconds of each sample, a line each, on as many threads as there are cores.
#include <streamgage/streamgage.hpp>

#include <cstdio>
#include <cstdlib>

namespace sg = streamgage;

namespace {

int fail(const sg::Error& error) {
  std::fprintf(stderr, "library_triad: %s\n", error.message.c_str());
  return static_cast<int>(error.status);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    return fail({"give the elements of an array and the samples", sg::ExitStatus::kUsage});
  }
  const std::int64_t elements = std::atoll(arguments[1]);
  const int samples = std::atoi(arguments[2]);
  const auto machine = sg::discover_machine();
  if (!machine) return fail(machine.error());
  const auto placement = sg::choose_placement(*machine, {}, sg::runtime_thread_count());
  if (!placement) return fail(placement.error());
  const auto team = sg::Team::assemble(*placement);
  if (!team) return fail(team.error());
  if (const auto proof = sg::prove(*team, *placement); !proof) return fail(proof.error());
  const auto a = sg::make_array<double>(*team, elements);
  if (!a) return fail(a.error());
  const auto b = sg::make_array<double>(*team, elements);
  if (!b) return fail(b.error());
  const auto c = sg::make_array<double>(*team, elements);
  if (!c) return fail(c.error());

  const sg::TimedWork triad{[&](int thread) {
    const auto [begin, end] = a->ranges[static_cast<std::size_t>(thread)];
    double* __restrict to = a->data();
    const double* __restrict left = b->data();
    const double* __restrict right = c->data();
    for (std::int64_t i = begin; i < end; ++i) to[i] = left[i] + 3.0 * right[i];
    return 0.0;
  }};
  for (int sample = -5; sample < samples; ++sample) {
    const double seconds = team->time(triad).seconds;
    if (sample >= 0) std::printf("%.9g\n", seconds);  // the first are warm-ups
  }
}
