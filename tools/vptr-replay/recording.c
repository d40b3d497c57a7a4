/* SPDX-License-Identifier: MIT */
/* recording - see recording.h. */
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than any file has. */
enum { MOST_AREAS = 1 << 28, MOST_MODULES = 1 << 20 };

static bool refuse_recording(const rp_recording *it, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse_recording(const rp_recording *it, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "vptr-replay: %s: ", it->name);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return false;
}

void *rp_calloc(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
  if (memory != NULL)
    return memory;
  fprintf(stderr, "vptr-replay: the host has no %zu bytes of memory\n", count * size);
  exit(3);
}

/* Room for one more. */
static void *grow(void *old, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return old;
  size_t larger = 2 * *room + 16;
  void *grown = rp_calloc(larger, size);
  if (count > 0)
    memcpy(grown, old, count * size);
  free(old);
  *room = larger;
  return grown;
}

/* ---- what a record says --------------------------------------------------------------------------------- */

/* A record's bytes, taken from the front. */
typedef struct cursor {
  const unsigned char *at;
  size_t left;
} cursor;

static bool take_bytes(cursor *from, void *out, size_t size) {
  if (from->left < size)
    return false;
  memcpy(out, from->at, size);
  from->at += size;
  from->left -= size;
  return true;
}

static bool take_padded(cursor *from, const unsigned char **at_out, size_t size) {
  uint64_t padded = vptr__record_padded(size);
  if (from->left < padded)
    return false;
  *at_out = from->at;
  from->at += padded;
  from->left -= padded;
  return true;
}

static bool take_text(cursor *from, rp_text *text_out, size_t length) {
  const unsigned char *at;
  if (!take_padded(from, &at, length))
    return false;
  *text_out = (rp_text){ (const char *)at, length };
  return true;
}

static rp_launch *find_launch(rp_recording *it, uint64_t number) {
  for (size_t i = it->launch_count; i > 0; i--)
    if (it->launches[i - 1].number == number)
      return &it->launches[i - 1];
  return NULL;
}

static bool is_area_right(const vptr__record_area *area) {
  return area->kind >= VPTR__AREA_DEVICE && area->kind <= VPTR__AREA_VARIABLE && area->size > 0 &&
         area->address + area->size > area->address && area->buffer <= area->address;
}

static bool read_areas(rp_launch *launch, cursor *from) {
  const uint32_t count = launch->is.area_count;
  if (count > MOST_AREAS || count > from->left / sizeof(vptr__record_area))
    return false;
  launch->areas = rp_calloc(count, sizeof *launch->areas);
  for (uint32_t i = 0; i < count; i++)
    if (!take_bytes(from, &launch->areas[i].is, sizeof launch->areas[i].is) || !is_area_right(&launch->areas[i].is) ||
        !take_text(from, &launch->areas[i].text, launch->areas[i].is.text_length))
      return false;
  return from->left == 0;
}

static bool read_launch(rp_recording *it, uint64_t number, cursor from) {
  rp_launch launch = { .number = number };
  rp_text parameters;
  if (!take_bytes(&from, &launch.is, sizeof launch.is) || !take_text(&from, &launch.name, launch.is.name_length) ||
      !take_text(&from, &launch.lowered, launch.is.lowered_length) ||
      !take_text(&from, &parameters, launch.is.parameter_bytes))
    return false;
  launch.parameters = (const unsigned char *)parameters.at;
  bool has_module = launch.is.module < it->module_count && it->modules[launch.is.module].at != NULL;
  if (!has_module || find_launch(it, number) != NULL || !read_areas(&launch, &from)) {
    free(launch.areas);
    return false;
  }
  it->launches = grow(it->launches, it->launch_count, &it->launch_room, sizeof *it->launches);
  it->launches[it->launch_count++] = launch;
  return true;
}

