#include "FaultVFS.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Model.h"

/* A file of the wrapper, with the wrapped VFS's own behind it. */
typedef struct {
  sqlite3_file base;
  fault_disk *disk; /* NULL: every call goes straight through */
  image *image;
  char *path; /* NULL: a temporary file */
  sqlite3_file *real;
} fault_file;

static sqlite3_vfs *wrapped;
static sqlite3_vfs wrapper;
static _Thread_local fault_disk *entered;
/* Whether the wrapped VFS has opened a folder, which it does to sync it. */
static _Thread_local int opened_folder;
static int (*open_folder)(const char *, int *);

static fault_file *file_of(sqlite3_file *file) { return (fault_file *)file; }
static sqlite3_file *real_of(sqlite3_file *file) { return file_of(file)->real; }

void fault_disk_enter(fault_disk *disk) { entered = disk; }

void fault_disk_leave(fault_disk *disk) {
  if (entered == disk) entered = NULL;
}

/* The errno with which a call is to fail; 0: it is to be carried out. */
static int trip(fault_disk *disk, int kind) {
  if (disk == NULL) return 0;
  pthread_mutex_lock(&model_lock);
  int error = model_trip(disk, kind);
  pthread_mutex_unlock(&model_lock);
  return error;
}

/* The result of a call that failed, with errno set as the system would have. */
static int failed(int error, int code) {
  errno = error;
  return code;
}

/* --- a file's methods ------------------------------------------------------------------------------------------ */

static int fault_close(sqlite3_file *base) {
  fault_file *file = file_of(base);
  int code = file->real->pMethods == NULL ? SQLITE_OK : file->real->pMethods->xClose(file->real);
  if (file->disk != NULL) model_release(file->disk);
  free(file->path);
  return code;
}

static int fault_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int error = trip(file_of(file)->disk, FAULT_READ);
  if (error != 0) return failed(error, SQLITE_IOERR_READ);
  return real_of(file)->pMethods->xRead(real_of(file), bytes, count, offset);
}

static int write_through(fault_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int code = file->real->pMethods->xWrite(file->real, bytes, count, offset);
  if (code == SQLITE_OK && file->disk != NULL) {
    pthread_mutex_lock(&model_lock);
    model_write(file->disk, file->image, offset, bytes, (size_t)count);
    pthread_mutex_unlock(&model_lock);
  }
  return code;
}

static int fault_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  fault_file *file = file_of(base);
  int error = trip(file->disk, FAULT_WRITE);
  if (error == 0) return write_through(file, bytes, count, offset);
  if (count > 1) write_through(file, bytes, count / 2, offset);
  /* As the unix VFS tells them apart. */
  return failed(error, error == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE);
}

static int fault_truncate(sqlite3_file *base, sqlite3_int64 size) {
  fault_file *file = file_of(base);
  int error = trip(file->disk, FAULT_TRUNCATE);
  if (error != 0) return failed(error, SQLITE_IOERR_TRUNCATE);
  int code = file->real->pMethods->xTruncate(file->real, size);
  if (code == SQLITE_OK && file->disk != NULL) {
    pthread_mutex_lock(&model_lock);
    model_truncate(file->disk, file->image, size);
    pthread_mutex_unlock(&model_lock);
  }
  return code;
}

static int fault_sync(sqlite3_file *base, int flags) {
  fault_file *file = file_of(base);
  if (file->disk == NULL) return file->real->pMethods->xSync(file->real, flags);
  model_announce(file->disk, 0);
  opened_folder = 0;
  pthread_mutex_lock(&model_lock);
  int error = model_trip(file->disk, FAULT_SYNC);
  model_sync(file->disk, file->image, error != 0);
  pthread_mutex_unlock(&model_lock);
  if (error != 0) return failed(error, SQLITE_IOERR_FSYNC);
  int code = file->real->pMethods->xSync(file->real, flags);
  if (file->path != NULL) {
    pthread_mutex_lock(&model_lock);
    if (opened_folder) model_sync_names(file->disk, file->path);
    model_see_index(file->disk, file->path);
    pthread_mutex_unlock(&model_lock);
  }
  model_announce(file->disk, 1);
  return code;
}

static int fault_lock(sqlite3_file *file, int level) {
  int error = trip(file_of(file)->disk, FAULT_LOCK);
  if (error != 0) return failed(error, SQLITE_IOERR_LOCK);
  return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int fault_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  int error = trip(file_of(file)->disk, FAULT_SHM_MAP);
  if (error != 0) {
    *memory = NULL;
    return failed(error, SQLITE_IOERR_SHMMAP);
  }
  return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, memory);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  int error = (flags & SQLITE_SHM_LOCK) != 0 ? trip(file_of(file)->disk, FAULT_LOCK) : 0;
  if (error != 0) return failed(error, SQLITE_IOERR_SHMLOCK);
  return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static int fault_file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
