/* The main thread ends, and what it leaves makes a thread that says which CPUs it may use:
 * "1 CPUS...". */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_t main_thread;

static void *say(void *unused) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  printf("1");
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) {
      printf(" %d", cpu);
    }
  }
  printf("\n");
  return unused;
}

static void *outlive(void *unused) {
  pthread_t heir;
  pthread_join(main_thread, NULL);
  pthread_create(&heir, NULL, say, NULL);
  pthread_join(heir, NULL);
  return unused;
}

int main(void) {
  pthread_t thread;
  main_thread = pthread_self();
  pthread_create(&thread, NULL, outlive, NULL);
  pthread_exit(NULL);
}
