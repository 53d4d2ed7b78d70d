#ifndef RESTORED_FAULTVFS_PARTS_H
#define RESTORED_FAULTVFS_PARTS_H

/* What a disk is made of, for the model's own files. All of it is used with `model_lock` held. */

#include <stdint.h>

#include "Model.h"

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
  content index; /* of the log, as it was at some sync; no bytes: none was seen */
  char *index_path;
  uint64_t indexes; /* how many were seen */
  char root[];
};

/* --- contents: Contents.c -------------------------------------------------------------------------------------- */

/* Ends the process where there is no memory. */
void *model_need(void *memory);
void model_resize(content *content, size_t size);
void model_put(content *content, int64_t offset, const unsigned char *bytes, size_t count);
void model_apply(content *content, const change *change);
/* Remembers a write that is not synced; `bytes` NULL: a truncation to `offset`. */
void model_append(image *image, int64_t offset, const void *bytes, size_t count);
void model_drop_changes(image *image);
image *model_add_image(fault_disk *disk);
/* Return 0, or an errno. */
int model_read_file(const char *path, content *content);
int model_write_file(const char *path, const content *content);

/* --- names and disks: Model.c ---------------------------------------------------------------------------------- */

name *model_add_name(fault_disk *disk, const char *path);
fault_disk *model_new_disk(const char *root);

#endif
