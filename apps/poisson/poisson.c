static char help[] =
    "Solves a 3-D Poisson problem: 7-point differences on a cube, zero values around it.\n"
    "  -da_refine R    (6 * 2^R + 1)^3 unknowns; as for every DMDA of PETSc\n"
    "  -assembly HOW   grid: a distributed array (DMDA), each process its part\n"
    "                  rows: one process fills in row after row\n"
    "                  threads: one process, whose OpenMP threads fill in rows\n"
    "GMRES with algebraic multigrid (GAMG), unless PETSc's options say otherwise. Prints a JSON "
    "line\n"
    "with the residual and with the error against the known solution, and exits with 1 where it "
    "did\n"
    "not converge.\n";

#ifdef _OPENMP
#include <omp.h>
#endif
#include <petscdmda.h>
#include <petscksp.h>

typedef enum { GRID, ROWS, THREADS } Assembly;
static const char *const assemblies[] = {"grid", "rows", "threads", "Assembly", "", NULL};

typedef struct {
  PetscInt x, y, z; /* points of the grid */
} Grid;

/* The points that are next to one along an axis, where there are any. */
static PetscInt neighbours(Grid grid, PetscInt row, PetscInt columns[7]) {
  const PetscInt x = row % grid.x, y = row / grid.x % grid.y, z = row / (grid.x * grid.y);
  PetscInt count = 0;
  if (z > 0) columns[count++] = row - grid.x * grid.y;
  if (y > 0) columns[count++] = row - grid.x;
  if (x > 0) columns[count++] = row - 1;
  columns[count++] = row;
  if (x < grid.x - 1) columns[count++] = row + 1;
  if (y < grid.y - 1) columns[count++] = row + grid.x;
  if (z < grid.z - 1) columns[count++] = row + grid.x * grid.y;
  return count;
}

static PetscErrorCode new_array(Grid *grid, DM *array) {
  PetscFunctionBeginUser;
  PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                         DMDA_STENCIL_STAR, 7, 7, 7, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, 1, 1,
                         NULL, NULL, NULL, array));
  PetscCall(DMSetFromOptions(*array));
  PetscCall(DMSetUp(*array));
  PetscCall(DMDAGetInfo(*array, NULL, &grid->x, &grid->y, &grid->z, NULL, NULL, NULL, NULL, NULL,
                        NULL, NULL, NULL, NULL));
  PetscFunctionReturn(0);
}

