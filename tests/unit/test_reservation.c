/* SPDX-License-Identifier: MIT */
/*
 * What the system gives a space, and what it does not. Limits are set, and addresses dereferenced, in child
 * processes.
 */
#include "support/support.h"

#include "space/reservation.h"
#include "space/space.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sanitizers reserve terabytes of addresses themselves: under a limit they could map nothing at all. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static const size_t MIB = (size_t)1 << 20, GIB = (size_t)1 << 30, TIB = (size_t)1 << 40;

/* A space of 64 windows of 1 MiB. */
static vptr__space small_space(void) {
  vptr__space space;
  support_succeed(vptr__space_init(&space, 0, 64 * MIB, false));
  return space;
}

static uint32_t take(vptr__space *space, uint32_t count) {
  uint32_t first = UINT32_MAX;
  support_succeed(vptr__space_take(space, count, &first));
  return first;
}

/* ---- sizes and places ----------------------------------------------------------------------------------- */

START_TEST(windows_are_64_mib_or_there_are_thousands_of_them) {
  for (size_t size = 64 * MIB; size <= 32 * TIB; size *= 2) {
    vptr__space space;
    support_succeed(vptr__space_init(&space, 0, size, false));
    ck_assert_uint_le(space.size, size);
    ck_assert_uint_ge(space.size, 64 * MIB);
    ck_assert_uint_eq((size_t)space.window_count << space.window_shift, space.size);
    ck_assert_uint_eq(space.base % ((size_t)1 << space.window_shift), 0);
    ck_assert_uint_ge(space.window_shift, 20);
    ck_assert_uint_le(space.window_shift, 26);
    ck_assert(space.window_count >= 16384 || space.window_shift == 20);
    ck_assert(space.window_count < 32768 || space.window_shift == 26);
    ck_assert_uint_eq(take(&space, space.window_count), 0);
    vptr__space_fini(&space);
  }
}
END_TEST

START_TEST(odd_sizes_are_rounded_up) {
  const size_t sizes[][2] = { { 0, 64 * MIB }, { 1, 64 * MIB }, { 64 * MIB + 1, 128 * MIB }, { 3 * GIB, 4 * GIB } };
  for (size_t i = 0; i < 4; i++) {
    vptr__space space;
    support_succeed(vptr__space_init(&space, 0, sizes[i][0], false));
    ck_assert_uint_eq(space.size, sizes[i][1]);
    vptr__space_fini(&space);
  }
}
END_TEST

START_TEST(a_monstrous_size_is_halved_until_it_fits) {
  vptr__space space;
  support_succeed(vptr__space_init(&space, 0, SIZE_MAX, false));
  ck_assert_uint_ge(space.size, GIB);
  ck_assert_uint_le(space.window_count, (1u << 24) - 1);
  ck_assert(vptr__space_is_valid(&space));
  vptr__space_fini(&space);
}
END_TEST

START_TEST(two_spaces_share_no_address) {
  vptr__space a, b;
  support_succeed(vptr__space_init(&a, 0, 16 * TIB, false));
  support_succeed(vptr__space_init(&b, 0, 16 * TIB, false));
  ck_assert(a.base + a.size <= b.base || b.base + b.size <= a.base);
  vptr__space_fini(&a);
  vptr__space_fini(&b);
}
END_TEST

static bool is_unmapped(uintptr_t base, size_t size) {
  void *got = mmap((void *)base, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got != MAP_FAILED)
    munmap(got, size);
  return (uintptr_t)got == base;
}

/* The addresses of this process, in MiB. */
static long mapped_mib(void) {
  long pages = 0;
  FILE *statm = fopen("/proc/self/statm", "r");
  ck_assert_ptr_nonnull(statm);
  ck_assert_int_eq(fscanf(statm, "%ld", &pages), 1);
  fclose(statm);
  return pages / (long)(MIB / (size_t)sysconf(_SC_PAGESIZE));
}

/* Also what sticks out at the ends when the base is aligned: up to 64 MiB each time, where windows are large. */
START_TEST(nothing_is_left_mapped_after_many_spaces) {
  long before = mapped_mib();
  for (int i = 0; i < 100; i++) {
    vptr__space space;
    support_succeed(vptr__space_init(&space, 0, TIB, false));
    vptr__space_fini(&space);
  }
  ck_assert_int_lt(mapped_mib() - before, 50);
}
END_TEST

START_TEST(fini_gives_every_address_back) {
  vptr__space space = small_space();
  uintptr_t base = space.base;
  void *map = space.map;
  ck_assert(!is_unmapped(base, 64 * MIB));
  vptr__space_fini(&space);
  ck_assert(is_unmapped(base, 64 * MIB));
  ck_assert(is_unmapped((uintptr_t)map, 4096));
}
END_TEST

