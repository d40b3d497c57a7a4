/* SPDX-License-Identifier: MIT */
/*
 * reference - texture and surface references by the driver's handles; see reference.c.
 *
 * Locks: the static `lock` of reference.c, of rank LEAF, guards the list of handles. What a handle says is changed by
 * one thread at a time, which is the program's to see to.
 */
#ifndef VPTR_DRIVER_REFERENCE_H
#define VPTR_DRIVER_REFERENCE_H

#include <stdbool.h>

#include <vptr/cuda/cuda.h>
#include <vptr/cuda/texture_types.h>

#include "cuda/reference.h"
#include "module/module.h"

typedef enum vptr__driver_bound {
  VPTR__DRIVER_NOTHING,
  VPTR__DRIVER_LINE,
  VPTR__DRIVER_ROWS,
  VPTR__DRIVER_ARRAY,
  VPTR__DRIVER_MIPMAP
} vptr__driver_bound;

/* A CUtexref or CUsurfref. */
typedef struct vptr__driver_reference {
  struct textureReference fields; /* first: the runtime knows the reference by its address, and reads them */
  vptr__cuda_reference *runtime;
  struct vptr__driver_reference *next;
  const vptr__module *module;     /* NULL: of cuTexRefCreate() */
  const char *name, *lowered;     /* the module's */
  bool is_surface;
  CUarray_format format;
  unsigned channels, flags;
  float border[4];
  vptr__driver_bound bound;       /* by the last call that bound something; what follows is of that one */
  CUdeviceptr address;
  size_t bytes, width, height, pitch;
  CUarray array;
  CUmipmappedArray mipmap;
} vptr__driver_reference;

/* Those that a module's lines tell; their variables begin with the references' numbers. All or none are made. */
CUresult vptr__driver_references_make(vptr__module *module);

/* A module's, when it is unloaded: no thread may be using them. */
void vptr__driver_references_end(const vptr__module *module);

/* By name= or lowered=. NULL: none of that kind. */
vptr__driver_reference *vptr__driver_reference_named(const vptr__module *module, const char *name, bool is_surface);

/* One of no module's, and its end: INVALID_VALUE if it is a module's. */
CUresult vptr__driver_reference_create(vptr__driver_reference **made_out);
CUresult vptr__driver_reference_destroy(const char *call, vptr__driver_reference *gone);

/* vptr__driver_enter(), and the handle is one of that kind: INVALID_HANDLE if not. */
CUresult vptr__driver_reference_check(const char *call, const void *handle, bool is_surface);

#endif
