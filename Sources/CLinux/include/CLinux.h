#ifndef RESTORED_CLINUX_H
#define RESTORED_CLINUX_H

/* The few calls of Linux that Swift's Glibc module does not import, or imports in a shape that Swift cannot use.
 * Each returns what its system call returns: -1 with errno set where it failed. Descriptors are made close-on-exec. */

#include <stddef.h>
#include <stdint.h>

/* --- epoll, epoll(7) ------------------------------------------------------------------------------------------- */

/* One ready descriptor: the events of epoll_ctl(2), and the token that it was registered under. */
struct clinux_event {
  uint64_t token;
  uint32_t events;
};

/* The most events that one clinux_epoll_wait hands out: few enough that who waits behind them does not wait long. */
enum { CLINUX_EPOLL_BATCH = 64 };

int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int descriptor);
/* Waits for up to `microseconds` (-1: for ever), rounded up to milliseconds by a kernel before Linux 5.11.
 * `capacity` beyond CLINUX_EPOLL_BATCH is ignored. */
int clinux_epoll_wait(int epoll, struct clinux_event *events, int capacity, int64_t microseconds);

/* --- eventfd(2), signalfd(2) ----------------------------------------------------------------------------------- */

/* A non-blocking counter. */
int clinux_eventfd(void);
/* Adds one to the counter. */
int clinux_eventfd_add(int descriptor);

/* Blocks the signals for the calling thread, and those it starts later, and returns a non-blocking descriptor that
 * is readable while one of them is pending. */
int clinux_signalfd(const int *signals, size_t count);
/* Takes the next pending signal: its number, or -1 with EAGAIN where there is none. */
int clinux_signalfd_next(int descriptor);

/* --- sockets, unix(7) ------------------------------------------------------------------------------------------ */

/* A Unix stream socket, non-blocking where asked. */
int clinux_unix_socket(int nonblocking);
/* A connected pair of blocking Unix stream sockets. */
int clinux_unix_pair(int descriptors[2]);
/* The next waiting connection, non-blocking. */
int clinux_accept(int listener);
/* Whom the kernel saw at the other end when the connection was made (SO_PEERCRED). */
int clinux_peer(int descriptor, uint32_t *uid, uint32_t *gid, int32_t *pid);
/* Whether the socket listens (SO_ACCEPTCONN): 1, 0, or -1 where it is no socket. */
int clinux_is_listening(int descriptor);
/* recv(2) that never waits. */
ptrdiff_t clinux_receive(int descriptor, void *buffer, size_t size);
/* Sends one piece, or two behind each other where `second_size` is not 0, without waiting and without SIGPIPE. */
ptrdiff_t clinux_send(int descriptor, const void *first, size_t first_size, const void *second, size_t second_size);

/* --- locks ----------------------------------------------------------------------------------------------------- */

/* Tell the thread sanitizer, where the program is built with it, that whoever acquires `lock` sees what was done before
 * it was released. For locks that it does not know. Else they do nothing. */
void clinux_lock_acquired(const void *lock);
void clinux_lock_released(const void *lock);

/* --- processes and files --------------------------------------------------------------------------------------- */

int clinux_set_nonblocking(int descriptor);
int clinux_set_close_on_exec(int descriptor);
/* An advisory write lock on the whole file, held by the open file description (F_OFD_SETLK, fcntl(2)): it goes with
 * the last descriptor of it, also by SIGKILL. -1 with EAGAIN or EACCES where another one holds it. */
int clinux_lock_file(int descriptor);
/* Which file a path leads to: device and inode, and nothing else (statx(2)). stat(2) asks for the times too, and from Linux
 * 6.13 on a file whose times somebody asked for gets finer ones with its next write: then fdatasync(2) writes the inode
 * besides, each time. -1 with errno. */
int clinux_file_identity(const char *path, uint64_t *device, uint64_t *inode);
/* Has large pieces of memory given back to the kernel as soon as they are free (mallopt(3)): else the allocator keeps
 * ever larger ones for reuse, and a burst of large messages stays in memory. */
void clinux_return_large_memory(void);
/* Has the kernel send `signal` to this process when the thread that started it ends (PR_SET_PDEATHSIG, prctl(2)). */
int clinux_die_with_parent(int signal);

#endif
