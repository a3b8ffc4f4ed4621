/* One process. */
#include <stdlib.h>

#include "parts.h"

Parts parts_start(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  return (Parts){0, 1};
}

void parts_end(void) {}

void parts_abort(int status) { exit(status); }

double parts_sum(double mine) { return mine; }

double parts_max(double mine) { return mine; }

void parts_wait(void) {}

void parts_exchange(Parts parts, const double *first, const double *last, double *below,
                    double *above, int length) {
  (void)parts;
  (void)first;
  (void)last;
  (void)below;
  (void)above;
  (void)length;
}
