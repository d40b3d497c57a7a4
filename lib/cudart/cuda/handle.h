/* SPDX-License-Identifier: MIT */
/*
 * handle - values that a program holds for our objects: arrays, textures, surfaces.
 *
 * A handle is a number, not an address: the place in a table, and how often that place was given away. So any value a
 * program hands in is told apart from a live one without looking at memory, and a handle that was destroyed stays
 * invalid when its place is used again. 0 is never one.
 *
 * Objects count their references. The table has one; who looks a handle up gets another, and so may use the object
 * while a second thread destroys the handle.
 *
 * Thread-safe. `lock` of a table, of rank LEAF, guards its places; `references` of an object is atomic. The tables are
 * static variables of array.c, mipmap.c, texture.c and surface.c, which call this; texture_object.c, reference.c and
 * lacking.c let go of objects.
 */
#ifndef VPTR_CUDA_HANDLE_H
#define VPTR_CUDA_HANDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vptr/vptr.h>

#include "base/lock.h"

/* First in what has a handle. */
typedef struct vptr__cuda_object {
  atomic_uint references;
  void (*destroy)(struct vptr__cuda_object *object); /* when the last reference goes */
  vptr_mapper *mapper; /* of its device, whose reset ends the handle */
} vptr__cuda_object;

typedef struct vptr__cuda_handles {
  vptr__lock lock;
  struct vptr__cuda_handle_place *places;
  uint32_t count, live;
  uint32_t first_free; /* place + 1; 0: none */
} vptr__cuda_handles;

#define VPTR__CUDA_HANDLES_INIT { VPTR__LOCK_INIT(VPTR__RANK_LEAF), NULL, 0, 0, 0 }

/* Gives the object a handle; its first reference is the table's from now on. Errors: OUT_OF_HOST_MEMORY: the reference
 * is still the caller's. */
vptr_status vptr__cuda_handle_add(vptr__cuda_handles *table, vptr__cuda_object *object, uint64_t *handle_out);

/* Gives it this handle, which another process gave away, and none after it that was given there before. Errors:
 * INVALID_ARGUMENT (it is no handle, or its place is taken), OUT_OF_HOST_MEMORY: the reference is
 * still the caller's. */
vptr_status vptr__cuda_handle_add_at(vptr__cuda_handles *table, vptr__cuda_object *object, uint64_t handle);

/* The first object of a mapper from place *index on, with a reference for the caller, its handle, and *index behind it;
 * NULL: there is none. Begin with 0. */
vptr__cuda_object *vptr__cuda_handle_next(vptr__cuda_handles *table, const vptr_mapper *mapper, uint32_t *index,
                                          uint64_t *handle_out);

/* The object, with a reference for the caller, or NULL. */
vptr__cuda_object *vptr__cuda_handle_get(vptr__cuda_handles *table, uint64_t handle);

/* Ends a handle and lets go of the table's reference. False if it was none. */
bool vptr__cuda_handle_end(vptr__cuda_handles *table, uint64_t handle);

/* Ends the handles of all objects of a mapper. What is added meanwhile may stay. */
void vptr__cuda_handle_end_all(vptr__cuda_handles *table, const vptr_mapper *mapper);

/* Lets go of one reference. NULL is allowed. */
void vptr__cuda_object_release(vptr__cuda_object *object);

#endif
