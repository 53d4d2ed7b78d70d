#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Parts.h"

void *model_need(void *memory) {
  if (memory == NULL) abort();
  return memory;
}

void model_resize(content *content, size_t size) {
  if (size > content->size) {
    content->bytes = model_need(realloc(content->bytes, size));
    memset(content->bytes + content->size, 0, size - content->size);
  }
  content->size = size;
}

void model_put(content *content, int64_t offset, const unsigned char *bytes, size_t count) {
  if (count == 0) return;
  if ((size_t)offset + count > content->size) model_resize(content, (size_t)offset + count);
  memcpy(content->bytes + offset, bytes, count);
}

void model_apply(content *content, const change *change) {
  if (change->bytes == NULL) {
    model_resize(content, (size_t)change->offset);
  } else {
    model_put(content, change->offset, change->bytes, change->count);
  }
}

void model_drop_changes(image *image) {
  while (image->first != NULL) {
    change *change = image->first;
    image->first = change->next;
    free(change->bytes);
    free(change);
  }
  image->last = &image->first;
}

void model_append(image *image, int64_t offset, const void *bytes, size_t count) {
  change *added = model_need(calloc(1, sizeof *added));
  added->offset = offset;
  added->count = count;
  if (bytes != NULL) {
    added->bytes = model_need(malloc(count + 1));
    memcpy(added->bytes, bytes, count);
  }
  *image->last = added;
  image->last = &added->next;
}

image *model_add_image(fault_disk *disk) {
  image *added = model_need(calloc(1, sizeof *added));
  added->last = &added->first;
  added->next = disk->images;
  disk->images = added;
  return added;
}

int model_read_file(const char *path, content *content) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  struct stat status;
  if (fstat(file, &status) != 0) abort();
  model_resize(content, (size_t)status.st_size);
  ssize_t count = pread(file, content->bytes, content->size, 0);
  close(file);
  return count == (ssize_t)content->size ? 0 : EIO;
}

int model_write_file(const char *path, const content *content) {
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  ssize_t count = content->size == 0 ? 0 : write(file, content->bytes, content->size);
  close(file);
  return count == (ssize_t)content->size ? 0 : EIO;
}
