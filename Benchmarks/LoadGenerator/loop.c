#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

enum { reply_capacity = 1 << 20, events_at_once = 64 };

struct connection {
  int descriptor;
  // The call with the connection's number filled in, and the copy of it that is sent.
  char *pattern, *call;
  size_t sent;
  char *reply;
  size_t received;
  // Replies of the present call that are still to come.
  int awaited;
  uint64_t began;
};

struct load {
  const struct load_plan *plan;
  struct connection *connections;
  int epoll;
  uint64_t number;
  // Nanoseconds of each call after the warm-up.
  uint32_t *samples;
  size_t sample_count, sample_capacity;
  uint64_t measure_from, end;
  // Connections of which a call is under way.
  int busy;
  // Nanoseconds of all rounds after the warm-up, where changes are made between rounds.
  uint64_t in_rounds;
};

static void fail(const char *what) {
  fprintf(stderr, "restored-bench: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void send_call(struct connection *connection, size_t length) {
  connection->sent = connection->received = 0;
  while (connection->sent < length) {
    ssize_t count = send(connection->descriptor, connection->call + connection->sent, length - connection->sent,
                         MSG_NOSIGNAL);
    if (count < 0)
      fail("send");
    connection->sent += (size_t)count;
  }
}

static void begin_call(struct load *load, struct connection *connection) {
  memcpy(connection->call, connection->pattern, load->plan->call_length);
  load_fill(connection->call, load->plan->call_length, 1, load->number);
  // The golden ratio's bits spread neighbouring numbers over the whole population.
  uint64_t jump = (load->number++ * 0x9E3779B97F4A7C15u >> 32) % load->plan->population;
  load_fill(connection->call, load->plan->call_length, 3, jump);
  connection->awaited = load->plan->replies;
  load->busy++;
  connection->began = now();
  send_call(connection, load->plan->call_length);
}

static void note(struct load *load, uint64_t began, uint64_t ended) {
  if (began < load->measure_from)
    return;
  if (load->sample_count == load->sample_capacity) {
    load->sample_capacity = load->sample_capacity ? load->sample_capacity * 2 : 1 << 16;
    load->samples = realloc(load->samples, load->sample_capacity * sizeof *load->samples);
    if (!load->samples)
      fail("memory");
  }
  load->samples[load->sample_count++] = (uint32_t)(ended - began);
}

static void check(const struct load_plan *plan, const struct connection *connection) {
  if (memmem(connection->reply, connection->received, plan->expected, strlen(plan->expected)))
    return;
  fprintf(stderr, "restored-bench: a reply without %s: %.*s\n", plan->expected,
          (int)(connection->received < 400 ? connection->received : 400), connection->reply);
  exit(1);
}

// Reads once. Returns whether the last reply of the call is there.
static int receive(struct load *load, struct connection *connection) {
  ssize_t count = recv(connection->descriptor, connection->reply + connection->received,
                       reply_capacity - connection->received, 0);
  if (count < 0)
    fail("receive");
  if (count == 0) {
    errno = ECONNRESET;
    fail("the server closed a connection");
  }
  connection->received += (size_t)count;
  while (connection->awaited) {
    size_t length = load_reply_length(load->plan->protocol, connection->reply, connection->received);
    if (!length)
      return 0;
    if (connection->awaited == load->plan->replies)
      check(load->plan, connection);
    connection->received -= length;
    memmove(connection->reply, connection->reply + length, connection->received);
    connection->awaited--;
  }
  note(load, connection->began, now());
  load->busy--;
  return 1;
}

static void connect_to(const struct load_plan *plan, struct connection *connection) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(plan->socket_path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    fail(plan->socket_path);
  }
  strcpy(address.sun_path, plan->socket_path);
  connection->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection->descriptor < 0 || connect(connection->descriptor, (struct sockaddr *)&address, sizeof address))
    fail(plan->socket_path);
  connection->reply = malloc(reply_capacity);
  if (!connection->reply)
    fail("memory");
}

