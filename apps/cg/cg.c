/* Conjugate gradients for a 3-D Poisson problem: what memory gives to a solver that streams.
 *
 *   cg [--grid N] [--tolerance T] [--iterations K] [--log FILE]
 *
 * The operator is the 7-point one on N x N x N points with zero values around them, assembled as
 * compressed rows (8 bytes a value, 4 a column), as solvers have it that know nothing of grids. The
 * processes have planes of the grid in turn, their threads rows of these in turn, each first
 * touched by whoever uses it. The right-hand side is that of a known solution, which the result is
 * compared with. Writes JSON lines {"phase", "seconds", "count"} to FILE or to stdout, seconds of
 * the slowest process, and exits with 1 where it did not converge or came to something else.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "parts.h"

enum { USAGE = 2, FAILED = 1, MOST_GRID = 1200 };

typedef struct {
  int grid;
  int iterations;
  double tolerance; /* of the residual over that of zero */
  const char *log;
} Options;

typedef enum { SOLVE, MATMULT, DOT, UPDATE, PHASES } Phase;
static const char *const phase_names[PHASES] = {"solve", "matmult", "dot", "update"};

typedef struct {
  double seconds[PHASES];
  long count[PHASES];
} Times;

/* The rows of one process; columns are of its own rows, then of the plane below, then of that
   above. */
typedef struct {
  int rows;
  int plane; /* rows of a plane of the grid */
  int *starts;
  int *columns;
  double *values;
} Matrix;

typedef struct {
  Parts parts;
  Matrix matrix;
  Times times;
} Solver;

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int threads(void) {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/* All processes come here with a wrong command line, and any of them for want of memory. */
static _Noreturn void complain(Parts parts, int status, const char *what, const char *sentence) {
  if (parts.rank == 0 || status != USAGE) {
    fprintf(stderr, "cg: %s %s\n", what, sentence);
  }
  if (status != USAGE) {
    parts_abort(status);
  }
  parts_end();
  exit(status);
}

static double number(Parts parts, const char *option, const char *text, double least, double most) {
  char *end = NULL;
  const double value = text == NULL ? NAN : strtod(text, &end);
  if (text == NULL || end == text || *end != '\0' || !(value >= least && value <= most)) {
    char sentence[64];
    snprintf(sentence, sizeof sentence, "needs a number from %g to %g.", least, most);
    complain(parts, USAGE, option, sentence);
  }
  return value;
}

static int whole(Parts parts, const char *option, const char *text, double least, double most) {
  const double value = number(parts, option, text, least, most);
  if (value != floor(value)) {
    complain(parts, USAGE, option, "needs a whole number.");
  }
  return (int)value;
}

static Options read_options(Parts parts, int argc, char **argv) {
  Options options = {96, 10000, 1e-8, NULL};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--grid") == 0) {
      options.grid = whole(parts, argv[i], value, 2, MOST_GRID);
    } else if (strcmp(argv[i], "--iterations") == 0) {
      options.iterations = whole(parts, argv[i], value, 1, 1e9);
    } else if (strcmp(argv[i], "--tolerance") == 0) {
      options.tolerance = number(parts, argv[i], value, 1e-15, 1);
    } else if (strcmp(argv[i], "--log") == 0 && value != NULL) {
      options.log = value;
    } else {
      complain(
          parts, USAGE, argv[i],
          "is no option: they are --grid, --iterations, --tolerance and --log, each with a value.");
    }
  }
  if (options.grid < parts.count) {
    complain(parts, USAGE, "--grid",
             "has fewer planes than there are processes: give a larger one.");
  }
  return options;
}

static void *reserve(Parts parts, size_t count, size_t size) {
  void *memory = NULL;
  if (posix_memalign(&memory, 64, count * size) != 0) {
    complain(parts, FAILED, "--grid", "needs more memory than there is: give a smaller one.");
  }
  return memory;
}

/* Entries of a vector: the rows, and a plane below and one above. */
static size_t entries(const Matrix *matrix) {
  return (size_t)matrix->rows + 2 * (size_t)matrix->plane;
}

static double *new_vector(const Solver *solver) {
  double *vector = reserve(solver->parts, entries(&solver->matrix), sizeof *vector);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < solver->matrix.rows; ++row) {
    vector[row] = 0.0;
  }
  for (size_t i = (size_t)solver->matrix.rows; i < entries(&solver->matrix); ++i) {
    vector[i] = 0.0;
  }
  return vector;
}

