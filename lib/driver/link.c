/* SPDX-License-Identifier: MIT */
/*
 * link - cuLink*(): modules, objects and archives with relocatable code, joined to one module.
 *
 * What is joined are units, which -rdc=true puts into modules of nvrtcGetPTX() and vptrcc, and -dc into objects:
 * kernels' texts or bitcode, before address spaces and calls are settled. One image alone is handed on as it is, so
 * that programs may pass any through a linker before they load it; of PTX of NVIDIA's compiler, what
 * cuModuleLoadData() would make of it. An image without a unit has nothing that could be joined, and is refused beside
 * another one. An archive without units, libcudadevrt.a above all, has nothing that is needed here.
 *
 * A state is one thread's at a time, as in CUDA. The list tells live ones from others.
 *
 * Lock: one, rank LEAF, guards the list; both are in the static `links`. Called by programs, directly or by the table
 * in entry.c. It blocks while it reads a file, and while several images are linked, by a child process (cuda/jit.h).
 */
#include <ar.h>
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/content.h"
#include "cuda/jit.h"
#include "cuda/jit_option.h"
#include "cuda/loadable.h"
#include "driver/context.h"
#include "driver/module.h"
#include "driver/result.h"
#include "driver/variant.h"

struct CUlinkState_st {
  struct CUlinkState_st *next;
  vptr__cuda_jit_logs logs;
  vptr__nvrtc_input *inputs; /* count of them, whose bytes are the state's */
  size_t count, room;
  bool has_whole; /* the one input has no unit */
  char *linked;   /* NULL: not yet, or the one input is the result */
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

static void free_inputs(CUlinkState state) {
  for (size_t i = 0; i < state->count; i++)
    vptr__memory_free((char *)(uintptr_t)state->inputs[i].bytes);
  vptr__memory_free(state->inputs);
}

CUresult cuLinkDestroy(CUlinkState state) {
  CUresult result = check_state("cuLinkDestroy", state);
  if (result != CUDA_SUCCESS)
    return result;
  vptr__lock_take(&links.lock);
  *place_of(state) = state->next;
  vptr__lock_give(&links.lock);
  free_inputs(state);
  vptr__memory_free(state->linked);
  vptr__memory_free(state);
  return CUDA_SUCCESS;
}

/* ---- what is linked ------------------------------------------------------------------------------------- */

static CUresult log_refusal(CUlinkState state, CUresult result) {
  if (result != CUDA_SUCCESS)
    vptr__cuda_jit_write(&state->logs, vptr_last_error());
  return result;
}

static CUresult refuse_whole(const char *call) {
  vptr__error(VPTR_ERROR_UNSUPPORTED,
              "%s: of several images each must be relocatable, and one is not: compile it with -rdc=true, by "
              "nvrtcCompileProgram() or vptrcc",
              call);
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

/* An object of vptrcc -dc is the host's, and machine code NVIDIA's. */
static bool is_host_object(const char *image, size_t size) {
  Elf64_Ehdr elf;
  if (size < sizeof elf)
    return false;
  memcpy(&elf, image, sizeof elf);
  return memcmp(elf.e_ident, ELFMAG, SELFMAG) == 0 && elf.e_type == ET_REL && elf.e_machine != EM_CUDA;
}

/* As files of these kinds are named; NULL: text. */
static const char *suffix_of(const char *image, size_t size) {
  if (size >= SARMAG && memcmp(image, ARMAG, SARMAG) == 0)
    return ".a";
  return is_host_object(image, size) ? ".o" : NULL;
}

static bool has_section(const char *image, size_t size) {
  static const char section[] = ".vptr_rdc";
  return memmem(image, size, section, sizeof section) != NULL;
}

/* PTX and binaries are told apart by what they are, whatever the program calls them, and become texts of ours at
   once. */
static CUresult take_text(const char *call, CUjitInputType type, char **image, size_t size) {
  CUresult result = CUDA_SUCCESS;
  if (!vptr__cuda_loadable_is_ours(*image))
    result = translate_image(call, image, size);
  if (result == CUDA_ERROR_INVALID_PTX && type != CU_JIT_INPUT_PTX) {
    vptr__error(VPTR_ERROR_UNSUPPORTED, "%s: the input is no image of nvrtcGetPTX() or vptrcc", call);
    result = CUDA_ERROR_INVALID_IMAGE;
  }
  return result;
}

static CUresult keep_input(CUlinkState state, char *image, size_t size, const char *suffix) {
  if (state->count == state->room) {
    size_t room = state->room > 0 ? 2 * state->room : 4;
    vptr__nvrtc_input *inputs = vptr__memory_calloc(room, sizeof *inputs);
    if (inputs == NULL)
      return vptr__driver_status(vptr__error_host_memory(room * sizeof *inputs));
    if (state->count > 0)
      memcpy(inputs, state->inputs, state->count * sizeof *inputs);
    vptr__memory_free(state->inputs);
    state->inputs = inputs;
    state->room = room;
  }
  state->inputs[state->count++] = (vptr__nvrtc_input){ image, size, suffix };
  return CUDA_SUCCESS;
}

/* The image is the state's afterwards, unless it is refused or has nothing. */
static CUresult take_image(CUlinkState state, const char *call, CUjitInputType type, char **image, size_t size) {
  const char *suffix = suffix_of(*image, size);
  if (suffix != NULL && !has_section(*image, size)) {
    bool is_archive = strcmp(suffix, ".a") == 0;
    vptr__memory_free(is_archive ? *image : NULL);
    *image = is_archive ? NULL : *image;
    return is_archive ? CUDA_SUCCESS : refuse_code(call);
  }
  CUresult result = suffix == NULL ? take_text(call, type, image, size) : CUDA_SUCCESS;
  bool is_whole = result == CUDA_SUCCESS && suffix == NULL && !vptr__cuda_loadable_has_unit(*image);
  if (result == CUDA_SUCCESS && state->count > 0 && (is_whole || state->has_whole))
    result = refuse_whole(call);
  if (result == CUDA_SUCCESS)
    result = keep_input(state, *image, suffix == NULL ? strlen(*image) : size, suffix == NULL ? ".ptx" : suffix);
  if (result == CUDA_SUCCESS)
    state->has_whole = is_whole;
  return result;
}

/* Takes the image of so many bytes, which zeros follow. */
static CUresult add_image(CUlinkState state, const char *call, CUjitInputType type, char *image, size_t size) {
  CUresult result = log_refusal(state, take_image(state, call, type, &image, size));
  if (result != CUDA_SUCCESS)
    vptr__memory_free(image);
  return result;
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

/* What kernels need to launch kernels, which they have here without a library, wherever the program looks for it. */
static bool is_device_runtime(const char *path) {
  const char *slash = strrchr(path, '/');
  return strcmp(slash != NULL ? slash + 1 : path, "libcudadevrt.a") == 0;
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                          CUjit_option *options, void **optionValues) {
  CUresult result = check_input("cuLinkAddFile", state, type, path, numOptions, options, optionValues);
  size_t size = 0;
  char *image = NULL;
  if (result == CUDA_SUCCESS && type == CU_JIT_INPUT_LIBRARY && is_device_runtime(path))
    return CUDA_SUCCESS;
  if (result == CUDA_SUCCESS)
    result = log_refusal(state, vptr__driver_read_file("cuLinkAddFile", path, &image, &size));
  return result == CUDA_SUCCESS ? add_image(state, "cuLinkAddFile", type, image, size) : result;
}

/* ---- linking -------------------------------------------------------------------------------------------- */

/* Messages of the linker go to the program's log, as they are. */
static CUresult link_inputs(CUlinkState state) {
  char *linked = NULL, *log = NULL;
  cudaError_t error = vptr__cuda_link(state->inputs, state->count, &linked, &log);
  if (error == cudaSuccess || error == cudaErrorUnknown)
    vptr__cuda_jit_write(&state->logs, error == cudaErrorUnknown ? log : "");
  else
    vptr__cuda_jit_write(&state->logs, vptr_last_error());
  vptr__memory_free(log);
  if (error == cudaSuccess)
    state->linked = linked;
  return vptr__driver_result_of(error);
}

static bool needs_linking(const CUlinkState state) {
  return state->count > 1 || strcmp(state->inputs[0].suffix, ".ptx") != 0 ||
         vptr__cuda_loadable_is_unlinked(state->inputs[0].bytes);
}

/* The result stays the state's. */
CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut) {
  CUresult result = check_state("cuLinkComplete", state);
  result = vptr__driver_check_pointer(result, "cuLinkComplete", cubinOut, "cubinOut");
  if (result == CUDA_SUCCESS && state->count == 0)
    result = vptr__driver_invalid("cuLinkComplete", "no image was added");
  if (result == CUDA_SUCCESS && state->linked == NULL && needs_linking(state))
    result = link_inputs(state);
  if (result != CUDA_SUCCESS)
    return result;
  *cubinOut = state->linked != NULL ? state->linked : (char *)(uintptr_t)state->inputs[0].bytes;
  if (sizeOut != NULL)
    *sizeOut = strlen(*cubinOut) + 1;
  return CUDA_SUCCESS;
}
