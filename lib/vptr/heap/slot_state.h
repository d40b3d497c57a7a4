/* SPDX-License-Identifier: MIT */
/*
 * slot_state - what a slot is, in 16 bits: whether it is live, freed, free or never issued, and how many of its bytes
 * lie behind the size that was asked for (its slack).
 *
 * Slack and not size, since a slot is at most an eighth larger than what it was made for, so that 1 .. 16384 says it
 * for every slot up to 256 KiB (heap/class.h). Three states with as many values each and two without fit the 65,536:
 *
 *     -32768 .. -16385   live, -16384 - state bytes of slack
 *     -16384 .. -1       freed, and taken: in a rack, a quarantine or a stream; -state bytes of slack when it lived
 *      0                 never issued, free
 *      1 ..  16384       freed, free, state bytes of slack when it lived
 *      16385             never issued, and taken: in a rack
 *
 * Live is one comparison, since look-ups ask that; free is one of unsigned numbers, since allocations look for it, and
 * there is no other list of free slots; and fresh pages, which read as zero, are free slots.
 *
 * Pure arithmetic: no locks. The states lie in the directory (directory.h); whoever has the slot writes its state, with
 * vptr__heap.lock or in a magazine. Used by compact.c, directory.c, magazine.c, slab.c and snapshot.c, and by
 * mapper/fast.c, which compares the type with vptr_fast.h's.
 */
#ifndef VPTR_HEAP_SLOT_STATE_H
#define VPTR_HEAP_SLOT_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vptr/vptr_fast.h>

typedef _Atomic(int16_t) vptr__slot_state;

enum {
  VPTR__SLOT_STATE_MAX_SLACK = 16 << 10, /* bytes, from 1 */
  VPTR__SLOT_STATE_NEW = 0,
  VPTR__SLOT_STATE_NEW_TAKEN = VPTR__SLOT_STATE_MAX_SLACK + 1
};

static inline bool vptr__slot_state_is_live(int16_t state) {
  return state < VPTR_FAST_LIVE;
}

static inline bool vptr__slot_state_is_free(int16_t state) {
  return (uint16_t)state <= VPTR__SLOT_STATE_MAX_SLACK;
}

/* Which of four states are free, at an address that a 64-bit number can have: the highest bit of each 16, the first
 * state's lowest. Without its sign, what is above MAX_SLACK carries into that bit; with it, it has it. */
static inline uint64_t vptr__slot_states_free_of_four(const vptr__slot_state *states) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  typedef uint64_t __attribute__((may_alias)) four_states;
  uint64_t four = __atomic_load_n((const four_states *)states, __ATOMIC_RELAXED);
  const uint64_t one_each = UINT64_C(0x0001000100010001);
  uint64_t above = ((four & one_each * INT16_MAX) + one_each * (INT16_MAX - VPTR__SLOT_STATE_MAX_SLACK)) | four;
  return ~above & one_each * 0x8000;
#else
  uint64_t lanes = 0;
  for (int i = 0; i < 4; i++)
    if (vptr__slot_state_is_free(atomic_load_explicit(&states[i], memory_order_relaxed)))
      lanes |= UINT64_C(0x8000) << (16 * i);
  return lanes;
#endif
}

static inline bool vptr__slot_state_was_issued(int16_t state) {
  return state != VPTR__SLOT_STATE_NEW && state != VPTR__SLOT_STATE_NEW_TAKEN;
}

static inline int16_t vptr__slot_state_live(size_t slack) {
  return (int16_t)(VPTR_FAST_LIVE - (int)slack);
}

/* Of a slot that was issued once. */
static inline size_t vptr__slot_state_slack(int16_t state) {
  if (vptr__slot_state_is_live(state))
    return (size_t)(VPTR_FAST_LIVE - state);
  return (size_t)(state < 0 ? -state : state);
}

/* From live to freed and in hand. */
static inline int16_t vptr__slot_state_ended(int16_t live) {
  return (int16_t)(live - VPTR_FAST_LIVE);
}

/* From free to in hand. */
static inline int16_t vptr__slot_state_taken(int16_t free) {
  return (int16_t)(free == VPTR__SLOT_STATE_NEW ? VPTR__SLOT_STATE_NEW_TAKEN : -free);
}

/* From in hand to free. */
static inline int16_t vptr__slot_state_returned(int16_t taken) {
  return (int16_t)(taken == VPTR__SLOT_STATE_NEW_TAKEN ? VPTR__SLOT_STATE_NEW : -taken);
}

#endif
