#include "Model.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512 };

/* A write, or with `bytes` NULL a truncation to `offset`. */
typedef struct change {
  struct change *next;
  int64_t offset;
  size_t count;
  unsigned char *bytes;
} change;

typedef struct {
  unsigned char *bytes;
  size_t size;
} content;

struct image {
  image *next;
  content stable;
  change *first, **last; /* not synced, in their order */
};

/* A name, and what it leads to: now, and as far as its folder was synced. */
typedef struct name {
  struct name *next;
  image *now, *stable;
  int is_folder;
  char path[];
} name;

struct fault_disk {
  int users;
  name *names;
  image *images;
  void (*at_sync)(void *, int);
  void *context;
  int kinds, number, error, forever, counted, failures, keeps;
  char root[];
};

pthread_mutex_t model_lock = PTHREAD_MUTEX_INITIALIZER;
/* Stands for what a name of a folder leads to. */
static image folder_image;

static void *need(void *memory) {
  if (memory == NULL) abort();
  return memory;
}

/* --- contents -------------------------------------------------------------------------------------------------- */

static void resize(content *content, size_t size) {
  if (size > content->size) {
    content->bytes = need(realloc(content->bytes, size));
    memset(content->bytes + content->size, 0, size - content->size);
  }
  content->size = size;
}

static void put(content *content, int64_t offset, const unsigned char *bytes, size_t count) {
  if (count == 0) return;
  if ((size_t)offset + count > content->size) resize(content, (size_t)offset + count);
  memcpy(content->bytes + offset, bytes, count);
}

static void apply(content *content, const change *change) {
  if (change->bytes == NULL) {
    resize(content, (size_t)change->offset);
  } else {
    put(content, change->offset, change->bytes, change->count);
  }
}

static void drop_changes(image *image) {
  while (image->first != NULL) {
    change *change = image->first;
    image->first = change->next;
    free(change->bytes);
    free(change);
  }
  image->last = &image->first;
}

static void append(image *image, int64_t offset, const void *bytes, size_t count) {
  change *added = need(calloc(1, sizeof *added));
  added->offset = offset;
  added->count = count;
  if (bytes != NULL) {
    added->bytes = need(malloc(count + 1));
    memcpy(added->bytes, bytes, count);
  }
  *image->last = added;
  image->last = &added->next;
}

static image *add_image(fault_disk *disk) {
  image *added = need(calloc(1, sizeof *added));
  added->last = &added->first;
  added->next = disk->images;
  disk->images = added;
  return added;
}

static int read_file(const char *path, content *content) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  struct stat status;
  if (fstat(file, &status) != 0) abort();
  resize(content, (size_t)status.st_size);
  ssize_t count = pread(file, content->bytes, content->size, 0);
  close(file);
  return count == (ssize_t)content->size ? 0 : EIO;
}

static int write_file(const char *path, const content *content) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  ssize_t count = content->size == 0 ? 0 : write(file, content->bytes, content->size);
  close(file);
  return count == (ssize_t)content->size ? 0 : EIO;
}

/* --- names ----------------------------------------------------------------------------------------------------- */

static name *find(fault_disk *disk, const char *path) {
  for (name *name = disk->names; name != NULL; name = name->next)
    if (strcmp(name->path, path) == 0) return name;
  return NULL;
}

