/* SPDX-License-Identifier: MIT */
/*
 * fake_table - handles of the fake device.
 *
 * A handle is not a pointer but a number: its kind, the place of the object in a table, and how often that place was
 * taken (modulo 2^28). So a handle that was released, or never made, is told apart from a live one without looking at
 * any memory: vptr__fake_table_find() returns NULL for it, and the callers stop with a sentence.
 *
 *     63  60 59                  32 31                       0
 *     [kind][     generation      ][   place, from 1 on      ]
 *
 * A program may hand a buffer to OpenCL's loader, which reads a dispatch table at the handle's address. So the handle
 * of a buffer is an address, of a face: a small object of fake_face.c that begins with such a table and stands for
 * one place and generation. When the faces are used up, a buffer's handle is a number like the others.
 *
 * The fake device's one mutex (vptr__fake_lock() of fake_driver.h, of no rank) guards the tables. Each table is a
 * static variable of the file that has the objects; its places are made here, and stay until the process ends. Nothing
 * here waits. Called by fake_buffer.c (`buffers`), fake_event.c (`events`) and fake_queue.c (`handles`), with the mutex
 * held.
 */
#include "device/fake_driver.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_COUNT = 64, GENERATION_BITS = 28 };

struct vptr__fake_place {
  void *object;        /* NULL: the place is free */
  uint32_t generation; /* how often it was given away */
  uint32_t next_free;  /* of a free place */
};

static void *handle_of(const vptr__fake_table *table, uint32_t number) {
  uint64_t generation = table->places[number - 1].generation & (((uint32_t)1 << GENERATION_BITS) - 1);
  void *face = table->has_faces ? vptr__fake_face(number, generation) : NULL;
  if (face != NULL)
    return face;
  return (void *)(uintptr_t)((uint64_t)table->kind << 60 | generation << 32 | number);
}

static vptr__fake_place *place_of(const vptr__fake_table *table, const void *handle) {
  uint32_t number = table->has_faces ? vptr__fake_face_number(handle) : 0;
  if (number == 0)
    number = (uint32_t)((uintptr_t)handle & UINT32_MAX);
  if (number == 0 || number > table->count || handle_of(table, number) != handle)
    return NULL;
  return &table->places[number - 1];
}

static bool have_free_place(vptr__fake_table *table) {
  if (table->first_free != 0)
    return true;
  uint32_t count = table->count == 0 ? FIRST_COUNT : table->count * 2;
  vptr__fake_place *grown = realloc(table->places, count * sizeof *grown);
  if (grown == NULL)
    return false;
  memset(grown + table->count, 0, (count - table->count) * sizeof *grown);
  for (uint32_t i = table->count; i < count; i++)
    grown[i].next_free = i + 1 < count ? i + 2 : 0;
  table->first_free = table->count + 1;
  table->places = grown;
  table->count = count;
  return true;
}

void *vptr__fake_table_add(vptr__fake_table *table, void *object) {
  if (!have_free_place(table))
    return NULL;
  uint32_t number = table->first_free;
  vptr__fake_place *place = &table->places[number - 1];
  table->first_free = place->next_free;
  place->object = object;
  place->generation++;
  return handle_of(table, number);
}

void *vptr__fake_table_find(const vptr__fake_table *table, const void *handle) {
  const vptr__fake_place *place = place_of(table, handle);
  return place != NULL ? place->object : NULL;
}

void vptr__fake_table_remove(vptr__fake_table *table, const void *handle) {
  vptr__fake_place *place = place_of(table, handle);
  place->object = NULL;
  place->next_free = table->first_free;
  table->first_free = (uint32_t)(place - table->places) + 1;
}
