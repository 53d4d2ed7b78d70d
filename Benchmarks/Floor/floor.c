// What a program would do without a daemon, and how long a whole process takes.
//   floor upsert DATABASE BYTES SECONDS    one row after the other, replaced in SQLite (WAL, FULL), in this process
//   floor files FOLDER BYTES THREADS SECONDS
//                                          threads that each replace a file: write a temporary one, fsync, rename,
//                                          fsync the folder
//   floor run COUNT PROGRAM ARGS...        a program run to its end COUNT times, its output thrown away; `{}` in an
//                                          argument is a digit that changes from run to run
// The first two print: calls per second, median and 99th percentile in microseconds, calls, and the bytes that went to
// the disk (write_bytes of proc_pid_io(5)). The last prints the median in microseconds.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void fail(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  exit(1);
}

// Microseconds of each call.
struct samples {
  double *values;
  size_t count, capacity;
};

static void note(struct samples *samples, double value) {
  if (samples->count == samples->capacity) {
    samples->capacity = samples->capacity ? samples->capacity * 2 : 1 << 12;
    samples->values = realloc(samples->values, samples->capacity * sizeof *samples->values);
    if (!samples->values)
      fail("memory");
  }
  samples->values[samples->count++] = value;
}

static int by_size(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static double percentile(struct samples *samples, double part) {
  if (!samples->count) {
    errno = ETIME;
    fail("nothing was measured");
  }
  qsort(samples->values, samples->count, sizeof *samples->values, by_size);
  return samples->values[(size_t)(part * (double)(samples->count - 1))];
}

static unsigned long long bytes_written(void) {
  FILE *file = fopen("/proc/self/io", "r");
  char line[128];
  unsigned long long bytes = 0;
  if (!file)
    fail("/proc/self/io");
  while (fgets(line, sizeof line, file))
    sscanf(line, "write_bytes: %llu", &bytes);
  fclose(file);
  return bytes;
}

static void report(struct samples *samples, double seconds, unsigned long long bytes) {
  printf("%.1f %.1f %.1f %zu %llu\n", (double)samples->count / seconds, percentile(samples, 0.5),
         percentile(samples, 0.99), samples->count, bytes);
}

// A state whose digits change with each call, so that no two writes are equal.
static void fill(char *state, size_t size, unsigned long long number) {
  memset(state, 'x', size);
  char digits[24];
  int count = snprintf(digits, sizeof digits, "%012llu", number);
  memcpy(state, digits, (size_t)count);
}

// MARK: SQLite

static void execute(sqlite3 *database, const char *sql) {
  char *error = NULL;
  if (sqlite3_exec(database, sql, NULL, NULL, &error) == SQLITE_OK)
    return;
  fprintf(stderr, "floor: %s: %s\n", sql, error);
  exit(1);
}

static void upsert(const char *path, size_t size, double seconds) {
  sqlite3 *database;
  sqlite3_stmt *statement;
  if (sqlite3_open(path, &database) != SQLITE_OK)
    fail(path);
  execute(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  execute(database, "CREATE TABLE IF NOT EXISTS scene (id INTEGER PRIMARY KEY, state BLOB NOT NULL)");
  const char *sql = "INSERT INTO scene VALUES (1, ?1) ON CONFLICT DO UPDATE SET state = ?1";
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK)
    fail(sql);
  char *state = malloc(size);
  struct samples samples = {0};
  unsigned long long before = bytes_written(), number = (unsigned long long)time(NULL) * 1000000;
  double begin = now(), end = begin + seconds * 1e6, start = begin;
  while (start < end) {
    fill(state, size, number++);
    sqlite3_bind_blob(statement, 1, state, (int)size, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_DONE)
      fail(sqlite3_errmsg(database));
    sqlite3_reset(statement);
    double ended = now();
    note(&samples, ended - start);
    start = ended;
  }
  sqlite3_finalize(statement);
  // The last checkpoint is part of what was written.
  sqlite3_close(database);
  report(&samples, (start - begin) / 1e6, bytes_written() - before);
}

// MARK: Files

struct writer {
  const char *folder;
  size_t size;
  int index;
  double end;
  struct samples samples;
};

static void replace_file(struct writer *writer, char *state, int folder) {
  char temporary[64], final[64];
  snprintf(temporary, sizeof temporary, "state-%d.tmp", writer->index);
  snprintf(final, sizeof final, "state-%d", writer->index);
  int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || write(file, state, writer->size) != (ssize_t)writer->size || fsync(file) || close(file))
    fail(temporary);
  if (renameat(folder, temporary, folder, final) || fsync(folder))
    fail(final);
}

