/* SPDX-License-Identifier: MIT */
/*
 * hot - marks for functions on the way of every copy and launch.
 *
 * Around a driver's call that lasts some 10 us and walks through a megabyte of its own, our code is cold each time:
 * what counts is how many pages and cache lines it lies on. Compilers put functions with this mark side by side. Two
 * macros: no data, no locks. Used by folders of lib/vptr and lib/cudart.
 */
#ifndef VPTR_BASE_HOT_H
#define VPTR_BASE_HOT_H

#define VPTR__HOT __attribute__((hot))

/* For the other way out of a hot loop: compiled into it, it would take the registers that the loop lives from. */
#define VPTR__APART __attribute__((noinline))

#endif
