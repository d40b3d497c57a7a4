/* SPDX-License-Identifier: MIT */
/*
 * latency - what one load costs on this machine, by how much memory the loads go over, and how it lies.
 *
 * Chained: each load needs the one before it, so that it shows all of its latency. Apart: none needs another, and the
 * processor has several on their way. Addresses are random lines of the memory, taken from an array that is read in
 * order, as look-ups take the pointers that they are asked about.
 */
#ifndef BENCH_LATENCY_H
#define BENCH_LATENCY_H

#include <stdbool.h>
#include <stddef.h>

typedef enum latency_layout {
  LATENCY_SMALL_PAGES, /* one piece, in pages of the system's smallest size */
  LATENCY_LARGE_PAGES, /* one piece, in pages of 2 MiB, if the system has them */
  LATENCY_SPREAD,      /* one line in each of many pages, LATENCY_STRIDE bytes apart; 64 bytes count for each */
  LATENCY_LAYOUTS
} latency_layout;

/* As far apart as the notes of neighbouring windows of 64 MiB with slots of 256 bytes (lib/vptr/heap/directory.c), so
 * that the tables by which the processor finds pages are as large. */
enum { LATENCY_STRIDE = 1572 << 10 };

enum { LATENCY_MOST_POINTS = 24 };

typedef enum latency_order { LATENCY_CHAINED, LATENCY_APART, LATENCY_ORDERS } latency_order;

typedef struct latency_curve {
  size_t count;
  struct latency_point {
    double bytes;
    double ns[LATENCY_ORDERS]; /* medians of one load */
  } points[LATENCY_MOST_POINTS]; /* by rising bytes */
} latency_curve;

/* Adds the point for `bytes`, more than all before. False if the host has no memory for it: then nothing was
 * added. */
bool latency_add(latency_curve *curve, latency_layout layout, size_t bytes, size_t repetitions);

/* What a chained load costs that goes over `bytes`: between points, in proportion to the logarithm; outside, the
 * nearest's. */
double latency_at(const latency_curve *curve, double bytes);

#endif
