"""Outputs of other benchmarks, in the formats that these print. Published figures name a source."""

from __future__ import annotations

import re

RULE = "-" * 61
_ROW = re.compile(r"^(\w+: +)([0-9.]+) +([0-9.]+) +([0-9.]+) +([0-9.]+)$", re.M)


def at_rates(text: str, factor: float, kernel: str = "") -> str:
    """STREAM's rows with all rates, or those of one kernel, times ``factor``, and their times."""

    def scaled(match: re.Match[str]) -> str:
        if kernel and not match[1].startswith(kernel):
            return match[0]
        times = "".join(f"{float(match[n]) / factor:13.8f}" for n in (3, 4, 5))
        return f"{match[1]}{float(match[2]) * factor:.1f}{times}"

    return _ROW.sub(scaled, text)


def stream_table(
    copy: float,
    scale: float,
    add: float,
    triad: float,
    *,
    passed: bool = True,
    worst: float = 1.05,
    elements: int = 250_000_000,
    threads: int = 48,
) -> str:
    """One table in the format of STREAM 5.10, of rates in GB/s."""
    lines = [
        "STREAM version $Revision: 5.10 $",
        "This system uses 8 bytes per array element.",
        f"Array size = {elements} (elements), Offset = 0 (elements)",
        f"Number of Threads requested = {threads}",
        f"Number of Threads counted = {threads}",
        "Function    Best Rate MB/s  Avg time     Min time     Max time",
    ]
    rows = (("Copy", 16, copy), ("Scale", 16, scale), ("Add", 24, add), ("Triad", 24, triad))
    for name, size, rate in rows:
        best = size * elements / (rate * 1e9)
        times = f"{best * 1.02:11.6f}  {best:11.6f}  {best * worst:11.6f}"
        lines.append(f"{name + ':':12}{rate * 1e3:12.1f}  {times}")
    verdict = "Solution Validates" if passed else "Failed Validation on array a[]"
    lines.append(f"{verdict}: avg error less than 1.000000e-13 on all three arrays")
    return "\n".join(lines) + "\n"


# Figures of a published run on 96 cores.
STREAM_ROWS = """\
Copy:          685041.8     0.010067     0.010045     0.010089
Scale:         690053.6     0.010014     0.009972     0.010071
Add:           723580.5     0.014304     0.014265     0.014328
Triad:         718799.1     0.014390     0.014360     0.014484
"""
STREAM_BEFORE = f"""\
{RULE}
STREAM version $Revision: 5.10 $
{RULE}
This system uses 8 bytes per array element.
{RULE}
Array size = 430080000 (elements), Offset = 0 (elements)
Memory per array = 3281.2 MiB (= 3.2 GiB).
Total memory required = 9843.8 MiB (= 9.6 GiB).
Each kernel will be executed 10 times.
 The *best* time for each kernel (excluding the first iteration)
 will be used to compute the reported bandwidth.
{RULE}
Number of Threads requested = 96
Number of Threads counted = 96
{RULE}
Your clock granularity/precision appears to be 1 microseconds.
{RULE}
"""
STREAM_HEADER = "Function    Best Rate MB/s  Avg time     Min time     Max time\n"
STREAM_AFTER = f"""\
{RULE}
Solution Validates: avg error less than 1.000000e-13 on all three arrays
{RULE}
"""
STREAM = STREAM_BEFORE + STREAM_HEADER + STREAM_ROWS + STREAM_AFTER


def _stream_of_mail(threads: int, ticks: int, rows: str) -> str:
    return f"""\
{RULE}
STREAM version $Revision: 5.10 $
{RULE}
This system uses 8 bytes per array element.
{RULE}
Array size = 10000000 (elements), Offset = 0 (elements)
Memory per array = 76.3 MiB (= 0.1 GiB).
Total memory required = 228.9 MiB (= 0.2 GiB).
Each kernel will be executed 10 times.
 The *best* time for each kernel (excluding the first iteration)
 will be used to compute the reported bandwidth.
{RULE}
Number of Threads requested = {threads}
Number of Threads counted = {threads}
{RULE}
Your clock granularity/precision appears to be 1 microseconds.
Each test below will take on the order of {ticks} microseconds.
   (= {ticks} clock ticks)
Increase the size of the arrays if this shows that
you are not getting at least 20 clock ticks per test.
{RULE}
WARNING -- The above is only a rough guideline.
For best results, please be sure you know the
precision of your system timer.
{RULE}
{STREAM_HEADER}{rows}{STREAM_AFTER}"""


