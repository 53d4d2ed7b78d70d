#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Parts.h"

pthread_mutex_t model_lock = PTHREAD_MUTEX_INITIALIZER;
/* Stands for what a name of a folder leads to. */
static image folder_image;

/* --- names ----------------------------------------------------------------------------------------------------- */

static name *find(fault_disk *disk, const char *path) {
  for (name *name = disk->names; name != NULL; name = name->next)
    if (strcmp(name->path, path) == 0) return name;
  return NULL;
}

name *model_add_name(fault_disk *disk, const char *path) {
  name *found = find(disk, path);
  if (found != NULL) return found;
  found = model_need(calloc(1, sizeof *found + strlen(path) + 1));
  strcpy(found->path, path);
  /* At the end, so that a folder stands before what is in it. */
  name **end = &disk->names;
  while (*end != NULL) end = &(*end)->next;
  *end = found;
  return found;
}

static int is_in(const char *path, const char *folder, size_t length) {
  return strncmp(path, folder, length) == 0 && path[length] == '/' && strchr(path + length + 1, '/') == NULL;
}

static void sync_names_in(fault_disk *disk, const char *folder, size_t length) {
  for (name *name = disk->names; name != NULL; name = name->next)
    if (is_in(name->path, folder, length)) name->stable = name->now;
}

/* The wal-index is no one's on a disk: whoever comes first makes it anew. */
static int is_kept(const char *path) {
  size_t length = strlen(path);
  return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

/* --- what the VFS tells ---------------------------------------------------------------------------------------- */

int model_trip(fault_disk *disk, int kind) {
  if ((disk->kinds & kind) == 0) return 0;
  disk->counted++;
  if (disk->counted != disk->number && !(disk->forever && disk->counted > disk->number)) return 0;
  disk->failures++;
  return disk->error;
}

image *model_open(fault_disk *disk, const char *path, int exists) {
  /* A temporary file has no name that could survive. */
  if (path == NULL || !is_kept(path)) return model_add_image(disk);
  name *name = model_add_name(disk, path);
  if (name->now == NULL) {
    name->now = model_add_image(disk);
    if (exists) {
      if (model_read_file(path, &name->now->stable) != 0) abort();
      name->stable = name->now;
    }
  }
  return name->now;
}

void model_delete(fault_disk *disk, const char *path) {
  name *name = find(disk, path);
  if (name != NULL) name->now = NULL;
}

void model_write(fault_disk *disk, image *image, int64_t offset, const void *bytes, size_t count) {
  (void)disk;
  model_append(image, offset, bytes, count);
}

void model_truncate(fault_disk *disk, image *image, int64_t size) {
  (void)disk;
  model_append(image, size, NULL, 0);
}

void model_sync(fault_disk *disk, image *image, int failed) {
  if (!failed || disk->keeps)
    for (change *change = image->first; change != NULL; change = change->next) model_apply(&image->stable, change);
  model_drop_changes(image);
}

void model_see_index(fault_disk *disk, const char *log) {
  size_t length = strlen(log) - 4;
  if (strlen(log) < 4 || strcmp(log + length, "-wal") != 0) return;
  /* Any of them with the same likelihood. */
  disk->indexes++;
  uint64_t random = disk->indexes;
  if (model_random(&random) % disk->indexes != 0 && disk->indexes > 1) return;
  char path[4096];
  if (snprintf(path, sizeof path, "%.*s-shm", (int)length, log) >= (int)sizeof path) return;
  content seen = {0};
  if (model_read_file(path, &seen) != 0) {
    free(seen.bytes);
    return;
  }
  free(disk->index.bytes);
  free(disk->index_path);
  disk->index = seen;
  disk->index_path = model_need(strdup(path));
}

void model_sync_names(fault_disk *disk, const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash != NULL) sync_names_in(disk, path, (size_t)(slash - path));
}

void model_announce(fault_disk *disk, int after) {
  pthread_mutex_lock(&model_lock);
  void (*call)(void *, int) = disk->at_sync;
  void *context = disk->context;
  pthread_mutex_unlock(&model_lock);
  if (call != NULL) call(context, after);
}

