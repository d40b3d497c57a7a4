/* SPDX-License-Identifier: MIT */
/*
 * barrier - a gate that its owner passes for the price of two plain stores.
 *
 * Data that one thread uses all the time, and others once in a while, needs mutual exclusion that costs the one
 * nothing. The owner says "inside" and looks whether he was stopped; who stops him says so and looks whether he is
 * inside. On any processor a store may still be on its way when the load behind it is done, so both could miss each
 * other; a barrier on each side forbids that (Dekker). Here the other side has both: Linux's membarrier(2) makes every
 * thread of the process pass one. Where the system has no such call, the owner pays for an atomic exchange.
 *
 * One owner a gate. Others stop and release it one at a time, which is theirs to see to. A stopped owner is told so and
 * goes another way; he never waits, and must not wait inside.
 *
 * A gate is a vptr__pass, a part of its owner's structure; both its words are atomic. heap/magazine.c alone uses this:
 * a thread owns the gate of its magazine, and others stop it with vptr__heap.lock, of rank HEAP, held. No lock here.
 */
#ifndef VPTR_BASE_BARRIER_H
#define VPTR_BASE_BARRIER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct vptr__pass {
  _Atomic(uint32_t) inside;  /* written by the owner */
  _Atomic(uint32_t) stopped; /* written by the others */
} vptr__pass;

/* Whether membarrier(2) does the owners' part; settled by vptr__barrier_settle(). */
extern bool vptr__barrier_is_uneven;

/* Before the first gate is used; done already where the library's constructors ran. Any number of times, from any
 * thread. */
void vptr__barrier_settle(void);

/* The owner's. false: he is stopped, or inside already (a signal handler's call). */
static inline bool vptr__pass_enter(vptr__pass *pass) {
  if (atomic_load_explicit(&pass->inside, memory_order_relaxed) != 0)
    return false;
  if (vptr__barrier_is_uneven) {
    atomic_store_explicit(&pass->inside, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
  } else {
    atomic_exchange(&pass->inside, 1);
  }
  if (__builtin_expect(atomic_load(&pass->stopped) == 0, 1))
    return true;
  atomic_store_explicit(&pass->inside, 0, memory_order_release);
  return false;
}

static inline void vptr__pass_leave(vptr__pass *pass) {
  atomic_store_explicit(&pass->inside, 0, memory_order_release);
}

/* The others'. Stopping takes three steps, so that one barrier serves many gates: mark all, pass the barrier, wait for
 * each, which is for no longer than the owner takes to get out. */
static inline void vptr__pass_mark(vptr__pass *pass) {
  atomic_store(&pass->stopped, 1);
}
void vptr__barrier_pass(void);
void vptr__pass_wait(vptr__pass *pass);

static inline void vptr__pass_release(vptr__pass *pass) {
  atomic_store_explicit(&pass->stopped, 0, memory_order_release);
}

#endif
