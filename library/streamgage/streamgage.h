/* streamgage for C: topology, placement, threads that prove where they run, arrays whose pages are
 * where they should be, clocks, memory traffic, and when enough has been measured.
 *
 * Sizes are bytes, times are seconds, and CPUs and NUMA nodes have the operating system's numbers.
 *
 * No call ends the program or prints. What can fail takes a `streamgage_error`, which may be null:
 * a function that makes something returns null where it fails, the others return a status. What a
 * function ending in _create, _discover, _choose, _assemble or _open made is given back to the one
 * ending in _free, which takes null, too. Any value of an argument is safe: what makes no sense is
 * an error, or gives 0, null or nothing where a function has no error. A pointer is null or points
 * to what its type says, to as many as the number next to it. A handle is used by one thread at a
 * time.
 */
#ifndef STREAMGAGE_H
#define STREAMGAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <streamgage/version.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define STREAMGAGE_API __attribute__((visibility("default")))
#else
#define STREAMGAGE_API
#endif

/* How a call went. */
typedef enum streamgage_status {
  STREAMGAGE_OK = 0,
  STREAMGAGE_FAILED = 1,     /* it could not be done */
  STREAMGAGE_BAD_REQUEST = 2 /* what was asked for is not available anywhere, or not here */
} streamgage_status;

/* What is wrong, and what to do. */
typedef struct streamgage_error {
  streamgage_status status; /* STREAMGAGE_OK where nothing is wrong */
  char message[1024];       /* one sentence, cut off where it is longer; empty where all is well */
} streamgage_error;

/* "0.1.0": of the library that runs, where version.h has that of the header. */
STREAMGAGE_API const char *streamgage_version(void);

/* --- Topology: the machine as this process sees it. --- */

/* A machine with its CPUs, caches and NUMA nodes. */
typedef struct streamgage_machine streamgage_machine;

/* Finds the machine; takes some milliseconds. Null with an error where this process may use no CPU
 * or the kernel reports nothing. With OMP_PROC_BIND or OMP_PLACES set, the OpenMP runtime has bound
 * the calling thread before, and it may use that CPU alone: leave these unset. */
STREAMGAGE_API streamgage_machine *streamgage_machine_discover(streamgage_error *error);

/* Gives it back. */
STREAMGAGE_API void streamgage_machine_free(streamgage_machine *machine);

/* How many there are of each on the whole machine. */
STREAMGAGE_API int streamgage_machine_packages(const streamgage_machine *machine);
STREAMGAGE_API int streamgage_machine_cores(const streamgage_machine *machine);
STREAMGAGE_API int streamgage_machine_hardware_threads(const streamgage_machine *machine);

/* The CPUs that this process may use, ascending: writes `most` of them at most, and returns how
 * many there are. */
STREAMGAGE_API size_t streamgage_machine_cpus(const streamgage_machine *machine, int *cpus,
                                              size_t most);

/* The same of the NUMA nodes from which it may take memory. */
STREAMGAGE_API size_t streamgage_machine_nodes(const streamgage_machine *machine, int *nodes,
                                               size_t most);

/* Bytes of memory that the machine has, and that are available now. */
STREAMGAGE_API uint64_t streamgage_machine_memory(const streamgage_machine *machine);
STREAMGAGE_API uint64_t streamgage_machine_memory_available(const streamgage_machine *machine);

/* Bytes of the last-level caches that these CPUs use, together; 0 where no data cache is known. */
STREAMGAGE_API uint64_t streamgage_machine_last_level_cache(const streamgage_machine *machine,
                                                            const int *cpus, size_t count);

/* The processor's name, and the hypervisor's; null where it is not known, or there is none. They
 * live as long as the machine. */
STREAMGAGE_API const char *streamgage_machine_processor(const streamgage_machine *machine);
STREAMGAGE_API const char *streamgage_machine_hypervisor(const streamgage_machine *machine);

/* --- Placement: which CPU each thread is to run on. --- */

/* One CPU a thread, or none where threads are not bound. */
typedef struct streamgage_placement streamgage_placement;