static name *add_name(fault_disk *disk, const char *path) {
  name *found = find(disk, path);
  if (found != NULL) return found;
  found = need(calloc(1, sizeof *found + strlen(path) + 1));
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
  if (path == NULL || !is_kept(path)) return add_image(disk);
  name *name = add_name(disk, path);
  if (name->now == NULL) {
    name->now = add_image(disk);
    if (exists) {
      if (read_file(path, &name->now->stable) != 0) abort();
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
  append(image, offset, bytes, count);
}

void model_truncate(fault_disk *disk, image *image, int64_t size) {
  (void)disk;
  append(image, size, NULL, 0);
}

void model_sync(fault_disk *disk, image *image, int failed) {
  if (!failed || disk->keeps)
    for (change *change = image->first; change != NULL; change = change->next) apply(&image->stable, change);
  drop_changes(image);
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
    drop_changes(image);
    free(image->stable.bytes);
    free(image);
  }
  while (disk->names != NULL) {
    name *name = disk->names;
    disk->names = name->next;
    free(name);
  }
  free(disk);
}

/* --- what a test asks for -------------------------------------------------------------------------------------- */

static fault_disk *new_disk(const char *root) {
  fault_disk *disk = need(calloc(1, sizeof *disk + strlen(root) + 1));
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
      name *name = add_name(disk, path);
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
  fault_disk *disk = new_disk(root);
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

/* SplitMix64: enough for a choice, and the same everywhere. */
static uint64_t next(uint64_t *state) {
  uint64_t value = (*state += 0x9E3779B97F4A7C15u);
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  value = (value ^ value >> 27) * 0x94D049BB133111EBu;
  return value ^ value >> 31;
}

/* Takes over each unsynced change, or sector of one, with a likelihood of `of8` eighths. */
static void survive(content *content, const image *image, uint64_t *random, unsigned of8) {
  for (change *change = image->first; change != NULL; change = change->next) {
    if (change->bytes == NULL) {
      if (next(random) % 8 < of8) resize(content, (size_t)change->offset);
      continue;
    }
    for (size_t from = 0; from < change->count;) {
      size_t to = ((size_t)change->offset + from) / SECTOR * SECTOR + SECTOR - (size_t)change->offset;
      if (to > change->count) to = change->count;
      if (next(random) % 8 < of8) put(content, change->offset + (int64_t)from, change->bytes + from, to - from);
      from = to;
    }
  }
}

static int moved(const fault_disk *disk, const char *path, const char *target, char *to, size_t size) {
  int count = snprintf(to, size, "%s%s", target, path + strlen(disk->root));
  return count < 0 || (size_t)count >= size ? ENAMETOOLONG : 0;
}

static int write_survivor(const name *name, const image *image, const char *to, uint64_t *random) {
  if (image == NULL) return 0;
  if (name->is_folder) {
    /* A folder that did not survive takes along what is in it. */
    return mkdir(to, 0700) == 0 || errno == ENOENT ? 0 : errno;
  }
  content content = {0};
  put(&content, 0, image->stable.bytes, image->stable.size);
  if (*random != 0) survive(&content, image, random, 1 + (unsigned)(next(random) % 8));
  int error = write_file(to, &content);
  free(content.bytes);
  return error == ENOENT ? 0 : error;
}

int fault_disk_survivors(fault_disk *disk, const char *target, uint64_t seed) {
  char to[4096];
  int error = 0;
  uint64_t random = seed;
  pthread_mutex_lock(&model_lock);
  for (name *name = disk->names; name != NULL && error == 0; name = name->next) {
    image *image = name->stable;
    if (seed != 0 && name->now != name->stable && next(&random) % 2 == 0) image = name->now;
    error = moved(disk, name->path, target, to, sizeof to);
    if (error == 0) error = write_survivor(name, image, to, &random);
  }
  pthread_mutex_unlock(&model_lock);
  return error;
}

static image *copy_image(fault_disk *disk, const image *from) {
  image *copy = add_image(disk);
  put(&copy->stable, 0, from->stable.bytes, from->stable.size);
  for (change *change = from->first; change != NULL; change = change->next)
    append(copy, change->offset, change->bytes, change->count);
  return copy;
}

static int copy_name(fault_disk *from, fault_disk *disk, const char *target, const name *old) {
  char to[4096];
  int error = moved(from, old->path, target, to, sizeof to);
  if (error != 0) return error;
  name *copy = add_name(disk, to);
  copy->is_folder = old->is_folder;
  if (old->is_folder) {
    copy->now = old->now;
    copy->stable = old->stable;
    return mkdir(to, 0700) == 0 ? 0 : errno;
  }
  if (old->now != NULL) {
    content content = {0};
    error = read_file(old->path, &content);
    if (error == 0) error = write_file(to, &content);
    free(content.bytes);
    if (error != 0) return error;
    copy->now = copy_image(disk, old->now);
  }
  if (old->stable != NULL) copy->stable = old->stable == old->now ? copy->now : copy_image(disk, old->stable);
  return 0;
}

fault_disk *fault_disk_killed(fault_disk *disk, const char *target) {
  fault_disk *copy = new_disk(target);
  int error = 0;
  pthread_mutex_lock(&model_lock);
  for (name *name = disk->names; name != NULL && error == 0; name = name->next)
    error = copy_name(disk, copy, target, name);
  pthread_mutex_unlock(&model_lock);
  if (error == 0) return copy;
  fault_disk_free(copy);
  return NULL;
}

int64_t fault_disk_unsynced(fault_disk *disk, const char *suffix) {
  int64_t bytes = 0;
  pthread_mutex_lock(&model_lock);
  for (name *name = disk->names; name != NULL; name = name->next) {
    size_t length = strlen(name->path), end = strlen(suffix);
    if (name->now == NULL || name->is_folder || length < end || strcmp(name->path + length - end, suffix) != 0)
      continue;
    for (change *change = name->now->first; change != NULL; change = change->next)
      bytes += change->bytes == NULL ? 1 : (int64_t)change->count;
  }
  pthread_mutex_unlock(&model_lock);
  return bytes;
}

int fault_disk_make_folder(fault_disk *disk, const char *path) {
  pthread_mutex_lock(&model_lock);
  int error = model_trip(disk, FAULT_FOLDER);
  if (error == 0) {
    name *name = add_name(disk, path);
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