# Two runs on one machine, on both nodes and on one: Paweł Staszewski on the mailing lists linux-mm
# and netdev, 12 November 2018, Message-ID b8cb68d5-06c0-5e85-ec44-270ec92d1b8b. Spaces that the
# mail turned into other characters are put back.
STREAM_56 = _stream_of_mail(
    56,
    4081,
    """\
Copy:           29907.2     0.005382     0.005350     0.005405
Scale:          28787.3     0.005611     0.005558     0.005650
Add:            34153.3     0.007037     0.007027     0.007055
Triad:          34944.0     0.006880     0.006868     0.006887
""",
)
STREAM_28 = _stream_of_mail(
    28,
    6107,
    """\
Copy:           20156.4     0.007946     0.007938     0.007958
Scale:          19436.1     0.008237     0.008232     0.008243
Add:            20184.7     0.011896     0.011890     0.011904
Triad:          20687.9     0.011607     0.011601     0.011613
""",
)

STREAM_OLD = f"""\
STREAM version $Revision: 5.9 $
{RULE}
This system uses 8 bytes per DOUBLE PRECISION word.
{RULE}
Array size = 31576436, Offset = 0
Total memory required = 722.7 MB.
{RULE}
Number of Threads requested = 2
{RULE}
Printing one line per active thread....
Printing one line per active thread....
{RULE}
Function      Rate (MB/s)   Avg time     Min time     Max time
Copy:        9663.6238       0.0524       0.0523       0.0527
Scale:       9315.7724       0.0545       0.0542       0.0558
Add:        10429.7390       0.0729       0.0727       0.0732
Triad:      10108.3413       0.0753       0.0750       0.0758
{RULE}
Solution Validates
{RULE}
"""

STREAM_FORTRAN = """\
----------------------------------------------
 Double precision appears to have 16 digits of accuracy
 Assuming 8 bytes per DOUBLE PRECISION word
----------------------------------------------
 ----------------------------------------------
 STREAM Version $Revision: 5.6 $
 ----------------------------------------------
 Array size =   44739242
 Offset     =          0
 The total memory requirement is 1023 MB
 You are running each test  10 times
 --
 The *best* time for each test is used
 *EXCLUDING* the first and last iterations
 ----------------------------------------------
 Number of Threads =           48
 ----------------------------------------------
Function       Rate (MB/s)           Avg time         Min time         Max time
Copy:          774612.9275           0.0009           0.0009           0.0009
Scale:         771428.4961           0.0009           0.0009           0.0009
Add:           838190.8729           0.0013           0.0013           0.0013
Triad:         843528.6683           0.0013           0.0013           0.0013
 ----------------------------------------------------
 Solution Validates!
 ----------------------------------------------------
"""

STREAM_1996 = """\
Timing calibration ; time = 412345.000000 usec.
---------------------------------------------------
Function Rate   (MB/s)   RMS time     Min time     Max time
Assignment:     38.835   412000.000   411990.000   412100.000
Scaling   :     37.209   430010.000   430000.000   430100.000
Summing   :     41.379   580010.000   580000.000   580100.000
SAXPYing  :     40.000   600010.000   600000.000   600100.000
"""

STREAM_MPI = f"""\
{RULE}
STREAM version $Revision: 1.8 $
{RULE}
This system uses 8 bytes per array element.
{RULE}
Total Aggregate Array size = 10000000 (elements)
Total Aggregate Memory per array = 76.3 MiB (= 0.1 GiB).
Data is distributed across 16 MPI ranks
   Array size per MPI rank = 625000 (elements)
   Memory per array per MPI rank = 4.8 MiB (= 0.0 GiB).
{RULE}
Number of Threads requested for each MPI rank = 2
Number of Threads counted for rank 0 = 2
{RULE}
{STREAM_HEADER}\
Copy:          99010.0     0.001716     0.001616     0.002079
Scale:         98278.7     0.001666     0.001628     0.001795
Add:          137678.8     0.001796     0.001743     0.001816
Triad:        136957.3     0.001797     0.001752     0.001826
{STREAM_AFTER}"""

