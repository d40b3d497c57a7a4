/* SPDX-License-Identifier: MIT */
/*
 * content - what compilers put into programs as their GPU binary: which kind it is, and what becomes of it.
 *
 *     __cudaRegisterFatBinary(record)      record: 0x466243b1, version, address of the content, something
 *                                                                        |
 *     //vptr-module 1 ... and a zero       what vptrcc has clang include <-+   loaded as any module
 *     0xba55ed50 ...                       nvcc's: cubins and PTX        <-+   its PTX, where the device takes that
 *     .version ...                         PTX itself                    <-+   as well
 *     anything else                                                      <-'   refused, when a kernel is launched
 *
 * Kinds are told by their first bytes. Whoever teaches the library to read another kind adds it here, and what to do
 * with it in binary.c. No data, no locks; nothing is allocated, so that it may be asked before main(). Called by
 * binary.c, foreign.c and loadable.c, and by driver/link.c.
 */
#ifndef VPTR_CUDA_CONTENT_H
#define VPTR_CUDA_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

#include <vptr/cuda/driver_types.h>
#include <vptr/vptr.h>

/* What the text of a translated module begins with. */
#define VPTR__CUDA_MODULE_MARK "//vptr-module "

typedef enum vptr__cuda_content_kind {
  VPTR__CUDA_CONTENT_MODULE,     /* text for vptr__module_load() */
  VPTR__CUDA_CONTENT_FAT_BINARY, /* NVIDIA's: PTX and machine code (cuda/foreign.h) */
  VPTR__CUDA_CONTENT_PTX,
  VPTR__CUDA_CONTENT_CUBIN,      /* one of those that a fat binary has several of */
  VPTR__CUDA_CONTENT_UNKNOWN,
  VPTR__CUDA_CONTENT_NONE        /* no record, or one that points nowhere */
} vptr__cuda_content_kind;

typedef struct vptr__cuda_content {
  vptr__cuda_content_kind kind;
  const char *data;
  size_t length; /* of MODULE, without the zero; else 0 */
} vptr__cuda_content;

vptr__cuda_content vptr__cuda_content_of(const void *record);

/* Of the content itself. What is no text is looked at no further than its first byte that is none of a mark. */
VPTR_API vptr__cuda_content_kind vptr__cuda_content_kind_of(const char *data);

/* Whether it is for devices that take PTX. */
static inline bool vptr__cuda_content_is_foreign(vptr__cuda_content_kind kind) {
  return kind == VPTR__CUDA_CONTENT_FAT_BINARY || kind == VPTR__CUDA_CONTENT_PTX || kind == VPTR__CUDA_CONTENT_CUBIN;
}

/* Of what is no module: says what it is and what to do, and returns cudaErrorNoKernelImageForDevice. */
cudaError_t vptr__cuda_content_refuse(const vptr__cuda_content *content);

#endif
