/* SPDX-License-Identifier: MIT */
/*
 * kernels - conjugate gradients in OpenCL C 1.2.
 *
 * An iteration is five launches, and no word passes between host and device: alpha, beta, the residuals and the
 * decision to stop live on the device. Once the residual is small enough, alpha is 0 from there on, so x stays what
 * it was at that iteration, however many more the host has enqueued before it looks.
 *
 *     multiply    q = A p              partial[g] = p.q over the rows of group g
 *     set_alpha   one group: p.q = sum of the partials
 *     update      x, r                 partial[g] = r.z, partial[groups + g] = r.r
 *     set_beta    one group: writes the residual down, decides whether to stop
 *     direct      p = z + beta p
 *
 * Sums are taken in a tree of fixed shape, so the same input gives the same bits every time. All work-items of a
 * group reach every barrier: there is no early return, rows beyond the end count as 0. BLOCK is the size of a
 * group, a power of two.
 *
 * Pointers arrive in one of two ways (vptr(7), "Kernels"): as they are, from vptr_set_kernel_arg(); or, with PAIRS,
 * as a buffer and an offset, from vptr_set_kernel_arg_pair(). PARAMETER() declares either, POINTER() makes a pointer
 * of it.
 */
#include "cg.h"

static const char common[] =
    "#if REAL_BYTES == 8\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "typedef double real;\n"
    "#else\n"
    "typedef float real;\n"
    "#endif\n"
    "#ifdef PAIRS\n"
    "#define PARAMETER(type, name) __global uchar *name##_buffer, ulong name##_offset\n"
    "#define POINTER(type, name) __global type *name = (__global type *)(name##_buffer + name##_offset)\n"
    "#else\n"
    "#define PARAMETER(type, name) __global type *name##_given\n"
    "#define POINTER(type, name) __global type *name = name##_given\n"
    "#endif\n"
    "enum { RZ, ALPHA, BETA, LIMIT };\n" /* in scalar[] */
    "enum { STATE, ITERATION };\n"       /* in counter[] */
    "enum { RUNNING, CONVERGED, INDEFINITE };\n"
    "\n"
    "real block_sum(__local real *cell, real value) {\n"
    "  const uint me = get_local_id(0);\n"
    "  cell[me] = value;\n"
    "  for (uint rest = BLOCK / 2; rest > 0; rest /= 2) {\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (me < rest)\n"
    "      cell[me] += cell[me + rest];\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  real sum = cell[0];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  return sum;\n"
    "}\n"
    "\n"
    "real partial_sum(__local real *cell, __global const real *partial, int groups) {\n"
    "  real sum = 0;\n"
    "  for (int g = get_local_id(0); g < groups; g += BLOCK)\n"
    "    sum += partial[g];\n"
    "  return block_sum(cell, sum);\n"
    "}\n";

