/* SPDX-License-Identifier: MIT */
/*
 * binary - files with what compilers made: their names, reading, checking and writing (binary.h).
 *
 * The data are the file system's, and the static `count`, which is atomic and numbers temporary files; there is no
 * lock. What is loaded is memory of vptr__memory_calloc(), for the caller to free. Called by
 * vptr/device/program_kept.c, for modules and VkFFT's kernels, by vptr/device/opencl_helper.c, for the library's own
 * kernels and what was found out about a device, by nvrtc/clang.c, nvrtc/kept.c and nvrtc/link.c, for modules of C++,
 * and by cublas/tuning.c, for what it found out. It blocks for the file system only. No failure is an error: what
 * cannot be read or written is built anew.
 */
#include "base/binary.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/option.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PARTS = sizeof((vptr__binary_key *)0)->parts / sizeof *((vptr__binary_key *)0)->parts };
enum { PATH_ROOM = 4096, LARGEST = 1 << 30 };

/* The head of a file; the key's parts, each behind its length, and the binary follow. */
typedef struct file_head {
  char mark[8];
  uint64_t key_length, binary_length, binary_hash;
} file_head;

static const char mark[8] = "vptrbin1";

/* FNV-1a of 64 bits: http://www.isthe.com/chongo/tech/comp/fnv. It names files and finds damage; it proves nothing. */
static uint64_t hash_bytes(uint64_t sum, const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < length; i++)
    sum = (sum ^ byte[i]) * UINT64_C(1099511628211);
  return sum;
}

static const uint64_t hash_begin = UINT64_C(14695981039346656037);

/* ---- where ---------------------------------------------------------------------------------------------- */

static bool is_off(const char *text) {
  return strcmp(text, "0") == 0 || strcasecmp(text, "off") == 0 || strcasecmp(text, "no") == 0;
}

static bool find_folder(char *path, size_t size) {
  const char *chosen = vptr__option_text(VPTR__OPTION_CACHE);
  const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
  int length = -1;
  if (chosen != NULL && is_off(chosen))
    return false;
  if (chosen != NULL)
    length = snprintf(path, size, "%s", chosen);
  else if (cache != NULL && cache[0] == '/')
    length = snprintf(path, size, "%s/vptr", cache);
  else if (home != NULL && home[0] == '/')
    length = snprintf(path, size, "%s/.cache/vptr", home);
  return length > 0 && (size_t)length < size;
}

bool vptr__binary_is_on(void) {
  char path[PATH_ROOM];
  return find_folder(path, sizeof path);
}

bool vptr__binary_path(const vptr__binary_key *key, char *path, size_t size) {
  if (!find_folder(path, size))
    return false;
  uint64_t sum = hash_begin;
  for (int i = 0; i < PARTS; i++) {
    sum = hash_bytes(sum, &key->parts[i].length, sizeof key->parts[i].length);
    sum = hash_bytes(sum, key->parts[i].bytes, key->parts[i].length);
  }
  size_t used = strlen(path);
  int length = snprintf(path + used, size - used, "/%016" PRIx64 ".bin", sum);
  return length > 0 && (size_t)length < size - used;
}

/* The folders of a file, each with the owner's rights alone. */
static bool make_folders(const char *file) {
  char path[PATH_ROOM];
  snprintf(path, sizeof path, "%s", file);
  for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
      return false;
    *slash = '/';
  }
  return true;
}

/* ---- reading -------------------------------------------------------------------------------------------- */

static bool read_all(int file, void *to, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t got = read(file, (char *)to + done, size - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    done += (size_t)got;
  }
  return true;
}

static size_t key_length_of(const vptr__binary_key *key) {
  size_t length = 0;
  for (int i = 0; i < PARTS; i++)
    length += sizeof key->parts[i].length + key->parts[i].length;
  return length;
}

