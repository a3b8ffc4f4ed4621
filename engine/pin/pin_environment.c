/* Reads the library's environment, once, before the program's main. */
#include <stdlib.h>

#include "pin.h"

static struct pin_list cpus;
static struct pin_list skipped;
static bool repeats;

/* Numbers with commas between; what is no number, or less than `least`, ends the list. */
static struct pin_list read_list(const char *name, int least) {
  const char *text = getenv(name);
  struct pin_list list = {NULL, 0};
  if (text == NULL || *text == '\0') {
    return list;
  }
  size_t most = 1;
  for (const char *at = text; *at != '\0'; ++at) {
    most += *at == ',' ? 1 : 0;
  }
  int *numbers = calloc(most, sizeof *numbers);
  if (numbers == NULL) {
    return list;
  }
  for (const char *at = text; (size_t)list.count < most; ++at) {
    char *end = NULL;
    const long number = strtol(at, &end, 10);
    if (end == at || number < least || number > 1 << 20) {
      break;
    }
    numbers[list.count++] = (int)number;
    at = end;
    if (*at != ',') {
      break;
    }
  }
  list.numbers = numbers;
  return list;
}

void pin_read_environment(void) {
  cpus = read_list("STREAMGAGE_PIN_CPUS", 0);
  skipped = read_list("STREAMGAGE_PIN_SKIP", PIN_MAIN);
  repeats = getenv("STREAMGAGE_PIN_REPEAT") != NULL;
}

struct pin_list pin_cpus(void) {
  return cpus;
}

bool pin_repeats(void) { return repeats; }

bool pin_skips(int made) {
  for (int i = 0; i < skipped.count; ++i) {
    if (skipped.numbers[i] == made) {
      return true;
    }
  }
  return false;
}