/* Rows of planes `first` to `last` (not included) of the grid. */
static Matrix assemble(Parts parts, int grid, int first, int last) {
  Matrix matrix = {(last - first) * grid * grid, grid * grid, NULL, NULL, NULL};
  matrix.starts = reserve(parts, (size_t)matrix.rows + 1, sizeof *matrix.starts);
  matrix.columns = reserve(parts, 7 * (size_t)matrix.rows, sizeof *matrix.columns);
  matrix.values = reserve(parts, 7 * (size_t)matrix.rows, sizeof *matrix.values);
  /* How many entries come before a row follows from where it lies, so that threads need not wait
     for each other. */
#pragma omp parallel for schedule(static)
  for (int row = 0; row < matrix.rows; ++row) {
    const int x = row % grid, y = row / grid % grid, z = first + row / matrix.plane;
    const int before = row / matrix.plane; /* whole planes of this process */
    /* Of these the first of the grid alone has no neighbours on one side. */
    long at = before * (7L * matrix.plane - 4L * grid) -
              (first == 0 && before > 0 ? (long)matrix.plane : 0);
    const int outer = (z == 0) + (z == grid - 1);
    at += (long)y * ((7L - outer) * grid - 2) - (y > 0 ? grid : 0);
    const int edge = (y == 0) + (y == grid - 1);
    at += (long)x * (7 - outer - edge) - (x > 0 ? 1 : 0);
    matrix.starts[row] = (int)at;
    const int below = row - matrix.plane >= 0 ? row - matrix.plane : matrix.rows + y * grid + x;
    const int above = row + matrix.plane < matrix.rows ? row + matrix.plane
                                                       : matrix.rows + matrix.plane + y * grid + x;
    const struct {
      int is, column;
      double value;
    } stencil[7] = {{z > 0, below, -1},          {y > 0, row - grid, -1},
                    {x > 0, row - 1, -1},        {1, row, 6},
                    {x < grid - 1, row + 1, -1}, {y < grid - 1, row + grid, -1},
                    {z < grid - 1, above, -1}};
    for (int i = 0; i < 7; ++i) {
      if (stencil[i].is) {
        matrix.columns[at] = stencil[i].column;
        matrix.values[at++] = stencil[i].value;
      }
    }
    if (row == matrix.rows - 1) {
      matrix.starts[matrix.rows] = (int)at;
    }
  }
  return matrix;
}

static void end_phase(Solver *solver, Phase phase, double start) {
  solver->times.seconds[phase] += seconds_now() - start;
  ++solver->times.count[phase];
}

/* y = A x; fills in what x has of the planes of others. */
static void matmult(Solver *solver, double *x, double *y) {
  const double start = seconds_now();
  const Matrix *a = &solver->matrix;
  parts_exchange(solver->parts, x, x + a->rows - a->plane, x + a->rows, x + a->rows + a->plane,
                 a->plane);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < a->rows; ++row) {
    double sum = 0.0;
    for (int at = a->starts[row]; at < a->starts[row + 1]; ++at) {
      sum += a->values[at] * x[a->columns[at]];
    }
    y[row] = sum;
  }
  end_phase(solver, MATMULT, start);
}

static double dot(Solver *solver, const double *x, const double *y) {
  const double start = seconds_now();
  double sum = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int row = 0; row < solver->matrix.rows; ++row) {
    sum += x[row] * y[row];
  }
  sum = parts_sum(sum);
  end_phase(solver, DOT, start);
  return sum;
}

/* y = a x + b y */
static void update(Solver *solver, double a, const double *x, double b, double *y) {
  const double start = seconds_now();
#pragma omp parallel for schedule(static)
  for (int row = 0; row < solver->matrix.rows; ++row) {
    y[row] = a * x[row] + b * y[row];
  }
  end_phase(solver, UPDATE, start);
}

/* Of A x = b from x = 0, in as many iterations as are needed or `most`; how many these were.
   `work`: vectors to work with. */
