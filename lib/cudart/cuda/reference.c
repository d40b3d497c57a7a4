/* SPDX-License-Identifier: MIT */
/*
 * reference - texture and surface references: what the program binds to them, on each device (reference.h).
 *
 * A reference has a number for its life, a handle in the table of textures or of surfaces, with which its variable on a
 * device begins. What is bound to it is a texture or a surface that kernels find under that number: so to bind anew
 * writes nothing that a kernel in flight may read, for each launch has a table of its own (mapper/texel_table.h).
 *
 * A reference has a list of bindings, one for each device where something is bound, and is freed here. Of one that its
 * module takes with it (registration.c) the bindings go when the work in flight is over (module/leaving.h).
 *
 * The static list `references` and `has_left` are guarded by the static `lock`, of rank LEAF; bindings, and how a
 * reference reads (`reads_floats`, `is_seamless`, `border`), by the static `binding`, of rank REFERENCE, which is held
 * while a texture is made, and so while an array changes its form. vptr__cuda_references_bound, atomic, counts all
 * bindings: while it is 0, launches take no lock. A reference goes only with its module, whose references nobody may be
 * using then. But launches and resets walk the list with `binding` held, whichever references they are about, and a
 * destructor that takes one out cannot wait for that lock (module/leaving.h). So that a reference is not freed
 * meanwhile, what it has bound is let go of under `binding` first; its shadow, which goes at once, is read under `lock`
 * while it has not left; and from then on nobody else unbinds.
 *
 * Called by cuda/reference_call.c and driver/reference_call.c, which have CUDA's calls; by registration.c and
 * driver/reference.c, which bring references and take them; by cuda/launch.c, replay/send.c and driver/launch.c, in
 * front of a launch; and by reset.c, which unbinds all.
 */
#include "cuda/reference.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/array.h"
#include "cuda/device.h"
#include "cuda/error.h"
#include "cuda/surface.h"
#include "cuda/texture.h"
#include "cuda/unit.h"
#include "stream/stream.h"

#include <vptr/cuda/cuda_runtime_api.h>

#include <stdbool.h>
#include <string.h>

typedef vptr__cuda_reference reference;

typedef struct bound {
  struct bound *next;        /* of its reference's, on another device */
  vptr__cuda_object *object; /* a texture, or a surface */
  uint64_t until;            /* of a reference that leaves: the last work that may use it */
} bound;

struct vptr__cuda_reference {
  vptr__leaving leaving;   /* first */
  vptr__cuda_object place; /* of its number, in the table of handles: of no device, and of no use there */
  struct vptr__cuda_reference *next;
  const void *shadow;
  const void *module;
  const char *name;
  uint64_t number;
  bool is_surface, reads_floats, is_seamless;
  bool has_left; /* its list: the shadow may be gone, and what is bound is free_unused()'s alone */
  float border[4];
  bound *bindings;
};

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static vptr__lock binding = VPTR__LOCK_INIT(VPTR__RANK_REFERENCE);
static reference *references;
atomic_size_t vptr__cuda_references_bound;

/* ---- the list ------------------------------------------------------------------------------------------- */

static reference *look_up(const void *shadow) {
  reference *found = references;
  while (found != NULL && found->shadow != shadow)
    found = found->next;
  return found;
}

static reference *reference_at(const void *shadow, bool is_surface) {
  vptr__lock_take(&lock);
  reference *found = look_up(shadow);
  vptr__lock_give(&lock);
  return found != NULL && found->is_surface == is_surface ? found : NULL;
}

cudaError_t vptr__cuda_reference_find(const char *call, const void *shadow, bool is_surface, reference **found_out) {
  cudaError_t error = vptr__cuda_device_exists();
  if (error != cudaSuccess)
    return error;
  *found_out = reference_at(shadow, is_surface);
  if (*found_out == NULL && shadow != NULL)
    error = vptr__cuda_unit_try(call, shadow);
  if (error != cudaSuccess)
    return error;
  *found_out = reference_at(shadow, is_surface);
  if (*found_out != NULL)
    return cudaSuccess;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "%s: %p is no %s reference of a module; it is a variable at file scope, in a file that vptrcc compiles",
              call, shadow, is_surface ? "surface" : "texture");
  return is_surface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture;
}

/* The table of handles lets go of a place, which is part of a reference. */
static void forget_place(vptr__cuda_object *place) {
  (void)place;
}

static vptr_status reserve_number(reference *made) {
  made->place.destroy = forget_place;
  atomic_store(&made->place.references, 1);
  return made->is_surface ? vptr__cuda_surface_reserve(&made->place, &made->number)
                          : vptr__cuda_texture_reserve(&made->place, &made->number);
}

static void give_up_number(const reference *gone) {
  if (gone->is_surface)
    vptr__cuda_surface_give_up(gone->number);
  else
    vptr__cuda_texture_give_up(gone->number);
}

