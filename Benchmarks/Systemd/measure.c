// Two times that a person waits for, in microseconds on standard output.
//   measure reply SOCKET CALL       from connecting to the end of the reply
//   measure ready PROGRAM ARGS...   from starting a program to its READY=1; it is ended again afterwards
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double reply(const char *path, const char *call) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  double start = now();
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
  send(descriptor, call, strlen(call) + 1, MSG_NOSIGNAL);
  char buffer[65536];
  ssize_t count;
  do count = read(descriptor, buffer, sizeof buffer);
  while (count > 0 && buffer[count - 1] != 0);
  double end = now();
  if (count <= 0 || strstr(buffer, "\"error\"") != NULL) {
    fprintf(stderr, "%s: no reply, or an error: %.*s\n", path, (int)(count > 0 ? count : 0), buffer);
    exit(1);
  }
  return end - start;
}

static double ready(char **command) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "restored-measure-%d", getpid());
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (bind(descriptor, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)))
    fail("bind");
  char name[sizeof address.sun_path];
  snprintf(name, sizeof name, "@%s", address.sun_path + 1);
  setenv("NOTIFY_SOCKET", name, 1);
  double start = now();
  pid_t child = fork();
  if (child == 0) {
    execv(command[0], command);
    fail(command[0]);
  }
  char buffer[4096] = "";
  do {
    ssize_t count = recv(descriptor, buffer, sizeof buffer - 1, 0);
    buffer[count > 0 ? count : 0] = 0;
  } while (strstr(buffer, "READY=1") == NULL);
  double end = now();
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
  return end - start;
}

int main(int count, char **arguments) {
  if (count == 4 && strcmp(arguments[1], "reply") == 0) {
    printf("%.0f\n", reply(arguments[2], arguments[3]));
  } else if (count >= 3 && strcmp(arguments[1], "ready") == 0) {
    printf("%.0f\n", ready(arguments + 2));
  } else {
    fprintf(stderr, "usage: measure reply SOCKET CALL | measure ready PROGRAM ARGS...\n");
    return 64;
  }
  return 0;
}
