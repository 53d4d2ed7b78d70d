#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int epoll_change(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data = {.u64 = token}};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
  return epoll_change(epoll, EPOLL_CTL_ADD, descriptor, events, token);
}

int clinux_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token) {
  return epoll_change(epoll, EPOLL_CTL_MOD, descriptor, events, token);
}

int clinux_epoll_remove(int epoll, int descriptor) { return epoll_change(epoll, EPOLL_CTL_DEL, descriptor, 0, 0); }

// Waits of less than a millisecond need a newer call, which an older kernel or a filter of system calls may refuse.
static int epoll_wait_for(int epoll, struct epoll_event *ready, int limit, int64_t microseconds) {
#ifdef SYS_epoll_pwait2
  static _Atomic int is_refused;
  if (microseconds > 0 && microseconds % 1000 != 0 && !is_refused) {
    struct timespec time = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};
    int count = (int)syscall(SYS_epoll_pwait2, epoll, ready, limit, &time, NULL, 0);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
    is_refused = 1;
  }
#endif
  int64_t milliseconds = microseconds < 0 ? -1 : (microseconds + 999) / 1000;
  return epoll_wait(epoll, ready, limit, milliseconds > INT_MAX ? INT_MAX : (int)milliseconds);
}

int clinux_epoll_wait(int epoll, struct clinux_event *events, int capacity, int64_t microseconds) {
  struct epoll_event ready[CLINUX_EPOLL_BATCH];
  int limit = capacity < CLINUX_EPOLL_BATCH ? capacity : CLINUX_EPOLL_BATCH;
  int count = epoll_wait_for(epoll, ready, limit, microseconds);
  for (int i = 0; i < count; i++) {
    events[i].token = ready[i].data.u64;
    events[i].events = ready[i].events;
  }
  return count;
}

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_eventfd_add(int descriptor) { return eventfd_write(descriptor, 1); }

int clinux_signalfd(const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (failure != 0) {
    errno = failure;
    return -1;
  }
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int clinux_signalfd_next(int descriptor) {
  struct signalfd_siginfo info;
  ssize_t size = read(descriptor, &info, sizeof info);
  return size == (ssize_t)sizeof info ? (int)info.ssi_signo : -1;
}

int clinux_unix_socket(int nonblocking) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (nonblocking ? SOCK_NONBLOCK : 0), 0);
}

int clinux_unix_pair(int descriptors[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, descriptors);
}

int clinux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int clinux_peer(int descriptor, uint32_t *uid, uint32_t *gid, int32_t *pid) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *uid = peer.uid;
  *gid = peer.gid;
  *pid = peer.pid;
  return 0;
}

int clinux_is_listening(int descriptor) {
  int listening = 0;
  socklen_t size = sizeof listening;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0) return -1;
  return listening != 0;
}

ptrdiff_t clinux_receive(int descriptor, void *buffer, size_t size) {
  return recv(descriptor, buffer, size, MSG_DONTWAIT);
}

ptrdiff_t clinux_send(int descriptor, const void *first, size_t first_size, const void *second, size_t second_size) {
  if (second_size == 0) return send(descriptor, first, first_size, MSG_DONTWAIT | MSG_NOSIGNAL);
  struct iovec pieces[2] = {{(void *)first, first_size}, {(void *)second, second_size}};
  struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
  return sendmsg(descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static int add_flag(int descriptor, int get, int set, int flag) {
  int flags = fcntl(descriptor, get);
  return flags < 0 ? -1 : fcntl(descriptor, set, flags | flag);
}

int clinux_set_nonblocking(int descriptor) { return add_flag(descriptor, F_GETFL, F_SETFL, O_NONBLOCK); }

int clinux_set_close_on_exec(int descriptor) { return add_flag(descriptor, F_GETFD, F_SETFD, FD_CLOEXEC); }

int clinux_lock_file(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &whole);
}

int clinux_file_identity(const char *path, uint64_t *device, uint64_t *inode) {
  struct statx found;
  if (statx(AT_FDCWD, path, 0, STATX_INO, &found) != 0) return -1;
  *device = (uint64_t)found.stx_dev_major << 32 | found.stx_dev_minor;
  *inode = found.stx_ino;
  return 0;
}

int clinux_die_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0, 0, 0); }

void clinux_return_large_memory(void) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, 512 << 10);
#endif
}

/* Of the sanitizer's runtime; null where it is not linked. */
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

void clinux_lock_acquired(const void *lock) {
  if (__tsan_acquire) __tsan_acquire((void *)lock);
}

void clinux_lock_released(const void *lock) {
  if (__tsan_release) __tsan_release((void *)lock);
}
