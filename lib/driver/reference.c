/* SPDX-License-Identifier: MIT */
/*
 * reference - texture and surface references by the driver's handles: which there are (reference.h).
 *
 * A handle is the address of what says how the reference reads, beginning with the fields that the runtime's own
 * references have (cuda/reference.c), so that the runtime looks at both in the same way. A module's are made when it is
 * loaded, before a kernel of it can run: then its variables begin with their numbers, and nothing is written later.
 * They end behind the module, which waits for its devices.
 *
 * The list and its lock, of rank LEAF, are static; nothing is called while it is held. Called by module.c, and by
 * reference_call.c, which has CUDA's calls. Nothing blocks.
 */
#include "driver/reference.h"

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "driver/context.h"
#include "driver/result.h"

#include <vptr/cuda/vptr_kernel.h>

#include <string.h>

typedef vptr__driver_reference reference;

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF);
static reference *references;

/* ---- the list -------------------------------------------------------------------------------------------- */

static void insert_reference(reference *made) {
  vptr__lock_take(&lock);
  made->next = references;
  references = made;
  vptr__lock_give(&lock);
}

/* The first of a module's, or that one; out of the list. */
static reference *remove_reference(const vptr__module *module, const reference *which) {
  vptr__lock_take(&lock);
  reference **link = &references, *found;
  while ((found = *link) != NULL && (which != NULL ? found != which : found->module != module))
    link = &found->next;
  if (found != NULL)
    *link = found->next;
  vptr__lock_give(&lock);
  return found;
}

reference *vptr__driver_reference_named(const vptr__module *module, const char *name, bool is_surface) {
  vptr__lock_take(&lock);
  reference *found = references;
  while (found != NULL && (found->module != module || found->is_surface != is_surface ||
                           (strcmp(found->name, name) != 0 && strcmp(found->lowered, name) != 0)))
    found = found->next;
  vptr__lock_give(&lock);
  return found;
}

CUresult vptr__driver_reference_check(const char *call, const void *handle, bool is_surface) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  vptr__lock_take(&lock);
  const reference *found = references;
  while (found != NULL && found != handle)
    found = found->next;
  bool is_known = found != NULL && found->is_surface == is_surface;
  vptr__lock_give(&lock);
  if (is_known)
    return CUDA_SUCCESS;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no %s reference: cuModuleGet%sRef() tells those of a module",
              call, handle, is_surface ? "surface" : "texture", is_surface ? "Surf" : "Tex");
  return vptr__driver_refuse(CUDA_ERROR_INVALID_HANDLE);
}

/* ---- one ------------------------------------------------------------------------------------------------- */

/* The runtime forgets a reference by its owner: a module, or the handle itself. */
static const void *owner_of(const reference *it) {
  return it->module != NULL ? (const void *)it->module : it;
}

static void free_reference(reference *gone) {
  if (gone->runtime != NULL)
    vptr__cuda_references_forget(owner_of(gone), VPTR__LEAVING_WHEN_UNUSED);
  vptr__memory_free(gone);
}

/* The number is told where the variable is to begin with it. */
static CUresult make_known(reference *made, unsigned flags, const uint64_t **number_out) {
  const vptr_cuda_variable variable = { made, made->name, sizeof **number_out, flags };
  cudaError_t error = vptr__cuda_reference_know(&variable, owner_of(made), number_out);
  if (error == cudaSuccess)
    error = vptr__cuda_reference_find("cuModuleLoadData", made, made->is_surface, &made->runtime);
  return vptr__driver_result_of(error);
}

static reference *new_reference(const vptr__module *module, const char *name, const char *lowered) {
  reference *made = vptr__memory_calloc(1, sizeof *made);
  if (made == NULL)
    return NULL;
  made->module = module;
  made->name = name;
  made->lowered = lowered;
  made->format = CU_AD_FORMAT_FLOAT;
  made->channels = 1;
  for (int i = 0; i < 3; i++)
    made->fields.addressMode[i] = cudaAddressModeClamp;
  return made;
}

CUresult vptr__driver_reference_create(reference **made_out) {
  const uint64_t *number;
  reference *made = new_reference(NULL, "cuTexRefCreate", "cuTexRefCreate");
  if (made == NULL)
    return vptr__driver_status(vptr__error_host_memory(sizeof *made));
  CUresult result = make_known(made, VPTR_CUDA_VARIABLE_TEXTURE, &number);
  if (result != CUDA_SUCCESS) {
    vptr__memory_free(made);
    return result;
  }
  insert_reference(made);
  *made_out = made;
  return CUDA_SUCCESS;
}

CUresult vptr__driver_reference_destroy(const char *call, reference *gone) {
  if (gone->module != NULL)
    return vptr__driver_invalid(call, "the reference is a module's, and goes with that");
  remove_reference(NULL, gone);
  free_reference(gone);
  return CUDA_SUCCESS;
}

/* ---- a module's ------------------------------------------------------------------------------------------ */

static CUresult make_reference(vptr__module *module, const vptr__image_variable *line) {
  const uint64_t *number;
  const unsigned kind = line->is_surface ? VPTR_CUDA_VARIABLE_SURFACE : VPTR_CUDA_VARIABLE_TEXTURE;
  reference *made = new_reference(module, line->name, line->lowered);
  if (made == NULL)
    return vptr__driver_status(vptr__error_host_memory(sizeof *made));
  made->is_surface = line->is_surface;
  made->flags = line->reads_floats ? 0 : CU_TRSF_READ_AS_INTEGER;
  CUresult result = make_known(made, kind | (line->reads_floats ? VPTR_CUDA_VARIABLE_NORMALIZED : 0), &number);
  if (result != CUDA_SUCCESS) {
    vptr__memory_free(made);
    return result;
  }
  insert_reference(made); /* from here on it goes with the module */
  const vptr__variable shadow = { .key = made, .name = line->name, .initial = number, .size = sizeof *number };
  return vptr__driver_status(vptr__module_bind_variable(module, line->lowered, &shadow));
}

CUresult vptr__driver_references_make(vptr__module *module) {
  const vptr__module_image *image = vptr__module_image_of(module);
  CUresult result = CUDA_SUCCESS;
  for (uint32_t i = 0; i < image->variable_count && result == CUDA_SUCCESS; i++) {
    const vptr__image_variable *line = &image->variables[i];
    if ((line->is_texture || line->is_surface) && !line->is_extern && line->size == sizeof(uint64_t))
      result = make_reference(module, line);
  }
  return result;
}

/* The runtime forgets all of the module's at once. */
void vptr__driver_references_end(const vptr__module *module) {
  for (reference *gone; (gone = remove_reference(module, NULL)) != NULL;)
    free_reference(gone);
}
