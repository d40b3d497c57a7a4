/* SPDX-License-Identifier: MIT */
/* note - every state of a slot with every slack has a note of its own, and goes from one to the next without loss. */
#include <string.h>

#include "heap/class.h"
#include "heap/note.h"
#include "support/support.h"

static unsigned char seen[1 << 16];

static void expect_new(int16_t note) {
  ck_assert_msg(seen[(uint16_t)note]++ == 0, "the note %d stands for two states", note);
}

static void expect(int16_t note, bool is_live, bool is_free, bool was_issued) {
  expect_new(note);
  ck_assert(vptr__note_is_live(note) == is_live);
  ck_assert(vptr__note_is_free(note) == is_free);
  ck_assert(vptr__note_was_issued(note) == was_issued);
}

START_TEST(every_state_has_a_note_of_its_own) {
  memset(seen, 0, sizeof seen);
  expect(VPTR__NOTE_NEW, false, true, false);
  expect(VPTR__NOTE_NEW_TAKEN, false, false, false);
  for (size_t slack = 1; slack <= VPTR__NOTE_MAX_SLACK; slack++) {
    int16_t live = vptr__note_live(slack);
    int16_t ended = vptr__note_ended(live);
    int16_t returned = vptr__note_returned(ended);
    expect(live, true, false, true);
    expect(ended, false, false, true);
    expect(returned, false, true, true);
    ck_assert_uint_eq(vptr__note_slack(live), slack);
    ck_assert_uint_eq(vptr__note_slack(ended), slack);
    ck_assert_uint_eq(vptr__note_slack(returned), slack);
    ck_assert_int_eq(vptr__note_taken(returned), ended);
  }
  ck_assert_int_eq(vptr__note_taken(VPTR__NOTE_NEW), VPTR__NOTE_NEW_TAKEN);
  ck_assert_int_eq(vptr__note_returned(VPTR__NOTE_NEW_TAKEN), VPTR__NOTE_NEW);
}
END_TEST

/* Fresh pages of notes are free slots. */
START_TEST(zero_is_free) {
  ck_assert_int_eq(VPTR__NOTE_NEW, 0);
}
END_TEST

/* Whatever lies beside them. */
START_TEST(free_ones_are_found_by_four) {
  static const int16_t beside[] = { 0, 1, -1, INT16_MIN, INT16_MAX, VPTR__NOTE_NEW_TAKEN };
  _Alignas(uint64_t) vptr__note notes[4];
  for (int note = INT16_MIN; note <= INT16_MAX; note++)
    for (size_t i = 0; i < 4 * sizeof beside / sizeof *beside; i++) {
      uint64_t expected = 0;
      for (size_t lane = 0; lane < 4; lane++) {
        notes[lane] = lane == i % 4 ? (int16_t)note : beside[i / 4];
        expected |= vptr__note_is_free(notes[lane]) ? UINT64_C(0x8000) << (16 * lane) : 0;
      }
      support_must(vptr__notes_free_of_four(notes) == expected);
    }
}
END_TEST

START_TEST(the_slack_of_every_class_fits) {
  for (unsigned shift = 8; (size_t)1 << shift <= VPTR__CLASS_MAX_GRANULE; shift++)
    for (size_t size = 1; vptr__class_fits(size, (size_t)1 << shift); size++) {
      size_t slack = vptr__class_slot_size(vptr__class_of(size, shift), shift) - size;
      support_must(slack >= 1 && slack <= VPTR__NOTE_MAX_SLACK);
    }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("note");
  TCase *note = tcase_create("note");
  tcase_add_test(note, every_state_has_a_note_of_its_own);
  tcase_add_test(note, zero_is_free);
  tcase_add_test(note, free_ones_are_found_by_four);
  tcase_add_test(note, the_slack_of_every_class_fits);
  suite_add_tcase(suite, note);
  return support_run(suite);
}
