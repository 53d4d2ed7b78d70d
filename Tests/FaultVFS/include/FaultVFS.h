#ifndef RESTORED_FAULTVFS_H
#define RESTORED_FAULTVFS_H

/* A file system for SQLite that can fail and can lose power: for tests alone.
 *
 * It wraps the default VFS, so that every file is real and is read as the page cache would show it. Beside that it
 * keeps, for each file of a disk that is watched, what a sync has brought to stable storage and what is written and
 * not synced yet; and for each name, whether the folder was synced since it was made or taken away. From these it
 * writes down, at any moment, a folder as a loss of power would leave it.
 *
 * A disk belongs to the thread that entered it: what SQLite opens on that thread is the disk's, temporary files too.
 * On a thread that entered none every call goes straight through.
 *
 * https://sqlite.org/vfs.html */

#include <stdint.h>

typedef struct fault_disk fault_disk;

/* What can fail, as bits. */
enum {
  FAULT_OPEN = 1,       /* xOpen, and the store's own making of files */
  FAULT_READ = 2,       /* xRead */
  FAULT_WRITE = 4,      /* xWrite: the first half of the bytes is written */
  FAULT_TRUNCATE = 8,   /* xTruncate */
  FAULT_SYNC = 16,      /* xSync: what was written since the last one never becomes stable by a later one */
  FAULT_DELETE = 32,    /* xDelete */
  FAULT_SHM_MAP = 64,   /* xShmMap */
  FAULT_LOCK = 128,     /* xLock and xShmLock, taking a lock */
  FAULT_FOLDER = 256    /* the store's own making of folders, and its syncs of them */
};

/* Makes the wrapper this process's default VFS, once; returns 0 or SQLite's result code. */
int fault_vfs_install(void);

/* Watches a folder that exists, with all that will be in it. What is there already is stable. */
fault_disk *fault_disk_new(const char *root);
/* Lets go of a disk; files that are still open on it stay usable. */
void fault_disk_free(fault_disk *disk);
/* From here on what this thread opens is the disk's; NULL: no disk's. */
void fault_disk_enter(fault_disk *disk);
/* Ends that, where it is this disk that this thread is on. */
void fault_disk_leave(fault_disk *disk);

/* --- failing --------------------------------------------------------------------------------------------------- */

/* Has the `number`-th call from now on, counted over those of `kinds`, fail with `error` (an errno); where `forever`
 * is not 0, each one after it too. */
void fault_disk_fail(fault_disk *disk, int kinds, int number, int error, int forever);
/* Ends what fault_disk_fail began. */
void fault_disk_heal(fault_disk *disk);
/* How many calls have failed since fault_disk_fail. */
int fault_disk_failures(fault_disk *disk);
/* Whether a sync that fails has synced all the same (1), or nothing (0, so at first). */
void fault_disk_failed_sync_keeps(fault_disk *disk, int keeps);

/* --- losing power ---------------------------------------------------------------------------------------------- */

/* Has `call` called before (0) and after (1) each sync of a file or a folder; it must not call SQLite.
 * `call` NULL: nothing, as at first. What is still open on a disk that was let go of calls it too. */
void fault_disk_at_sync(fault_disk *disk, void (*call)(void *context, int after), void *context);
/* Writes into `target`, which exists and is empty, what a loss of power now would leave.
 * `seed` 0: nothing that was not synced. Else of each file's unsynced writes a subset chosen by the seed, cut at
 * sectors of 512 bytes, and of the unsynced names some. Returns 0, or an errno. */
int fault_disk_survivors(fault_disk *disk, const char *target, uint64_t seed);
/* What the end of the process leaves, in `target`, which exists and is empty: all files as they read now. Returns a
 * disk of it which remembers what of that is stable: to be freed; NULL where the files cannot be written. */
fault_disk *fault_disk_killed(fault_disk *disk, const char *target);
/* Bytes written to files of this suffix and not synced. */
int64_t fault_disk_unsynced(fault_disk *disk, const char *suffix);

/* --- the store's own calls --------------------------------------------------------------------------------------- */

/* Each is to be called before the call that it names; other than 0, that call is to fail with it as its errno. */
int fault_disk_make_folder(fault_disk *disk, const char *path);
int fault_disk_make_file(fault_disk *disk, const char *path);
int fault_disk_sync_folder(fault_disk *disk, const char *path);

#endif
