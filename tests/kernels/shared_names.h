/* SPDX-License-Identifier: MIT */
/* shared_names - for variables.cu: a name that comes from a header, behind a guard and a condition. */
#ifndef SHARED_NAMES_H
#define SHARED_NAMES_H

#if defined(__CUDACC__) && !defined(NO_NAMES)
#define LENGTH_OF_NAMES (sizeof(long) + \
                         4)
#else
#error "this is for CUDA compilers"
#endif

#endif
