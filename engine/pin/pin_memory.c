/* The memory policy of the calling thread, for the front, which sets it before it starts a program:
 * libc has no function for these system calls, and their numbers differ between processors.
 *
 * `nodes` has `bits` bits, of which the kernel takes all but the last. Both return 0, or -1 with
 * errno set. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) int streamgage_pin_get_policy(int *mode,
                                                                     unsigned long *nodes,
                                                                     unsigned long bits);
__attribute__((visibility("default"))) int streamgage_pin_set_policy(int mode,
                                                                     const unsigned long *nodes,
                                                                     unsigned long bits);

int streamgage_pin_get_policy(int *mode, unsigned long *nodes, unsigned long bits) {
  return (int)syscall(SYS_get_mempolicy, mode, nodes, bits, NULL, 0UL);
}

int streamgage_pin_set_policy(int mode, const unsigned long *nodes, unsigned long bits) {
  return (int)syscall(SYS_set_mempolicy, mode, nodes, bits);
}
