/* Says its memory policy as the kernel reports it: "MODE NODES...". */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  enum { WORDS = 32, BITS = 8 * sizeof(unsigned long) };
  unsigned long nodes[WORDS] = {0};
  int mode = -1;
  if (syscall(SYS_get_mempolicy, &mode, nodes, (unsigned long)WORDS * BITS, NULL, 0UL) != 0) {
    perror("get_mempolicy");
    return 1;
  }
  printf("%d", mode);
  for (int node = 0; node < WORDS * BITS; ++node) {
    if (nodes[node / BITS] >> node % BITS & 1) {
      printf(" %d", node);
    }
  }
  puts("");
  return 0;
}
