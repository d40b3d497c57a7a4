/* SPDX-License-Identifier: MIT */
/*
 * reach - finding the memory that a launch reaches, and reading it (record/reach.h).
 *
 * There is no static data and no lock: a vptr__reach is a variable of the thread that records a launch, and the areas,
 * keys and bytes that it has are made here, and freed by vptr__reach_free(). Called by recorder.c for each launch that
 * is recorded, before it is sent, with no lock held but vptr__exec.lock, of rank EXEC, where an executable graph sends
 * it; recorder.c reads the areas once more behind it. To find a variable makes its memory on the device if there is
 * none yet (vptr__module_variable()), which blocks and may fail; to read memory blocks.
 */
#include "record/reach.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"

static bool refuse_launch(vptr__reach *reach, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse_launch(vptr__reach *reach, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reach->refusal, sizeof reach->refusal, format, arguments);
  va_end(arguments);
  return false;
}

static bool refuse_memory(vptr__reach *reach, size_t bytes) {
  return refuse_launch(reach, "the host has no %zu bytes for a copy of what it reaches", bytes);
}

/* ---- areas ---------------------------------------------------------------------------------------------- */

/* Where a base is among the keys, or would be. */
static uint32_t key_place(const vptr__reach *reach, uintptr_t base) {
  uint32_t low = 0, high = reach->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (reach->keys[middle].base < base)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool grow(vptr__reach *reach) {
  const uint32_t room = reach->room == 0 ? 16 : 2 * reach->room;
  vptr__reach_area *areas = vptr__memory_calloc(room, sizeof *areas);
  struct vptr__reach_key *keys = vptr__memory_calloc(room, sizeof *keys);
  if (areas == NULL || keys == NULL) {
    vptr__memory_free(areas);
    vptr__memory_free(keys);
    return refuse_memory(reach, room * (sizeof *areas + sizeof *keys));
  }
  if (reach->count > 0) {
    memcpy(areas, reach->areas, reach->count * sizeof *areas);
    memcpy(keys, reach->keys, reach->count * sizeof *keys);
  }
  vptr__memory_free(reach->areas);
  vptr__memory_free(reach->keys);
  reach->areas = areas;
  reach->keys = keys;
  reach->room = room;
  return true;
}

/* base: of its allocation, by which it is found. */
static bool add_area(vptr__reach *reach, uintptr_t base, const vptr__reach_area *area) {
  if (reach->count == reach->room && !grow(reach))
    return false;
  uint32_t place = key_place(reach, base);
  memmove(&reach->keys[place + 1], &reach->keys[place], (reach->count - place) * sizeof *reach->keys);
  reach->keys[place] = (struct vptr__reach_key){ base, reach->count };
  reach->areas[reach->count++] = *area;
  return true;
}

static const void *site_of(vptr_mapper *mapper, const void *base) {
  vptr_location nearest;
  vptr_status state;
  const void *site;
  return vptr__heap_nearest(mapper->heap, base, &nearest, &state, &site) && nearest.base == base ? site : NULL;
}

static bool is_of_device(vptr__area_kind kind) {
  return kind == VPTR__AREA_DEVICE || kind == VPTR__AREA_ATTACHED || kind == VPTR__AREA_VARIABLE;
}

/* Of device memory: where the address of byte 0 of its buffer would be. An attached one begins where it is. */
static uintptr_t buffer_address(const vptr_location *found) {
  uintptr_t base = (uintptr_t)found->base;
  bool has_buffer = found->kind == VPTR_KIND_DEVICE && found->buffer != NULL;
  return has_buffer ? base + found->offset - found->buffer_offset : base;
}

static bool add_allocation(vptr__reach *reach, const vptr_location *found) {
  uintptr_t base = (uintptr_t)found->base;
  uint32_t place = key_place(reach, base);
  if (place < reach->count && reach->keys[place].base == base) {
    const vptr__reach_area *there = &reach->areas[reach->keys[place].area];
    return there->kind != VPTR__AREA_VARIABLE ||
           refuse_launch(reach, "variable %.100s, which it uses by name, is reached by a pointer as well",
                         there->name);
  }
  vptr__reach_area area = {
    .address = base, .size = found->size, .buffer = buffer_address(found), .kind = (vptr__area_kind)found->kind
  };
  if (is_of_device(area.kind))
    area.site = site_of(reach->mapper, found->base);
  return add_area(reach, base, &area);
}

/* ---- pointers ------------------------------------------------------------------------------------------- */

/* Live memory of the device, or of the host's that it reaches; in silence. */
static bool locate(const vptr__reach *reach, uint64_t address, vptr_location *found_out) {
  const uint64_t least = 1 << 16, most = UINT64_C(1) << 47;
  const void *ptr = (const void *)(uintptr_t)address;
  if (address < least || address >= most)
    return false;
  vptr_status status = vptr__mapper_locate(reach->mapper, ptr, 1, found_out);
  if (status != VPTR_ERROR_UNKNOWN_ADDRESS)
    return status == VPTR_SUCCESS;
  return vptr_resolve_batch(reach->mapper, &ptr, 1, 1, found_out, &status) == VPTR_SUCCESS && status == VPTR_SUCCESS;
}

/* An argument may be the end of an allocation; of what lies in memory, that alone leads nowhere. */
static bool add_pointer(vptr__reach *reach, const unsigned char *at, uint32_t index, bool may_be_number) {
  vptr_location found;
  uint64_t address;
  memcpy(&address, at, sizeof address);
  if (address == 0)
    return true;
  if (locate(reach, address, &found) || (!may_be_number && locate(reach, address - 1, &found)))
    return add_allocation(reach, &found);
  return may_be_number ||
         refuse_launch(reach, "argument %u, %#" PRIx64 ", points to memory of which nobody knows the bounds", index,
                       address);
}

static bool scan(vptr__reach *reach, const unsigned char *bytes, size_t size) {
  for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t))
    if (!add_pointer(reach, bytes + at, 0, true))
      return false;
  return true;
}

