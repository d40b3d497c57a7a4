/* SPDX-License-Identifier: MIT */
/*
 * recorder - recording launches: it sees each before it is sent, and writes it and its memory (record/recorder.h).
 *
 * The static `recorder` has the range and `is_off`, set once by pthread_once(), and counts, which are atomic; a
 * `recording` is a variable of the thread that launches. There is no lock here; file.c takes its own, of rank LEAF, for
 * each record, and the launch and the waits around it those of module/launch.c and mapper->stream_lock, of rank STREAM:
 * so a launch comes with no lock held but vptr__exec.lock, of rank EXEC, where an executable graph sends it. Launches
 * come from module/launch.c through vptr__launch_watched, which this file sets; a recorded one blocks until it is done.
 * Called by cudart/cuda/launch.c when the library is loaded.
 */
#include "record/recorder.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/callsite.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/option.h"
#include "record/file.h"
#include "record/range.h"
#include "record/reach.h"

enum { MOST_TOLD = 100 };

static struct {
  pthread_once_t once;
  vptr__record_range range;
  bool is_off;
  _Atomic(uint64_t) launches, matches;
  atomic_uint told; /* that they are left out */
} recorder = { .once = PTHREAD_ONCE_INIT };

static void read_range(void) {
  const char *text = vptr__option_text(VPTR__OPTION_RECORD_RANGE);
  recorder.is_off = vptr__option_text(VPTR__OPTION_RECORD) == NULL;
  if (vptr__record_range_read(text, &recorder.range))
    return;
  recorder.is_off = true;
  vptr__log_always(
      "VPTR_RECORD_RANGE=%s is neither a kernel's name, nor numbers such as 7, 3-5 or 3-, nor both with a "
      "colon between: nothing is recorded",
      text);
}

/* ---- a launch on its way -------------------------------------------------------------------------------- */

typedef struct recording {
  const vptr__image_kernel *image;
  uint64_t number, module;
  unsigned char *parameters;
  vptr__reach reach;
} recording;

/* Of a program that launches the same for ever, a number of lines is enough. */
static bool leave_out(const recording *it, const char *why) {
  unsigned told = atomic_fetch_add_explicit(&recorder.told, 1, memory_order_relaxed);
  if (told == MOST_TOLD)
    vptr__log_always("VPTR_RECORD: of more launches that are left out nothing is said");
  if (told < MOST_TOLD)
    vptr__log_always("VPTR_RECORD: launch %llu, of %s, is left out: %s", (unsigned long long)it->number,
                     it->image->name, why);
  return false;
}

/* Why a launch cannot be recorded, whatever its memory is; NULL: it can. */
static const char *refusal_of(const vptr__launch *launch, const vptr__image_kernel *image,
                              const vptr__module_image *module) {
  if (launch->is_of_graph)
    return "it is a node of a graph; launch it in a stream";
  if (image->launches)
    return "it launches kernels";
  if (image->reads_texels)
    return "it reads textures or surfaces";
  if (module->is_ptx || module->is_code)
    return "its module is PTX or machine code, which other devices cannot run";
  return NULL;
}

static bool copy_parameters(recording *it, const vptr__launch *launch) {
  const vptr__image_kernel *image = it->image;
  it->parameters = vptr__memory_calloc(1, vptr__record_padded(image->parameter_bytes) + 8);
  if (it->parameters == NULL)
    return leave_out(it, "the host has no memory for its parameters");
  if (launch->arguments == NULL) {
    if (launch->packed == NULL && image->parameter_bytes > 0)
      return false;
    if (image->parameter_bytes > 0)
      memcpy(it->parameters, launch->packed, vptr__smaller(image->parameter_bytes, launch->packed_size));
    return true;
  }
  for (uint32_t i = 0; i < image->param_count; i++)
    if (launch->arguments[i] == NULL) /* the launch will say so */
      return false;
    else
      memcpy(it->parameters + image->params[i].offset, launch->arguments[i], image->params[i].size);
  return true;
}

/* ---- what is written ------------------------------------------------------------------------------------ */

static size_t put_padded(unsigned char *at, const void *bytes, size_t size) {
  if (size > 0)
    memcpy(at, bytes, size);
  return vptr__record_padded(size);
}

