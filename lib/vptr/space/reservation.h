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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr.h>

/* Bytes of the smallest reservation that is of any use, and of the largest: 2^23 windows of 64 MiB, whose numbers fit
 * the 24 bits that heap/cache.c has for one. */
#define VPTR__RESERVATION_LEAST ((size_t)1 << 26)
#define VPTR__RESERVATION_MOST ((size_t)1 << 49)

/* The window is the largest, from 1 to 64 MiB, of which the reservation has at least VPTR__WINDOWS_WANTED. */
enum { VPTR__WINDOW_SHIFT_LEAST = 20, VPTR__WINDOW_SHIFT_MOST = 26, VPTR__WINDOWS_WANTED = 16384 };

typedef struct vptr__reservation {
  uintptr_t base;        /* a multiple of the window */
  size_t size;           /* a power of two, and a multiple of the window */
  unsigned window_shift;
  size_t guard;          /* bytes in front of base that are reserved too, and never issued: those below, or 0 */
} vptr__reservation;

/* Bytes of the guard, the smallest page of any processor. Without it the address p[-1] of the first allocation might be
 * the host's, and a copy to it would end the program. A reservation at a given address goes without, because the
 * addresses below may be taken. */
#define VPTR__RESERVATION_GUARD ((size_t)4096)

/* Bytes that a reservation should have where nobody says: a quarter of the largest power of two that the system gives
 * in one piece (that quarter is an eighth of all addresses in a fresh process), and at most 16 TiB. While eight or
 * more reservations stand, a new one gets 1/1024 of that piece, so that any number of them leaves the program what it
 * needs. */
size_t vptr__reservation_share(void);

/* The same where the system gives `piece` bytes in one piece, and `standing` reservations stand. */
size_t vptr__reservation_share_of(size_t piece, size_t standing);

/* Reserves size bytes, rounded up to a power of two, or, by halving, less; at base_address, if that is not 0. Errors:
 * OUT_OF_ADDRESSES; INVALID_ARGUMENT (base_address is not aligned to the window, or its addresses are taken). */
vptr_status vptr__reservation_make(uintptr_t base_address, size_t size, vptr__reservation *reservation_out);

/* Takes addresses without access, at this place or not at all; munmap() undoes it. It is no reservation that counts. */
bool vptr__reservation_map(uintptr_t base, size_t size);

void vptr__reservation_free(const vptr__reservation *reservation);

#endif
