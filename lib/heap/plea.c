/* SPDX-License-Identifier: MIT */
/* plea - see plea.h. */
#include "heap/plea.h"

static _Atomic(vptr__giver *) answer;

void vptr__plea_answer_by(vptr__giver *giver) {
  atomic_store_explicit(&answer, giver, memory_order_release);
}

bool vptr__plea_ask(vptr__plea *plea) {
  vptr__giver *giver = atomic_load_explicit(&answer, memory_order_acquire);
  return giver != NULL && giver(plea);
}
