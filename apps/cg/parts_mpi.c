/* Processes of MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "parts.h"

enum { DOWN, UP };

Parts parts_start(int *argc, char ***argv) {
  int provided = 0;
  Parts parts;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &parts.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &parts.count);
  return parts;
}

void parts_end(void) { MPI_Finalize(); }

void parts_abort(int status) {
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, status);
  exit(status);
}

double parts_sum(double mine) {
  double sum = 0.0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

double parts_max(double mine) {
  double most = 0.0;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

void parts_wait(void) { MPI_Barrier(MPI_COMM_WORLD); }

void parts_exchange(Parts parts, const double *first, const double *last, double *below,
                    double *above, int length) {
  const int down = parts.rank > 0 ? parts.rank - 1 : MPI_PROC_NULL;
  const int up = parts.rank + 1 < parts.count ? parts.rank + 1 : MPI_PROC_NULL;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  MPI_Irecv(below, length, MPI_DOUBLE, down, UP, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(above, length, MPI_DOUBLE, up, DOWN, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(first, length, MPI_DOUBLE, down, DOWN, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(last, length, MPI_DOUBLE, up, UP, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, statuses);
}
