/* SPDX-License-Identifier: MIT */
/*
 * tile - how work on lines is cut up, which kernels and those that send them have to agree on: threads of a block, and
 * what a block takes of lines' ends and entries. The second is a multiple of the first, and an odd one, so that threads
 * that read pieces of shared memory side by side do not meet in its banks. LANES are threads that go side by side, and
 * divide those of a block. SORTED is what a block sorts in shared memory, a power of 2.
 */
#ifndef VPTR_CUSPARSE_TILE_H
#define VPTR_CUSPARSE_TILE_H

enum { THREADS = 128, LANES = 32, TILE = 7 * THREADS, SORTED = 1024 };

#endif