/* Every process fills in the points that it has. */
static PetscErrorCode assemble_grid(DM array, Mat *matrix) {
  DMDALocalInfo info;
  PetscFunctionBeginUser;
  PetscCall(DMCreateMatrix(array, matrix));
  PetscCall(DMDAGetLocalInfo(array, &info));
  for (PetscInt k = info.zs; k < info.zs + info.zm; ++k) {
    for (PetscInt j = info.ys; j < info.ys + info.ym; ++j) {
      for (PetscInt i = info.xs; i < info.xs + info.xm; ++i) {
        const MatStencil row = {.i = i, .j = j, .k = k};
        const PetscInt at[3] = {i, j, k}, most[3] = {info.mx - 1, info.my - 1, info.mz - 1};
        MatStencil columns[7] = {row};
        PetscScalar values[7] = {6};
        PetscInt count = 1;
        for (int axis = 0; axis < 3; ++axis) {
          for (PetscInt step = -1; step <= 1; step += 2) {
            if (at[axis] + step >= 0 && at[axis] + step <= most[axis]) {
              columns[count] = row;
              columns[count].i += axis == 0 ? step : 0;
              columns[count].j += axis == 1 ? step : 0;
              columns[count].k += axis == 2 ? step : 0;
              values[count++] = -1;
            }
          }
        }
        PetscCall(MatSetValuesStencil(*matrix, 1, &row, count, columns, values, INSERT_VALUES));
      }
    }
  }
  PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* One process, one row after the other. */
static PetscErrorCode assemble_rows(Grid grid, Mat *matrix) {
  const PetscInt rows = grid.x * grid.y * grid.z;
  PetscFunctionBeginUser;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, rows, rows, 7, NULL, matrix));
  for (PetscInt row = 0; row < rows; ++row) {
    PetscInt columns[7];
    PetscScalar values[7];
    const PetscInt count = neighbours(grid, row, columns);
    for (PetscInt i = 0; i < count; ++i) {
      values[i] = columns[i] == row ? 6 : -1;
    }
    PetscCall(MatSetValues(*matrix, 1, &row, count, columns, values, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* One process, whose threads fill in rows of their own. */
static PetscErrorCode assemble_threads(Grid grid, Mat *matrix) {
  const PetscInt rows = grid.x * grid.y * grid.z;
  PetscInt *starts, *columns;
  PetscScalar *values;
  PetscFunctionBeginUser;
  PetscCheck((long long)grid.x * grid.y * grid.z <= PETSC_MAX_INT / 7, PETSC_COMM_SELF,
             PETSC_ERR_ARG_OUTOFRANGE, "the entries of the matrix cannot be counted by PetscInt");
  PetscCall(PetscMalloc1(rows + 1, &starts));
  starts[0] = 0;
  for (PetscInt row = 0; row < rows; ++row) {
    PetscInt unused[7];
    starts[row + 1] = starts[row] + neighbours(grid, row, unused);
  }
  PetscCall(PetscMalloc2(starts[rows], &columns, starts[rows], &values));
#pragma omp parallel for schedule(static)
  for (PetscInt row = 0; row < rows; ++row) {
    const PetscInt count = neighbours(grid, row, columns + starts[row]);
    for (PetscInt i = 0; i < count; ++i) {
      values[starts[row] + i] = columns[starts[row] + i] == row ? 6 : -1;
    }
  }
  PetscCall(MatCreate(PETSC_COMM_SELF, matrix));
  PetscCall(MatSetSizes(*matrix, rows, rows, rows, rows));
  PetscCall(MatSetType(*matrix, MATSEQAIJ));
  PetscCall(MatSeqAIJSetPreallocationCSR(*matrix, starts, columns, values)); /* copies them */
  PetscCall(PetscFree2(columns, values));
  PetscCall(PetscFree(starts));
  PetscFunctionReturn(0);
}

/* The solution at a point of the grid: smooth, and different at all points. */
static PetscScalar solution(Grid grid, PetscInt i, PetscInt j, PetscInt k) {
  const PetscReal x = (PetscReal)(i + 1) / (PetscReal)(grid.x + 1);
  const PetscReal y = (PetscReal)(j + 1) / (PetscReal)(grid.y + 1);
  const PetscReal z = (PetscReal)(k + 1) / (PetscReal)(grid.z + 1);
  return 1 + x + 2 * y * z;
}

static PetscErrorCode fill_in_solution(DM array, Grid grid, Assembly assembly, Vec known) {
  PetscFunctionBeginUser;
  if (assembly == GRID) {
    DMDALocalInfo info;
    PetscScalar ***values;
    PetscCall(DMDAGetLocalInfo(array, &info));
    PetscCall(DMDAVecGetArray(array, known, &values));
    for (PetscInt k = info.zs; k < info.zs + info.zm; ++k) {
      for (PetscInt j = info.ys; j < info.ys + info.ym; ++j) {
        for (PetscInt i = info.xs; i < info.xs + info.xm; ++i) {
          values[k][j][i] = solution(grid, i, j, k);
        }
      }
    }
    PetscCall(DMDAVecRestoreArray(array, known, &values));
  } else {
    PetscScalar *values;
    PetscCall(VecGetArray(known, &values));
    for (PetscInt row = 0; row < grid.x * grid.y * grid.z; ++row) {
      values[row] = solution(grid, row % grid.x, row / grid.x % grid.y, row / (grid.x * grid.y));
    }
    PetscCall(VecRestoreArray(known, &values));
  }
  PetscFunctionReturn(0);
}

static int most_threads(void) {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

static PetscErrorCode solve(Mat matrix, Vec known, PetscBool distributed, PetscBool *converged) {
  KSP solver;
  PC preconditioner;
  Vec x, b, r;
  PetscInt iterations, unknowns;
  PetscReal residual, scale, error, size;
  KSPConvergedReason reason;
  PetscMPIInt processes;
  MatInfo info;
  PetscLogStage checking = 0;
  PetscFunctionBeginUser;
  /* A stage of its own, so that its products are not among the solver's; with a server other ranks
     would not know of it, and theirs are apart already. */
  if (distributed) PetscCall(PetscLogStageRegister("check", &checking));
  PetscCall(MatCreateVecs(matrix, &x, &b));
  PetscCall(VecDuplicate(b, &r));
  PetscCall(PetscLogStagePush(checking));
  PetscCall(MatMult(matrix, known, b));
  PetscCall(PetscLogStagePop());
  PetscCall(KSPCreate(PetscObjectComm((PetscObject)matrix), &solver));
  PetscCall(KSPSetType(solver, KSPGMRES));
  PetscCall(KSPGetPC(solver, &preconditioner));
  PetscCall(PCSetType(preconditioner, PCGAMG));
  PetscCall(KSPSetOperators(solver, matrix, matrix));
  PetscCall(KSPSetFromOptions(solver));
  PetscCall(KSPSolve(solver, b, x));
  PetscCall(KSPGetConvergedReason(solver, &reason));
  PetscCall(KSPGetIterationNumber(solver, &iterations));
  PetscCall(PetscLogStagePush(checking));
  PetscCall(MatMult(matrix, x, r));
  PetscCall(VecAYPX(r, -1.0, b));
  PetscCall(VecNorm(r, NORM_2, &residual));
  PetscCall(VecNorm(b, NORM_2, &scale));
  PetscCall(VecAXPY(x, -1.0, known));
  PetscCall(VecNorm(x, NORM_2, &error));
  PetscCall(VecNorm(known, NORM_2, &size));
  PetscCall(PetscLogStagePop());
  PetscCall(VecGetSize(x, &unknowns));
  PetscCall(MatGetInfo(matrix, MAT_GLOBAL_SUM, &info));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &processes));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                        "{\"check\": \"residual\", \"value\": %.3g, \"error\": %.3g, "
                        "\"unknowns\": %lld, \"nonzeros\": %lld, \"iterations\": %lld, "
                        "\"reason\": \"%s\", \"processes\": %d, \"threads\": %d, "
                        "\"petsc\": \"%d.%d.%d\", \"debug\": %s}\n",
                        (double)(residual / scale), (double)(error / size), (long long)unknowns,
                        (long long)info.nz_used, (long long)iterations, KSPConvergedReasons[reason],
                        processes, most_threads(), PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR,
                        PETSC_VERSION_SUBMINOR, PetscDefined(USE_DEBUG) ? "true" : "false"));
  *converged = reason > 0 ? PETSC_TRUE : PETSC_FALSE;
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&r));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
  Assembly assembly = GRID;
  Grid grid;
  DM array;
  Mat matrix;
  Vec known;
  PetscMPIInt processes;
  PetscBool converged = PETSC_FALSE;
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, help));
  PetscCall(PetscOptionsGetEnum(NULL, NULL, "-assembly", assemblies, (PetscEnum *)&assembly, NULL));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &processes));
  PetscCheck(assembly == GRID || processes == 1, PETSC_COMM_WORLD, PETSC_ERR_ARG_WRONG,
             "-assembly %s is of one process, and there are %d", assemblies[assembly], processes);
  PetscCall(new_array(&grid, &array));
  PetscCheck((long long)grid.x * grid.y * grid.z <= PETSC_MAX_INT, PETSC_COMM_WORLD,
             PETSC_ERR_ARG_OUTOFRANGE, "the unknowns cannot be counted by PetscInt");
  switch (assembly) {
    case GRID:
      PetscCall(assemble_grid(array, &matrix));
      break;
    case ROWS:
      PetscCall(assemble_rows(grid, &matrix));
      break;
    case THREADS:
      PetscCall(assemble_threads(grid, &matrix));
      break;
  }
  PetscCall(assembly == GRID ? DMCreateGlobalVector(array, &known)
                             : MatCreateVecs(matrix, &known, NULL));
  PetscCall(fill_in_solution(array, grid, assembly, known));
  PetscCall(solve(matrix, known, assembly == GRID ? PETSC_TRUE : PETSC_FALSE, &converged));
  PetscCall(VecDestroy(&known));
  PetscCall(MatDestroy(&matrix));
  PetscCall(DMDestroy(&array));
  PetscCall(PetscFinalize());
  return converged ? 0 : 1;
}
