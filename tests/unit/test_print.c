/* SPDX-License-Identifier: MIT */
/*
 * print - what kernels print: rings of the device's, read by commands, and records of any kind. The fake device's
 * kernels write them as translate/emit/prelude/print.cl does; that itself is tried by tests/kernels/flood.cu and
 * printed.cu.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "device/fake.h"
#include "mapper/mapper.h"
#include "module/print_record.h"
#include "module/state.h"
#include "stream/stream.h"
#include "support/support.h"
#include "unit/modules.h"

enum { ROOM = 1 << 16, LEAST = 4096, OF_ONE = 24 };

static vptr_mapper *mapper;
static vptr__module *module;
static vptr__stream *stream;
static char out[ROOM], err[ROOM];
static FILE *files[2];
static int saved[2];

static void set_up(void) {
  support_succeed(vptr__mapper_for_device(0, &mapper));
  support_succeed(vptr__stream_legacy(mapper, &stream));
  support_succeed(modules_load(&module));
}

static void tear_down(void) {
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__print_forget(0);
  vptr__module_unload(module);
  ck_assert_uint_eq(vptr_count(mapper), 0);
}

static void capture(void) {
  fflush(stdout);
  for (int i = 0; i < 2; i++) {
    files[i] = tmpfile();
    saved[i] = dup(i + 1);
    dup2(fileno(files[i]), i + 1);
  }
}

static void release(void) {
  fflush(stdout);
  for (int i = 0; i < 2; i++) {
    char *text = i == 0 ? out : err;
    dup2(saved[i], i + 1);
    close(saved[i]);
    rewind(files[i]);
    text[fread(text, 1, ROOM - 1, files[i])] = '\0';
    fclose(files[i]);
  }
}

static vptr_status print(int from, int count) {
  return MODULES_LAUNCH(stream, module, "print", &from, &count);
}

/* Lines of numbers from `from` on; how many there are. */
static int count_lines(int from) {
  int count = 0, number;
  for (const char *at = out; *at != '\0'; at = strchr(at, '\n') + 1, count++) {
    ck_assert_int_eq(sscanf(at, "%d", &number), 1);
    ck_assert_int_eq(number, from + count);
  }
  return count;
}

static void wait_and_flush(void) {
  support_succeed(vptr__stream_synchronize(stream));
  vptr__print_flush(0);
}

/* ---- rings ---------------------------------------------------------------------------------------------- */

START_TEST(lines_come_behind_a_wait_in_their_order) {
  capture();
  support_succeed(print(5, 100));
  wait_and_flush();
  vptr__print_flush(0);
  release();
  ck_assert_int_eq(count_lines(5), 100);
  ck_assert_str_eq(err, "");
}
END_TEST

START_TEST(failures_go_to_stderr) {
  capture();
  support_succeed(print(-2, 4));
  wait_and_flush();
  release();
  ck_assert_str_eq(out, "0\n1\n");
  ck_assert_str_eq(err, "-2\n-1\n");
}
END_TEST

START_TEST(a_failure_comes_behind_what_was_printed_before) {
  capture();
  dup2(1, 2);
  support_succeed(print(3, 1));
  support_succeed(print(-1, 1));
  support_succeed(print(4, 1));
  wait_and_flush();
  release();
  ck_assert_str_eq(out, "3\n-1\n4\n");
}
END_TEST

START_TEST(a_ring_is_used_over_and_over) {
  vptr__print_limit(0, 1);
  for (int i = 0; i < 50; i++) {
    capture();
    support_succeed(print(1000 * i, 150 - i));
    wait_and_flush();
    release();
    ck_assert_int_eq(count_lines(1000 * i), 150 - i);
    ck_assert_str_eq(err, "");
  }
}
END_TEST

START_TEST(what_has_no_room_is_counted) {
  vptr__print_limit(0, LEAST);
  for (int i = 0; i < 3; i++) {
    char wanted[64];
    capture();
    support_succeed(print(1, 1000));
    wait_and_flush();
    release();
    const int count = count_lines(1);
    ck_assert_int_ge(count, LEAST / OF_ONE - 1);
    snprintf(wanted, sizeof wanted, "%d calls of printf() in kernels were lost", 1000 - count);
    ck_assert_msg(strstr(err, wanted) != NULL, "no '%s' in %s", wanted, err);
    ck_assert_ptr_nonnull(strstr(err, "raise cudaLimitPrintfFifoSize"));
  }
}
END_TEST

