/* Positions of particles moved by their velocities, in a struct of arrays.
 *
 * Bytes an iteration: three coordinates are read and written (48) and three velocities read (24):
 * 72, which is what is shown. No line is overwritten that was not read, so nothing is added.
 *
 * As an array of structs, {x, y, z, vx, vy, vz} one behind the other, the velocities would lie in
 * the lines of the coordinates and be written back with them: 96 bytes, a third more, for the same
 * six flops.
 */
#include <stdio.h>
#include <streamgage/kernel.h>

enum { COORDINATES = 3 };

static double coordinate(int64_t i, int axis) { return (double)((i + axis) % 19 - 9) / 8; }

static double velocity(int64_t i, int axis) { return (double)((i + 5 * axis) % 23 - 11) / 8; }

static double update(const streamgage_call *call) {
  double *x = call->arrays[0], *y = call->arrays[1], *z = call->arrays[2];
  const double *vx = call->arrays[3], *vy = call->arrays[4], *vz = call->arrays[5];
  const double dt = call->scalar;
  for (int64_t i = call->begin; i < call->end; ++i) {
    x[i] += dt * vx[i];
    y[i] += dt * vy[i];
    z[i] += dt * vz[i];
  }
  return 0.0;
}

static void fill(const streamgage_call *call) {
  for (int axis = 0; axis < COORDINATES; ++axis) {
    double *place = call->arrays[axis], *speed = call->arrays[COORDINATES + axis];
    for (int64_t i = call->begin; i < call->end; ++i) {
      place[i] = coordinate(i, axis);
      speed[i] = velocity(i, axis);
    }
  }
}

static int64_t check(const streamgage_call *call, char *why, size_t size) {
  int64_t wrong = 0;
  for (int64_t i = call->begin; i < call->end; ++i) {
    for (int axis = 0; axis < COORDINATES; ++axis) {
      const double found = ((const double *)call->arrays[axis])[i];
      const double expected = coordinate(i, axis) + call->scalar * velocity(i, axis);
      if (found == expected) continue;
      if (wrong++ == 0)
        snprintf(why, size, "%c[%lld] is %g, not %g.", "xyz"[axis], (long long)i, found, expected);
      break;
    }
  }
  return wrong;
}

static const streamgage_array arrays[] = {
    {.name = "x", .type = "double", .access = STREAMGAGE_READ_WRITE},
    {.name = "y", .type = "double", .access = STREAMGAGE_READ_WRITE},
    {.name = "z", .type = "double", .access = STREAMGAGE_READ_WRITE},
    {.name = "vx", .type = "double", .access = STREAMGAGE_READ},
    {.name = "vy", .type = "double", .access = STREAMGAGE_READ},
    {.name = "vz", .type = "double", .access = STREAMGAGE_READ},
};

STREAMGAGE_KERNEL(.name = "soa-update", .formula = "x += s*v, 3 coordinates", .arrays = arrays,
                  .array_count = 6, .flops = 6, .run = update, .fill = fill, .check = check)
