/* SPDX-License-Identifier: MIT */
/*
 * grid - kernels whose blocks meet: grid.sync() of cooperative groups.
 *
 * Where one work-item runs the threads of a block (states.h) it runs all blocks of the grid, too, one after the other
 * as far as they come:
 *
 *     do
 *       for each block that has not ended:
 *         take what it has from the grid's room
 *         run its threads until all of them wait for the grid, or have left
 *         put it back
 *     while a block waits
 *
 * So no blocks have to be resident, and each finds its shared memory and its threads' variables at the addresses where
 * it left them. The room is the launch's (lib/cudart/module/grid.c). Where threads are the device's, they meet at a
 * word of that room, and the launch sees to it that all blocks are resident.
 */
#ifndef KERNELC_GRID_H
#define KERNELC_GRID_H

#include "writer.h"

/* Whether the kernel waits for its grid, or asks whether it may. */
bool kc_grid_wanted(LLVMValueRef function);

/* The loops over blocks around those of states.h: before a block's threads begin, behind that, and behind them. */
extern const char kc_grid_head[], kc_grid_load[], kc_grid_tail[];

/* Macros that copy the shared variables of the kernel at work, behind their declarations; and their end. */
void kc_grid_shared(kc_writer *writer);
void kc_grid_end(kc_writer *writer);

/* Where threads are the device's: the beginning of the kernel, and sync(). The former reads once whether the launch is
 * cooperative: behind a sync() nothing is in a multiprocessor's cache, so a look at each would be a trip to memory. */
extern const char kc_grid_native_head[], kc_grid_native[];

#endif