START_TEST(a_base_address_is_kept_to_or_refused) {
  vptr__space probe, space, untouched;
  support_succeed(vptr__space_init(&probe, 0, GIB, false));
  uintptr_t base = probe.base;
  memset(&space, 0x5a, sizeof space);
  memset(&untouched, 0x5a, sizeof untouched);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__space_init(&space, base, GIB, false)); /* taken */
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "/proc/self/maps"));
  vptr__space_fini(&probe);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, vptr__space_init(&space, base + 4096, GIB, false)); /* not aligned */
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "multiple"));
  ck_assert_mem_eq(&space, &untouched, sizeof space);
  support_succeed(vptr__space_init(&space, base, GIB, false));
  ck_assert_uint_eq(space.base, base);
  ck_assert_uint_eq(space.size, GIB);
  vptr__space_fini(&space);
}
END_TEST

/* Something lies 256 MiB behind the address: the reservation halves until it ends before that. */
START_TEST(a_reservation_at_a_base_address_halves_too) {
  vptr__space probe, space;
  support_succeed(vptr__space_init(&probe, 0, 2 * GIB, false));
  uintptr_t base = probe.base;
  vptr__space_fini(&probe);
  void *obstacle = mmap((void *)(base + 256 * MIB), 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert_ptr_eq(obstacle, (void *)(base + 256 * MIB));
  support_succeed(vptr__space_init(&space, base, GIB, false));
  ck_assert_uint_eq(space.base, base);
  ck_assert_uint_eq(space.size, 256 * MIB);
  vptr__space_fini(&space);
  munmap(obstacle, 4096);
}
END_TEST

START_TEST(core_dumps_leave_the_reservation_out) {
  vptr__space space = small_space();
  char line[512];
  size_t start, end;
  bool inside = false, left_out = false;
  FILE *maps = fopen("/proc/self/smaps", "r");
  ck_assert_ptr_nonnull(maps);
  while (fgets(line, sizeof line, maps) != NULL) {
    if (sscanf(line, "%zx-%zx ", &start, &end) == 2)
      inside = start <= space.base && space.base < end;
    if (inside && strncmp(line, "VmFlags:", 8) == 0)
      left_out = strstr(line, " dd") != NULL;
  }
  fclose(maps);
  ck_assert(left_out);
  vptr__space_fini(&space);
}
END_TEST

/* ---- in a child process --------------------------------------------------------------------------------- */

/* Runs act in a child and returns its wait status. No assertions in there: they would go on with the suite. */
static int in_child(void (*act)(const void *argument), const void *argument) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    act(argument);
    _exit(0);
  }
  int status = 0;
  ck_assert_int_gt(child, 0);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return status;
}

static void expect_child(bool right) {
  if (!right)
    _exit(1);
}

static void read_byte(const void *address) {
  signal(SIGSEGV, SIG_DFL);
  (void)*(const volatile char *)address;
}

static void write_byte(const void *address) {
  signal(SIGSEGV, SIG_DFL);
  *(volatile char *)(uintptr_t)address = 1;
}

START_TEST(a_host_dereference_traps) {
  vptr__space space = small_space();
  uint32_t first = take(&space, 2);
  const uintptr_t places[] = { space.base, vptr__space_address(&space, first) + MIB / 2,
                               space.base + space.size - 1 };
  for (int i = 0; i < 3; i++) {
    int status = in_child(read_byte, (const void *)places[i]);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    status = in_child(write_byte, (const void *)places[i]);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  }
  vptr__space_fini(&space);
}
END_TEST

static void limit_addresses(size_t bytes) {
  expect_child(setrlimit(RLIMIT_AS, &(struct rlimit){ bytes, bytes }) == 0);
}

static void take_a_quarter(const void *unused) {
  (void)unused;
  vptr__space space;
  limit_addresses(9 * GIB);
  expect_child(vptr__space_init(&space, 0, 16 * TIB, false) == VPTR_SUCCESS);
  expect_child(space.size == 2 * GIB && space.window_shift == 20 && vptr__space_is_valid(&space));
  vptr__space_fini(&space);
  expect_child(vptr__space_init(&space, 0, 128 * MIB, false) == VPTR_SUCCESS);
  expect_child(space.size == 128 * MIB); /* what is asked for is no floor */
}

