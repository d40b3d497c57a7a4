/* SPDX-License-Identifier: MIT */
/*
 * link - cuLink*(): one image, handed on.
 *
 * Modules are linked when they are translated, so there is nothing left to do for one image, and no way to join two.
 * Programs that pass the image of nvrtcGetPTX() through a linker before they load it get that image back, and of
 * PTX of NVIDIA's compiler what cuModuleLoadData() would make of it; a second one is refused.
 *
 * A state is one thread's at a time, as in CUDA. The list tells live ones from others.
 *
 * Lock: one, rank LEAF, guards the list; both are in the static `links`. Called by programs, directly or by the table
 * in entry.c. It blocks while it reads a file.
 */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/content.h"
#include "cuda/jit_option.h"
#include "cuda/loadable.h"
#include "driver/context.h"
#include "driver/module.h"
#include "driver/result.h"
#include "driver/variant.h"

struct CUlinkState_st {
  struct CUlinkState_st *next;
  vptr__cuda_jit_logs logs;
  char *image; /* NULL: none was added yet */
  size_t size; /* its zero included */
};

static struct {
  vptr__lock lock;
  CUlinkState first;
} links = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

/* ---- life ----------------------------------------------------------------------------------------------- */

/* The place where the list has it, or the list's end. Under the lock. */
static CUlinkState *place_of(CUlinkState state) {
  CUlinkState *place = &links.first;
  while (*place != NULL && *place != state)
    place = &(*place)->next;
  return place;
}

static CUresult check_state(const char *call, CUlinkState state) {
  CUresult result = vptr__driver_enter(NULL);
  if (result != CUDA_SUCCESS)
    return result;
  vptr__lock_take(&links.lock);
  bool is_live = state != NULL && *place_of(state) != NULL;
  vptr__lock_give(&links.lock);
  if (is_live)
    return CUDA_SUCCESS;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no linker's state: it was destroyed, or never created", call,
              (void *)state);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_HANDLE);
}

CUresult cuLinkCreate_v2(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut) {
  vptr__cuda_jit_logs logs;
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), "cuLinkCreate", stateOut, "stateOut");
  if (result == CUDA_SUCCESS)
    result = vptr__driver_result_of(vptr__cuda_jit_read("cuLinkCreate", numOptions, options, optionValues, &logs));
  if (result != CUDA_SUCCESS)
    return result;
  CUlinkState state = vptr__memory_calloc(1, sizeof *state);
  if (state == NULL)
    return vptr__driver_status(vptr__error_host_memory(sizeof *state));
  state->logs = logs;
  vptr__cuda_jit_write(&logs, "");
  vptr__lock_take(&links.lock);
  state->next = links.first;
  links.first = state;
  vptr__lock_give(&links.lock);
  *stateOut = state;
  return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) {
  CUresult result = check_state("cuLinkDestroy", state);
  if (result != CUDA_SUCCESS)
    return result;
  vptr__lock_take(&links.lock);
  *place_of(state) = state->next;
  vptr__lock_give(&links.lock);
  vptr__memory_free(state->image);
  vptr__memory_free(state);
  return CUDA_SUCCESS;
}

/* ---- what is linked ------------------------------------------------------------------------------------- */

/* Says it to the program's log too. */
static CUresult refuse_second(CUlinkState state, const char *call) {
  vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "%s: there is an image already, and two cannot be joined: give all of the text to nvrtcCompileProgram() "
      "or vptrcc, which link it when it is translated",
      call);
  vptr__cuda_jit_write(&state->logs, vptr_last_error());
  return vptr__driver_refuse(CUDA_ERROR_NOT_SUPPORTED);
}

static CUresult refuse_code(const char *call) {
  vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: machine code without PTX cannot be linked here: load it as a module",
              call);
  return vptr__driver_refuse(CUDA_ERROR_NO_BINARY_FOR_GPU);
}