/* With an expression, the CPUs that it stands for, in likwid-pin's notation: "S0:0-3", "E:N:8:1:2",
 * "M:scatter", "0,2,4". Without (null), `threads` threads spread evenly over packages, NUMA nodes
 * and last-level caches; 0 stands for one a physical core. An expression says by itself how many
 * there are: `threads` is then 0 or that number. Null with an error that names what is not
 * available.
 */
STREAMGAGE_API streamgage_placement *streamgage_placement_choose(const streamgage_machine *machine,
                                                                 const char *expression,
                                                                 int threads,
                                                                 streamgage_error *error);

/* So many threads wherever the OpenMP runtime and the operating system put them; 0 stands for as
 * many as the runtime gives by itself. */
STREAMGAGE_API streamgage_placement *streamgage_placement_choose_unbound(
    const streamgage_machine *machine, int threads, streamgage_error *error);

/* Gives it back. */
STREAMGAGE_API void streamgage_placement_free(streamgage_placement *placement);

/* How many threads are asked for. */
STREAMGAGE_API int streamgage_placement_threads(const streamgage_placement *placement);

/* The CPU of each thread, in their order: writes `most` of them at most, and returns how many there
 * are; 0 where they are not bound. */
STREAMGAGE_API size_t streamgage_placement_cpus(const streamgage_placement *placement, int *cpus,
                                                size_t most);

/* Binds the calling thread to a CPU. */
STREAMGAGE_API streamgage_status streamgage_bind_this_thread(int cpu, streamgage_error *error);

/* --- Teams: threads that run together. --- */

/* Threads of the OpenMP runtime, each on its CPU. A program has one team at a time, and uses it
 * from the thread that assembled it, which is the team's first one and stays bound. */
typedef struct streamgage_team streamgage_team;

/* What each thread of a team does; `thread` counts from 0. */
typedef double (*streamgage_work)(int thread, void *context);

/* One timed call. */
typedef struct streamgage_timing {
  double seconds;   /* from the first start of a thread to the last end */
  double value;     /* sum over the threads of what each returned */
  int moved;        /* threads that changed CPU meanwhile or were off their own one */
  int64_t switches; /* involuntary context switches */
} streamgage_timing;

/* Starts the threads and lets each bind itself. The runtime may give fewer than asked for. Null
 * with an error that names a CPU that is not available. */
STREAMGAGE_API streamgage_team *streamgage_team_assemble(const streamgage_placement *placement,
                                                         streamgage_error *error);

/* Gives it back. */
STREAMGAGE_API void streamgage_team_free(streamgage_team *team);

/* How many threads it has. */
STREAMGAGE_API int streamgage_team_size(const streamgage_team *team);

/* Proves that every thread runs on its CPU of the placement and may use no other one. The error
 * names the first that does not; a team that is not bound proves nothing, which is an error. */
STREAMGAGE_API streamgage_status streamgage_team_prove(const streamgage_team *team,
                                                       streamgage_error *error);

/* Calls work(thread, context) on every thread at once; returns the sum of what they return. */
STREAMGAGE_API double streamgage_team_run(const streamgage_team *team, streamgage_work work,
                                          void *context);

/* The same with all threads starting together, timed. */
STREAMGAGE_API streamgage_timing streamgage_team_time(const streamgage_team *team,
                                                      streamgage_work work, void *context);

/* --- Arrays: memory with huge pages that each thread touches first where it works. --- */

/* An array; its memory is aligned to huge pages. */
typedef struct streamgage_buffer streamgage_buffer;

/* Elements from `begin` up to, not including, `end`. */
typedef struct streamgage_range {
  int64_t begin;
  int64_t end;
} streamgage_range;

/* The elements of part number `part` of `parts`: contiguous, as even as whole pages
 * allow, so that no two threads share a page where there are pages enough. The same part is to be
 * touched first and used later by the same thread. Empty where `part` is none of `parts`. */
STREAMGAGE_API streamgage_range streamgage_part(int64_t elements, size_t element_bytes, int parts,
                                                int part);