static int fault_unlock(sqlite3_file *file, int level) {
  return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
static int fault_check_lock(sqlite3_file *file, int *result) {
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}
static int fault_file_control(sqlite3_file *file, int what, void *argument) {
  return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}
static int fault_sector_size(sqlite3_file *file) { return real_of(file)->pMethods->xSectorSize(real_of(file)); }
static int fault_characteristics(sqlite3_file *file) {
  return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
static void fault_shm_barrier(sqlite3_file *file) { real_of(file)->pMethods->xShmBarrier(real_of(file)); }
static int fault_shm_unmap(sqlite3_file *file, int remove) {
  return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

/* Version 2: memory-mapped reads, which are version 3's, are in use nowhere. */
static const sqlite3_io_methods methods = {
    2,
    fault_close,
    fault_read,
    fault_write,
    fault_truncate,
    fault_sync,
    fault_file_size,
    fault_lock,
    fault_unlock,
    fault_check_lock,
    fault_file_control,
    fault_sector_size,
    fault_characteristics,
    fault_shm_map,
    fault_shm_lock,
    fault_shm_barrier,
    fault_shm_unmap,
    NULL,
    NULL,
};

/* --- the VFS's methods ----------------------------------------------------------------------------------------- */

static int fault_open(sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *base, int flags, int *flags_out) {
  (void)vfs;
  fault_file *file = file_of(base);
  memset(file, 0, sizeof *file);
  int error = trip(entered, FAULT_OPEN);
  if (error != 0) return failed(error, SQLITE_CANTOPEN);
  file->real = (sqlite3_file *)(file + 1);
  int exists = path != NULL && access(path, F_OK) == 0;
  int code = wrapped->xOpen(wrapped, path, file->real, flags, flags_out);
  /* SQLite closes what failed to open only where it has methods. */
  if (code == SQLITE_OK || file->real->pMethods != NULL) file->base.pMethods = &methods;
  if (code != SQLITE_OK || entered == NULL) return code;
  if (path != NULL) file->path = strdup(path);
  pthread_mutex_lock(&model_lock);
  file->disk = entered;
  model_retain(file->disk);
  file->image = model_open(file->disk, path, exists);
  pthread_mutex_unlock(&model_lock);
  return code;
}

static int fault_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
  (void)vfs;
  if (entered == NULL) return wrapped->xDelete(wrapped, path, sync_folder);
  int error = trip(entered, FAULT_DELETE);
  if (error != 0) return failed(error, SQLITE_IOERR_DELETE);
  if (sync_folder) model_announce(entered, 0);
  int code = wrapped->xDelete(wrapped, path, sync_folder);
  if (code != SQLITE_OK) return code;
  pthread_mutex_lock(&model_lock);
  model_delete(entered, path);
  if (sync_folder) model_sync_names(entered, path);
  pthread_mutex_unlock(&model_lock);
  if (sync_folder) model_announce(entered, 1);
  return code;
}

/* In place of the unix VFS's own, to know when it syncs a folder. */
static int note_open_folder(const char *path, int *descriptor) {
  opened_folder = 1;
  return open_folder(path, descriptor);
}

static int fault_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  (void)vfs;
  return wrapped->xAccess(wrapped, path, flags, result);
}
static int fault_full_path(sqlite3_vfs *vfs, const char *path, int size, char *full) {
  (void)vfs;
  return wrapped->xFullPathname(wrapped, path, size, full);
}
static int fault_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  (void)vfs;
  return wrapped->xRandomness(wrapped, count, bytes);
}
static int fault_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return wrapped->xSleep(wrapped, microseconds);
}
static int fault_time(sqlite3_vfs *vfs, double *time) {
  (void)vfs;
  return wrapped->xCurrentTime(wrapped, time);
}
static int fault_last_error(sqlite3_vfs *vfs, int count, char *text) {
  (void)vfs;
  return wrapped->xGetLastError(wrapped, count, text);
}
static int fault_time_64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  (void)vfs;
  return wrapped->xCurrentTimeInt64(wrapped, time);
}

static int installed;

static void install(void) {
  wrapped = sqlite3_vfs_find(NULL);
  if (wrapped == NULL) {
    installed = SQLITE_ERROR;
    return;
  }
  open_folder = (int (*)(const char *, int *))wrapped->xGetSystemCall(wrapped, "openDirectory");
  installed = wrapped->xSetSystemCall(wrapped, "openDirectory", (sqlite3_syscall_ptr)note_open_folder);
  if (installed != SQLITE_OK) return;
  wrapper.iVersion = 2;
  wrapper.szOsFile = (int)sizeof(fault_file) + wrapped->szOsFile;
  wrapper.mxPathname = wrapped->mxPathname;
  wrapper.zName = "fault";
  wrapper.xOpen = fault_open;
  wrapper.xDelete = fault_delete;
  wrapper.xAccess = fault_access;
  wrapper.xFullPathname = fault_full_path;
  wrapper.xRandomness = fault_randomness;
  wrapper.xSleep = fault_sleep;
  wrapper.xCurrentTime = fault_time;
  wrapper.xGetLastError = fault_last_error;
  wrapper.xCurrentTimeInt64 = fault_time_64;
  installed = sqlite3_vfs_register(&wrapper, 1);
}

int fault_vfs_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  return installed;
}
