/* SPDX-License-Identifier: MIT */
/* trap: the report on a host dereference, and how the signal goes on. Each test's body is a process of its own. */
#include "support/child.h"
#include "support/support.h"

#include "mapper/flight.h"
#include "mapper/mapper.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EARLIER = 7 /* exit code of a process whose earlier handler was called as it should be */ };

static child result;

static void expect_text(const char *part) {
  ck_assert_msg(strstr(result.text, part) != NULL, "'%s' is missing in:\n%s", part, result.text);
}

static void expect_no_report(void) {
  ck_assert_msg(strstr(result.text, "device pointer") == NULL, "%s", result.text);
}

static size_t count_reports(void) {
  size_t count = 0;
  for (const char *at = strstr(result.text, ": the host "); at != NULL; at = strstr(at + 1, ": the host "))
    count++;
  return count;
}

static void expect_death(void (*body)(void)) {
  child_run(body, &result);
  ck_assert_msg(!result.exited && result.signal == SIGSEGV, "exit code %d, signal %d:\n%s", result.exit_code,
                result.signal, result.text);
}

static void expect_earlier(void (*body)(void)) {
  child_run(body, &result);
  ck_assert_msg(result.exited && result.exit_code == EARLIER, "exit code %d, signal %d:\n%s", result.exit_code,
                result.signal, result.text);
}

/* ---- pieces of bodies ------------------------------------------------------------------------------------ */

/* Sanitizers have handlers of their own, and so has LLVM in a driver that compiles, which comes with a first mapper:
 * they would be the earlier ones. Dying leaves no core file behind. */
static void begin(void) {
  const struct rlimit none = { 0, 0 };
  vptr_mapper *untrapped;
  setrlimit(RLIMIT_CORE, &none);
  child_set("VPTR_TRAP", NULL);
  child_require(vptr_mapper_create(NULL, &untrapped) == VPTR_SUCCESS, vptr_last_error());
  signal(SIGSEGV, SIG_DFL);
  signal(SIGBUS, SIG_DFL);
  child_set("VPTR_TRAP", "1");
}

/* Before the first mapper, and therefore before the trap. */
static void handle(void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action = { .sa_sigaction = handler, .sa_flags = flags };
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGUSR1);
  child_require(sigaction(SIGSEGV, &action, NULL) == 0, "sigaction");
}

static char *allocate(size_t size) {
  void *ptr;
  child_require(vptr_malloc(NULL, size, &ptr) == VPTR_SUCCESS, vptr_last_error());
  return ptr;
}

static char *volatile address; /* what the body touches */

static const int line_of_touch = __LINE__ + 2;
static __attribute__((noinline)) char touch_read(const char *ptr) {
  return *(const volatile char *)ptr;
}

static __attribute__((noinline)) void touch_write(char *ptr) {
  *(volatile char *)ptr = 1;
}

/* ---- the report ------------------------------------------------------------------------------------------ */

static void read_inside(void) {
  begin();
  allocate(16);
  address = allocate(400) + 20;
  touch_read(address);
}

START_TEST(a_read_is_told_with_allocation_and_line) {
  char place[64];
  expect_death(read_inside);
  expect_text("SIGSEGV: the host ");
#if defined __x86_64__ || defined __aarch64__
  expect_text("the host read 0x");
#endif
  expect_text("it lies 20 bytes into allocation #2 of 400 bytes at 0x");
  snprintf(place, sizeof place, "touch_read (test_trap) test_trap.c:%d", line_of_touch);
  if (child_has_addr2line())
    expect_text(place);
  ck_assert_uint_eq(count_reports(), 1);
}
END_TEST

static void write_inside(void) {
  begin();
  address = allocate(400);
  touch_write(address);
}

START_TEST(a_write_is_told_as_such) {
  expect_death(write_inside);
#if defined __x86_64__ || defined __aarch64__
  expect_text("the host wrote to 0x");
#endif
  expect_text("it lies 0 bytes into allocation #1");
}
END_TEST

static void jump_there(void) {
  begin();
  void (*function)(void);
  address = allocate(400);
  memcpy(&function, (char **)&address, sizeof function);
  function();
  child_require(false, "the jump, which should not come back");
}

START_TEST(a_jump_is_told_with_its_caller) {
  expect_death(jump_there);
#if defined __x86_64__ || defined __aarch64__
  expect_text("the host jumped to 0x");
  if (child_has_addr2line())
    expect_text("called from jump_there (test_trap) test_trap.c:");
#endif
}
END_TEST