/* Bytes that each of so many arrays needs by STREAM's rule, in order not to be held by caches:
 * four times the last-level caches that the placement uses, less where memory is scarce. 0 with an
 * error where there is not memory enough. */
STREAMGAGE_API uint64_t streamgage_array_bytes(const streamgage_machine *machine,
                                               const streamgage_placement *placement, int arrays,
                                               size_t element_bytes, streamgage_error *error);

/* Reserves so many bytes; no page exists before its first touch. With huge pages, the kernel is
 * advised to take these; without, not to. With `count` NUMA nodes, pages come from these alone.
 * Null with an error. */
STREAMGAGE_API streamgage_buffer *streamgage_buffer_create(uint64_t bytes, bool huge_pages,
                                                           const int *nodes, size_t count,
                                                           streamgage_error *error);

/* Gives it back. */
STREAMGAGE_API void streamgage_buffer_free(streamgage_buffer *buffer);

/* Where its bytes are, and how many. */
STREAMGAGE_API void *streamgage_buffer_data(const streamgage_buffer *buffer);
STREAMGAGE_API uint64_t streamgage_buffer_bytes(const streamgage_buffer *buffer);

/* Lets each thread write zeros to its part of the elements: thread t to streamgage_part(elements,
 * element_bytes, size of the team, t). An error where there are more elements than bytes for them.
 */
STREAMGAGE_API streamgage_status streamgage_buffer_touch(const streamgage_buffer *buffer,
                                                         const streamgage_team *team,
                                                         int64_t elements, size_t element_bytes,
                                                         streamgage_error *error);

/* The NUMA nodes of `most` pages at most, spread evenly over bytes `begin` to `end` of the array.
 * Returns how many were written; 0 with an error where the kernel does not report them. */
STREAMGAGE_API size_t streamgage_buffer_nodes(const streamgage_buffer *buffer, uint64_t begin,
                                              uint64_t end, int *nodes, size_t most,
                                              streamgage_error *error);

/* The share of it that is in huge pages, 0 to 1; -1 where the kernel does not report it. */
STREAMGAGE_API double streamgage_buffer_huge_share(const streamgage_buffer *buffer);

/* --- Clocks. --- */

/* What differences the clock can show. */
typedef struct streamgage_clock {
  double granularity; /* smallest difference seen between two different readings */
  double overhead;    /* mean time of one reading */
  char source[32];    /* the kernel's clock source, such as "tsc"; empty where it is unknown */
} streamgage_clock;

/* Seconds since some moment, the same on every CPU. */
STREAMGAGE_API double streamgage_now(void);

/* Reads the clock some ten thousand times. */
STREAMGAGE_API streamgage_clock streamgage_examine_clock(void);

/* Hertz of the calling thread's core while it is busy; 0 where that cannot be known. Takes about
 * 10 ms. */
STREAMGAGE_API double streamgage_core_clock(void);

/* --- Traffic: what crosses the memory bus around a piece of code. --- */

/* Counts between its start and its stop, if this system lets it. Memory controllers count for the
 * whole machine: what other programs move meanwhile is in it. */
typedef struct streamgage_region streamgage_region;

/* What was moved. */
typedef struct streamgage_traffic {
  double seconds; /* that the counters were enabled */
  double read;    /* bytes; not a number where reads and writes cannot be distinguished */
  double written;
  double total;
  int package; /* whose memory this is: a package's or a node's number; -1 where it is of more */
  int node;
} streamgage_traffic;

/* Opens the first source of traffic that this system has. Where there is none, that is no error:
 * streamgage_region_source() is null, and the region says why. */
STREAMGAGE_API streamgage_region *streamgage_region_open(streamgage_error *error);

/* Plays back counters that were recorded, to try a program out: `root` holds proc/ and sys/ of a
 * machine, `recording` is a file of what its counters showed. Null with an error. */
STREAMGAGE_API streamgage_region *streamgage_region_open_replay(const char *root,
                                                                const char *recording,
                                                                streamgage_error *error);

/* Gives it back. */
STREAMGAGE_API void streamgage_region_free(streamgage_region *region);

