"""PETSc's solver of a Poisson problem beside STREAM."""

from __future__ import annotations

from collections.abc import Iterable

from streamgage.api.kept_series import given_rounds
from streamgage.api.notes import Notes
from streamgage.api.ranks import given_ranks
from streamgage.api.series import StudyRun
from streamgage.api.storing import OWN, Place, keeping_in
from streamgage.api.studying import COMPACT, ROUNDS, Stream, seconds_of, studied
from streamgage.api.values import Command, Number, PathLike, Size, choose, whole_number, words_of
from streamgage.results.ranks import find_ranks
from streamgage.results.study.applications.petsc.cases import MOST_REFINED
from streamgage.results.study.applications.petsc.server import Mode
from streamgage.results.study.experiment import StudyRequest
from streamgage.results.study.petsc import Assembly, PetscRequest, solver_to_study

ALL_MODES = "all"
"""What ``--server`` alone means."""
_REFINE = 4


def study_petsc(
    options: Command | None = None,
    *,
    petsc: PathLike | None = None,
    refine: Number = _REFINE,
    server: str | bool | None = None,
    assembly: str = "rows",
    n: str | int | Iterable[int] | None = None,
    binding: str = COMPACT,
    kernel: str = "triad",
    size: Size | None = None,
    launcher: str | None = None,
    hosts: PathLike | None = None,
    timeout: Number | None = None,
    rounds: Number = ROUNDS,
    seed: Number | None = None,
    no_wait: bool = False,
    store: Place = OWN,
    progress: bool = True,
) -> StudyRun:
    """Compare how PETSc's solver scales with how bandwidth does: ``streamgage study petsc``.

    The solver is built where it is not yet.

    Args:
        options: PETSc's, such as ``["-ksp_type", "cg"]``, or as one types them.
        petsc: version or folder; default: ``$PETSC_DIR``, the system's, ``make petsc``'s.
        refine: R of (6 * 2^R + 1)^3 unknowns: 4 are 912,673.
        server: study the MPI linear solver server, too: with ``"shared"`` memory or by messages
            (``"scatter"``); ``True``: by each that this PETSc has.
        assembly: with ``server``: the one process fills in the system by ``rows``, or by
            ``threads``.
        n: numbers of ranks, as ``counts`` of ``scale``; default: up to the cores.
        binding: how to place them; see ``study``.
        kernel: STREAM's kernel.
        size: of each array of STREAM; default: 4x the caches.
        launcher: what starts the ranks; default: that of PETSc's MPI, or Slurm in a job of it.
        hosts: a file that names a host a line.
        timeout: seconds that one run may take (3600).
        rounds: run STREAM and the solver so many times at each number of ranks.
        seed: seed of the order of running.
        no_wait: fail where another measurement runs, rather than wait.
        store: where to keep the result; see ``measure``.
        progress: draw a bar and print sentences; see ``measure``.

    Raises:
        UsageError: the request cannot be met, or there is no PETSc that fits.
        StreamgageError: the solver cannot be built, or no point could be measured.
        Interrupted: it was stopped; ``run`` has what was measured until then.
    """
    words = words_of(options)
    notes = Notes(progress)
    keeping = keeping_in(store, notes)
    how = given_rounds(rounds, seed, no_wait=no_wait, give_way=False)
    asked = given_ranks("1", launcher, hosts, None, oversubscribe=False)
    assert asked is not None
    wanted = (ALL_MODES if server else None) if isinstance(server, bool) else server
    modes = None if wanted in (None, ALL_MODES) else choose(Mode, "--server", wanted or "")
    refined = whole_number("--refine", refine, 0, MOST_REFINED)
    ready = solver_to_study(
        PetscRequest(
            which=None if petsc is None else str(petsc),
            refine=_REFINE if refined is None else refined,
            options=tuple(words),
            server=wanted is not None,
            mode=modes,
            assembly=choose(Assembly, "--assembly", assembly),
            launcher=asked.launcher,
        )
    )
    asked = given_ranks("1", ready.launcher, hosts, None, oversubscribe=False)
    assert asked is not None
    stream = Stream(kernel, size, n, binding).request(find_ranks(asked, None))
    request = StudyRequest(ready.cases, stream, seconds_of(timeout), ready.solver)
    return studied(request, how, keeping, notes)