static void copy_by_libc(void) {
  begin();
  static char host[400];
  char *(*volatile copy)(char *, const char *) = strcpy; /* a call, not what the compiler makes of it */
  child_require(copy(host, allocate(400)) == NULL, "the copy, which should not come back");
}

START_TEST(a_fault_in_a_library_names_its_caller) {
  expect_death(copy_by_libc);
  expect_text("called from");
  if (child_has_addr2line())
    expect_text("copy_by_libc (test_trap) test_trap.c:");
}
END_TEST

static void read_freed(void) {
  begin();
  address = allocate(400);
  vptr_free(NULL, address);
  touch_read(address + 3);
}

START_TEST(a_freed_address_is_told_as_such) {
  expect_death(read_freed);
  expect_text("was freed");
}
END_TEST

static void read_traced(void) {
  child_set("VPTR_TRACE_ALLOC", "1");
  begin();
  address = allocate(400);
  touch_read(address);
}

START_TEST(a_trace_says_where_it_was_made) {
  expect_death(read_traced);
  expect_text("made at");
  if (child_has_addr2line())
    expect_text("allocate (test_trap) test_trap.c:");
}
END_TEST

static void read_of_second_mapper(void) {
  begin();
  vptr_mapper *first = NULL, *second = NULL;
  void *ptr = NULL;
  child_require(vptr_mapper_create(NULL, &first) == VPTR_SUCCESS &&
                    vptr_mapper_create(NULL, &second) == VPTR_SUCCESS &&
                    vptr_malloc(second, 123, &ptr) == VPTR_SUCCESS,
                vptr_last_error());
  touch_read(ptr);
}

START_TEST(every_mapper_is_watched_and_reported_once) {
  expect_death(read_of_second_mapper);
  expect_text("allocation #1 of 123 bytes");
  ck_assert_uint_eq(count_reports(), 1);
}
END_TEST

static void read_without_option(void) {
  begin();
  child_set("VPTR_TRAP", NULL);
  touch_read(allocate(400));
}

START_TEST(nothing_is_said_unless_asked) {
  expect_death(read_without_option);
  ck_assert_str_eq(result.text, "");
}
END_TEST

/* ---- on an alternate stack ------------------------------------------------------------------------------- */

enum { GUARD = 64 << 10, PAINT = 0x5a };

static unsigned char alternate[GUARD + (64 << 10)]; /* the stack grows down to the guard, and must not enter it */

static void check_guard(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  (void)context;
  for (int i = 0; i < GUARD; i++)
    child_require(alternate[i] == PAINT, "the guard below the stack");
  _exit(EARLIER);
}

static void read_on_stack(size_t size) {
  const stack_t stack = { .ss_sp = alternate + GUARD, .ss_size = size };
  begin();
  memset(alternate, PAINT, sizeof alternate);
  handle(check_guard, SA_SIGINFO | SA_ONSTACK);
  child_require(sigaltstack(&stack, NULL) == 0, "sigaltstack");
  touch_read(allocate(400));
}

static void read_on_small_stack(void) {
  read_on_stack(16 << 10);
}

START_TEST(a_small_alternate_stack_gets_a_report_without_names) {
  expect_earlier(read_on_small_stack);
  expect_text("allocation #1 of 400 bytes");
  expect_text("no names");
}
END_TEST

static void read_on_large_stack(void) {
  read_on_stack(64 << 10);
}

START_TEST(a_larger_alternate_stack_gets_names) {
  expect_earlier(read_on_large_stack);
  ck_assert_ptr_null(strstr(result.text, "no names"));
}
END_TEST

/* What the handler needs for a report without names, above the frame that the kernel puts on the stack first. That
 * frame holds the processor's registers: 1 KiB long ago, 3.5 with AVX-512, 11 with AMX. */
#ifdef __SANITIZE_ADDRESS__
enum { HANDLER_SIZE = 12 << 10 }; /* the sanitizer's frames are larger */
#else
enum { HANDLER_SIZE = 4 << 10 };
#endif

/* The least size of an alternate stack that a program may rely on, rounded up. */
static size_t least_size(void) {
  size_t kernel = getauxval(AT_MINSIGSTKSZ);
  return ((kernel != 0 ? kernel : MINSIGSTKSZ) + HANDLER_SIZE + 1023) / 1024 * 1024;
}

static size_t close_size;

static void read_on_close_stack(void) {
  read_on_stack(close_size);
}

START_TEST(no_alternate_stack_is_overrun) {
  for (close_size = least_size(); close_size <= 40 << 10; close_size += 1 << 10)
    expect_earlier(read_on_close_stack);
}
END_TEST

