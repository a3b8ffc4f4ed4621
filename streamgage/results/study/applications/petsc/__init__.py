"""PETSc: the installed versions, the solver built with them, and the MPI linear solver server."""
