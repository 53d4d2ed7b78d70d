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

static void send_rest(struct load *load, struct connection *connection) {
  size_t length = load->plan->call_length;
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
  load_fill(connection->call, load->plan->call_length, 1, load->number++);
  connection->sent = connection->received = 0;
  connection->began = now();
  send_rest(load, connection);
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

static void receive(struct load *load, struct connection *connection) {
  ssize_t count = recv(connection->descriptor, connection->reply + connection->received,
                       reply_capacity - connection->received, 0);
  if (count < 0)
    fail("receive");
  if (count == 0) {
    errno = ECONNRESET;
    fail("the server closed a connection");
  }
  connection->received += (size_t)count;
  size_t length = load_reply_length(load->plan->protocol, connection->reply, connection->received);
  if (!length)
    return;
  uint64_t ended = now();
  check(load->plan, connection);
  note(load, connection->began, ended);
  if (ended < load->end)
    begin_call(load, connection);
}

static void open_connection(struct load *load, int index) {
  struct connection *connection = &load->connections[index];
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(load->plan->socket_path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    fail(load->plan->socket_path);
  }
  strcpy(address.sun_path, load->plan->socket_path);
  connection->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection->descriptor < 0 || connect(connection->descriptor, (struct sockaddr *)&address, sizeof address))
    fail(load->plan->socket_path);
  size_t length = load->plan->call_length;
  connection->pattern = malloc(length);
  connection->call = malloc(length);
  connection->reply = malloc(reply_capacity);
  if (!connection->pattern || !connection->call || !connection->reply)
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
  return (struct load_result){.calls = load->sample_count,
                              .seconds = (double)(load->end - load->measure_from) / 1e9,
                              .p50_microseconds = percentile(load, 0.50),
                              .p99_microseconds = percentile(load, 0.99)};
}

struct load_result load_run(const struct load_plan *plan) {
  struct load load = {.plan = plan, .number = now() % 1000000000000, .epoll = epoll_create1(EPOLL_CLOEXEC)};
  load.connections = calloc((size_t)plan->connections, sizeof *load.connections);
  if (load.epoll < 0 || !load.connections)
    fail("epoll_create1");
  for (int i = 0; i < plan->connections; i++)
    open_connection(&load, i);
  load.measure_from = now() + (uint64_t)(plan->warm_up_seconds * 1e9);
  load.end = load.measure_from + (uint64_t)(plan->seconds * 1e9);
  for (int i = 0; i < plan->connections; i++)
    begin_call(&load, &load.connections[i]);
  struct epoll_event events[events_at_once];
  while (now() < load.end) {
    int count = epoll_wait(load.epoll, events, events_at_once, 100);
    if (count < 0 && errno != EINTR)
      fail("epoll_wait");
    for (int i = 0; i < count; i++)
      receive(&load, &load.connections[events[i].data.u32]);
  }
  // The process ends next: its descriptors and memory go with it.
  return summary(&load);
}