static void *write_files(void *context) {
  struct writer *writer = context;
  int folder = open(writer->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  char *state = malloc(writer->size);
  if (folder < 0 || !state)
    fail(writer->folder);
  unsigned long long number = 0;
  for (double start = now(); start < writer->end;) {
    fill(state, writer->size, number++);
    replace_file(writer, state, folder);
    double ended = now();
    note(&writer->samples, ended - start);
    start = ended;
  }
  return NULL;
}

static void files(const char *folder, size_t size, int count, double seconds) {
  struct writer *writers = calloc((size_t)count, sizeof *writers);
  pthread_t *threads = calloc((size_t)count, sizeof *threads);
  unsigned long long before = bytes_written();
  double begin = now();
  for (int i = 0; i < count; i++) {
    writers[i] = (struct writer){.folder = folder, .size = size, .index = i, .end = begin + seconds * 1e6};
    if (pthread_create(&threads[i], NULL, write_files, &writers[i]))
      fail("pthread_create");
  }
  struct samples all = {0};
  for (int i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
    for (size_t n = 0; n < writers[i].samples.count; n++)
      note(&all, writers[i].samples.values[n]);
  }
  report(&all, (now() - begin) / 1e6, bytes_written() - before);
}

// MARK: Whole processes

static double run_once(char **command) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t child;
  int status;
  double start = now();
  errno = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
  if (errno || waitpid(child, &status, 0) < 0)
    fail(command[0]);
  double ended = now();
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) {
    fprintf(stderr, "floor: %s ended with status %#x\n", command[0], (unsigned)status);
    exit(1);
  }
  return ended - start;
}

// A copy of the argument with a digit in the place of `{}`.
static char *with_digit(const char *argument, int digit) {
  const char *place = strstr(argument, "{}");
  char *made = strdup(argument);
  if (!made)
    fail("memory");
  if (place) {
    size_t before = (size_t)(place - argument);
    made[before] = (char)('0' + digit);
    strcpy(made + before + 1, place + 2);
  }
  return made;
}

static void run(int count, char **command) {
  struct samples samples = {0};
  int arguments = 0;
  while (command[arguments])
    arguments++;
  char **filled = calloc((size_t)arguments + 1, sizeof *filled);
  for (int i = 0; i < count; i++) {
    for (int n = 0; n < arguments; n++)
      filled[n] = with_digit(command[n], i % 10);
    note(&samples, run_once(filled));
    for (int n = 0; n < arguments; n++)
      free(filled[n]);
  }
  printf("%.1f\n", percentile(&samples, 0.5));
}

int main(int count, char **arguments) {
  if (count == 5 && !strcmp(arguments[1], "upsert"))
    upsert(arguments[2], strtoul(arguments[3], NULL, 10), atof(arguments[4]));
  else if (count == 6 && !strcmp(arguments[1], "files"))
    files(arguments[2], strtoul(arguments[3], NULL, 10), atoi(arguments[4]), atof(arguments[5]));
  else if (count >= 4 && !strcmp(arguments[1], "run"))
    run(atoi(arguments[2]), arguments + 3);
  else {
    fprintf(stderr, "usage: see the head of floor.c\n");
    return 64;
  }
  return 0;
}
