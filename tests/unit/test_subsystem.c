/* SPDX-License-Identifier: MIT */
/*
 * subsystem: tables that write down what they are called for, in what order, and what a mapper makes of their answers.
 */
#include "support/support.h"

#include "base/subsystem.h"
#include "mapper/mapper.h"

#include <string.h>

/* Where no module of the library's is in use here, as a mapper without streams and accessors has it. */
static const vptr__subsystem_id FIRST = VPTR__SUBSYSTEM_ACCESS, SECOND = VPTR__SUBSYSTEM_POOL,
                                LAST = VPTR__SUBSYSTEM_PACK;

static vptr_mapper *mapper;
static char calls[200];
static vptr_status answer_of_first, answer_of_last;

static void write_down(const char *call) {
  strncat(calls, call, sizeof calls - strlen(calls) - 1);
}

static void stop_first(vptr_mapper *of) {
  ck_assert_ptr_eq(of, mapper);
  write_down("stop 1, ");
}

static void stop_last(vptr_mapper *of) {
  ck_assert_ptr_eq(of, mapper);
  write_down("stop 3, ");
}

static vptr_status depart_first(const vptr_mapper *of) {
  ck_assert_ptr_eq(of, mapper);
  write_down("depart 1, ");
  return answer_of_first;
}

static vptr_status depart_last(const vptr_mapper *of) {
  ck_assert_ptr_eq(of, mapper);
  write_down("depart 3, ");
  return answer_of_last;
}

static void close_first(vptr_mapper *of) {
  ck_assert_ptr_eq(of, mapper);
  write_down("close 1, ");
}

static void close_second(vptr_mapper *of) {
  ck_assert_ptr_eq(of, mapper);
  write_down("close 2, ");
}

static bool trim_last(vptr_mapper *of, bool is_full) {
  ck_assert_ptr_eq(of, mapper);
  ck_assert(!is_full);
  write_down("trim 3, ");
  return true;
}

static vptr_status check_clear_first(vptr_mapper *of) {
  ck_assert_ptr_eq(of, mapper);
  write_down("check 1, ");
  return answer_of_first;
}

static vptr_status check_clear_last(vptr_mapper *of) {
  ck_assert_ptr_eq(of, mapper);
  write_down("check 3, ");
  return answer_of_last;
}

static void clear_second(vptr_mapper *of) {
  ck_assert_ptr_eq(of, mapper);
  write_down("clear 2, ");
}

static void end_stream_of_second(struct vptr__stream *stream) {
  ck_assert_ptr_eq(stream, (struct vptr__stream *)calls);
  write_down("stream 2, ");
}

static bool reclaim_nothing(struct vptr__reclaim *reclaim) {
  ck_assert_ptr_null(reclaim);
  write_down("nothing 1, ");
  return false;
}

static bool reclaim_something(struct vptr__reclaim *reclaim) {
  ck_assert_ptr_null(reclaim);
  write_down("something 3, ");
  return true;
}

static uint64_t serial_of_first(void) {
  return 3;
}

static uint64_t serial_of_last(void) {
  return 4;
}

static const vptr__subsystem first = { .stop = stop_first,
                                       .depart = depart_first,
                                       .close = close_first,
                                       .check_clear = check_clear_first,
                                       .reclaim = reclaim_nothing,
                                       .host_serial = serial_of_first };
static const vptr__subsystem second = { .close = close_second,
                                        .clear = clear_second,
                                        .stream_ends = end_stream_of_second };
static const vptr__subsystem last = { .stop = stop_last,
                                      .depart = depart_last,
                                      .trim = trim_last,
                                      .check_clear = check_clear_last,
                                      .reclaim = reclaim_something,
                                      .host_serial = serial_of_last };

/* Entered in another order than they have. */
static void set_up(void) {
  calls[0] = '\0';
  answer_of_first = answer_of_last = VPTR_SUCCESS;
  vptr__subsystem_enter(LAST, &last);
  vptr__subsystem_enter(FIRST, &first);
  vptr__subsystem_enter(SECOND, &second);
  support_succeed(vptr_mapper_create(NULL, &mapper));
}

static void tear_down(void) {
  vptr__subsystem_enter(LAST, NULL);
  vptr__subsystem_enter(FIRST, NULL);
  vptr__subsystem_enter(SECOND, NULL);
}

START_TEST(a_mapper_ends_in_turns_each_in_the_order_of_the_ids) {
  support_succeed(vptr_mapper_destroy(mapper));
  ck_assert_str_eq(calls, "stop 1, stop 3, depart 1, depart 3, close 1, close 2, ");
}
END_TEST

START_TEST(the_first_error_of_departing_is_told_and_all_goes_on) {
  answer_of_first = VPTR_ERROR_OPENCL;
  answer_of_last = VPTR_ERROR_OUT_OF_HOST_MEMORY;
  ck_assert_int_eq(vptr_mapper_destroy(mapper), VPTR_ERROR_OPENCL);
  ck_assert_str_eq(calls, "stop 1, stop 3, depart 1, depart 3, close 1, close 2, ");
}
END_TEST

START_TEST(a_refusal_keeps_all_from_being_cleared) {
  answer_of_first = VPTR_ERROR_MAPPED;
  ck_assert_int_eq(vptr_clear(mapper), VPTR_ERROR_MAPPED);
  ck_assert_str_eq(calls, "check 1, ");
  answer_of_first = VPTR_SUCCESS;
  support_succeed(vptr_clear(mapper));
  ck_assert_str_eq(calls, "check 1, check 1, check 3, clear 2, ");
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

START_TEST(who_is_interested_is_called_for_trimming_and_for_streams) {
  support_succeed(vptr_trim(mapper, 0));
  vptr__subsystems_end_stream((struct vptr__stream *)calls);
  ck_assert_str_eq(calls, "trim 3, stream 2, ");
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

START_TEST(who_gives_memory_is_found_and_serials_add_up) {
  ck_assert(vptr__subsystems_reclaim(NULL));
  ck_assert_str_eq(calls, "nothing 1, something 3, ");
  ck_assert_uint_eq(vptr__subsystems_host_serial(), 7);
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

START_TEST(of_two_states_the_first_is_kept) {
  int one, other;
  ck_assert_ptr_eq(vptr__mapper_keep_state(mapper, SECOND, &one), &one);
  ck_assert_ptr_eq(vptr__mapper_keep_state(mapper, SECOND, &other), &one);
  ck_assert_ptr_eq(vptr__mapper_state(mapper, SECOND), &one);
  ck_assert_ptr_eq(vptr__mapper_take_state(mapper, SECOND), &one);
  ck_assert_ptr_null(vptr__mapper_state(mapper, SECOND));
  support_succeed(vptr_mapper_destroy(mapper));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("subsystem");
  TCase *group = tcase_create("turns");
  tcase_add_checked_fixture(group, set_up, tear_down);
  tcase_add_test(group, a_mapper_ends_in_turns_each_in_the_order_of_the_ids);
  tcase_add_test(group, the_first_error_of_departing_is_told_and_all_goes_on);
  tcase_add_test(group, a_refusal_keeps_all_from_being_cleared);
  tcase_add_test(group, who_is_interested_is_called_for_trimming_and_for_streams);
  tcase_add_test(group, who_gives_memory_is_found_and_serials_add_up);
  tcase_add_test(group, of_two_states_the_first_is_kept);
  suite_add_tcase(suite, group);
  return support_run(suite);
}
