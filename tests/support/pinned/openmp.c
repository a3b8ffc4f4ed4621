/* Says of each OpenMP thread which CPUs it may use: "NUMBER CPUS...". */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

int main(void) {
#pragma omp parallel
  {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    sched_getaffinity(0, sizeof mask, &mask);
#pragma omp critical
    {
      printf("%d", omp_get_thread_num());
      for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &mask)) {
          printf(" %d", cpu);
        }
      }
      printf("\n");
    }
  }
  return 0;
}
