// Until glibc 2.33 a program's own initialisers were run by its start file, which no longer does
// it: it leaves them to the C library. Here they are run as it did; later libraries call them, too,
// where a program hands them in. The linker has the start file call __wrap___libc_start_main.
#include <stddef.h>

#define INSIDE __attribute__((visibility("hidden")))

typedef void (*Initialiser)(int, char**, char**);
extern Initialiser __init_array_start[] INSIDE;
extern Initialiser __init_array_end[] INSIDE;
extern void _init(void) __attribute__((weak)) INSIDE;

static int initialise(int count, char** arguments, char** environment) {
  if (_init != NULL) {
    _init();
  }
  for (Initialiser* each = __init_array_start; each < __init_array_end; ++each) {
    (*each)(count, arguments, environment);
  }
  return 0;
}

typedef int (*Main)(int, char**, char**);

#ifdef __powerpc64__
struct Start {
  void* unused;
  Main main;
  Main initialise;
  void (*finish)(void);
};

int __real___libc_start_main(int, char**, char**, void*, void (*)(void), struct Start*, char**);

INSIDE int __wrap___libc_start_main(int count, char** arguments, char** environment,
                                    void* auxiliary, void (*finish)(void), struct Start* start,
                                    char** stack) {
  struct Start with_initialisers = *start;
  with_initialisers.initialise = initialise;
  return __real___libc_start_main(count, arguments, environment, auxiliary, finish,
                                  &with_initialisers, stack);
}
#else
int __real___libc_start_main(Main, int, char**, Main, void (*)(void), void (*)(void), void*);

INSIDE int __wrap___libc_start_main(Main main, int count, char** arguments, Main nothing,
                                    void (*finish)(void), void (*finish_loader)(void),
                                    void* stack) {
  (void)nothing;
  return __real___libc_start_main(main, count, arguments, initialise, finish, finish_loader, stack);
}
#endif