static bool read_module(rp_recording *it, uint64_t number, cursor from) {
  if (number != it->module_count || number >= MOST_MODULES)
    return false;
  rp_text *modules = rp_calloc(it->module_count + 1, sizeof *modules);
  if (it->module_count > 0)
    memcpy(modules, it->modules, it->module_count * sizeof *modules);
  free(it->modules);
  it->modules = modules;
  it->modules[it->module_count++] = (rp_text){ (const char *)from.at, from.left };
  return true;
}

static bool read_data(rp_launch *launch, cursor from) {
  rp_data data;
  if (launch == NULL || !take_bytes(&from, &data.is, sizeof data.is) || data.is.area >= launch->is.area_count)
    return false;
  const uint64_t size = launch->areas[data.is.area].is.size;
  if (data.is.is_after > 1 || data.is.offset > size || from.left > size - data.is.offset)
    return false;
  data.bytes = from.at;
  data.size = from.left;
  launch->data = grow(launch->data, launch->data_count, &launch->data_room, sizeof *launch->data);
  launch->data[launch->data_count++] = data;
  return true;
}

static bool set_mark(bool *mark) {
  *mark = true;
  return true;
}

static bool read_record(rp_recording *it, const vptr__record_head *head, cursor from) {
  rp_launch *launch = find_launch(it, head->number);
  switch (head->type) {
  case VPTR__RECORD_MODULE:
    return read_module(it, head->number, from);
  case VPTR__RECORD_LAUNCH:
    return read_launch(it, head->number, from);
  case VPTR__RECORD_DATA:
    return read_data(launch, from);
  case VPTR__RECORD_READY:
    return launch != NULL && set_mark(&launch->is_ready);
  case VPTR__RECORD_DONE:
    return launch != NULL && launch->is_ready && set_mark(&launch->is_done);
  case VPTR__RECORD_DROP:
    return launch != NULL && set_mark(&launch->is_dropped);
  default:
    return false;
  }
}

/* ---- records -------------------------------------------------------------------------------------------- */

/* The record at `whole`, behind which whole is then. False: it is damaged; *is_cut: it is not all there. */
static bool next_record(rp_recording *it, bool *is_cut) {
  const unsigned char *at = it->bytes + it->whole;
  const size_t left = it->size - it->whole;
  vptr__record_head head;
  *is_cut = left < sizeof head;
  if (*is_cut)
    return true;
  memcpy(&head, at, sizeof head);
  if (head.mark != VPTR__RECORD_MARK)
    return refuse_recording(it, "damaged: at byte %zu begins no record", it->whole);
  *is_cut = head.length > left - sizeof head || vptr__record_padded(head.length) > left - sizeof head;
  if (*is_cut)
    return true;
  const size_t padded = vptr__record_padded(head.length);
  if (vptr__record_sum(vptr__record_head_sum(&head), at + sizeof head, padded) != head.sum)
    return refuse_recording(it,
                            "damaged: the sum over the record of %zu bytes at byte %zu is not the one that it has",
                            sizeof head + padded, it->whole);
  if (!read_record(it, &head, (cursor){ at + sizeof head, head.length }))
    return refuse_recording(it, "damaged: the record at byte %zu (type %u, number %llu) does not fit those before it",
                            it->whole, head.type, (unsigned long long)head.number);
  it->whole += sizeof head + padded;
  return true;
}

static bool read_header(rp_recording *it) {
  vptr__record_header *header = &it->header;
  if (it->size >= sizeof header->magic && memcmp(it->bytes, VPTR__RECORD_MAGIC, sizeof header->magic) != 0)
    return refuse_recording(it, "this is no recording: it does not begin as a file of VPTR_RECORD does");
  if (it->size < sizeof *header)
    return refuse_recording(it, "it has %zu bytes, and the header of a recording has %zu", it->size, sizeof *header);
  memcpy(header, it->bytes, sizeof *header);
  if (header->order != VPTR__RECORD_ORDER)
    return refuse_recording(it, "it was recorded on a machine whose numbers are in another order, or is damaged");
  if (header->version != VPTR__RECORD_VERSION)
    return refuse_recording(it, "its version is %u, and this vptr-replay reads version %d", header->version,
                            VPTR__RECORD_VERSION);
  if (vptr__record_header_sum(header) != header->sum)
    return refuse_recording(it, "damaged: the sum over the header is not the one that it has");
  it->whole = sizeof *header;
  return true;
}

