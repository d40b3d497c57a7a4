/* SPDX-License-Identifier: MIT */
/*
 * modules - a module for tests on the fake device: its text, and functions that stand for its kernels.
 *
 *     add(pointer, int n)     adds n to the number there, and counts itself
 *     read(pointer)           copies the variable table there; read_elsewhere: the extern variable elsewhere
 *     read_heap(pointer)      copies the address and the size of the heap of kernels there
 *     count(int n)            adds n to the managed variable total
 *     read_locks(pointer)     copies the first of the locks of atomic operations there; count_locks(int n) adds n to it
 *     check(int code)         fails as an assertion does, unless code is 0
 *     print(int n, int m)     prints m lines, the first of which is n, and so on; those below 0 as failures
 *
 * and variables that lead to others: head is 5, the address of tail, and that of the second number of table; tail is
 * the address of head; open is that of elsewhere.
 */
#ifndef VPTR_TESTS_MODULES_H
#define VPTR_TESTS_MODULES_H

#include <stdatomic.h>

#include "module/module.h"

extern atomic_int modules_added; /* how often add ran */

/* Before the first device call. */
void modules_define(void);

vptr_status modules_load(vptr__module **module_out);

/* One thread of a kernel; arguments are addresses of values. */
vptr_status modules_launch(vptr__stream *stream, vptr__module *module, const char *name, void **arguments);
#define MODULES_LAUNCH(stream, module, name, ...) modules_launch(stream, module, name, (void *[]){ __VA_ARGS__ })

#endif
