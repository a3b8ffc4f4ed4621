/* What the processes of a run do together; parts_mpi.c or, for one process, parts_alone.c. */
#ifndef STREAMGAGE_CG_PARTS_H
#define STREAMGAGE_CG_PARTS_H

typedef struct {
  int rank;
  int count; /* of processes */
} Parts;

/* Each may use threads; the first one alone calls what is below. */
Parts parts_start(int *argc, char ***argv);
void parts_end(void);
/* Ends all processes at once with that exit status. */
_Noreturn void parts_abort(int status);

double parts_sum(double mine);
double parts_max(double mine);
void parts_wait(void);

/* Gives the neighbour below `first` and the one above `last`, of `length` doubles each, and takes
   what they give into `below` and `above`; where there is no neighbour, these stay as they are. */
void parts_exchange(Parts parts, const double *first, const double *last, double *below,
                    double *above, int length);

#endif
