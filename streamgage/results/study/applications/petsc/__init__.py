"""PETSc: which is here, the solver built with it, and its MPI linear solver server."""