/* Leaves less than a GiB of the limit. */
static void halve_until_it_fits(const void *unused) {
  (void)unused;
  vptr__space space;
  limit_addresses(8 * GIB);
  expect_child(mmap(NULL, 7 * GIB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);
  expect_child(vptr__space_init(&space, 0, 16 * TIB, false) == VPTR_SUCCESS);
  expect_child(space.size <= 512 * MIB && space.size >= 64 * MIB && vptr__space_is_valid(&space));
}

static void find_no_room(const void *unused) {
  (void)unused;
  vptr__space space;
  size_t filler = 64 * GIB;
  limit_addresses(8 * GIB);
  while (filler >= 32 * MIB)
    if (mmap(NULL, filler, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
      filler /= 2;
  expect_child(vptr__space_init(&space, 0, 16 * TIB, false) == VPTR_ERROR_OUT_OF_ADDRESSES);
  expect_child(strstr(vptr_last_error(), "64 MiB") != NULL && strstr(vptr_last_error(), "ulimit -v") != NULL);
}

static void meet_a_narrow_limit(const void *unused) {
  (void)unused;
  vptr__space space;
  limit_addresses(255 * MIB);
  expect_child(vptr__space_init(&space, 0, 16 * TIB, false) == VPTR_ERROR_OUT_OF_ADDRESSES);
  expect_child(strstr(vptr_last_error(), "261120 KiB") != NULL); /* the limit */
  expect_child(strstr(vptr_last_error(), "262144 KiB") != NULL); /* what it should be */
  expect_child(strstr(vptr_last_error(), "ulimit -v") != NULL);
}

START_TEST(limits_on_addresses_are_respected) {
  void (*const acts[])(const void *) = { take_a_quarter, halve_until_it_fits, find_no_room, meet_a_narrow_limit };
  int status = in_child(acts[_i], NULL);
  ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "act %d: wait status %d", _i, status);
}
END_TEST

/* ---- the size where nobody says one --------------------------------------------------------------------- */

START_TEST(a_share_is_a_quarter_of_a_piece_and_later_a_thousandth) {
  ck_assert_uint_eq(vptr__reservation_share_of(128 * TIB, 0), 16 * TIB);
  ck_assert_uint_eq(vptr__reservation_share_of(64 * TIB, 7), 16 * TIB);
  ck_assert_uint_eq(vptr__reservation_share_of(32 * TIB, 7), 8 * TIB);
  ck_assert_uint_eq(vptr__reservation_share_of(32 * TIB, 8), 32 * GIB);
  ck_assert_uint_eq(vptr__reservation_share_of(32 * GIB, 0), 8 * GIB);
  ck_assert_uint_eq(vptr__reservation_share_of(32 * GIB, 8), 64 * MIB);
  ck_assert_uint_eq(vptr__reservation_share_of(0, 0), VPTR__RESERVATION_LEAST);
}
END_TEST

/* Whatever the process has: what is left of it when so many have taken their shares. There are fewer where the smallest
 * reservations, a thousand times, would be more than there is. */
START_TEST(many_shares_leave_the_program_its_addresses) {
  static vptr__reservation taken[1000];
  size_t share = vptr__reservation_share(), many = share / VPTR__RESERVATION_LEAST / 4;
  if (many > sizeof taken / sizeof *taken)
    many = sizeof taken / sizeof *taken;
  ck_assert_uint_ge(many, 16);
  for (size_t i = 0; i < many; i++)
    support_succeed(vptr__reservation_make(0, vptr__reservation_share(), &taken[i]));
  void *room = mmap(NULL, share / 8, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ck_assert_msg(room != MAP_FAILED, "of %zu bytes, which the first reservation took, not an eighth is left", share);
  munmap(room, share / 8);
  for (size_t i = 0; i < many; i++) {
    ck_assert_uint_ge(taken[i].size, share >> 12);
    vptr__reservation_free(&taken[i]);
  }
}
END_TEST

static Suite *reservation_suite(void) {
  Suite *suite = suite_create("reservation");
  TCase *addresses = tcase_create("addresses");
  tcase_add_test(addresses, windows_are_64_mib_or_there_are_thousands_of_them);
  tcase_add_test(addresses, odd_sizes_are_rounded_up);
  tcase_add_test(addresses, a_monstrous_size_is_halved_until_it_fits);
  tcase_add_test(addresses, two_spaces_share_no_address);
  tcase_add_test(addresses, fini_gives_every_address_back);
  tcase_add_test(addresses, nothing_is_left_mapped_after_many_spaces);
  tcase_add_test(addresses, a_base_address_is_kept_to_or_refused);
  tcase_add_test(addresses, a_reservation_at_a_base_address_halves_too);
  tcase_add_test(addresses, core_dumps_leave_the_reservation_out);
  tcase_add_test(addresses, a_share_is_a_quarter_of_a_piece_and_later_a_thousandth);
  tcase_add_test(addresses, many_shares_leave_the_program_its_addresses);
  tcase_add_test(addresses, a_host_dereference_traps);
  if (!SANITIZED)
    tcase_add_loop_test(addresses, limits_on_addresses_are_respected, 0, 4);
  suite_add_tcase(suite, addresses);
  return suite;
}

int main(void) {
  return support_run(reservation_suite());
}