static void open_connection(struct load *load, int index) {
  struct connection *connection = &load->connections[index];
  connect_to(load->plan, connection);
  size_t length = load->plan->call_length;
  connection->pattern = malloc(length);
  connection->call = malloc(length);
  if (!connection->pattern || !connection->call)
    fail("memory");
  memcpy(connection->pattern, load->plan->call, length);
  load_fill(connection->pattern, length, 2, (uint64_t)index);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
  if (epoll_ctl(load->epoll, EPOLL_CTL_ADD, connection->descriptor, &event))
    fail("epoll_ctl");
}

static int by_size(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

static double percentile(const struct load *load, double part) {
  size_t index = (size_t)(part * (double)(load->sample_count - 1));
  return load->samples[index] / 1000.0;
}

static struct load_result summary(struct load *load) {
  if (!load->sample_count) {
    errno = ETIME;
    fail("no call was answered");
  }
  qsort(load->samples, load->sample_count, sizeof *load->samples, by_size);
  uint64_t nanoseconds = load->plan->change ? load->in_rounds : load->end - load->measure_from;
  return (struct load_result){.calls = load->sample_count,
                              .seconds = (double)nanoseconds / 1e9,
                              .p50_microseconds = percentile(load, 0.50),
                              .p99_microseconds = percentile(load, 0.99)};
}

// Waits once, and goes on with the calls whose replies came in.
static void turn(struct load *load, int again) {
  struct epoll_event events[events_at_once];
  int count = epoll_wait(load->epoll, events, events_at_once, 100);
  if (count < 0 && errno != EINTR)
    fail("epoll_wait");
  for (int i = 0; i < count; i++) {
    struct connection *connection = &load->connections[events[i].data.u32];
    if (receive(load, connection) && again && now() < load->end)
      begin_call(load, connection);
  }
}

static void begin_all(struct load *load) {
  for (int i = 0; i < load->plan->connections; i++)
    begin_call(load, &load->connections[i]);
}

// Makes the change, on a connection of its own, and waits for its reply.
static void make_change(struct load *load, struct connection *connection) {
  const struct load_plan *plan = load->plan;
  memcpy(connection->call, plan->change, plan->change_length);
  load_fill(connection->call, plan->change_length, 1, load->number++);
  send_call(connection, plan->change_length);
  while (!load_reply_length(plan->protocol, connection->reply, connection->received)) {
    ssize_t count = recv(connection->descriptor, connection->reply + connection->received,
                         reply_capacity - connection->received, 0);
    if (count <= 0)
      fail("receive");
    connection->received += (size_t)count;
  }
}

// One call on each connection, then a change, and so on; the changes are not part of the time.
static void run_rounds(struct load *load) {
  struct connection changer = {0};
  connect_to(load->plan, &changer);
  changer.call = malloc(load->plan->change_length);
  if (!changer.call)
    fail("memory");
  while (now() < load->end) {
    make_change(load, &changer);
    uint64_t began = now();
    begin_all(load);
    while (load->busy)
      turn(load, 0);
    if (began >= load->measure_from)
      load->in_rounds += now() - began;
  }
}

struct load_result load_run(const struct load_plan *plan) {
  struct load load = {.plan = plan, .number = now() % 1000000000000, .epoll = epoll_create1(EPOLL_CLOEXEC)};
  load.connections = calloc((size_t)plan->connections, sizeof *load.connections);
  if (load.epoll < 0 || !load.connections)
    fail("epoll_create1");
  for (int i = 0; i < plan->idle; i++) {
    struct connection idle;
    connect_to(plan, &idle);
    free(idle.reply);
  }
  for (int i = 0; i < plan->connections; i++)
    open_connection(&load, i);
  load.measure_from = now() + (uint64_t)(plan->warm_up_seconds * 1e9);
  load.end = load.measure_from + (uint64_t)(plan->seconds * 1e9);
  if (plan->change) {
    run_rounds(&load);
  } else {
    begin_all(&load);
    while (now() < load.end)
      turn(&load, 1);
  }
  // The process ends next: its descriptors and memory go with it.
  return summary(&load);
}