/* False: its shadow is one's already. */
static bool insert_reference(reference *made) {
  vptr__lock_take(&lock);
  bool is_new = look_up(made->shadow) == NULL;
  if (is_new) {
    made->next = references;
    references = made;
  }
  vptr__lock_give(&lock);
  return is_new;
}

bool vptr__cuda_reference_is_known(const void *shadow) {
  vptr__lock_take(&lock);
  bool is_known = look_up(shadow) != NULL;
  vptr__lock_give(&lock);
  return is_known;
}

cudaError_t vptr__cuda_reference_know(const vptr_cuda_variable *variable, const void *module,
                                      const uint64_t **number_out) {
  reference *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof *made));
  made->shadow = variable->host;
  made->module = module;
  made->name = variable->name;
  made->is_surface = (variable->flags & VPTR_CUDA_VARIABLE_SURFACE) != 0;
  made->reads_floats = (variable->flags & VPTR_CUDA_VARIABLE_NORMALIZED) != 0;
  vptr_status status = reserve_number(made);
  if (status == VPTR_SUCCESS && insert_reference(made)) {
    *number_out = &made->number;
    return cudaSuccess;
  }
  if (status == VPTR_SUCCESS) {
    give_up_number(made);
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%p is a reference already, and cannot be %.200s too", variable->host,
                variable->name);
  }
  vptr__memory_free(made);
  return status == VPTR_SUCCESS ? cudaErrorInvalidSymbol : vptr__cuda_from_status(status);
}

/* ---- bindings, under their lock -------------------------------------------------------------------------- */

static bound **place_of(reference *of, const vptr_mapper *mapper) {
  bound **place = &of->bindings;
  while (*place != NULL && (*place)->object->mapper != mapper)
    place = &(*place)->next;
  return place;
}

/* Kernels find it no longer, unless another one is under its number. */
static void release_bound(bound *gone) {
  atomic_fetch_sub(&vptr__cuda_references_bound, 1);
  vptr__cuda_object_release(gone->object);
  vptr__memory_free(gone);
}

static void unbind(reference *from, const vptr_mapper *mapper) {
  vptr__lock_take(&lock);
  bound **place = place_of(from, mapper), *gone = from->has_left ? NULL : *place;
  if (gone != NULL)
    *place = gone->next;
  vptr__lock_give(&lock);
  if (gone != NULL)
    release_bound(gone);
}

/* Kernels find the new object already. */
static void put_bound(reference *to, bound *made) {
  bound **place = place_of(to, made->object->mapper), *before = *place;
  made->next = before != NULL ? before->next : NULL;
  *place = made;
  atomic_fetch_add(&vptr__cuda_references_bound, 1);
  if (before == NULL)
    return;
  if (to->is_surface)
    vptr__cuda_surface_replaced(before->object);
  else
    ((vptr__cuda_texture *)before->object)->handle = 0;
  release_bound(before);
}

/* ---- how a reference reads ------------------------------------------------------------------------------- */

static struct cudaTextureDesc desc_of(const reference *of) {
  const struct textureReference *fields = of->shadow;
  return (struct cudaTextureDesc){
    .addressMode = { fields->addressMode[0], fields->addressMode[1], fields->addressMode[2] },
    .filterMode = fields->filterMode,
    .readMode = of->reads_floats ? cudaReadModeNormalizedFloat : cudaReadModeElementType,
    .sRGB = fields->sRGB,
    .borderColor = { of->border[0], of->border[1], of->border[2], of->border[3] },
    .normalizedCoords = fields->normalized,
    .maxAnisotropy = fields->maxAnisotropy,
    .mipmapFilterMode = fields->mipmapFilterMode,
    .mipmapLevelBias = fields->mipmapLevelBias,
    .minMipmapLevelClamp = fields->minMipmapLevelClamp,
    .maxMipmapLevelClamp = fields->maxMipmapLevelClamp,
    .disableTrilinearOptimization = fields->disableTrilinearOptimization,
    .seamlessCubemap = of->is_seamless
  };
}

void vptr__cuda_reference_read(reference *of, bool reads_floats, bool is_seamless, const float border[4]) {
  vptr__lock_take(&binding);
  of->is_seamless = is_seamless;
  of->reads_floats = reads_floats;
  memcpy(of->border, border, sizeof of->border);
  vptr__lock_give(&binding);
}

/* False: it left while somebody came to it along the list. */
static bool read_fields(const reference *of, struct cudaTextureDesc *desc_out) {
  vptr__lock_take(&lock);
  bool is_there = !of->has_left;
  if (is_there)
    *desc_out = desc_of(of);
  vptr__lock_give(&lock);
  return is_there;
}

static cudaError_t look_at(reference *it, const vptr_mapper *mapper) {
  struct cudaTextureDesc desc;
  const bound *at = it->is_surface ? NULL : *place_of(it, mapper);
  if (at == NULL || !read_fields(it, &desc))
    return cudaSuccess;
  vptr__cuda_texture *seen = (vptr__cuda_texture *)at->object;
  return memcmp(&seen->desc, &desc, sizeof desc) == 0 ? cudaSuccess : vptr__cuda_texture_change(seen, &desc);
}

