/* SPDX-License-Identifier: MIT */
/*
 * flow - a kernel's blocks as loops, ifs and switches.
 *
 * By the tree of dominators, as N. Ramsey, "Beyond Relooper" (ICFP 2022): what a block alone dominates stands in the
 * arm that leads to it; where ways meet again, the block stands behind the statement in which they part; a loop is a
 * while. What is left of jumps is written by break, continue, and goto. So what the program wrote with loops and ifs
 * comes out so, and the translator can tell where control is the same for all threads.
 */
#ifndef KERNELC_FLOW_H
#define KERNELC_FLOW_H

#include "writer.h"

/* The body of the kernel at work, whose graph writer->graph is. */
void kc_flow(kc_writer *writer);

#endif