# github.com/RRZE-HPC/TheBandwidthBenchmark, README.md of 2019
THE_BANDWIDTH_BENCHMARK = """\
----------------------------------------------------------------------------
Total allocated datasize:  1280.00 MB
----------------------------------------------------------------------------
[pthread wrapper] MAIN -> 0
[pthread wrapper] PIN_MASK: 0->1  1->2  2->3
        threadid 140271463495424 -> core 1 - OK
OpenMP enabled, running with 4 threads
----------------------------------------------------------------------------
Function      Rate(MB/s)  Rate(MFlop/s)  Avg time     Min time     Max time
Init:          22111.53    -             0.0148       0.0145       0.0165
Sum:           46808.59    46808.59      0.0077       0.0068       0.0140
Copy:          30983.06    -             0.0207       0.0207       0.0208
Update:        43778.69    21889.34      0.0147       0.0146       0.0148
Triad:         34476.64    22984.43      0.0282       0.0278       0.0305
Daxpy:         45908.82    30605.88      0.0214       0.0209       0.0242
STriad:        37502.37    18751.18      0.0349       0.0341       0.0388
SDaxpy:        46822.63    23411.32      0.0281       0.0273       0.0325
----------------------------------------------------------------------------
Solution Validates
"""

THE_BANDWIDTH_BENCHMARK_GB = """\
----------------------------------------------------------------------------
Total allocated datasize:  3840.00 MB
----------------------------------------------------------------------------
OpenMP enabled, running with 8 threads
Solution Validates
----------------------------------------------------------------------------
Function      Rate(GB/s)  Rate(GFlop/s)  Avg time     Min time     Max time
Init              18.97      -           0.0508       0.0506       0.0511
Sum               40.90        5.11      0.0236       0.0235       0.0238
Copy              27.14      -           0.0710       0.0708       0.0715
Update            37.94        2.37      0.0509       0.0506       0.0513
Triad             30.75        2.56      0.0944       0.0936       0.0949
Daxpy             40.55        3.38      0.0715       0.0710       0.0720
STriad            33.34        2.08      0.1158       0.1152       0.1174
SDaxpy            41.37        2.59      0.0935       0.0928       0.0942
----------------------------------------------------------------------------
"""

# github.com/JuliaPerf/BandwidthBenchmark.jl, README.md: the same machine, counted in two ways
JULIA_NOMINAL = """\
Threading enabled, using 8 (of 8) Julia threads
Total allocated datasize: 3840.0 MB
\tThread 6 running on core 5.
┌──────────┬─────────────┬────────────────┬───────────┬───────────┬───────────┐
│ Function │ Rate (MB/s) │ Rate (MFlop/s) │  Avg time │  Min time │  Max time │
│   String │     Float64 │        Float64 │   Float64 │   Float64 │   Float64 │
├──────────┼─────────────┼────────────────┼───────────┼───────────┼───────────┤
│     Init │     18972.0 │            0.0 │ 0.0508247 │ 0.0506008 │ 0.0510763 │
│     Copy │     27137.6 │            0.0 │ 0.0710205 │ 0.0707507 │ 0.0715388 │
│   Update │     37939.9 │        2371.24 │ 0.0509081 │ 0.0506063 │ 0.0512734 │
│    Triad │     30753.6 │         2562.8 │ 0.0943514 │ 0.0936477 │  0.094945 │
│    Daxpy │     40548.7 │        3379.05 │  0.071467 │ 0.0710258 │ 0.0719743 │
│   STriad │     33344.3 │        2084.02 │  0.115823 │  0.115162 │   0.11737 │
│   SDaxpy │     41370.0 │        2585.62 │ 0.0935033 │ 0.0928209 │ 0.0941559 │
└──────────┴─────────────┴────────────────┴───────────┴───────────┴───────────┘
"""
JULIA_HARDWARE = """\
Threading enabled, using 8 (of 8) Julia threads
Total allocated datasize: 3840.0 MB
┌──────────┬─────────────┬────────────────┬───────────┬───────────┬───────────┐
│ Function │ Rate (MB/s) │ Rate (MFlop/s) │  Avg time │  Min time │  Max time │
│   String │     Float64 │        Float64 │   Float64 │   Float64 │   Float64 │
├──────────┼─────────────┼────────────────┼───────────┼───────────┼───────────┤
│     Init │     38150.7 │            0.0 │ 0.0506281 │ 0.0503267 │ 0.0508563 │
│     Copy │     40560.1 │            0.0 │ 0.0712144 │ 0.0710057 │ 0.0714202 │
│   Update │     37862.3 │        2366.39 │ 0.0512318 │ 0.0507101 │   0.05211 │
│    Triad │     40979.8 │        2561.24 │ 0.0945374 │ 0.0937046 │ 0.0949424 │
│    Daxpy │     40347.0 │        3362.25 │ 0.0719729 │ 0.0713808 │   0.07248 │
│   STriad │     41754.5 │        2087.73 │  0.115761 │  0.114958 │  0.117923 │
│   SDaxpy │     41276.1 │        2579.75 │  0.093708 │ 0.0930321 │ 0.0949028 │
└──────────┴─────────────┴────────────────┴───────────┴───────────┴───────────┘
"""