/* As by a kernel that writes where it should not. */
START_TEST(a_record_of_no_words_is_told) {
  enum { HEAD, TAIL, WORDS = 3, HEAD_WORDS = 16 };
  uint32_t words[HEAD_WORDS], damaged = UINT32_C(1) << 31;
  bool is_plain;
  void *at;
  support_succeed(print(1, 1));
  wait_and_flush();
  support_succeed(vptr__print_room(mapper, true, &is_plain, &at));
  uint32_t *ring = at;
  support_succeed(vptr_memcpy(mapper, words, ring, sizeof words));
  support_succeed(
      vptr_memcpy(mapper, ring + HEAD_WORDS + (words[TAIL] & (words[WORDS] - 1)), &damaged, sizeof damaged));
  words[HEAD] = words[TAIL] + 6;
  support_succeed(vptr_memcpy(mapper, ring, words, sizeof *words));
  capture();
  vptr__print_flush_failure(0);
  release();
  ck_assert_ptr_nonnull(strstr(err, "was overwritten"));
  ck_assert_str_eq(out, "");
  capture();
  support_succeed(print(7, 1));
  wait_and_flush();
  release();
  ck_assert_str_eq(out, "7\n");
}
END_TEST

/* The first launch makes the ring. */
START_TEST(a_ring_that_cannot_be_made_fails_the_launch) {
  int failures = 0;
  for (long n = 1; n < 30; n++) {
    vptr__fake_fail_nth(n, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    vptr_status status = print(1, 3);
    vptr__fake_fail_nth(0, CL_SUCCESS);
    failures += status != VPTR_SUCCESS;
    vptr__stream_synchronize_all(mapper);
    vptr__print_forget(0);
  }
  ck_assert_int_ge(failures, 2);
  capture();
  support_succeed(print(1, 3));
  wait_and_flush();
  release();
  ck_assert_int_eq(count_lines(1), 3);
}
END_TEST

/* ---- drivers that fail, or say nothing -------------------------------------------------------------------- */

/* What a command still on its way may write to is left to it, and the next ring is another. */
START_TEST(a_ring_that_cannot_be_waited_for_is_left) {
  int failures = 0;
  for (long n = 1; n < 14; n++) {
    capture();
    support_succeed(print(1, 2));
    vptr__fake_disorder((uint64_t)n, 300);
    vptr__fake_fail_nth(n, CL_OUT_OF_RESOURCES);
    vptr__print_forget(0);
    vptr__fake_fail_nth(0, CL_SUCCESS);
    vptr__fake_disorder(0, 0);
    vptr__stream_synchronize_all(mapper);
    release();
    failures += count_lines(1) < 2;
    capture();
    support_succeed(print(7, 3));
    wait_and_flush();
    release();
    ck_assert_int_eq(count_lines(7), 3);
  }
  ck_assert_int_ge(failures, 1);
  vptr__print_forget(0);
  support_succeed(vptr_clear(mapper)); /* a ring that could not be freed stays until then */
}
END_TEST

static const vptr__device_ops *true_ops;
static vptr__device_ops silent_ops;

static vptr_status never_call(vptr__device *device, cl_event event, vptr__notify *notify, void *context) {
  (void)device, (void)event, (void)notify, (void)context;
  return VPTR_SUCCESS;
}

static vptr_status refuse_to_call(vptr__device *device, cl_event event, vptr__notify *notify, void *context) {
  (void)device, (void)event, (void)notify, (void)context;
  return vptr__error(VPTR_ERROR_OPENCL, "no callbacks, as the test likes");
}

typedef vptr_status notify_op(vptr__device *device, cl_event event, vptr__notify *notify, void *context);

/* As far as anybody knows its kernels never end: so the ring is looked at behind every wait. */
static void print_without_callbacks(notify_op *notify) {
  true_ops = mapper->device->ops;
  silent_ops = *true_ops;
  silent_ops.event.notify = notify;
  mapper->device->ops = &silent_ops;
  for (int i = 0; i < 3; i++) {
    capture();
    support_succeed(print(i, 5));
    wait_and_flush();
    support_succeed(vptr__stream_synchronize(stream));
    vptr__print_flush(0);
    release();
    ck_assert_int_eq(count_lines(i), 5);
    ck_assert_str_eq(err, "");
  }
  mapper->device->ops = true_ops;
  capture();
  support_succeed(print(20, 2));
  wait_and_flush();
  release();
  ck_assert_int_eq(count_lines(20), 2);
}

START_TEST(a_driver_may_never_call_back) {
  print_without_callbacks(never_call);
  print_without_callbacks(refuse_to_call);
}
END_TEST

/* ---- records -------------------------------------------------------------------------------------------- */

static uint32_t record[512], words;

static void begin_record(const char *format) {
  record[1] = (uint32_t)strlen(format);
  memset(record + 2, 0, sizeof record - 8);
  memcpy(record + 2, format, record[1]);
  words = 2 + (record[1] + 3) / 4;
}

static void add_number(uint64_t number) {
  record[words++] = (uint32_t)number;
  record[words++] = (uint32_t)(number >> 32);
}

static void add_real(double real) {
  uint64_t bits;
  memcpy(&bits, &real, sizeof bits);
  add_number(bits);
}

static void add_float(float real) {
  uint32_t bits;
  memcpy(&bits, &real, sizeof bits);
  add_number(bits);
}

static void add_text(const char *text) {
  uint32_t length = text != NULL ? (uint32_t)strlen(text) : 0;
  record[words++] = text != NULL ? length : UINT32_MAX;
  memcpy(record + words, text != NULL ? text : "", length);
  words += (length + 3) / 4;
}

static bool print_words_by(bool (*print_record)(const uint32_t *record, uint32_t words, FILE *to), uint32_t count) {
  FILE *to = tmpfile();
  record[0] = count;
  bool is_good = print_record(record, count, to);
  rewind(to);
  out[fread(out, 1, ROOM - 1, to)] = '\0';
  fclose(to);
  return is_good;
}

static bool print_words(uint32_t count) {
  return print_words_by(vptr__print_record, count);
}

static void check_record(const char *wanted) {
  ck_assert(print_words(words));
  ck_assert_str_eq(out, wanted);
  for (uint32_t less = 1; less < words; less++) /* nothing behind what is there is read */
    ck_assert(!print_words(less) || record[1] == 0);
}

START_TEST(numbers_are_printed_as_by_the_host) {
  begin_record("%d|%5d|%-5d|%u|%#x|%c|%p%%\n");
  add_number((uint64_t)-1234567890123);
  add_number(42);
  add_number(43);
  add_number(UINT64_MAX);
  add_number(255);
  add_number('q');
  add_number(0x1000);
  check_record("-1234567890123|   42|43   |18446744073709551615|0xff|q|0x1000%\n");
}
END_TEST

START_TEST(reals_are_printed_as_by_the_host) {
  begin_record("%f %hf %.2e %*.*hg");
  add_real(0.1);
  add_float(0.5F);
  add_real(12345.0);
  add_number(8);
  add_number(3);
  add_float(3.14159F);
  check_record("0.100000 0.500000 1.23e+04     3.14");
}
END_TEST

START_TEST(text_is_printed_as_by_the_host) {
  char large[1001];
  char wanted[1100];
  memset(large, 'y', 1000);
  large[1000] = '\0';
  begin_record("%s|%6s|%-6s|%.*s|%s|%.*s|%1003s");
  add_text("some text");
  add_text("abc");
  add_text("");
  add_number(2);
  add_text("ab");
  add_text(NULL);
  add_number(3);
  add_text(NULL);
  add_text(large);
  snprintf(wanted, sizeof wanted, "some text|   abc|      |ab|(null)||   %s", large);
  check_record(wanted);
}
END_TEST

START_TEST(what_is_no_record_is_told) {
  begin_record("%n");
  add_number(1);
  ck_assert(!print_words(words));
  begin_record("%********d");
  for (int i = 0; i < 9; i++)
    add_number(1);
  ck_assert(!print_words(words));
  begin_record("%0000000000000000000000000000000000000000000000000000000000000000000000000000d");
  add_number(1);
  ck_assert(!print_words(words));
  begin_record("100%");
  ck_assert(!print_words(words));
  begin_record("%s");
  add_text("abc");
  record[3] = 1 << 30;
  ck_assert(!print_words(words));
  begin_record("abc");
  record[1] = UINT32_MAX;
  ck_assert(!print_words(words));
}
END_TEST

/* ---- records of any format ------------------------------------------------------------------------------ */

static void add_marked_number(uint64_t number) {
  record[words++] = 0;
  add_number(number);
}

static void add_marked_float(float real) {
  record[words++] = 1;
  add_float(real);
}

static void add_marked_text(const char *text) {
  record[words++] = 2;
  add_text(text);
}

static void check_any(const char *wanted) {
  ck_assert(print_words_by(vptr__print_any_record, words));
  ck_assert_str_eq(out, wanted);
  for (uint32_t less = 1; less < words; less++)
    (void)print_words_by(vptr__print_any_record, less); /* nothing behind what is there is read */
}

START_TEST(any_format_prints_what_its_places_take) {
  begin_record("%d %u|%hd %hhu|%lld %zx|%5.1f|%*d|%-4s|%.2s|%s|%c|%p|100%%\n");
  add_marked_number((uint64_t)-1);
  add_marked_number((uint64_t)-1);
  add_marked_number(65535);
  add_marked_number(300);
  add_marked_number((uint64_t)-5);
  add_marked_number(255);
  add_marked_float(2.25F);
  add_marked_number(4);
  add_marked_number(7);
  add_marked_text("ab");
  add_marked_text("cd");
  add_marked_text(NULL);
  add_marked_number('x');
  add_marked_number(0x20);
  check_any("-1 4294967295|-1 44|-5 ff|  2.2|   7|ab  |cd|(null)|x|0x20|100%\n");
}
END_TEST

START_TEST(what_has_no_value_of_its_kind_is_printed_as_it_stands) {
  begin_record("%d %s %k %Lf %n|%f %d %s|%d %*d %");
  add_marked_text("no number");
  add_marked_number(1);
  add_marked_number(2);
  add_marked_number(3);
  add_marked_number(4);
  add_marked_float(1.5F);
  add_marked_float(1.5F);
  add_marked_text("text");
  check_any("%d %s %k %Lf %n|1.500000 %d text|%d %*d %");
}
END_TEST

START_TEST(what_is_no_record_of_any_format_is_told) {
  begin_record("%d");
  record[words++] = 3;
  add_number(1);
  ck_assert(!print_words_by(vptr__print_any_record, words));
  begin_record("%*d");
  record[words++] = 0;
  ck_assert(!print_words_by(vptr__print_any_record, words));
  begin_record("%s");
  add_marked_text("abc");
  record[4] = 1 << 30;
  ck_assert(!print_words_by(vptr__print_any_record, words));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("print");
  TCase *rings = tcase_create("rings"), *records = tcase_create("records");
  modules_define();
  tcase_add_checked_fixture(rings, set_up, tear_down);
  if (!support_has_opencl()) /* its kernels are the fake device's */
    suite_add_tcase(suite, rings);
  tcase_add_test(rings, lines_come_behind_a_wait_in_their_order);
  tcase_add_test(rings, failures_go_to_stderr);
  tcase_add_test(rings, a_failure_comes_behind_what_was_printed_before);
  tcase_add_test(rings, a_ring_is_used_over_and_over);
  tcase_add_test(rings, what_has_no_room_is_counted);
  tcase_add_test(rings, a_record_of_no_words_is_told);
  tcase_add_test(rings, a_ring_that_cannot_be_made_fails_the_launch);
  tcase_add_test(rings, a_ring_that_cannot_be_waited_for_is_left);
  tcase_add_test(rings, a_driver_may_never_call_back);
  tcase_add_test(records, numbers_are_printed_as_by_the_host);
  tcase_add_test(records, reals_are_printed_as_by_the_host);
  tcase_add_test(records, text_is_printed_as_by_the_host);
  tcase_add_test(records, what_is_no_record_is_told);
  tcase_add_test(records, any_format_prints_what_its_places_take);
  tcase_add_test(records, what_has_no_value_of_its_kind_is_printed_as_it_stands);
  tcase_add_test(records, what_is_no_record_of_any_format_is_told);
  suite_add_tcase(suite, records);
  return support_run(suite);
}
