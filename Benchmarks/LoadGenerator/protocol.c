#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "load.h"

// RESP2 (redis.io/docs/latest/develop/reference/protocol-spec): a line, or a line with a length and as many bytes.
static size_t redis_reply_length(const char *bytes, size_t count) {
  const char *line_end = memmem(bytes, count, "\r\n", 2);
  if (!line_end)
    return 0;
  size_t line = (size_t)(line_end - bytes) + 2;
  if (bytes[0] != '$' || bytes[1] == '-')
    return line;
  size_t whole = line + strtoull(bytes + 1, NULL, 10) + 2;
  return whole <= count ? whole : 0;
}

size_t load_reply_length(enum load_protocol protocol, const char *bytes, size_t count) {
  if (protocol == LOAD_REDIS)
    return redis_reply_length(bytes, count);
  // Varlink (varlink.org/Method-Call): a message ends with NUL.
  const char *end = memchr(bytes, 0, count);
  return end ? (size_t)(end - bytes) + 1 : 0;
}

void load_fill(char *bytes, size_t count, char mark, uint64_t number) {
  char *end = bytes + count, *start = bytes;
  while ((start = memchr(start, mark, (size_t)(end - start)))) {
    char *after = start;
    while (after < end && *after == mark)
      after++;
    uint64_t rest = number;
    for (char *digit = after; digit > start; rest /= 10)
      *--digit = (char)('0' + rest % 10);
    start = after;
  }
}
