/* SPDX-License-Identifier: MIT */
/*
 * slot_state - every state of a slot with every slack has a value of its own, and goes from one to the next without
 * loss.
 */
#include <string.h>

#include "heap/class.h"
#include "heap/slot_state.h"
#include "support/support.h"

static unsigned char seen[1 << 16];

static void expect_new(int16_t state) {
  ck_assert_msg(seen[(uint16_t)state]++ == 0, "the state %d stands for two states", state);
}

static void expect(int16_t state, bool is_live, bool is_free, bool was_issued) {
  expect_new(state);
  ck_assert(vptr__slot_state_is_live(state) == is_live);
  ck_assert(vptr__slot_state_is_free(state) == is_free);
  ck_assert(vptr__slot_state_was_issued(state) == was_issued);
}

START_TEST(every_state_has_a_state_of_its_own) {
  memset(seen, 0, sizeof seen);
  expect(VPTR__SLOT_STATE_NEW, false, true, false);
  expect(VPTR__SLOT_STATE_NEW_TAKEN, false, false, false);
  for (size_t slack = 1; slack <= VPTR__SLOT_STATE_MAX_SLACK; slack++) {
    int16_t live = vptr__slot_state_live(slack);
    int16_t ended = vptr__slot_state_ended(live);
    int16_t returned = vptr__slot_state_returned(ended);
    expect(live, true, false, true);
    expect(ended, false, false, true);
    expect(returned, false, true, true);
    ck_assert_uint_eq(vptr__slot_state_slack(live), slack);
    ck_assert_uint_eq(vptr__slot_state_slack(ended), slack);
    ck_assert_uint_eq(vptr__slot_state_slack(returned), slack);
    ck_assert_int_eq(vptr__slot_state_taken(returned), ended);
  }
  ck_assert_int_eq(vptr__slot_state_taken(VPTR__SLOT_STATE_NEW), VPTR__SLOT_STATE_NEW_TAKEN);
  ck_assert_int_eq(vptr__slot_state_returned(VPTR__SLOT_STATE_NEW_TAKEN), VPTR__SLOT_STATE_NEW);
}
END_TEST

/* Fresh pages of states are free slots. */
START_TEST(zero_is_free) {
  ck_assert_int_eq(VPTR__SLOT_STATE_NEW, 0);
}
END_TEST

/* Whatever lies beside them. */
START_TEST(free_ones_are_found_by_four) {
  static const int16_t beside[] = { 0, 1, -1, INT16_MIN, INT16_MAX, VPTR__SLOT_STATE_NEW_TAKEN };
  _Alignas(uint64_t) vptr__slot_state states[4];
  for (int state = INT16_MIN; state <= INT16_MAX; state++)
    for (size_t i = 0; i < 4 * sizeof beside / sizeof *beside; i++) {
      uint64_t expected = 0;
      for (size_t lane = 0; lane < 4; lane++) {
        states[lane] = lane == i % 4 ? (int16_t)state : beside[i / 4];
        expected |= vptr__slot_state_is_free(states[lane]) ? UINT64_C(0x8000) << (16 * lane) : 0;
      }
      support_must(vptr__slot_states_free_of_four(states) == expected);
    }
}
END_TEST

START_TEST(the_slack_of_every_class_fits) {
  for (unsigned shift = 8; (size_t)1 << shift <= VPTR__CLASS_MAX_GRANULE; shift++)
    for (size_t size = 1; vptr__class_fits(size, (size_t)1 << shift); size++) {
      size_t slack = vptr__class_slot_size(vptr__class_of(size, shift), shift) - size;
      support_must(slack >= 1 && slack <= VPTR__SLOT_STATE_MAX_SLACK);
    }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("state");
  TCase *state = tcase_create("state");
  tcase_add_test(state, every_state_has_a_state_of_its_own);
  tcase_add_test(state, zero_is_free);
  tcase_add_test(state, free_ones_are_found_by_four);
  tcase_add_test(state, the_slack_of_every_class_fits);
  suite_add_tcase(suite, state);
  return support_run(suite);
}