static void write_key(const vptr__binary_key *key, unsigned char *to) {
  for (int i = 0; i < PARTS; i++) {
    memcpy(to, &key->parts[i].length, sizeof key->parts[i].length);
    to += sizeof key->parts[i].length;
    memcpy(to, key->parts[i].bytes, key->parts[i].length);
    to += key->parts[i].length;
  }
}

static bool is_trusted(int file, off_t *size_out) {
  struct stat about;
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_uid != geteuid() || about.st_size > LARGEST)
    return false;
  *size_out = about.st_size;
  return true;
}

/* What is behind the head: key, then binary; NULL if the file is not what it says. */
static unsigned char *read_body(int file, file_head *head) {
  off_t size;
  if (!is_trusted(file, &size) || !read_all(file, head, sizeof *head) || memcmp(head->mark, mark, sizeof mark) != 0)
    return NULL;
  uint64_t body = (uint64_t)size - sizeof *head;
  if (head->key_length > body || head->binary_length != body - head->key_length || head->binary_length == 0)
    return NULL;
  unsigned char *bytes = vptr__memory_calloc((size_t)body, 1);
  if (bytes != NULL && !read_all(file, bytes, (size_t)body)) {
    vptr__memory_free(bytes);
    return NULL;
  }
  return bytes;
}

static bool is_for(const vptr__binary_key *key, const file_head *head, const unsigned char *body) {
  size_t length = key_length_of(key);
  if (head->key_length != length ||
      hash_bytes(hash_begin, body + length, (size_t)head->binary_length) != head->binary_hash)
    return false;
  unsigned char *own = vptr__memory_calloc(length, 1);
  if (own == NULL)
    return false;
  write_key(key, own);
  bool same = memcmp(own, body, length) == 0;
  vptr__memory_free(own);
  return same;
}

bool vptr__binary_load(const vptr__binary_key *key, unsigned char **binary_out, size_t *size_out) {
  char path[PATH_ROOM];
  file_head head;
  if (!vptr__binary_path(key, path, sizeof path))
    return false;
  int file =
      open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* a pipe without a writer would be waited for */
  if (file < 0)
    return false;
  unsigned char *body = read_body(file, &head);
  close(file);
  if (body == NULL || !is_for(key, &head, body)) {
    vptr__memory_free(body);
    return false;
  }
  memmove(body, body + head.key_length, (size_t)head.binary_length);
  *binary_out = body;
  *size_out = (size_t)head.binary_length;
  return true;
}

/* ---- keeping -------------------------------------------------------------------------------------------- */

static bool write_all(int file, const void *from, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t put = write(file, (const char *)from + done, size - done);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return false;
    done += (size_t)put;
  }
  return true;
}

static bool write_file(int file, const vptr__binary_key *key, const unsigned char *binary, size_t size) {
  file_head head = { .key_length = key_length_of(key),
                     .binary_length = size,
                     .binary_hash = hash_bytes(hash_begin, binary, size) };
  memcpy(head.mark, mark, sizeof mark);
  unsigned char *own = vptr__memory_calloc((size_t)head.key_length, 1);
  if (own == NULL)
    return false;
  write_key(key, own);
  bool whole = write_all(file, &head, sizeof head) && write_all(file, own, (size_t)head.key_length) &&
               write_all(file, binary, size);
  vptr__memory_free(own);
  return whole;
}

void vptr__binary_keep(const vptr__binary_key *key, const unsigned char *binary, size_t size) {
  static atomic_uint count;
  char path[PATH_ROOM], own[PATH_ROOM + 64];
  if (!vptr__binary_path(key, path, sizeof path))
    return;
  snprintf(own, sizeof own, "%s.%ld.%u", path, (long)getpid(), atomic_fetch_add(&count, 1));
  int file = make_folders(path) ? open(own, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
  if (file < 0) {
    vptr__log(VPTR__LOG_DECISION, "nothing is kept in %s: %s; VPTR_CACHE names another folder", path,
              strerror(errno));
    return;
  }
  bool whole = write_file(file, key, binary, size);
  whole = close(file) == 0 && whole;
  if (!whole || rename(own, path) != 0)
    unlink(own);
}
