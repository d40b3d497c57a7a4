/* SPDX-License-Identifier: MIT */
/*
 * rejoin - where ways that part in a block all meet again: its immediate postdominator.
 *
 * Dominators of the graph turned round, by the algorithm that graph.h names, with an end behind all blocks that have
 * none behind them.
 */
#ifndef KERNELC_REJOIN_H
#define KERNELC_REJOIN_H

#include "graph.h"

/* For each block of the graph, in an array that is the caller's; KC_NO_BLOCK: at the end of the kernel, or never. */
int *kc_rejoin_of(const kc_graph *graph);

#endif