/* Where an area was allocated, in words, or its name. */
static void describe_area(const vptr__reach_area *area, char *text, size_t size) {
  text[0] = '\0';
  if (area->name != NULL)
    snprintf(text, size, "%s", area->name);
  else if (area->site != NULL)
    vptr__callsite_describe((const char *)area->site - 1, text, size);
}

static size_t put_area(unsigned char *at, const vptr__reach_area *area) {
  char text[256];
  describe_area(area, text, sizeof text);
  const vptr__record_area written = { .address = area->address,
                                      .size = area->size,
                                      .buffer = area->buffer,
                                      .kind = area->kind,
                                      .text_length = (uint32_t)strlen(text) };
  memcpy(at, &written, sizeof written);
  return sizeof written + put_padded(at + sizeof written, text, written.text_length);
}

static bool put_launch(const recording *it, const vptr__record_launch *launch) {
  const vptr__image_kernel *image = it->image;
  size_t most = sizeof *launch + image->parameter_bytes + launch->name_length + launch->lowered_length + 24 +
                it->reach.count * (sizeof(vptr__record_area) + 256 + 8);
  unsigned char *bytes = vptr__memory_calloc(1, most);
  if (bytes == NULL)
    return leave_out(it, "the host has no memory for its record");
  memcpy(bytes, launch, sizeof *launch);
  size_t at = sizeof *launch;
  at += put_padded(bytes + at, image->name, launch->name_length);
  at += put_padded(bytes + at, image->lowered, launch->lowered_length);
  at += put_padded(bytes + at, it->parameters, image->parameter_bytes);
  for (uint32_t i = 0; i < it->reach.count; i++)
    at += put_area(bytes + at, &it->reach.areas[i]);
  bool is_put = vptr__record_file_put(VPTR__RECORD_LAUNCH, it->number, bytes, at, NULL, 0);
  vptr__memory_free(bytes);
  return is_put;
}

/* Whether a page differs from what a reader assumes where the file has no data: zeros, or the bytes before the
 * launch. */
static bool is_page_told(const unsigned char *bytes, const unsigned char *before, size_t size) {
  static const unsigned char zeros[VPTR__RECORD_PAGE];
  return memcmp(bytes, before != NULL ? before : zeros, size) != 0;
}

/* A piece of an area, at most VPTR__RECORD_MOST; `before` has the bytes before the launch; NULL: `bytes` are
 * these. */
static bool put_piece(const recording *it, uint32_t area, size_t offset, const unsigned char *bytes,
                      const unsigned char *before, size_t size) {
  for (size_t at = 0; at < size;) {
    size_t end = at;
    while (end < size && is_page_told(bytes + end, before != NULL ? before + end : NULL,
                                      vptr__smaller(size - end, VPTR__RECORD_PAGE)))
      end += vptr__smaller(size - end, VPTR__RECORD_PAGE);
    const vptr__record_data data = { .area = area, .is_after = before != NULL, .offset = offset + at };
    if (end > at && !vptr__record_file_put(VPTR__RECORD_DATA, it->number, &data, sizeof data, bytes + at, end - at))
      return false;
    at = end > at ? end : at + vptr__smaller(size - at, VPTR__RECORD_PAGE);
  }
  return true;
}

static bool put_before(const recording *it) {
  for (uint32_t i = 0; i < it->reach.count; i++) {
    const vptr__reach_area *area = &it->reach.areas[i];
    for (size_t at = 0; at < area->size; at += VPTR__RECORD_MOST)
      if (!put_piece(it, i, at, area->bytes + at, NULL, vptr__smaller(area->size - at, VPTR__RECORD_MOST)))
        return false;
  }
  return vptr__record_file_put(VPTR__RECORD_READY, it->number, NULL, 0, NULL, 0);
}

static bool put_area_after(const recording *it, uint32_t index, unsigned char *room) {
  const vptr__reach_area *area = &it->reach.areas[index];
  for (size_t at = 0; at < area->size; at += VPTR__RECORD_MOST) {
    size_t size = vptr__smaller(area->size - at, VPTR__RECORD_MOST);
    if (vptr__reach_read(&it->reach, area, at, room, size) != VPTR_SUCCESS)
      return leave_out(it, "what it left cannot be read");
    if (!put_piece(it, index, at, room, area->bytes + at, size))
      return false;
  }
  return true;
}