static const char vector_kernels[] =
    "__kernel void multiply(PARAMETER(const int, start), PARAMETER(const int, column), PARAMETER(const real, "
    "value),\n"
    "                       PARAMETER(const real, p), PARAMETER(real, q), PARAMETER(real, partial), int rows) {\n"
    "  __local real cell[BLOCK];\n"
    "  POINTER(const int, start);\n"
    "  POINTER(const int, column);\n"
    "  POINTER(const real, value);\n"
    "  POINTER(const real, p);\n"
    "  POINTER(real, q);\n"
    "  POINTER(real, partial);\n"
    "  real pq = 0;\n"
    "  for (size_t row = get_global_id(0); row < rows; row += get_global_size(0)) {\n"
    "    real sum = 0;\n"
    "    for (int i = start[row]; i < start[row + 1]; i++)\n"
    "      sum += value[i] * p[column[i]];\n"
    "    q[row] = sum;\n"
    "    pq += p[row] * sum;\n"
    "  }\n"
    "  pq = block_sum(cell, pq);\n"
    "  if (get_local_id(0) == 0)\n"
    "    partial[get_group_id(0)] = pq;\n"
    "}\n"
    "\n"
    "__kernel void update(PARAMETER(real, x), PARAMETER(real, r), PARAMETER(const real, p), PARAMETER(const real, "
    "q),\n"
    "                     PARAMETER(const real, inverse), PARAMETER(const real, scalar), PARAMETER(real, partial),\n"
    "                     int rows, int groups) {\n"
    "  __local real cell[BLOCK];\n"
    "  POINTER(real, x);\n"
    "  POINTER(real, r);\n"
    "  POINTER(const real, p);\n"
    "  POINTER(const real, q);\n"
    "  POINTER(const real, inverse);\n"
    "  POINTER(const real, scalar);\n"
    "  POINTER(real, partial);\n"
    "  const real alpha = scalar[ALPHA];\n"
    "  real rz = 0, rr = 0;\n"
    "  for (size_t row = get_global_id(0); row < rows; row += get_global_size(0)) {\n"
    "    x[row] += alpha * p[row];\n"
    "    real rest = r[row] - alpha * q[row];\n"
    "    r[row] = rest;\n"
    "    rz += rest * rest * inverse[row];\n"
    "    rr += rest * rest;\n"
    "  }\n"
    "  rz = block_sum(cell, rz);\n"
    "  rr = block_sum(cell, rr);\n"
    "  if (get_local_id(0) == 0) {\n"
    "    partial[get_group_id(0)] = rz;\n"
    "    partial[groups + get_group_id(0)] = rr;\n"
    "  }\n"
    "}\n"
    "\n"
    "__kernel void direct(PARAMETER(real, p), PARAMETER(const real, r), PARAMETER(const real, inverse),\n"
    "                     PARAMETER(const real, scalar), int rows) {\n"
    "  POINTER(real, p);\n"
    "  POINTER(const real, r);\n"
    "  POINTER(const real, inverse);\n"
    "  POINTER(const real, scalar);\n"
    "  const real beta = scalar[BETA];\n"
    "  for (size_t row = get_global_id(0); row < rows; row += get_global_size(0))\n"
    "    p[row] = r[row] * inverse[row] + beta * p[row];\n"
    "}\n";

static const char scalar_kernels[] =
    "__kernel void set_alpha(PARAMETER(const real, partial), PARAMETER(real, scalar), PARAMETER(int, counter),\n"
    "                        int groups) {\n"
    "  __local real cell[BLOCK];\n"
    "  POINTER(const real, partial);\n"
    "  POINTER(real, scalar);\n"
    "  POINTER(int, counter);\n"
    "  real pq = partial_sum(cell, partial, groups);\n"
    "  if (get_local_id(0) == 0) {\n"
    "    if (counter[STATE] == RUNNING && !(pq > 0))\n" /* a NaN too */
    "      counter[STATE] = INDEFINITE;\n"
    "    scalar[ALPHA] = counter[STATE] == RUNNING ? scalar[RZ] / pq : 0;\n"
    "  }\n"
    "}\n"
    "\n"
    "__kernel void set_beta(PARAMETER(const real, partial), PARAMETER(real, scalar), PARAMETER(int, counter),\n"
    "                       PARAMETER(real, history), int groups) {\n"
    "  __local real cell[BLOCK];\n"
    "  POINTER(const real, partial);\n"
    "  POINTER(real, scalar);\n"
    "  POINTER(int, counter);\n"
    "  POINTER(real, history);\n"
    "  real rz = partial_sum(cell, partial, groups);\n"
    "  real rr = partial_sum(cell, partial + groups, groups);\n"
    "  if (get_local_id(0) == 0 && counter[STATE] == RUNNING) {\n"
    "    history[++counter[ITERATION]] = rr;\n"
    "    scalar[BETA] = rz / scalar[RZ];\n"
    "    scalar[RZ] = rz;\n"
    "    if (rr <= scalar[LIMIT])\n"
    "      counter[STATE] = CONVERGED;\n"
    "  }\n"
    "}\n";

const char *const cg_kernels[CG_KERNEL_TEXTS] = { common, vector_kernels, scalar_kernels };
