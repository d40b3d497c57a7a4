/* SPDX-License-Identifier: MIT */
/* family - functions whose names follow a rule: __nv_sinf, llvm.nvvm.f2i.rn, and C++ names of CUDA's functions. */
#ifndef KERNELC_FAMILY_H
#define KERNELC_FAMILY_H

#include "writer.h"

/* A call of a function that has no body: __nv_*, _Z9atomicAddPii and the like. False: the name is of no such family. */
bool kc_family_call(kc_writer *writer, LLVMValueRef call, const char *name);

/* llvm.nvvm.f2i.rn, llvm.nvvm.add.rz.f: false: it is no such intrinsic. */
bool kc_family_intrinsic(kc_writer *writer, LLVMValueRef call, const char *name);

#endif