static void put_after(const recording *it) {
  unsigned char *room = vptr__memory_calloc(1, VPTR__RECORD_MOST);
  bool is_put = room != NULL || leave_out(it, "the host has no memory to compare what it left");
  for (uint32_t i = 0; i < it->reach.count && is_put; i++)
    is_put = put_area_after(it, i, room);
  vptr__memory_free(room);
  if (is_put)
    vptr__record_file_put(VPTR__RECORD_DONE, it->number, NULL, 0, NULL, 0);
}

/* ---- recording ------------------------------------------------------------------------------------------ */

static bool begin(recording *it, vptr_mapper *mapper, vptr__function *function, const vptr__launch *launch) {
  const vptr__module_image *module = vptr__module_image_of(vptr__function_module(function));
  bool is_full;
  if (!copy_parameters(it, launch))
    return false;
  if (!vptr__reach_find(&it->reach, mapper, function, it->parameters))
    return leave_out(it, it->reach.refusal);
  if (!vptr__record_file_put_module(module->text, module->length, &it->module, &is_full))
    return is_full ? leave_out(it, "there are too many modules") : false;
  vptr__record_launch written = { .module = it->module,
                                  .shared = launch->shared,
                                  .is_cooperative = launch->is_cooperative,
                                  .area_count = it->reach.count,
                                  .name_length = (uint32_t)strlen(it->image->name),
                                  .lowered_length = (uint32_t)strlen(it->image->lowered),
                                  .parameter_bytes = it->image->parameter_bytes };
  memcpy(written.grid, launch->grid, sizeof written.grid);
  memcpy(written.block, launch->block, sizeof written.block);
  return put_launch(it, &written) && put_before(it);
}

/* What failed before belongs to the program, which hears of it by this launch. */
static vptr_status record(recording *it, vptr__function *function, vptr__stream *stream, vptr__launch *launch) {
  vptr_mapper *mapper = vptr__stream_mapper(stream);
  const char *why = refusal_of(launch, it->image, vptr__module_image_of(vptr__function_module(function)));
  if (why != NULL) {
    leave_out(it, why);
    return vptr__function_send(function, stream, launch);
  }
  vptr_status status = vptr__stream_synchronize_all(mapper);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__error_try();
  bool is_begun = begin(it, mapper, function, launch);
  vptr__error_tried(VPTR_SUCCESS);
  status = vptr__function_send(function, stream, launch);
  if (is_begun && status != VPTR_SUCCESS)
    vptr__record_file_put(VPTR__RECORD_DROP, it->number, NULL, 0, NULL, 0);
  if (!is_begun || status != VPTR_SUCCESS)
    return status;
  status = vptr__stream_synchronize(stream);
  vptr__error_try();
  if (status == VPTR_SUCCESS)
    put_after(it);
  vptr__error_tried(VPTR_SUCCESS);
  return status;
}

static bool is_wanted(const vptr__image_kernel *image, uint64_t *number_out) {
  pthread_once(&recorder.once, read_range);
  *number_out = atomic_fetch_add_explicit(&recorder.launches, 1, memory_order_relaxed);
  if (recorder.is_off || !vptr__record_range_names(&recorder.range, image->name, image->lowered))
    return false;
  uint64_t match = atomic_fetch_add_explicit(&recorder.matches, 1, memory_order_relaxed);
  return match >= recorder.range.first && match <= recorder.range.last;
}

/* A launch by a kernel is part of the host's launch. */
static vptr_status watch(vptr__function *function, vptr__stream *stream, vptr__launch *launch) {
  recording it = { .image = vptr__function_image(function) };
  if (launch->child_room_out != NULL || vptr__stream_in_host_function() || !is_wanted(it.image, &it.number) ||
      !vptr__record_file_open(vptr__stream_mapper(stream)))
    return vptr__function_send(function, stream, launch);
  vptr_status status = record(&it, function, stream, launch);
  vptr__reach_free(&it.reach);
  vptr__memory_free(it.parameters);
  return status;
}

/* Options are read at the first launch: the program may set them until then. */
void vptr__recorder_watch(void) {
  const char *name = getenv("VPTR_RECORD");
  if (name != NULL && name[0] != '\0')
    atomic_store_explicit(&vptr__launch_watched, watch, memory_order_relaxed);
}
