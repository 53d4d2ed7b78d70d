/* What Swift cannot reach of libsqlite3: variadic functions and the casts that are macros. */
#ifndef RESTORED_CSQLITE_SHIM_H
#define RESTORED_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Turns a boolean setting of one connection on or off. https://sqlite.org/c3ref/db_config.html */
static inline int csqlite_db_config(sqlite3 *db, int option, int on) {
  return sqlite3_db_config(db, option, on, (int *)0);
}

/* Sets a process-wide option that takes one integer; only before SQLite's first use.
   https://sqlite.org/c3ref/config.html */
static inline int csqlite_config(int option, int value) {
  return sqlite3_config(option, value);
}

/* Binds bytes that SQLite copies at once. https://sqlite.org/c3ref/bind_blob.html */
static inline int csqlite_bind_text_copy(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob_copy(sqlite3_stmt *statement, int index, const void *blob, int bytes) {
  return sqlite3_bind_blob(statement, index, blob, bytes, SQLITE_TRANSIENT);
}

/* Binds bytes that the caller keeps in place until the statement is reset or bound anew. */
static inline int csqlite_bind_text_lent(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_STATIC);
}

static inline int csqlite_bind_blob_lent(sqlite3_stmt *statement, int index, const void *blob, int bytes) {
  return sqlite3_bind_blob(statement, index, blob, bytes, SQLITE_STATIC);
}

/* An open file whose methods are preceded by others. A file points at its methods, which are the first field here, so
   that a method of ours finds the rest, of which each user of it has its part. https://sqlite.org/c3ref/file.html */
typedef struct csqlite_watched_file {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *original;
  sqlite3_file *file;
  /* Breaking off: */
  void *context;
  long unsynced; /* bytes written since the last sync */
  long piece;    /* bytes after which a sync is due */
  /* Gathering: */
  void *held;             /* bytes that are yet to be written */
  long held_bytes;        /* how many there are */
  long room;              /* how many there may be */
  sqlite3_int64 held_at;  /* where in the file they belong */
} csqlite_watched_file;

#endif
