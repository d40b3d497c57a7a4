/* SPDX-License-Identifier: MIT */
/*
 * builtin_thread - what is about threads and memory, not numbers: barriers, fences, clocks, output, copies.
 *
 * Some are not CUDA's, but kernel C's (tools/kernelc): __vptr_bits() is the address that the host knows of what a
 * pointer points to, __vptr_pointer() the way back, and __vptr_number() the device's own address, of any memory, of
 * which __vptr_shared() and __vptr_private() make pointers again. __vptr_reach() is a pointer to where the byte lies
 * that is accessed, if the kernel is built to look that up (emit/prelude/reach.cl), and else the same pointer;
 * __vptr_stream() is what is added to each address from one to another, or all ones if that is not one number. A kernel
 * that calls __vptr_block() is launched with one work-item for each block, in which it runs the block's threads itself:
 * the value is how many there are, in x, from bit 16 on in y, and from bit 32 on in z. On devices with PTX it is
 * launched as others are, since it has a form for them (builtin_warp.c). __vptr_texture() and its kin look handles up
 * in a table that the launch brings (emit/prelude/texture.cl says what they take).
 */
#include "translate/types/builtin.h"

#include <stddef.h>

enum {
  EFFECT = VPTR__BUILTIN_SIDE_EFFECT,
  BARRIER = VPTR__BUILTIN_SPECIAL | VPTR__BUILTIN_BARRIER | VPTR__BUILTIN_SIDE_EFFECT,
  VOTE = VPTR__BUILTIN_UNIFORM | VPTR__BUILTIN_SCRATCH,
  FAILS = VPTR__BUILTIN_SPECIAL | EFFECT | VPTR__BUILTIN_STATUS | VPTR__BUILTIN_TELLS
};

const vptr__builtin vptr__builtin_threads[] = {
  { "__assert_fail", "vCcCcjCc", "assert", NULL, FAILS },
  { "__brkpt", "v", "nothing", NULL, VPTR__BUILTIN_SPECIAL },
  { "__builtin_expect", "lll", "expect", NULL, VPTR__BUILTIN_SPECIAL },
  { "__builtin_unreachable", "v", "nothing", NULL, VPTR__BUILTIN_SPECIAL },
  { "__ldca", "TQ", "load", NULL, VPTR__BUILTIN_SPECIAL },
  { "__ldcg", "TQ", "load", NULL, VPTR__BUILTIN_SPECIAL },
  { "__ldcs", "TQ", "load", NULL, VPTR__BUILTIN_SPECIAL },
  { "__ldcv", "TQ", "load", NULL, VPTR__BUILTIN_SPECIAL },
  { "__ldg", "TQ", "load", NULL, VPTR__BUILTIN_SPECIAL },
  { "__ldlu", "TQ", "load", NULL, VPTR__BUILTIN_SPECIAL },
  { "__nanosleep", "vj", "vptr_nanosleep", "nanosleep", EFFECT },
  { "__stcg", "vQT", "store", NULL, VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__stcs", "vQT", "store", NULL, VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__stwb", "vQT", "store", NULL, VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__stwt", "vQT", "store", NULL, VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__syncthreads", "v", "barrier", NULL, BARRIER },
  { "__syncthreads_and", "ii", "vptr_barrier_and", "barrier_and", BARRIER | VOTE },
  { "__syncthreads_count", "ii", "vptr_barrier_count", "barrier_count", BARRIER | VOTE },
  { "__syncthreads_or", "ii", "vptr_barrier_or", "barrier_or", BARRIER | VOTE },
  { "__threadfence", "v", "vptr_fence_device", "fence_device", EFFECT },
  { "__threadfence_block", "v", "vptr_fence_block", "fence_block", EFFECT },
  { "__threadfence_system", "v", "vptr_fence_system", "fence_system", EFFECT },
  { "__trap", "v", "trap", NULL, VPTR__BUILTIN_SPECIAL | EFFECT | VPTR__BUILTIN_STATUS },
  { "__vptr_assert", "vCcCcjCcjjjjjj", "assert", NULL, FAILS },
  { "__vptr_bits", "yCv", "bits", NULL, VPTR__BUILTIN_SPECIAL | VPTR__BUILTIN_GLOBAL },
  { "__vptr_block", "y", "block", NULL, VPTR__BUILTIN_SPECIAL },
  { "__vptr_copy", "PvPvCvz", "copy", NULL, VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__vptr_grid", "Pc", "grid", NULL, VPTR__BUILTIN_SPECIAL | VPTR__BUILTIN_GLOBAL },
  { "__vptr_number", "yCv", "number", NULL, VPTR__BUILTIN_SPECIAL },
  { "__vptr_pointer", "Pcy", "pointer", NULL, VPTR__BUILTIN_SPECIAL | VPTR__BUILTIN_GLOBAL },
  { "__vptr_private", "Pcy", "pointer of number", NULL, VPTR__BUILTIN_SPECIAL | VPTR__BUILTIN_OWN },
  { "__vptr_reach", "PcCc", "reach", NULL, VPTR__BUILTIN_SPECIAL },
  { "__vptr_shared", "Pcy", "pointer of number", NULL, VPTR__BUILTIN_SPECIAL | VPTR__BUILTIN_SHARED },
  { "__vptr_stream", "yyyi", "stream", NULL, VPTR__BUILTIN_SPECIAL },
  { "__vptr_stuck", "vCcjCcjjjjjj", "stuck", NULL, FAILS | VPTR__BUILTIN_BLOCK },
  { "__vptr_surface", "iyiiiiiiPj", "vptr_surface", "surface",
    VPTR__BUILTIN_SPECIAL | EFFECT | VPTR__BUILTIN_DIVERGENT },
  { "__vptr_texture", "vyifffiPj", "vptr_texture", "texture", VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__vptr_texture_cube", "vyfffiPj", "vptr_texture_cube", "texture_cube", VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__vptr_texture_fetch", "vyiPj", "vptr_texture_fetch", "texture_fetch", VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__vptr_texture_gather", "vyffiPj", "vptr_texture_gather", "texture_gather", VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__vptr_texture_level", "vyifffifPj", "vptr_texture_level", "texture_level", VPTR__BUILTIN_SPECIAL | EFFECT },
  { "__vptr_texture_scale", "vyPj", "vptr_texture_scale", "texture_scale", VPTR__BUILTIN_SPECIAL | EFFECT },
  { "clock", "l", "vptr_clock", "clock", VPTR__BUILTIN_DIVERGENT | EFFECT },
  { "clock64", "x", "vptr_clock64", "clock64", VPTR__BUILTIN_DIVERGENT | EFFECT },
  { "memcpy", "PvPvCvz", "memcpy", NULL, VPTR__BUILTIN_SPECIAL | EFFECT },
  { "memmove", "PvPvCvz", "memmove", NULL, VPTR__BUILTIN_SPECIAL | EFFECT },
  { "memset", "PvPviz", "memset", NULL, VPTR__BUILTIN_SPECIAL | EFFECT },
  { "printf", "iCc*", "printf", NULL, VPTR__BUILTIN_SPECIAL | EFFECT | VPTR__BUILTIN_PRINTS | VPTR__BUILTIN_TELLS },
  { NULL, NULL, NULL, NULL, 0 },
};