/* ---- who else is told ------------------------------------------------------------------------------------ */

static bool is_blocked(int number) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  return sigismember(&mask, number) == 1;
}

static void check_and_leave(int number, siginfo_t *info, void *context) {
  child_require(number == SIGSEGV && context != NULL, "the handler's arguments");
  child_require(info->si_addr == address && info->si_code > 0, "the handler's siginfo");
  child_require(is_blocked(SIGUSR1) && is_blocked(SIGSEGV), "the handler's mask");
  _exit(EARLIER);
}

static void read_with_earlier_handler(void) {
  begin();
  handle(check_and_leave, SA_SIGINFO);
  address = allocate(400);
  touch_read(address);
}

START_TEST(the_earlier_handler_is_called_after_the_report) {
  expect_earlier(read_with_earlier_handler);
  ck_assert_uint_eq(count_reports(), 1);
}
END_TEST

static void read_elsewhere_with_earlier_handler(void) {
  begin();
  handle(check_and_leave, SA_SIGINFO);
  allocate(400);
  address = (char *)64;
  touch_read(address);
}

START_TEST(a_fault_elsewhere_is_passed_on_untouched) {
  expect_earlier(read_elsewhere_with_earlier_handler);
  ck_assert_str_eq(result.text, "");
}
END_TEST

static void read_elsewhere(void) {
  begin();
  allocate(400);
  address = (char *)64;
  touch_read(address);
}

START_TEST(a_fault_elsewhere_kills_as_ever) {
  expect_death(read_elsewhere);
  ck_assert_str_eq(result.text, "");
}
END_TEST

static void leave(int number) {
  _exit(number == SIGSEGV ? EARLIER : 1);
}

static void read_with_plain_handler(void) {
  begin();
  signal(SIGSEGV, leave);
  touch_read(allocate(400));
}

START_TEST(an_earlier_handler_without_siginfo_is_called) {
  expect_earlier(read_with_plain_handler);
  ck_assert_uint_eq(count_reports(), 1);
}
END_TEST

static sigjmp_buf back;

static void jump_back(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  siglongjmp(back, number);
}

static void read_twice(void) {
  begin();
  handle(jump_back, SA_SIGINFO);
  address = allocate(400);
  static volatile int round;
  if (sigsetjmp(back, 1) == 0 || round++ == 0)
    touch_read(address);
  _exit(EARLIER);
}

START_TEST(an_earlier_handler_may_jump_out_and_the_trap_stays) {
  expect_earlier(read_twice);
  ck_assert_uint_eq(count_reports(), 2);
}
END_TEST

static void raise_again(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  raise(number);
}

static void read_with_one_shot_handler(void) {
  begin();
  handle(raise_again, SA_SIGINFO | SA_RESETHAND);
  touch_read(allocate(400));
}

START_TEST(a_one_shot_handler_finds_the_default_action_behind_it) {
  expect_death(read_with_one_shot_handler);
  ck_assert_uint_eq(count_reports(), 1);
}
END_TEST

static void check_not_deferred(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  child_require(!is_blocked(number), "SA_NODEFER");
  _exit(EARLIER);
}

static void read_with_nodefer_handler(void) {
  begin();
  handle(check_not_deferred, SA_SIGINFO | SA_NODEFER);
  touch_read(allocate(400));
}

START_TEST(a_handler_with_nodefer_is_not_deferred) {
  expect_earlier(read_with_nodefer_handler);
}
END_TEST

static void ignore_and_read(void) {
  begin();
  signal(SIGSEGV, SIG_IGN);
  touch_read(allocate(400));
}

START_TEST(a_fault_cannot_be_ignored) {
  expect_death(ignore_and_read);
  ck_assert_uint_eq(count_reports(), 1);
}
END_TEST

static void ignore_and_raise(void) {
  begin();
  signal(SIGSEGV, SIG_IGN);
  allocate(400);
  raise(SIGSEGV);
  _exit(EARLIER);
}

START_TEST(a_sent_signal_can_be_ignored) {
  expect_earlier(ignore_and_raise);
  expect_no_report();
}
END_TEST

static void raise_it(void) {
  begin();
  allocate(400);
  raise(SIGSEGV);
  _exit(EARLIER);
}

START_TEST(a_sent_signal_kills_without_a_report) {
  expect_death(raise_it);
  expect_no_report();
}
END_TEST

/* ---- kernels --------------------------------------------------------------------------------------------- */

#if defined __x86_64__

