/* SPDX-License-Identifier: MIT */
/*
 * content - what compilers put into programs as their GPU binary: which kind it is, and what becomes of it.
 *
 *     __cudaRegisterFatBinary(record)      record: 0x466243b1, version, address of the content, something
 *                                                                        |
 *     //vptr-module 1 ... and a zero       what vptrcc has clang include <-+   loaded as any module
 *     0xba55ed50 ...                       nvcc's: cubins and PTX        <-+   refused, when a kernel is launched
 *     anything else                                                      <-'   as well
 *
 * Kinds are told by their first bytes. Whoever teaches the library to read another kind adds it here, and what to do
 * with it in binary.c. No state, no locks; nothing is allocated, so that it may be asked before main().
 */
#ifndef VPTR_CUDA_CONTENT_H
#define VPTR_CUDA_CONTENT_H

#include <stddef.h>

#include <vptr/cuda/driver_types.h>

/* What the text of a translated module begins with. */
#define VPTR__CUDA_MODULE_MARK "//vptr-module "

typedef enum vptr__cuda_content_kind {
  VPTR__CUDA_CONTENT_MODULE,     /* text for vptr__module_load() */
  VPTR__CUDA_CONTENT_FAT_BINARY, /* NVIDIA's, for its own driver */
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

/* Of what is no module: says what it is and what to do, and returns cudaErrorNoKernelImageForDevice. */
cudaError_t vptr__cuda_content_refuse(const vptr__cuda_content *content);

#endif
