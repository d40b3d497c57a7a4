/* SPDX-License-Identifier: MIT */
/*
 * need - finding out what registering a module needs, and obtaining it before the lock of units is taken (need.h).
 *
 * No data, no locks. Called by unit.c, binary.c and registration.c: what is needed, also with the lock of units held,
 * of rank UNIT; to obtain it, without. Obtaining blocks while a device's driver starts.
 */
#include "cuda/need.h"

#include "base/error.h"
#include "cuda/device.h"
#include "cuda/jit.h"
#include "mapper/mapper.h"
#include "nvidia/fat_binary.h"
#include "nvidia/unpack.h"

#include <string.h>

unsigned vptr__cuda_need_of(const vptr__cuda_content *content) {
  if (!vptr__cuda_content_is_foreign(content->kind))
    return 0;
  bool is_zstd = content->kind == VPTR__CUDA_CONTENT_FAT_BINARY &&
                 vptr__fat_binary_has_packing(content->data, SIZE_MAX, VPTR__FAT_ZSTD);
  return VPTR__CUDA_NEED_DEVICE | (is_zstd ? VPTR__CUDA_NEED_ZSTD : 0);
}

unsigned vptr__cuda_need_of_text(const char *text, size_t length) {
  static const char mark[] = VPTR__CUDA_MODULE_MARK;
  bool is_module = text == NULL || (length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0);
  return is_module ? 0 : VPTR__CUDA_NEED_TRANSLATOR;
}

static vptr_mapper *open_device(void) {
  vptr_mapper *mapper;
  vptr__error_try();
  vptr_status status = vptr__mapper_for_device(vptr__cuda_current_device(), &mapper);
  vptr__error_tried(VPTR_SUCCESS);
  return status == VPTR_SUCCESS ? mapper : NULL;
}

void vptr__cuda_need_obtain(unsigned needs, vptr__cuda_obtained *obtained) {
  needs &= ~obtained->needs;
  if ((needs & VPTR__CUDA_NEED_DEVICE) != 0)
    obtained->mapper = open_device();
  if ((needs & VPTR__CUDA_NEED_ZSTD) != 0)
    vptr__unpack_open_zstd();
  if ((needs & VPTR__CUDA_NEED_TRANSLATOR) != 0)
    vptr__cuda_translator_open();
  obtained->needs |= needs;
}
