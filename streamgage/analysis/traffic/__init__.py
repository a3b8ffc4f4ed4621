"""Write-allocate: the real traffic on the memory bus, and how it is known.

*alpha* is the number of lines read because of a store, per stored line that the kernel does not
itself read. It is 1 if every store reads its line first, and 0 if none does. There are four kinds
of evidence, with a file each: counters (``counter_alpha``), time between kernels of known traffic
(``bracket``, ``twins``, ``inference``), the physical limit (``exclusion``), and the agreement of a
table with itself (``consistency``). ``verdict`` combines them.
"""
