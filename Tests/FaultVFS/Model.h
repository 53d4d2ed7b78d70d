#ifndef RESTORED_FAULTVFS_MODEL_H
#define RESTORED_FAULTVFS_MODEL_H

/* What the VFS tells the model of a disk. All of it is called with `model_lock` held, but where it says otherwise. */

#include <pthread.h>
#include <stddef.h>

#include "FaultVFS.h"

extern pthread_mutex_t model_lock;

/* One file's contents, whatever its names. */
typedef struct image image;

/* Counts a call, and returns the errno with which it is to fail; 0: it is to be carried out. */
int model_trip(fault_disk *disk, int kind);
/* The contents under a name, made where there are none; `exists`: whether the file is there already. */
image *model_open(fault_disk *disk, const char *path, int exists);
void model_delete(fault_disk *disk, const char *path);
void model_write(fault_disk *disk, image *image, int64_t offset, const void *bytes, size_t count);
void model_truncate(fault_disk *disk, image *image, int64_t size);
/* Makes the contents stable; where the sync failed, what was written since the last one is stable never more. */
void model_sync(fault_disk *disk, image *image, int failed);
/* Takes notice of the index of a log that was synced: one of those that were seen may survive. */
void model_see_index(fault_disk *disk, const char *log);
/* SplitMix64: enough for a choice, and the same everywhere. */
uint64_t model_random(uint64_t *state);
/* Makes the names in the folder of `path` stable. */
void model_sync_names(fault_disk *disk, const char *path);
/* Tells who waits for syncs. Takes the lock itself. */
void model_announce(fault_disk *disk, int after);
void model_retain(fault_disk *disk);
/* Takes the lock itself. */
void model_release(fault_disk *disk);

#endif