/* An empty file has nothing to map. */
static bool map_file(rp_recording *it) {
  struct stat status;
  int descriptor = open(it->name, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return refuse_recording(it, "%s", strerror(errno));
  bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  it->size = is_file ? (size_t)status.st_size : 0;
  it->bytes = (const unsigned char *)"";
  if (it->size > 0)
    it->bytes = mmap(NULL, it->size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (!is_file)
    return refuse_recording(it, "this is no file");
  return it->bytes != MAP_FAILED || refuse_recording(it, "%s", strerror(errno));
}

bool rp_recording_open(const char *name, rp_recording *recording_out) {
  rp_recording *it = recording_out;
  bool is_cut = false;
  *it = (rp_recording){ .name = name };
  if (!map_file(it) || !read_header(it))
    return false;
  while (it->whole < it->size && !is_cut)
    if (!next_record(it, &is_cut))
      return false;
  return true;
}

/* ---- asking --------------------------------------------------------------------------------------------- */

unsigned char *rp_area_bytes(const rp_launch *launch, uint32_t area, bool is_after) {
  unsigned char *bytes = rp_calloc(1, launch->areas[area].is.size);
  for (int after = 0; after <= (is_after ? 1 : 0); after++)
    for (size_t i = 0; i < launch->data_count; i++) {
      const rp_data *data = &launch->data[i];
      if (data->is.area == area && data->is.is_after == (uint32_t)after && data->size > 0)
        memcpy(bytes + data->is.offset, data->bytes, data->size);
    }
  return bytes;
}

/* What stands behind a key of the kernel's line in the module. */
static bool find_entry(const rp_text *module, const rp_text *lowered, char *entry, size_t size) {
  char key[512];
  int length = snprintf(key, sizeof key, " lowered=%.*s entry=", (int)lowered->length, lowered->at);
  if (length < 0 || (size_t)length >= sizeof key)
    return false;
  const char *found = memmem(module->at, module->length, key, (size_t)length);
  if (found == NULL)
    return false;
  found += length;
  size_t most = (size_t)(module->at + module->length - found), at = 0;
  while (at < most && at + 1 < size && found[at] != ' ' && found[at] != '\n') {
    entry[at] = found[at];
    at++;
  }
  entry[at] = '\0';
  return at > 0;
}

void rp_launch_line(const rp_recording *recording, const rp_launch *launch, char *text, size_t size) {
  const rp_text *module = &recording->modules[launch->is.module];
  char entry[256], head[300];
  text[0] = '\0';
  if (!find_entry(module, &launch->lowered, entry, sizeof entry))
    return;
  int length = snprintf(head, sizeof head, "__kernel void %s(", entry);
  const char *kernel = memmem(module->at, module->length, head, (size_t)length);
  const char *line = NULL;
  for (const char *at = module->at; kernel != NULL && at < kernel;) {
    const char *next = memmem(at, (size_t)(kernel - at), "#line ", 6);
    if (next == NULL)
      break;
    line = next + 6;
    at = line;
  }
  if (line == NULL)
    return;
  const char *quote = memchr(line, '"', (size_t)(kernel - line));
  const char *end = quote != NULL ? memchr(quote + 1, '"', (size_t)(kernel - quote - 1)) : NULL;
  if (end != NULL)
    snprintf(text, size, "%.*s:%ld", (int)(end - quote - 1), quote + 1, strtol(line, NULL, 10));
}
