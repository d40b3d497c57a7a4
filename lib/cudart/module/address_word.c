/* SPDX-License-Identifier: MIT */
/*
 * address_word - telling a program of PTX where its module's variables are.
 *
 * Such a program has a word for each variable, in memory of its own, and a kernel that writes one (module/image.h).
 * What it was told is kept in vptr__program.told, an array that program.c makes and frees, and is compared at each
 * launch: a variable has its memory for long, so nearly always there is nothing to tell. A reset gives it other memory,
 * and then it is told anew.
 *
 * Lock: the static `lock`, of rank ARRAY, guards vptr__program.told of all programs, and is held until the device has
 * the addresses, since kernels of other streams may come at once. The words are written by a queue of their own, which
 * is waited for: work in flight does not look at them, as no kernel that needs a word was sent before it was told.
 * Called by prepare.c for each launch of such a kernel. It blocks the first time.
 */
#include "module/state.h"

#include "base/error.h"

static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_ARRAY);

static vptr_status send_word(vptr__device *device, cl_command_queue queue, cl_kernel setter, uint64_t index,
                             uint64_t address) {
  static const size_t none[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
  vptr_status status = device->ops->kernel.arg_value(device, setter, 0, &index, sizeof index);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.arg_value(device, setter, 1, &address, sizeof address);
  return status == VPTR_SUCCESS ? device->ops->kernel.enqueue(device, queue, setter, none, one, one, NULL) : status;
}

/* What the kernel's hidden variable is, and where it is now. */
static bool next_word(const vptr__preparation *it, uint32_t *hidden, uint32_t *meaning, uint32_t *variable_out) {
  const vptr__image_kernel *image = it->function->image;
  while (*hidden < image->hidden_count) {
    const vptr__image_param *param = &image->params[image->param_count + (*hidden)++];
    if (param->kind != VPTR__PARAM_VARIABLE)
      continue;
    *variable_out = param->variable;
    (*meaning)++;
    return true;
  }
  return false;
}

static vptr_status send_words(const vptr__preparation *it, cl_command_queue queue, cl_kernel setter) {
  vptr__device *device = it->kernel->mapper->device;
  const uint64_t *told = it->kernel->program->told;
  uint32_t hidden = 0, meaning = 0, variable;
  vptr_status status = VPTR_SUCCESS;
  while (status == VPTR_SUCCESS && next_word(it, &hidden, &meaning, &variable))
    if (told[variable] != it->meanings[meaning - 1].address)
      status = send_word(device, queue, setter, variable, it->meanings[meaning - 1].address);
  vptr_status finished = device->ops->queue.finish(device, queue);
  return status == VPTR_SUCCESS ? finished : status;
}

static vptr_status tell_by_setter(const vptr__preparation *it, cl_kernel setter) {
  vptr__device *device = it->kernel->mapper->device;
  cl_command_queue queue;
  vptr_status status = device->ops->queue.create(device, 0, false, &queue);
  if (status != VPTR_SUCCESS)
    return status;
  status = send_words(it, queue, setter);
  device->ops->queue.release(device, queue);
  return status;
}

static bool is_told(const vptr__preparation *it) {
  const uint64_t *told = it->kernel->program->told;
  uint32_t hidden = 0, meaning = 0, variable;
  while (next_word(it, &hidden, &meaning, &variable))
    if (told[variable] != it->meanings[meaning - 1].address)
      return false;
  return true;
}

static void note_words(const vptr__preparation *it) {
  uint64_t *told = it->kernel->program->told;
  uint32_t hidden = 0, meaning = 0, variable;
  while (next_word(it, &hidden, &meaning, &variable))
    told[variable] = it->meanings[meaning - 1].address;
}

static vptr_status tell_words(const vptr__preparation *it) {
  vptr__device *device = it->kernel->mapper->device;
  cl_kernel setter;
  vptr_status status = device->ops->kernel.create(device, it->kernel->program->program, VPTR__IMAGE_SETTER, &setter);
  if (status != VPTR_SUCCESS)
    return status;
  status = tell_by_setter(it, setter);
  device->ops->kernel.release(device, setter);
  if (status == VPTR_SUCCESS)
    note_words(it);
  return status;
}

vptr_status vptr__address_words_tell(const vptr__preparation *it) {
  vptr_status status = VPTR_SUCCESS;
  vptr__lock_take(&lock);
  if (!is_told(it))
    status = tell_words(it);
  vptr__lock_give(&lock);
  return status;
}
