// What the headers and libraries of today's compiler want of the C library and glibc 2.28 lacks.
// glibc_stubs.py puts it behind -lc, so that it is linked where something asks for it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define INSIDE __attribute__((visibility("hidden")))

// Until 2.33 the calls of stat() went to other names, so that no program could ask for these. The
// kernel fills in glibc's structure on every 64-bit processor.
INSIDE int fstatat(int folder, const char* restrict path, struct stat* restrict found, int flags) {
  return (int)syscall(SYS_newfstatat, folder, path, found, flags);
}

INSIDE int stat(const char* restrict path, struct stat* restrict found) {
  return fstatat(AT_FDCWD, path, found, 0);
}

INSIDE int lstat(const char* restrict path, struct stat* restrict found) {
  return fstatat(AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW);
}

INSIDE int fstat(int file, struct stat* found) { return (int)syscall(SYS_fstat, file, found); }

// Where long has 64 bits both structures are the same.
INSIDE int fstat64(int file, struct stat64* found) { return (int)syscall(SYS_fstat, file, found); }

// Since 2.30. A time of another clock is waited for as long as it is away by the system's.
INSIDE int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                   const struct timespec* until) {
  if (clock == CLOCK_REALTIME) {
    return pthread_mutex_timedlock(mutex, until);
  }
  const int64_t second = 1000000000;
  struct timespec now;
  struct timespec real;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &real);
  const int64_t left = (until->tv_sec - now.tv_sec) * second + until->tv_nsec - now.tv_nsec;
  const int64_t end = real.tv_sec * second + real.tv_nsec + left;
  const struct timespec real_until = {.tv_sec = end / second, .tv_nsec = end % second};
  return pthread_mutex_timedlock(mutex, &real_until);
}

// Since 2.32; false is always right: counters of references are then atomic.
INSIDE char __libc_single_threaded = 0;

// Since 2.36, and what std::random_device takes.
INSIDE uint32_t arc4random(void) {
  uint32_t number = 0;
  if (getentropy(&number, sizeof number) != 0) {
    abort();
  }
  return number;
}

#if __GLIBC_PREREQ(2, 35)
// Since 2.35. What libgcc reads of the answer when it unwinds the stack for an exception.
struct Search {
  uintptr_t address;
  struct dl_find_object* found;
};

static int look_at(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  struct Search* search = data;
  int is_here = 0;
  struct dl_find_object found = {0};
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &object->dlpi_phdr[i];
    const uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) {
      found.dlfo_eh_frame = (void*)start;
    } else if (part->p_type == PT_LOAD && search->address - start < part->p_memsz) {
      is_here = 1;
      found.dlfo_map_start = (void*)start;
      found.dlfo_map_end = (void*)(start + part->p_memsz);
    }
  }
  if (is_here && found.dlfo_eh_frame != NULL) {
    *search->found = found;
    return 1;
  }
  return 0;
}

INSIDE int _dl_find_object(void* address, struct dl_find_object* found) {
  struct Search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(look_at, &search) == 1 ? 0 : -1;
}
#endif

#if __GLIBC_PREREQ(2, 38)
// Since 2.38. Headers make these of strtol and its like where the newest C is asked for. They read
// binary numbers (0b11), too, which nobody here writes.
#define READ_NUMBER(type, name)                                                               \
  type older_##name(const char* restrict text, char** restrict end, int base) __asm__(#name); \
  INSIDE type __isoc23_##name(const char* restrict text, char** restrict end, int base) {     \
    return older_##name(text, end, base);                                                     \
  }
READ_NUMBER(long, strtol)
READ_NUMBER(long long, strtoll)
READ_NUMBER(unsigned long, strtoul)
READ_NUMBER(unsigned long long, strtoull)
#endif

#ifdef __powerpc64__
// Since 2.32. libstdc++ has streams for both formats of long double and asks for these two in the
// IEEE one, which the program does not use: it is compiled with the other format.
INSIDE _Float128 __strtoieee128_l(const char* restrict text, char** restrict end, locale_t locale) {
  return strtof128_l(text, end, locale);
}

INSIDE int __vsnprintfieee128(char* restrict text, size_t size, const char* restrict format,
                              va_list values) {
  (void)text, (void)size, (void)format, (void)values;
  abort();
}
#endif