void model_retain(fault_disk *disk) { disk->users++; }

void model_release(fault_disk *disk) {
  pthread_mutex_lock(&model_lock);
  int users = --disk->users;
  pthread_mutex_unlock(&model_lock);
  if (users > 0) return;
  while (disk->images != NULL) {
    image *image = disk->images;
    disk->images = image->next;
    model_drop_changes(image);
    free(image->stable.bytes);
    free(image);
  }
  while (disk->names != NULL) {
    name *name = disk->names;
    disk->names = name->next;
    free(name);
  }
  free(disk->index.bytes);
  free(disk->index_path);
  free(disk);
}

/* --- what a test asks for -------------------------------------------------------------------------------------- */

fault_disk *model_new_disk(const char *root) {
  fault_disk *disk = model_need(calloc(1, sizeof *disk + strlen(root) + 1));
  strcpy(disk->root, root);
  disk->users = 1;
  return disk;
}

/* Takes what is in a folder for stable, and what is in the folders in it. */
static void find_stable(fault_disk *disk, const char *folder) {
  DIR *entries = opendir(folder);
  if (entries == NULL) abort();
  for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (lstat(path, &status) != 0) abort();
    if (S_ISDIR(status.st_mode)) {
      name *name = model_add_name(disk, path);
      name->is_folder = 1;
      name->now = name->stable = &folder_image;
      find_stable(disk, path);
    } else if (is_kept(path)) {
      model_open(disk, path, 1);
    }
  }
  closedir(entries);
}

fault_disk *fault_disk_new(const char *root) {
  fault_disk *disk = model_new_disk(root);
  pthread_mutex_lock(&model_lock);
  find_stable(disk, root);
  pthread_mutex_unlock(&model_lock);
  return disk;
}

void fault_disk_free(fault_disk *disk) { model_release(disk); }

void fault_disk_fail(fault_disk *disk, int kinds, int number, int error, int forever) {
  pthread_mutex_lock(&model_lock);
  disk->kinds = kinds;
  disk->number = number;
  disk->error = error;
  disk->forever = forever;
  disk->counted = disk->failures = 0;
  pthread_mutex_unlock(&model_lock);
}

void fault_disk_heal(fault_disk *disk) {
  pthread_mutex_lock(&model_lock);
  disk->kinds = 0;
  pthread_mutex_unlock(&model_lock);
}

int fault_disk_failures(fault_disk *disk) {
  pthread_mutex_lock(&model_lock);
  int failures = disk->failures;
  pthread_mutex_unlock(&model_lock);
  return failures;
}

void fault_disk_failed_sync_keeps(fault_disk *disk, int keeps) { disk->keeps = keeps; }

void fault_disk_at_sync(fault_disk *disk, void (*call)(void *, int), void *context) {
  pthread_mutex_lock(&model_lock);
  disk->at_sync = call;
  disk->context = context;
  pthread_mutex_unlock(&model_lock);
}

int fault_disk_make_folder(fault_disk *disk, const char *path) {
  pthread_mutex_lock(&model_lock);
  int error = model_trip(disk, FAULT_FOLDER);
  if (error == 0) {
    name *name = model_add_name(disk, path);
    name->is_folder = 1;
    name->now = &folder_image;
  }
  pthread_mutex_unlock(&model_lock);
  return error;
}

int fault_disk_make_file(fault_disk *disk, const char *path) {
  pthread_mutex_lock(&model_lock);
  int error = model_trip(disk, FAULT_OPEN);
  if (error == 0) model_open(disk, path, access(path, F_OK) == 0);
  pthread_mutex_unlock(&model_lock);
  return error;
}

int fault_disk_sync_folder(fault_disk *disk, const char *path) {
  model_announce(disk, 0);
  pthread_mutex_lock(&model_lock);
  int error = model_trip(disk, FAULT_FOLDER);
  if (error == 0) sync_names_in(disk, path, strlen(path));
  pthread_mutex_unlock(&model_lock);
  if (error == 0) model_announce(disk, 1);
  return error;
}
