/* SPDX-License-Identifier: MIT */
/*
 * reservation - addresses from the system, without access and without memory behind them.
 *
 * Address space costs nothing (64 TiB take some microseconds), but not everybody gets as much: valgrind allows some
 * 32 GiB, ThreadSanitizer 1 TiB, `ulimit -v` what it says. So a reservation starts large and halves until it fits.
 * Under `ulimit -v` it starts at no more than a quarter of the limit: the rest of the program needs addresses too,
 * and would die of their lack at some other place and time. No locks; the one state is an atomic count of reservations.
 */
#ifndef VPTR_SPACE_RESERVATION_H
#define VPTR_SPACE_RESERVATION_H

#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

/* The smallest reservation that is of any use, and the largest that can be cut into windows (2^23 of them). */
#define VPTR__RESERVATION_LEAST ((size_t)1 << 26)
#define VPTR__RESERVATION_MOST ((size_t)1 << 49)

/* Windows are as large as leaves this many of them, between 1 and 64 MiB. */
enum { VPTR__WINDOW_SHIFT_LEAST = 20, VPTR__WINDOW_SHIFT_MOST = 26, VPTR__WINDOWS_WANTED = 16384 };

typedef struct vptr__reservation {
  uintptr_t base;        /* a multiple of the window */
  size_t size;           /* a power of two, and a multiple of the window */
  unsigned window_shift;
  size_t guard;          /* bytes in front of base that are reserved too, and never issued: all below, or none */
} vptr__reservation;

/* So many: an address a little below the first allocation, as p[-1] is one, would be the host's otherwise, and a copy
 * to it would die. No less than the smallest page of any processor, and no reservation at a given address needs it:
 * there may be no room. */
#define VPTR__RESERVATION_GUARD ((size_t)4096)

/* What a reservation should have where nobody says: a quarter of the largest power of two that the system gives in one
 * piece, which in a fresh process is an eighth of all addresses, and at most 16 TiB. From the ninth reservation that
 * stands at the same time on a thousandth of it, so that any number of them leaves the program what it needs. */
size_t vptr__reservation_share(void);

/* The same of so many bytes in one piece, beside so many reservations. */
size_t vptr__reservation_share_of(size_t piece, size_t standing);

/* Reserves size bytes or, by halving, less; see vptr__space_init() for arguments and errors. */
vptr_status vptr__reservation_make(uintptr_t base_address, size_t size, vptr__reservation *reservation_out);

void vptr__reservation_free(const vptr__reservation *reservation);

#endif