# github.com/UoB-HPC/performance-portability, benchmarking/2020/babelstream/results,
# BabelStream-cxl_gcc-9.3_omp.out
BABELSTREAM = """\
Fri 31 Jul 05:39:30 CDT 2020
BabelStream
Version: 3.4
Implementation: OpenMP
Running kernels 100 times
Precision: double
Array size: 268.4 MB (=0.3 GB)
Total size: 805.3 MB (=0.8 GB)
Function    MBytes/sec  Min (sec)   Max         Average     \n\
Copy        139039.802  0.00386     0.00390     0.00388     \n\
Mul         133558.716  0.00402     0.00407     0.00404     \n\
Add         158333.411  0.00509     0.00513     0.00511     \n\
Triad       159421.654  0.00505     0.00511     0.00507     \n\
Dot         208430.503  0.00258     0.00271     0.00261     \n\
Application 6382336 resources: utime ~84s, stime ~2s, Rss ~1571060, inblocks ~0, outblocks ~0
"""

BABELSTREAM_CSV = """\
phase,n_elements,sizeof,max_mbytes_per_sec,runtime
Init,33554432,8,18123.4,0.0444351
Read,33554432,8,9012.1,0.0893589
function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime
Copy,100,33554432,8,139040,0.00386,0.0039,0.00388
Mul,100,33554432,8,133559,0.00402,0.00407,0.00404
Add,100,33554432,8,158333,0.00509,0.00513,0.00511
Triad,100,33554432,8,159422,0.00505,0.00511,0.00507
Dot,100,33554432,8,208431,0.00258,0.00271,0.00261
"""


def likwid_block(
    test: str,
    mbytes: float,
    *,
    loads: int,
    stores: int,
    threads: int = 4,
    width: int = 8,
    size: int = 2_000_000_000,
) -> str:
    """A block of likwid-bench 5, all of whose figures agree with each other."""
    moved = loads + stores
    iterations = 10
    return f"""\
Allocate: Process running on hwthread 0 (Domain N) - Vector length {size // 8} Offset 0
{"-" * 80}
LIKWID MICRO BENCHMARK
Test: {test}
{"-" * 80}
Using 1 work groups
Using {threads} threads
{"-" * 80}
Running without Marker API. Activate Marker API with -m on commandline.
{"-" * 80}
Group: 0 Thread 0 Global Thread 0 running on hwthread 0 - Vector length 2000 Offset 0
{"-" * 80}
Cycles:\t\t\t3591308877
CPU Clock:\t\t2599987191
Cycle Clock:\t\t2599987191
Time:\t\t\t{size * iterations / mbytes / 1e6:e} sec
Iterations:\t\t{iterations * threads}
Iterations per thread:\t{iterations}
Inner loop executions:\t15625000
Size (Byte):\t\t{size}
Size per thread:\t{size // threads}
Number of Flops:\t1250000000
MFlops/s:\t\t904.96
Data volume (Byte):\t{size * iterations}
MByte/s:\t\t{mbytes:.2f}
Cycles per update:\t5.746094
Cycles per cacheline:\t45.968754
Loads per update:\t{loads}
Stores per update:\t{stores}
Load bytes per element:\t{width * moved * loads // moved}
Store bytes per elem.:\t{width * stores}
{"-" * 80}
"""


