/* SPDX-License-Identifier: MIT */
/*
 * static - libcudart_static.a: the runtime for programs that are linked with NVIDIA's static library by name.
 *
 * Build systems link CUDA programs with -lcudart_static, expect no more than -ldl beside it, and set no run path, since
 * nothing has to be found when the program starts. Two copies of vptr in one process would each have their own idea of
 * what is allocated (doc/decisions/2026-11-22-static-runtime.md). So the archive has each function's name and no
 * function: before anything of the program runs, it opens libvptr-cudart and fills a table, and each name is a jump
 * through that.
 *
 * No lock: all is done before main(), by one thread.
 */
#ifndef VPTR_CUDART_STATIC_STATIC_H
#define VPTR_CUDART_STATIC_STATIC_H

#include <stddef.h>

/* Ends the process where there is no libvptr-cudart, as the system's loader does. Looked for, in this order: one that
 * is loaded already; where LD_LIBRARY_PATH says, if it is set; in the folder that vptrcc put into the objects, then in
 * that of this installation; where the system's loader looks. */
__attribute__((visibility("hidden"))) void vptr__static_open(const char *const *names, void **table, size_t count);

#endif
