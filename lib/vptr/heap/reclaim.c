/* SPDX-License-Identifier: MIT */
/* reclaim - see reclaim.h. */
#include "heap/reclaim.h"

static _Atomic(vptr__reclaimer *) answer;

void vptr__reclaim_register(vptr__reclaimer *reclaimer) {
  atomic_store_explicit(&answer, reclaimer, memory_order_release);
}

bool vptr__reclaim_ask(vptr__reclaim *reclaim) {
  vptr__reclaimer *reclaimer = atomic_load_explicit(&answer, memory_order_acquire);
  return reclaimer != NULL && reclaimer(reclaim);
}
