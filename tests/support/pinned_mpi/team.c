/* One rank of an MPI program: says which CPUs each thread of its OpenMP team may use, as
 * "RANK THREAD CPUS...". */
#define _GNU_SOURCE
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int provided = 0;
  int rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
  {
    char line[1024];
    int length = snprintf(line, sizeof line, "%d %d", rank, omp_get_thread_num());
    cpu_set_t mask;
    CPU_ZERO(&mask);
    sched_getaffinity(0, sizeof mask, &mask);
    for (int cpu = 0; cpu < CPU_SETSIZE && length < 1000; ++cpu) {
      if (CPU_ISSET(cpu, &mask)) {
        length += snprintf(line + length, sizeof line - (size_t)length, " %d", cpu);
      }
    }
    line[length++] = '\n';
    /* With its end in one write, as launchers mix what ranks say. */
    if (write(STDOUT_FILENO, line, (size_t)length) != length) {
      perror("team");
    }
  }
  MPI_Finalize();
  return 0;
}
