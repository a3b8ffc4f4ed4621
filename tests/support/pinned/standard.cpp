// One std::thread, which throws and catches: "1 CPUS...".
#include <sched.h>

#include <cstdio>
#include <stdexcept>
#include <thread>

int main() {
  std::thread([] {
    try {
      throw std::runtime_error("caught");
    } catch (const std::runtime_error&) {
      cpu_set_t mask;
      CPU_ZERO(&mask);
      sched_getaffinity(0, sizeof mask, &mask);
      std::printf("1");
      for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &mask)) {
          std::printf(" %d", cpu);
        }
      }
      std::printf("\n");
    }
  }).join();
}
