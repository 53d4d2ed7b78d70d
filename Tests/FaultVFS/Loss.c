#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "Parts.h"

enum { SECTOR = 512 };

/* SplitMix64: enough for a choice, and the same everywhere. */
uint64_t model_random(uint64_t *state) {
  uint64_t value = (*state += 0x9E3779B97F4A7C15u);
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  value = (value ^ value >> 27) * 0x94D049BB133111EBu;
  return value ^ value >> 31;
}

/* Takes over each unsynced change, or sector of one, with a likelihood of `of8` eighths. */
static void survive(content *content, const image *image, uint64_t *random, unsigned of8) {
  for (change *change = image->first; change != NULL; change = change->next) {
    if (change->bytes == NULL) {
      if (model_random(random) % 8 < of8) model_resize(content, (size_t)change->offset);
      continue;
    }
    for (size_t from = 0; from < change->count;) {
      size_t to = ((size_t)change->offset + from) / SECTOR * SECTOR + SECTOR - (size_t)change->offset;
      if (to > change->count) to = change->count;
      if (model_random(random) % 8 < of8) model_put(content, change->offset + (int64_t)from, change->bytes + from, to - from);
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
  model_put(&content, 0, image->stable.bytes, image->stable.size);
  if (*random != 0) survive(&content, image, random, 1 + (unsigned)(model_random(random) % 8));
  int error = model_write_file(to, &content);
  free(content.bytes);
  return error == ENOENT ? 0 : error;
}

/* The index of the log is never synced: what is on the disk is any that was ever there. */
static int write_index(fault_disk *disk, const char *target) {
  char to[4096];
  if (disk->index_path == NULL) return 0;
  int error = moved(disk, disk->index_path, target, to, sizeof to);
  if (error == 0) error = model_write_file(to, &disk->index);
  return error == ENOENT ? 0 : error;
}

int fault_disk_survivors(fault_disk *disk, const char *target, uint64_t seed) {
  char to[4096];
  int error = 0;
  uint64_t random = seed;
  pthread_mutex_lock(&model_lock);
  for (name *name = disk->names; name != NULL && error == 0; name = name->next) {
    image *image = name->stable;
    if (seed != 0 && name->now != name->stable && model_random(&random) % 2 == 0) image = name->now;
    error = moved(disk, name->path, target, to, sizeof to);
    if (error == 0) error = write_survivor(name, image, to, &random);
  }
  if (error == 0 && seed != 0 && model_random(&random) % 2 == 0) error = write_index(disk, target);
  pthread_mutex_unlock(&model_lock);
  return error;
}

static image *copy_image(fault_disk *disk, const image *from) {
  image *copy = model_add_image(disk);
  model_put(&copy->stable, 0, from->stable.bytes, from->stable.size);
  for (change *change = from->first; change != NULL; change = change->next)
    model_append(copy, change->offset, change->bytes, change->count);
  return copy;
}

static int copy_name(fault_disk *from, fault_disk *disk, const char *target, const name *old) {
  char to[4096];
  int error = moved(from, old->path, target, to, sizeof to);
  if (error != 0) return error;
  name *copy = model_add_name(disk, to);
  copy->is_folder = old->is_folder;
  if (old->is_folder) {
    copy->now = old->now;
    copy->stable = old->stable;
    return mkdir(to, 0700) == 0 ? 0 : errno;
  }
  if (old->now != NULL) {
    content content = {0};
    error = model_read_file(old->path, &content);
    if (error == 0) error = model_write_file(to, &content);
    free(content.bytes);
    if (error != 0) return error;
    copy->now = copy_image(disk, old->now);
  }
  if (old->stable != NULL) copy->stable = old->stable == old->now ? copy->now : copy_image(disk, old->stable);
  return 0;
}

fault_disk *fault_disk_killed(fault_disk *disk, const char *target) {
  fault_disk *copy = model_new_disk(target);
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