/* Of what is no text of ours; *image is one then. Machine code is no text, and ends with no zero. */
static CUresult translate_image(const char *call, char **image, size_t size) {
  char *text;
  size_t length;
  if (vptr__cuda_content_kind_of(*image) == VPTR__CUDA_CONTENT_CUBIN)
    return refuse_code(call);
  CUresult result = vptr__driver_result_of(vptr__cuda_loadable_text(*image, size, &text, &length));
  if (result != CUDA_SUCCESS)
    return result;
  bool is_text = strlen(text) == length;
  vptr__memory_free(is_text ? *image : text);
  if (!is_text)
    return refuse_code(call);
  *image = text;
  return CUDA_SUCCESS;
}

/* PTX and binaries are told apart by what they are, whatever the program calls them, and become texts of ours at
   once. */
static CUresult take_image(CUlinkState state, const char *call, CUjitInputType type, char **image, size_t size) {
  CUresult result = CUDA_SUCCESS;
  if (!vptr__cuda_loadable_is_ours(*image))
    result = translate_image(call, image, size);
  if (result == CUDA_ERROR_INVALID_PTX && type != CU_JIT_INPUT_PTX) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: the input is no image of nvrtcGetPTX() or vptrcc", call);
    result = CUDA_ERROR_INVALID_IMAGE;
  }
  if (result != CUDA_SUCCESS)
    vptr__cuda_jit_write(&state->logs, vptr_last_error());
  return result;
}

/* Takes the image of so many bytes, which zeros follow. */
static CUresult add_image(CUlinkState state, const char *call, CUjitInputType type, char *image, size_t size) {
  CUresult result = take_image(state, call, type, &image, size);
  if (result == CUDA_SUCCESS && state->image != NULL)
    result = refuse_second(state, call);
  if (result != CUDA_SUCCESS) {
    vptr__memory_free(image);
    return result;
  }
  state->image = image;
  state->size = strlen(image) + 1;
  return CUDA_SUCCESS;
}

static CUresult check_input(const char *call, CUlinkState state, CUjitInputType type, const void *input,
                            unsigned count, CUjit_option *options, void **values) {
  vptr__cuda_jit_logs unused; /* the logs are the state's */
  CUresult result = check_state(call, state);
  if (result == CUDA_SUCCESS && (unsigned)type >= CU_JIT_NUM_INPUT_TYPES)
    result = vptr__driver_invalid(call, "the input's type is none of CUDA's");
  result = vptr__driver_check_pointer(result, call, input, "the input");
  if (result != CUDA_SUCCESS)
    return result;
  return vptr__driver_result_of(vptr__cuda_jit_read(call, count, options, values, &unused));
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                          unsigned int numOptions, CUjit_option *options, void **optionValues) {
  (void)name;
  CUresult result = check_input("cuLinkAddData", state, type, data, numOptions, options, optionValues);
  if (result == CUDA_SUCCESS && (size == 0 || size > SIZE_MAX - 4))
    result =
        vptr__driver_invalid("cuLinkAddData", size == 0 ? "the input has no bytes" : "no input has so many bytes");
  if (result != CUDA_SUCCESS)
    return result;
  char *image = vptr__memory_calloc(size + 4, 1); /* so that what is looked for at its start may be longer */
  if (image == NULL)
    return vptr__driver_status(vptr__error_host_memory(size + 4));
  memcpy(image, data, size);
  return add_image(state, "cuLinkAddData", type, image, size);
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                          CUjit_option *options, void **optionValues) {
  CUresult result = check_input("cuLinkAddFile", state, type, path, numOptions, options, optionValues);
  size_t size = 0;
  char *image = NULL;
  if (result == CUDA_SUCCESS)
    result = vptr__driver_read_file("cuLinkAddFile", path, &image, &size);
  return result == CUDA_SUCCESS ? add_image(state, "cuLinkAddFile", type, image, size) : result;
}

/* The image stays the state's. */
CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut) {
  CUresult result = check_state("cuLinkComplete", state);
  result = vptr__driver_check_pointer(result, "cuLinkComplete", cubinOut, "cubinOut");
  if (result == CUDA_SUCCESS && state->image == NULL)
    result = vptr__driver_invalid("cuLinkComplete", "no image was added");
  if (result != CUDA_SUCCESS)
    return result;
  *cubinOut = state->image;
  if (sizeOut != NULL)
    *sizeOut = state->size;
  return CUDA_SUCCESS;
}
