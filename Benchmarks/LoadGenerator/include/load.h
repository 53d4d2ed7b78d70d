// A load generator for request-and-reply servers on a Unix socket: one thread, one epoll loop, one call in
// flight per connection. The loop is the same for every protocol, so that neither server gets a faster client.
#ifndef RESTORED_BENCH_LOAD_H
#define RESTORED_BENCH_LOAD_H

#include <stddef.h>
#include <stdint.h>

enum load_protocol { LOAD_REDIS, LOAD_VARLINK };

// What to send, and what must come back.
struct load_plan {
  const char *socket_path;
  enum load_protocol protocol;
  // The call's bytes. Runs of 0x01 become the digits of a number that grows with each call, runs of 0x02 those of
  // the connection's number, runs of 0x03 those of a number below `population` that jumps about: digits keep a call's
  // length, which Redis' protocol states in front of it.
  const char *call;
  size_t call_length;
  // How many replies end a call: several where it is a pipeline of commands.
  int replies;
  // The first of them must hold these bytes.
  const char *expected;
  // A call made before each round of one call on each connection, whose time does not count; NULL: connections go on
  // at once, each for itself.
  const char *change;
  size_t change_length;
  int connections;
  // Connections that are opened besides and never used.
  int idle;
  uint64_t population;
  double warm_up_seconds;
  double seconds;
};

// What was measured after the warm-up.
struct load_result {
  uint64_t calls;
  double seconds;
  double p50_microseconds;
  double p99_microseconds;
};

// Runs the plan. Ends the process with a message where a connection fails or a reply is not what was expected.
struct load_result load_run(const struct load_plan *plan);

// The length of the first whole reply in `bytes`, or 0 while there is none.
size_t load_reply_length(enum load_protocol protocol, const char *bytes, size_t count);

// Writes `number` right-aligned over each run of `mark` in `bytes`, zeros in front.
void load_fill(char *bytes, size_t count, char mark, uint64_t number);

#endif
