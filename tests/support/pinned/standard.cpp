// Rounds of std::thread, each of which throws and catches: "NUMBER CPUS...".
//
//   standard N ROUNDS    N at the same time, numbered from 1 on through all rounds
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

std::mutex printing;

void say(int number) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  const std::scoped_lock lock(printing);
  std::printf("%d", number);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) {
      std::printf(" %d", cpu);
    }
  }
  std::printf("\n");
}

void run(int number, std::latch& all_run) {
  try {
    throw std::runtime_error("caught");
  } catch (const std::runtime_error&) {
    say(number);
  }
  all_run.arrive_and_wait();
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int first = 1; first <= rounds * count; first += count) {
    std::latch all_run(count);
    std::vector<std::jthread> threads;
    for (int number = first; number < first + count; ++number) {
      threads.emplace_back([number, &all_run] { run(number, all_run); });
    }
  }
}
