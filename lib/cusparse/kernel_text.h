/* SPDX-License-Identifier: MIT */
/*
 * kernel_text - the module of the library's own kernels, as vptrcc makes it when the library is built.
 */
#ifndef VPTR_CUSPARSE_KERNEL_TEXT_H
#define VPTR_CUSPARSE_KERNEL_TEXT_H

#include <stddef.h>

extern const char vptr__sparse_kernel_text[];
extern const size_t vptr__sparse_kernel_text_length;

#endif