/* What counts, such as "perf uncore_imc"; null where nothing does. */
STREAMGAGE_API const char *streamgage_region_source(const streamgage_region *region);

/* By source, why nothing is counted, and what would change that; empty where it is. These texts
 * live as long as the region. */
STREAMGAGE_API const char *streamgage_region_reason(const streamgage_region *region);
STREAMGAGE_API const char *streamgage_region_remedy(const streamgage_region *region);

/* Just before and just after the code, which should take a millisecond at least. Without a source
 * they do nothing. */
STREAMGAGE_API void streamgage_region_start(streamgage_region *region);
STREAMGAGE_API void streamgage_region_stop(streamgage_region *region);

/* What the last such pair counted, of all memory together. An error without a source, and where a
 * counter could not be read. */
STREAMGAGE_API streamgage_status streamgage_region_traffic(const streamgage_region *region,
                                                           streamgage_traffic *traffic,
                                                           streamgage_error *error);

/* The same of memory domain number `domain` (from 0), of which there are
 * streamgage_region_domains(). */
STREAMGAGE_API size_t streamgage_region_domains(const streamgage_region *region);
STREAMGAGE_API streamgage_status streamgage_region_domain_traffic(const streamgage_region *region,
                                                                  size_t domain,
                                                                  streamgage_traffic *traffic,
                                                                  streamgage_error *error);

/* --- Statistics: when enough has been measured, and what it shows. --- */

/* How much is measured. */
typedef struct streamgage_sampling {
  int min_samples;       /* before the first look whether they have settled */
  int look_every;        /* samples from one look to the next */
  int max_samples;       /* at the most */
  double budget_seconds; /* for all of them, warm-ups included */
} streamgage_sampling;

/* 20, 10, 300, and 33 s. */
STREAMGAGE_API streamgage_sampling streamgage_default_sampling(void);

/* Whether to go on, or why to stop. */
typedef enum streamgage_stop {
  STREAMGAGE_GO_ON = 0,
  STREAMGAGE_CONVERGED = 1,
  STREAMGAGE_MAX_SAMPLES = 2,
  STREAMGAGE_BUDGET = 3
} streamgage_stop;

/* Samples of one thing that is measured. */
typedef struct streamgage_sampler streamgage_sampler;

/* Begins with no samples; a null sampling stands for the default one. The budget begins here. An
 * error where a number of the sampling makes no sense. */
STREAMGAGE_API streamgage_sampler *streamgage_sampler_create(const streamgage_sampling *sampling,
                                                             streamgage_error *error);

/* Gives it back. */
STREAMGAGE_API void streamgage_sampler_free(streamgage_sampler *sampler);

/* Takes note of a run of so many seconds: as a warm-up until two runs are within 2 %, then as a
 * sample. Converged are samples whose median is known within 1 % with 99 % confidence and whose
 * best has not improved lately (Hoefler and Belli, SC15). STREAMGAGE_BUDGET, too, where there is no
 * memory for the sample, or the time is no number or below 0. */
STREAMGAGE_API streamgage_stop streamgage_sampler_add(streamgage_sampler *sampler, double seconds);

/* The samples' seconds without the warm-ups: writes `most` of them at most, and returns how many
 * there are. */
STREAMGAGE_API size_t streamgage_sampler_samples(const streamgage_sampler *sampler, double *seconds,
                                                 size_t most);

/* What there is to say of samples in whatever unit they have. What there is not is not a number. */
typedef struct streamgage_summary {
  size_t count;
  double median;
  double low; /* the interval of the median; none of too few samples */
  double high;
  double deviation; /* median absolute one */
  double minimum;
  double maximum;
} streamgage_summary;

/* The interval encloses the median with that confidence (0 to 1), whatever the distribution. An
 * error where a value is not a finite number. */
STREAMGAGE_API streamgage_status streamgage_summarize(const double *values, size_t count,
                                                      double confidence,
                                                      streamgage_summary *summary,
                                                      streamgage_error *error);

#ifdef __cplusplus
}
#endif

#endif
