/* A bound thread starts a program, and a fork of it says where it may run: what the children find.
 *
 *   children PROGRAM ARGUMENT...   runs PROGRAM from a second thread and ends with its status */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static char **command;
static int status;

static void *start(void *unused) {
  const pid_t child = fork();
  if (child == 0) {
    execv(command[0], command);
    _exit(127);
  }
  waitpid(child, &status, 0);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc < 2) {
    return 2;
  }
  command = argv + 1;
  pthread_create(&thread, NULL, start, NULL);
  pthread_join(thread, NULL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
