#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

static void usage(void) {
  fprintf(stderr, "usage: restored-bench [--idle CONNECTIONS] [--population NUMBER]\n"
                  "                      redis|varlink SOCKET CALLFILE EXPECTED CONNECTIONS WARMUP SECONDS\n"
                  "                      [REPLIES [CHANGEFILE]]\n"
                  "prints: calls per second, median and 99th percentile in microseconds, calls\n");
  exit(64);
}

static char *read_call(const char *path, size_t *length) {
  enum { capacity = 1 << 20 };
  FILE *file = fopen(path, "rb");
  char *bytes = malloc(capacity);
  if (!file || !bytes) {
    fprintf(stderr, "restored-bench: %s: %s\n", path, strerror(errno));
    exit(66);
  }
  *length = fread(bytes, 1, capacity, file);
  fclose(file);
  return bytes;
}

// Reads the options, and gives how many arguments they are.
static int read_options(int count, char **arguments, struct load_plan *plan) {
  int place = 1;
  for (; place + 1 < count && !strncmp(arguments[place], "--", 2); place += 2) {
    long value = atol(arguments[place + 1]);
    if (!strcmp(arguments[place], "--idle") && value >= 0)
      plan->idle = (int)value;
    else if (!strcmp(arguments[place], "--population") && value > 0)
      plan->population = (uint64_t)value;
    else
      usage();
  }
  return place - 1;
}

int main(int count, char **arguments) {
  struct load_plan options = {.population = 1};
  int skipped = read_options(count, arguments, &options);
  arguments += skipped;
  count -= skipped;
  if (count < 8 || count > 10)
    usage();
  struct load_plan plan = {.socket_path = arguments[2],
                           .expected = arguments[4],
                           .connections = atoi(arguments[5]),
                           .idle = options.idle,
                           .population = options.population,
                           .warm_up_seconds = atof(arguments[6]),
                           .seconds = atof(arguments[7]),
                           .replies = count > 8 ? atoi(arguments[8]) : 1};
  if (!strcmp(arguments[1], "redis"))
    plan.protocol = LOAD_REDIS;
  else if (!strcmp(arguments[1], "varlink"))
    plan.protocol = LOAD_VARLINK;
  else
    usage();
  if (plan.connections < 1 || plan.seconds <= 0 || plan.replies < 1)
    usage();
  plan.call = read_call(arguments[3], &plan.call_length);
  if (count > 9)
    plan.change = read_call(arguments[9], &plan.change_length);
  struct load_result result = load_run(&plan);
  printf("%.1f %.1f %.1f %llu\n", (double)result.calls / result.seconds, result.p50_microseconds,
         result.p99_microseconds, (unsigned long long)result.calls);
  return 0;
}
