// What a library of MPI exports, by the binary interface that it is compiled for (-DOPEN_MPI,
// -DMPICH, -DSTANDARD) and with a defect (-DINIT_FAILS ...). Its one rank talks with itself. It
// uses no mpi.h, and it takes nothing but its own handles.
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, WRONG_HANDLE = 5 };

#ifdef MPICH
typedef int Handle;
typedef struct {
  int count_low, count_high, source, tag, error;
} Status;
static const Handle world = 0x44000000, byte = 0x4c00010d;
static const Handle request_of_message = (int)0x98000000u, request_of_barrier = (int)0xac000003u;
enum { ANY_SOURCE = -2, FUNNELED = 1 };
int MPIR_Dup_fn(void) { return SUCCESS; }
#define COUNT(status) ((status)->count_low)
#else
typedef char *Handle;
#define request_of_message ((Handle)(~0ul / 2 - 15))
#define request_of_barrier ((Handle)(~0ul / 2 - 7))
#endif
#ifdef OPEN_MPI
typedef struct {
  int source, tag, error, cancelled;
  size_t bytes;
} Status;
char ompi_mpi_comm_world[8], ompi_mpi_byte[8];
#define world ompi_mpi_comm_world
#define byte ompi_mpi_byte
enum { ANY_SOURCE = -1, FUNNELED = 1 };
#define COUNT(status) ((status)->bytes)
#endif
#ifdef STANDARD
typedef struct {
  int source, tag, error, internal[5];
} Status;
#define world ((Handle)0x101)
#define byte ((Handle)0x247)
enum { ANY_SOURCE = -1, FUNNELED = 1024 };
#define COUNT(status) ((status)->internal[0])
int MPI_Abi_get_version(int *version, int *subversion) {
  *version = STANDARD;
  *subversion = 0;
  return SUCCESS;
}
#endif

#ifndef RANKS
#define RANKS 1
#endif

static char message[64];
static int message_bytes = -1, message_tag;  // -1: there is none
static int looks_at_barrier;

int MPI_Init_thread(int *count, char ***arguments, int wanted, int *provided) {
  (void)count;
  (void)arguments;
#ifdef ENDS_THE_PROCESS
  exit(7);
#endif
#ifdef INIT_FAILS
  return 15;
#endif
  *provided = wanted;
#ifdef NO_THREADS
  *provided = FUNNELED - 1;
#endif
  return wanted == FUNNELED ? SUCCESS : 1;
}

int MPI_Finalize(void) { return SUCCESS; }

int MPI_Abort(Handle handle, int status) { exit(handle == world ? status : WRONG_HANDLE); }

int MPI_Comm_rank(Handle handle, int *rank) {
  *rank = handle == world ? 0 : -1;
  return SUCCESS;
}

int MPI_Comm_size(Handle handle, int *size) {
  *size = handle == world ? RANKS : -1;
  return SUCCESS;
}

int MPI_Isend(const void *bytes, int count, Handle type, int to, int tag, Handle handle,
              Handle *request) {
  if (type != byte || handle != world || to != 0 || message_bytes != -1) {
    return WRONG_HANDLE;
  }
  memcpy(message, bytes == NULL ? "" : bytes, (size_t)count);
  message_bytes = count;
  message_tag = tag;
  *request = request_of_message;
  return SUCCESS;
}

int MPI_Irecv(void *bytes, int count, Handle type, int from, int tag, Handle handle,
              Handle *request) {
  (void)bytes;
  if (type != byte || handle != world || from != 0 || tag != message_tag || count != 0) {
    return WRONG_HANDLE;
  }
  message_bytes = -1;
  *request = request_of_message;
  return SUCCESS;
}

#ifndef WITHOUT_IBARRIER
int MPI_Ibarrier(Handle handle, Handle *request) {
  *request = handle == world ? request_of_barrier : 0;
  looks_at_barrier = 0;
  return SUCCESS;
}
#endif

// A barrier is left at the second look.
int MPI_Test(Handle *request, int *done, Status *status) {
  (void)status;
  *done =
      *request == request_of_message || (*request == request_of_barrier && ++looks_at_barrier > 1);
  return SUCCESS;
}

int MPI_Request_free(Handle *request) {
  return *request == request_of_message ? SUCCESS : WRONG_HANDLE;
}

int MPI_Iprobe(int from, int tag, Handle handle, int *found, Status *status) {
  *found = handle == world && (from == 0 || from == ANY_SOURCE) && message_bytes >= 0 &&
           tag == message_tag;
  if (*found) {
    status->source = 0;
    status->tag = tag;
    status->error = -1;
    COUNT(status) = message_bytes;
  }
  return SUCCESS;
}

int MPI_Get_count(const Status *status, Handle type, int *count) {
  *count = type == byte ? (int)COUNT(status) : -1;
  return SUCCESS;
}

int MPI_Recv(void *bytes, int count, Handle type, int from, int tag, Handle handle,
             Status *status) {
  (void)status;
  if (type != byte || handle != world || from != 0 || tag != message_tag ||
      count != message_bytes) {
    return WRONG_HANDLE;
  }
  memcpy(bytes, message, (size_t)count);
  message_bytes = -1;
  return SUCCESS;
}

static int say(const char *words, char *text, int *bytes) {
  strcpy(text, words);
  *bytes = (int)strlen(words);
  return SUCCESS;
}

int MPI_Error_string(int error, char *text, int *bytes) {
  return say(error == 15 ? "no fabric\nof two" : "?", text, bytes);
}

int MPI_Get_library_version(char *text, int *bytes) {
  return say("Fake MPI\t1.0, for tests", text, bytes);
}
