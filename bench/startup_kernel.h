/* SPDX-License-Identifier: MIT */
/*
 * startup_kernel - the kernel that the startup benchmark's programs launch, one work-item of it, on a pointer.
 *
 * Either program has it as OpenCL C of its own: what a careful programmer writes, and what vptrcc -ptx prints for the
 * same kernel in CUDA C. Both are built in a turn that is not measured, and come from disk in the others.
 */
#ifndef BENCH_STARTUP_KERNEL_H
#define BENCH_STARTUP_KERNEL_H

#define STARTUP_KERNEL_BY_HAND "__kernel void answer(__global int *x) { *x = 42; }\n"

#define STARTUP_KERNEL_TRANSLATED                                                                                    \
  "//vptr-module 1\n"                                                                                                \
  "//vptr kernel name=answer lowered=answer entry=vptr_k_answer shared=0 max_threads=0 min_blocks=0 fast=0\n"        \
  "//vptr param size=8 align=8 kind=pointer\n"                                                                       \
  "static void vptr_b_answer(__global int *x);\n"                                                                    \
  "static void vptr_b_answer(__global int *x)\n"                                                                     \
  "{ *x = 42; }\n"                                                                                                   \
  "#if VPTR_PARAMETER_LIMIT < 8\n"                                                                                   \
  "__kernel void vptr_k_answer(ulong vptr_parameters_address) {\n"                                                   \
  "  __global const uchar *vptr_parameters = (__global const uchar *)vptr_parameters_address;\n"                     \
  "  __global int *x = (__global int *)*(__global const ulong *)(vptr_parameters + 0);\n"                            \
  "#elif VPTR_ADDRESSES\n"                                                                                           \
  "__kernel void vptr_k_answer(ulong vptr_a_x) {\n"                                                                  \
  "  __global int *x = (__global int *)vptr_a_x;\n"                                                                  \
  "#else\n"                                                                                                          \
  "__kernel void vptr_k_answer(__global uchar *vptr_b_x, ulong vptr_o_x) {\n"                                        \
  "  __global int *x = (__global int *)(vptr_b_x + vptr_o_x);\n"                                                     \
  "#endif\n"                                                                                                         \
  "  vptr_b_answer(x);\n"                                                                                            \
  "}\n"

enum { STARTUP_ANSWER = 42, STARTUP_BUFFER_BYTES = 4096 };

#endif
