/* SPDX-License-Identifier: MIT */
/*
 * cooperative_groups - CUDA's groups of threads, for programs that clang compiles.
 *
 *     thread_group               any of these, known when the kernel runs          cooperative_groups/vptr_group.h
 *       thread_block             a block: its barrier is __syncthreads()           vptr_block.h
 *         grid_group, cluster_group    where a block is in them                    vptr_grid.h
 *       coalesced_group          some lanes of a warp, by their mask               vptr_coalesced.h
 *       thread_block_tile<N, P>  a warp or a power of two of its lanes             vptr_tile.h
 *                                64 to 1024 threads, by barriers with numbers      vptr_large_tile.h
 *
 * What a group of lanes does together is a shuffle or a vote with its mask, so that it means the same for a warp of the
 * device and for one whose lanes run in turn. A block need not be a multiple of 32: lanes that are not there are in no
 * mask, and the last tile of a block has fewer lanes than its type says.
 */
#ifndef VPTR_CUDA_CLANG_COOPERATIVE_GROUPS_H
#define VPTR_CUDA_CLANG_COOPERATIVE_GROUPS_H
#define _COOPERATIVE_GROUPS_H_

#ifdef __cplusplus

#include <type_traits>
#include <utility>

#include "cooperative_groups/vptr_lanes.h"

#include "cooperative_groups/vptr_group.h"

#include "cooperative_groups/vptr_block.h"

#include "cooperative_groups/vptr_grid.h"

#include "cooperative_groups/vptr_coalesced.h"

#include "cooperative_groups/vptr_tile.h"

#include "cooperative_groups/vptr_large_tile.h"

#include "cooperative_groups/vptr_partition.h"

#include "cooperative_groups/vptr_invoke.h"

#endif

#endif