/* The one behind it in the list, or the first. */
static reference *next_to(const reference *it) {
  vptr__lock_take(&lock);
  reference *next = it != NULL ? it->next : references;
  vptr__lock_give(&lock);
  return next;
}

cudaError_t vptr__cuda_references_look(const vptr_mapper *mapper) {
  cudaError_t error = cudaSuccess;
  vptr__lock_take(&binding);
  for (reference *each = next_to(NULL); each != NULL && error == cudaSuccess; each = next_to(each))
    error = look_at(each, mapper);
  vptr__lock_give(&binding);
  return error;
}

void vptr__cuda_references_unbind_all(const vptr_mapper *mapper) {
  vptr__lock_take(&binding);
  for (reference *each = next_to(NULL); each != NULL; each = next_to(each))
    unbind(each, mapper);
  vptr__lock_give(&binding);
}

/* ---- for calls ------------------------------------------------------------------------------------------- */

/* Under the lock the driver is not started, and the current device is not asked for: that takes locks of outer ranks
 * (unit.h). */
static cudaError_t begin_binding(vptr_mapper **mapper_out, bound **made_out) {
  cudaError_t error = vptr__cuda_current_mapper(mapper_out);
  if (error != cudaSuccess)
    return error;
  *made_out = vptr__memory_calloc(1, sizeof **made_out);
  if (*made_out == NULL)
    return vptr__cuda_from_status(vptr__error_host_memory(sizeof **made_out));
  vptr__lock_take(&binding);
  return cudaSuccess;
}

static cudaError_t end_binding(reference *to, bound *made, cudaError_t error) {
  if (error == cudaSuccess)
    put_bound(to, made);
  vptr__lock_give(&binding);
  if (error != cudaSuccess)
    vptr__memory_free(made);
  return error;
}

cudaError_t vptr__cuda_reference_bind(const char *call, reference *to, const struct cudaResourceDesc *resource) {
  vptr__cuda_texture *texture;
  vptr_mapper *mapper;
  bound *made;
  cudaError_t error = begin_binding(&mapper, &made);
  if (error != cudaSuccess)
    return error;
  const struct cudaTextureDesc desc = desc_of(to);
  error = vptr__cuda_texture_make(mapper, call, resource, &desc, NULL, to->number, NULL, &texture);
  if (error == cudaSuccess)
    made->object = &texture->object;
  return end_binding(to, made, error);
}

cudaError_t vptr__cuda_reference_bind_surface(const char *call, reference *to, cudaArray_t array) {
  vptr_mapper *mapper; /* the array's counts, as for objects */
  bound *made;
  cudaError_t error = begin_binding(&mapper, &made);
  if (error != cudaSuccess)
    return error;
  error = vptr__cuda_surface_make(call, array, to->number, &made->object);
  return end_binding(to, made, error);
}

void vptr__cuda_reference_unbind(reference *from, const vptr_mapper *mapper) {
  vptr__lock_take(&binding);
  unbind(from, mapper);
  vptr__lock_give(&binding);
}

bool vptr__cuda_reference_is_bound(reference *seen, const vptr_mapper *mapper) {
  vptr__lock_take(&binding);
  bool is_bound = *place_of(seen, mapper) != NULL;
  vptr__lock_give(&binding);
  return is_bound;
}

/* ---- leaving --------------------------------------------------------------------------------------------- */

static bool is_unused(const vptr__leaving *it, bool may_ask) {
  const bound *at = ((const reference *)it)->bindings;
  while (at != NULL && vptr__streams_are_over(at->object->mapper, at->until, may_ask))
    at = at->next;
  return at == NULL;
}

/* Under the lock of bindings, for those who are there now. */
static void free_unused(vptr__leaving *it) {
  reference *gone = (reference *)it;
  vptr__lock_take(&binding);
  for (bound *at; (at = gone->bindings) != NULL;) {
    gone->bindings = at->next;
    release_bound(at);
  }
  vptr__lock_give(&binding);
  give_up_number(gone);
  vptr__memory_free(gone);
}

/* The first of a module's, taken out of the list. */
static reference *take_one(const void *module) {
  vptr__lock_take(&lock);
  reference **place = &references, *taken;
  while (*place != NULL && (*place)->module != module)
    place = &(*place)->next;
  taken = *place;
  if (taken != NULL) {
    *place = taken->next; /* its own link stays, for those who are there now */
    taken->has_left = true;
  }
  vptr__lock_give(&lock);
  return taken;
}

void vptr__cuda_references_forget(const void *module, vptr__leaving_when when) {
  for (reference *taken; (taken = take_one(module)) != NULL;) {
    for (bound *at = taken->bindings; at != NULL; at = at->next)
      at->until = atomic_load(&at->object->mapper->work_last);
    taken->leaving.is_over = is_unused;
    taken->leaving.release = free_unused;
    vptr__leaving_add(&taken->leaving, taken->bindings == NULL ? VPTR__LEAVING_WHEN_UNUSED : when);
  }
}