LIKWID_BENCH = likwid_block("copy_avx512", 27137.6, loads=1, stores=1) + likwid_block(
    "stream_mem_avx512_fma", 40979.8, loads=2, stores=1
)

MLC = """\
Intel(R) Memory Latency Checker - v3.9a
Command line parameters: --max_bandwidth

Using buffer size of 100.000MiB/thread for reads and an additional 100.000MiB/thread for writes
*** Unable to modify prefetchers (try executing 'modprobe msr')
*** So, enabling random access for latency measurements

Measuring Maximum Memory Bandwidths for the system
Will take several minutes to complete as multiple injection rates will be tried to get the best \
bandwidth
Bandwidths are in MB/sec (1 MB/sec = 1,000,000 Bytes/sec)
Using all the threads from each core if Hyper-threading is enabled
Using traffic with the following read-write ratios
ALL Reads        :      165400.60
3:1 Reads-Writes :      154975.19
2:1 Reads-Writes :      158433.32
1:1 Reads-Writes :      157352.05
Stream-triad like:      157878.32

"""
# github.com/microsoft/superbenchmark (MIT), tests/benchmarks/micro_benchmarks/
# test_cpu_memory_bw_latency_performance.py.

MLC_WHOLE = """\
Intel(R) Memory Latency Checker - v3.10
*** Unable to modify prefetchers (try executing 'modprobe msr')
*** So, enabling random access for latency measurements
Measuring idle latencies for random access (in ns)...
\t\tNuma node
Numa node\t     0\t     1\t
       0\t  90.2\t 144.3\t
       1\t 143.2\t  89.1\t

Measuring Peak Injection Memory Bandwidths for the system
Bandwidths are in MB/sec (1 MB/sec = 1,000,000 Bytes/sec)
Using all the threads from each core if Hyper-threading is enabled
Using traffic with the following read-write ratios
ALL Reads        :\t211194.2\t
3:1 Reads-Writes :\t193422.0\t
2:1 Reads-Writes :\t192554.0\t
1:1 Reads-Writes :\t185556.1\t
Stream-triad like:\t172770.4\t

Measuring Memory Bandwidths between nodes within system\x20
Bandwidths are in MB/sec (1 MB/sec = 1,000,000 Bytes/sec)
Using all the threads from each core if Hyper-threading is enabled
Using Read-only traffic type
\t\tNuma node
Numa node\t     0\t     1\t
       0\t104362.2\t34290.6\t
       1\t34283.3\t106028.4\t

Measuring Loaded Latencies for the system
Using all the threads from each core if Hyper-threading is enabled
Using Read-only traffic type
Inject\tLatency\tBandwidth
Delay\t(ns)\tMB/sec
==========================
 00000\t166.18\t 210643.1
 20000\t 91.66\t   2027.6
"""
# Two sockets of Skylake; most lines of the loaded latencies are left out.
# github.com/hpcleuven/VscDocumentation, source/leuven/old_hardware/genius/skylake_mlc.txt: what the
# program printed, quoted; the repository names no licence for it.

MLC_OLD = """\
Measuring Peak Memory Bandwidths for the system
Bandwidths are in MB/sec (1 MB/sec = 1,000,000 Bytes/sec)
Using all the threads from each core if Hyper-threading is enabled
Using traffic with the following read-write ratios
ALL Reads        :    50035.2
3:1 Reads-Writes :    48119.3
2:1 Reads-Writes :    47434.3
1:1 Reads-Writes :    48325.5
Stream-triad like:    44029.0
"""
# An excerpt of mlc --peak_bandwidth as quoted in a public collection of notes on benchmarks.

ALL = {
    "mlc": MLC,
    "mlc-whole": MLC_WHOLE,
    "mlc-old": MLC_OLD,
    "stream": STREAM,
    "stream-old": STREAM_OLD,
    "stream-fortran": STREAM_FORTRAN,
    "stream-1996": STREAM_1996,
    "stream-mpi": STREAM_MPI,
    "tbb": THE_BANDWIDTH_BENCHMARK,
    "tbb-gb": THE_BANDWIDTH_BENCHMARK_GB,
    "julia": JULIA_NOMINAL,
    "julia-hardware": JULIA_HARDWARE,
    "babelstream": BABELSTREAM,
    "babelstream-csv": BABELSTREAM_CSV,
    "likwid-bench": LIKWID_BENCH,
}
