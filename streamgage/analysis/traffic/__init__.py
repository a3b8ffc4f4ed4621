"""Write-allocate: the real traffic on the memory bus, and how it is known.

*alpha* is the number of lines read because of a store, per line stored that the kernel does not
itself read: 1 where every store reads its line first, 0 where none does. Four channels of evidence,
a file each: counters (``counter_alpha``), time between kernels of known traffic (``bracket``,
``twins``, ``inference``), the physical limit (``exclusion``), and the agreement of a table with
itself (``consistency``). ``verdict`` combines them.
"""
