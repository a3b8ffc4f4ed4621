/* Ends in ways that leave threads behind.
 *
 *   leaves exit     the thread calls pthread_exit
 *   leaves detach   the program ends while a detached thread waits
 *   leaves crash    the thread ends the program by SIGSEGV */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sem_t started;

static void *run(void *how) {
  sem_post(&started);
  if (strcmp(how, "exit") == 0) {
    pthread_exit(NULL);
  }
  if (strcmp(how, "crash") == 0) {
    raise(SIGSEGV);
  }
  for (;;) {
    pause();
  }
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc < 2) {
    return 2;
  }
  sem_init(&started, 0, 0);
  pthread_create(&thread, NULL, run, argv[1]);
  while (sem_wait(&started) != 0) {
  }
  if (strcmp(argv[1], "detach") == 0) {
    pthread_detach(thread);
    return 5;
  }
  pthread_join(thread, NULL);
  return 6;
}