static int solve(Solver *solver, const double *b, double *x, double *const work[3],
                 double tolerance, int most) {
  double *r = work[0], *p = work[1], *q = work[2];
  update(solver, 1.0, b, 0.0, r);
  update(solver, 1.0, b, 0.0, p);
  double rr = dot(solver, r, r);
  const double goal = tolerance * tolerance * rr;
  int done = 0;
  while (done < most && rr > goal) {
    matmult(solver, p, q);
    const double alpha = rr / dot(solver, p, q);
    update(solver, alpha, p, 1.0, x);
    update(solver, -alpha, q, 1.0, r);
    const double next = dot(solver, r, r);
    update(solver, 1.0, r, next / rr, p);
    rr = next;
    ++done;
  }
  return done;
}

/* From -1 to 1; the same for a point however many processes there are. */
static double known(uint64_t point) { /* splitmix64, Steele, Lea and Flood 2014 */
  uint64_t z = (point + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

static void write_times(const Solver *solver, const char *log, double residual, double error) {
  Times slowest = solver->times;
  for (int phase = 0; phase < PHASES; ++phase) {
    slowest.seconds[phase] = parts_max(solver->times.seconds[phase]);
  }
  if (solver->parts.rank != 0) {
    return;
  }
  FILE *file = log == NULL ? stdout : fopen(log, "w");
  if (file == NULL) {
    fprintf(stderr, "cg: %s cannot be written: name another --log\n", log);
    parts_abort(FAILED);
  }
  for (int phase = 0; phase < PHASES; ++phase) {
    fprintf(file, "{\"phase\": \"%s\", \"seconds\": %.9g, \"count\": %ld}\n", phase_names[phase],
            slowest.seconds[phase], slowest.count[phase]);
  }
  fprintf(file, "{\"check\": \"residual\", \"value\": %.3g, \"error\": %.3g}\n", residual, error);
  if (fflush(file) != 0 || (log != NULL && fclose(file) != 0)) {
    fprintf(stderr, "cg: the times cannot be written\n");
    parts_abort(FAILED);
  }
}

int main(int argc, char **argv) {
  Solver solver = {.parts = parts_start(&argc, &argv)};
  const Parts parts = solver.parts;
  const Options options = read_options(parts, argc, argv);
  const int grid = options.grid;
  const int first = (int)((long)grid * parts.rank / parts.count);
  const int last = (int)((long)grid * (parts.rank + 1) / parts.count);
  if (7.0 * (last - first) * grid * grid > INT32_MAX) {
    complain(parts, FAILED, "--grid",
             "gives a process more than 2^31 entries: use more processes, or a smaller one.");
  }
  solver.matrix = assemble(parts, grid, first, last);
  double *exact = new_vector(&solver), *b = new_vector(&solver), *x = new_vector(&solver);
#pragma omp parallel for schedule(static)
  for (int row = 0; row < solver.matrix.rows; ++row) {
    exact[row] = known((uint64_t)first * (uint64_t)solver.matrix.plane + (uint64_t)row);
  }
  double *const work[3] = {new_vector(&solver), new_vector(&solver), new_vector(&solver)};
  matmult(&solver, exact, b);
  memset(&solver.times, 0, sizeof solver.times);

  parts_wait();
  const double start = seconds_now();
  const int done = solve(&solver, b, x, work, options.tolerance, options.iterations);
  solver.times.seconds[SOLVE] = seconds_now() - start;
  solver.times.count[SOLVE] = done;
  const Times times = solver.times;

  const double scale = sqrt(dot(&solver, b, b)), size = sqrt(dot(&solver, exact, exact));
  double *r = work[0];
  matmult(&solver, x, r);
  update(&solver, 1.0, b, -1.0, r);
  const double residual = sqrt(dot(&solver, r, r)) / scale;
  update(&solver, 1.0, exact, -1.0, x);
  const double error = sqrt(dot(&solver, x, x)) / size;
  solver.times = times;
  write_times(&solver, options.log, residual, error);

  const int good = residual <= 10 * options.tolerance;
  if (parts.rank == 0) {
    fprintf(stderr,
            "cg: %ld unknowns, %d processes with %d threads, %d iterations, residual %.2g, "
            "error %.2g%s\n",
            (long)grid * grid * grid, parts.count, threads(), done, residual, error,
            good ? "" : ": it did not converge");
  }
  parts_end();
  return good ? 0 : FAILED;
}