static bool add_parameters(vptr__reach *reach, const vptr__image_kernel *image, const unsigned char *parameters) {
  for (uint32_t i = 0; i < image->param_count; i++) {
    const vptr__image_param *param = &image->params[i];
    const unsigned char *at = parameters + param->offset;
    if (param->kind == VPTR__PARAM_POINTER && !add_pointer(reach, at, i, false))
      return false;
    for (uint32_t k = 0; k < param->pointer_count; k++)
      if (!add_pointer(reach, at + param->pointers[k], i, param->are_words))
        return false;
  }
  return !image->follows_pointers || scan(reach, parameters, image->parameter_bytes);
}

/* ---- variables ------------------------------------------------------------------------------------------ */

static bool add_variable(vptr__reach *reach, vptr__function *function, const vptr__image_variable *line) {
  void *memory;
  size_t size;
  vptr_location found;
  if (line->is_locks)
    return true;
  if (line->is_heap)
    return refuse_launch(reach, "it may call malloc(), and the heap of kernels is not recorded");
  if (line->kind == VPTR__VARIABLE_MANAGED)
    return refuse_launch(reach, "it uses __managed__ variable %.100s", line->name);
  if (line->is_extern)
    return refuse_launch(reach, "it uses variable %.100s, which another module has", line->name);
  vptr_status status =
      vptr__module_variable(vptr__function_module(function), line->lowered, reach->mapper, &memory, &size);
  if (status == VPTR_SUCCESS)
    status = vptr__mapper_locate(reach->mapper, memory, size, &found);
  if (status != VPTR_SUCCESS)
    return refuse_launch(reach, "variable %.100s has no memory (%s)", line->name, vptr_status_string(status));
  return add_area(reach, (uintptr_t)found.base,
                  &(vptr__reach_area){ .address = (uintptr_t)memory,
                                       .size = size,
                                       .buffer = (uintptr_t)memory,
                                       .kind = VPTR__AREA_VARIABLE,
                                       .name = line->lowered });
}

static bool add_variables(vptr__reach *reach, vptr__function *function, const vptr__image_kernel *image) {
  const vptr__module_image *module = vptr__module_image_of(vptr__function_module(function));
  for (uint32_t i = 0; i < image->hidden_count; i++) {
    const vptr__image_param *param = &image->params[image->param_count + i];
    if (param->kind == VPTR__PARAM_VARIABLE && !add_variable(reach, function, &module->variables[param->variable]))
      return false;
  }
  return true;
}

/* ---- contents ------------------------------------------------------------------------------------------- */

vptr_status vptr__reach_read(const vptr__reach *reach, const vptr__reach_area *area, size_t offset, void *bytes,
                             size_t size) {
  const void *from = (const void *)(area->address + offset);
  if (is_of_device(area->kind))
    return vptr_memcpy(reach->mapper, bytes, from, size);
  memcpy(bytes, from, size);
  return VPTR_SUCCESS;
}

/* Areas that it leads to come behind it. */
static bool read_area(vptr__reach *reach, uint32_t index, bool follows) {
  vptr__reach_area *area = &reach->areas[index];
  unsigned char *bytes = vptr__memory_calloc(1, area->size);
  if (bytes == NULL)
    return refuse_memory(reach, area->size);
  area->bytes = bytes;
  const size_t size = area->size;
  if (vptr__reach_read(reach, area, 0, bytes, size) != VPTR_SUCCESS)
    return refuse_launch(reach, "what it reaches cannot be read: %.180s", vptr_last_error());
  return !follows || scan(reach, bytes, size);
}

bool vptr__reach_find(vptr__reach *reach, vptr_mapper *mapper, vptr__function *function,
                      const unsigned char *parameters) {
  const vptr__image_kernel *image = vptr__function_image(function);
  *reach = (vptr__reach){ .mapper = mapper };
  if (!add_variables(reach, function, image) || !add_parameters(reach, image, parameters))
    return false;
  for (uint32_t i = 0; i < reach->count; i++)
    if (!read_area(reach, i, image->follows_pointers))
      return false;
  return true;
}

void vptr__reach_free(vptr__reach *reach) {
  for (uint32_t i = 0; i < reach->count; i++)
    vptr__memory_free(reach->areas[i].bytes);
  vptr__memory_free(reach->areas);
  vptr__memory_free(reach->keys);
}