/* Code in no file, as a driver's compiler makes it: mov $1, (%rdi); ret. */
static void write_by_made_code(void *to) {
  static const unsigned char code[] = { 0xc7, 0x07, 0x01, 0x00, 0x00, 0x00, 0xc3 };
  void *page = mmap(NULL, sizeof code, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  child_require(page != MAP_FAILED, "there is a page for code");
  memcpy(page, code, sizeof code);
  void (*function)(void *);
  memcpy(&function, &page, sizeof function);
  function(to);
}

static void *const wild = (void *)0x7000;

static void crash_in_made_code(void) {
  begin();
  allocate(16);
  vptr__flight_begin("earlier", "vptr_k_earlier");
  vptr__flight_sent(NULL, vptr__flight_begin("refused", "vptr_k_refused"), NULL);
  vptr__flight_begin("later", "vptr_k_later");
  write_by_made_code(wild);
}

START_TEST(code_in_no_file_may_be_any_kernel_under_way) {
  expect_death(crash_in_made_code);
  expect_text("SIGSEGV: kernel later, or another of those below, wrote to 0x7000, where nothing is");
  expect_text("or kernel earlier, which is under way too");
  ck_assert_msg(strstr(result.text, "refused") == NULL, "%s", result.text);
}
END_TEST

static void crash_without_kernels(void) {
  begin();
  allocate(16);
  write_by_made_code(wild);
}

START_TEST(without_kernels_under_way_nothing_is_said) {
  expect_death(crash_without_kernels);
  ck_assert_str_eq(result.text, "");
}
END_TEST

static void crash_beside_kernels(void) {
  begin();
  allocate(16);
  vptr__flight_begin("kernel", "vptr_k_kernel");
  *(volatile int *)wild = 1;
}

START_TEST(the_programs_own_fault_is_none_of_a_kernel) {
  expect_death(crash_beside_kernels);
  ck_assert_str_eq(result.text, "");
}
END_TEST

#endif

static Suite *trap_suite(void) {
  Suite *suite = suite_create("trap");
  TCase *words = tcase_create("report");
  tcase_add_test(words, a_read_is_told_with_allocation_and_line);
  tcase_add_test(words, a_write_is_told_as_such);
  tcase_add_test(words, a_jump_is_told_with_its_caller);
  tcase_add_test(words, a_fault_in_a_library_names_its_caller);
  tcase_add_test(words, a_freed_address_is_told_as_such);
  tcase_add_test(words, a_trace_says_where_it_was_made);
  tcase_add_test(words, every_mapper_is_watched_and_reported_once);
  tcase_add_test(words, nothing_is_said_unless_asked);
  suite_add_tcase(suite, words);
  TCase *stacks = tcase_create("alternate stack");
  tcase_add_test(stacks, a_small_alternate_stack_gets_a_report_without_names);
  tcase_add_test(stacks, a_larger_alternate_stack_gets_names);
  tcase_add_test(stacks, no_alternate_stack_is_overrun);
  suite_add_tcase(suite, stacks);
  TCase *chain = tcase_create("chain");
  tcase_add_test(chain, the_earlier_handler_is_called_after_the_report);
  tcase_add_test(chain, a_fault_elsewhere_is_passed_on_untouched);
  tcase_add_test(chain, a_fault_elsewhere_kills_as_ever);
  tcase_add_test(chain, an_earlier_handler_without_siginfo_is_called);
  tcase_add_test(chain, an_earlier_handler_may_jump_out_and_the_trap_stays);
  tcase_add_test(chain, a_one_shot_handler_finds_the_default_action_behind_it);
  tcase_add_test(chain, a_handler_with_nodefer_is_not_deferred);
  tcase_add_test(chain, a_fault_cannot_be_ignored);
  tcase_add_test(chain, a_sent_signal_can_be_ignored);
  tcase_add_test(chain, a_sent_signal_kills_without_a_report);
  suite_add_tcase(suite, chain);
#if defined __x86_64__
  TCase *kernels = tcase_create("kernels");
  tcase_add_test(kernels, code_in_no_file_may_be_any_kernel_under_way);
  tcase_add_test(kernels, without_kernels_under_way_nothing_is_said);
  tcase_add_test(kernels, the_programs_own_fault_is_none_of_a_kernel);
  suite_add_tcase(suite, kernels);
#endif
  return suite;
}

/* Each fault on purpose would be an error to valgrind, which then overrules the exit status. */
static bool under_valgrind(void) {
  const char *preloaded = getenv("LD_PRELOAD");
  return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

int main(void) {
  if (!under_valgrind())
    return support_run(trap_suite());
  puts("left out: valgrind reports the faults that are made here");
  return 77;
}
