// The least that a service with a passed socket does: say that it is ready, accept, read a call, send a reply.
// What the daemon's start under systemd is measured against; the time that is left is systemd's and the kernel's.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { passed_socket = 3 };

static void say_ready(void) {
  const char *path = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path == NULL || strlen(path) >= sizeof address.sun_path) return;
  size_t length = strlen(path);
  memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = 0;
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sendto(descriptor, "READY=1", 7, MSG_NOSIGNAL, (struct sockaddr *)&address,
         (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
  close(descriptor);
}

int main(void) {
  static const char reply[] = "{\"parameters\":{\"state\":{\"stacks\":{\"t\":[\"a\"]}},\"revision\":1}}";
  say_ready();
  for (;;) {
    int peer = accept4(passed_socket, NULL, NULL, SOCK_CLOEXEC);
    char buffer[4096];
    ssize_t count;
    while ((count = read(peer, buffer, sizeof buffer)) > 0) {
      if (buffer[count - 1] == 0) send(peer, reply, sizeof reply, MSG_NOSIGNAL);
    }
    close(peer);
  }
}
