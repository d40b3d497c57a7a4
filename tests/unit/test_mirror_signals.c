/* SPDX-License-Identifier: MIT */
/*
 * mirror_signals - page faults of managed memory among the other signals of a process: handlers before and after ours,
 * jumps out of handlers, small stacks. Each test's body is a process of its own.
 *
 * ThreadSanitizer calls handlers with all signals blocked, from handlers of its own that need much stack: there a
 * handler cannot fault, and a stack cannot be small. And it puts a signal off until the thread calls something, which a
 * thread that waits in the kernel for its fault does not do: by userfaultfd there is no handler then while a fault
 * waits.
 */
#include "mirror_child.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "mirror/userfault.h"
#include "support/support.h"

enum { EARLIER = 7 /* exit code of a process whose other handler was called as it should be */ };

static volatile char *closed; /* a page of nobody's */

static void begin(void) {
  mirror_child_begin();
  closed = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void handle(void (*handler)(int, siginfo_t *, void *), int flags, struct sigaction *before) {
  struct sigaction action = { .sa_sigaction = handler, .sa_flags = flags | SA_SIGINFO };
  sigaddset(&action.sa_mask, SIGUSR1);
  child_require(sigaction(SIGSEGV, &action, before) == 0, "sigaction");
}

/* ---- handlers before ours ------------------------------------------------------------------------------- */

static bool is_blocked(int number) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  return sigismember(&mask, number) == 1;
}

static void earlier(int number, siginfo_t *info, void *context) {
  (void)context;
  bool mask_is_right =
      is_blocked(SIGSEGV) && is_blocked(SIGUSR1) && (SUPPORT_WATCHES_THREADS || !is_blocked(SIGUSR2));
  _exit(number == SIGSEGV && info->si_addr == closed && mask_is_right ? EARLIER : CHILD_BROKEN);
}

static void fault_elsewhere_with_an_earlier_handler(void) {
  begin();
  handle(earlier, 0, NULL);
  mirror_child_mirror();
  mirror_child_check();
  *closed = 1;
}

START_TEST(a_foreign_fault_goes_to_the_handler_before) {
  mirror_child_exits(fault_elsewhere_with_an_earlier_handler, EARLIER);
}
END_TEST

static sigjmp_buf way_out;

static void jump(int number, siginfo_t *info, void *context) {
  (void)number, (void)info, (void)context;
  siglongjmp(way_out, 1);
}

static void catch_and_go_on(void) {
  begin();
  handle(jump, 0, NULL);
  mirror_child_mirror();
  for (volatile int i = 0; i < 3; i++) {
    if (sigsetjmp(way_out, 1) == 0)
      *closed = 1;
    mirror_child_check();
  }
}

/* As the kernel resets one that wants to be called once: there is none before ours any more, and ours stays. */
static void catch_once(void) {
  handle(jump, SA_RESETHAND, NULL);
  mirror_child_mirror();
  if (sigsetjmp(way_out, 1) == 0)
    *closed = 1;
  mirror_child_check();
}

static void catch_once_and_go_on(void) {
  begin();
  catch_once();
}

static void catch_once_and_fault_again(void) {
  begin();
  catch_once();
  *closed = 1;
}

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* whose handlers are behind the trap's */

static void catch_once_behind_the_trap(void) {
  child_set("VPTR_TRAP", "1");
  page = (size_t)sysconf(_SC_PAGESIZE);
  closed = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  handle(jump, SA_RESETHAND, NULL);
  mirror_child_succeed(vptr_mapper_create(NULL, &mapper));
  mirror_child_mirror();
  if (sigsetjmp(way_out, 1) == 0)
    *closed = 1;
  mirror_child_check();
}

START_TEST(behind_the_trap_too_it_takes_no_other_with_it) {
  mirror_child_exits(catch_once_behind_the_trap, 0);
}
END_TEST

/* Not by begin(), which takes the trap away. */
static void touch_device_memory(void) {
  const struct rlimit none = { 0, 0 };
  void *device;
  setrlimit(RLIMIT_CORE, &none);
  child_set("VPTR_TRAP", "1");
  page = (size_t)sysconf(_SC_PAGESIZE);
  mirror_child_succeed(vptr_mapper_create(NULL, &mapper));
  mirror_child_succeed(vptr_malloc(mapper, 100, &device));
  mirror_child_mirror();
  mirror_child_check();
  *(volatile char *)device = 1;
}

START_TEST(the_trap_of_device_pointers_reports_as_ever) {
  mirror_child_dies(touch_device_memory, SIGSEGV);
  ck_assert_msg(strstr(mirror_child.text, "a device pointer") != NULL, "%s", mirror_child.text);
}
END_TEST

#endif

START_TEST(the_handler_before_may_jump_away_again_and_again) {
  mirror_child_exits(catch_and_go_on, 0);
}
END_TEST

START_TEST(a_handler_that_is_called_once_takes_no_other_with_it) {
  mirror_child_exits(catch_once_and_go_on, 0);
}
END_TEST

START_TEST(a_handler_that_is_called_once_is_called_once) {
  mirror_child_dies(catch_once_and_fault_again, SIGSEGV);
}
END_TEST

static void fault_elsewhere(void) {
  begin();
  mirror_child_mirror();
  mirror_child_check();
  *closed = 1;
}

START_TEST(a_foreign_fault_with_no_handler_kills) {
  mirror_child_dies(fault_elsewhere, SIGSEGV);
}
END_TEST

static void fault_elsewhere_ignored(void) {
  begin();
  signal(SIGSEGV, SIG_IGN);
  mirror_child_mirror();
  raise(SIGSEGV); /* may be ignored */
  mirror_child_check();
  *closed = 1; /* may not */
}

START_TEST(a_signal_that_was_sent_may_be_ignored_a_fault_not) {
  mirror_child_dies(fault_elsewhere_ignored, SIGSEGV);
}
END_TEST

static void send_signal(void) {
  begin();
  mirror_child_mirror();
  raise(SIGSEGV);
}

START_TEST(a_signal_that_was_sent_kills_as_it_did) {
  mirror_child_dies(send_signal, SIGSEGV);
}
END_TEST

/* What is deaf to the signal dies of it where faults come by it, and lives where they do not. */
static void expect_death_by_signal_alone(void) {
  bool is_right = mirror_child_has_userfault() ? mirror_child.exited && mirror_child.exit_code == 0
                                               : !mirror_child.exited && mirror_child.signal == SIGSEGV;
  ck_assert_msg(is_right, "exit code %d, signal %d:\n%s", mirror_child.exit_code, mirror_child.signal,
                mirror_child.text);
}

/* ---- handlers behind ours ------------------------------------------------------------------------------- */

static struct sigaction ours;
static volatile sig_atomic_t passed;

static void later(int number, siginfo_t *info, void *context) {
  passed++;
  ours.sa_sigaction(number, info, context);
}

static void fault_through_a_later_handler(void) {
  begin();
  handle(earlier, 0, NULL);
  mirror_child_mirror();
  handle(later, 0, &ours);
  mirror_child_check();
  child_require(vptr__userfault_is_on() || passed > 0, "the later handler saw the fault");
  vptr__mirror_destroy(mirror);
  mirror_child_mirror(); /* does not install ours again, which would pass on to itself for ever */
  mirror_child_check();
  *closed = 1;
}

START_TEST(a_later_handler_that_passes_on_is_served) {
  mirror_child_exits(fault_through_a_later_handler, EARLIER);
}
END_TEST

static void fault_with_a_deaf_handler(void) {
  begin();
  mirror_child_mirror();
  signal(SIGSEGV, SIG_DFL);
  mirror_child_check();
}

/* By userfaultfd there is no signal. */
START_TEST(a_later_handler_that_does_not_has_the_fault) {
  child_run(fault_with_a_deaf_handler, &mirror_child);
  expect_death_by_signal_alone();
}
END_TEST

static void *fault_with_signals_blocked(void *unused) {
  sigset_t all;
  (void)unused;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  mirror_child_check();
  return NULL;
}

static void fault_in_a_thread_that_blocks(void) {
  pthread_t thread;
  begin();
  mirror_child_mirror();
  child_require(pthread_create(&thread, NULL, fault_with_signals_blocked, NULL) == 0, "pthread_create");
  pthread_join(thread, NULL);
}

START_TEST(a_thread_that_blocks_the_signal_has_the_fault) {
  child_run(fault_in_a_thread_that_blocks, &mirror_child);
  expect_death_by_signal_alone();
}
END_TEST

/* ---- other signals while a fault waits ------------------------------------------------------------------- */

static atomic_bool is_open;

static void wait_at_gate(vptr_status status, void *context) {
  (void)status, (void)context;
  while (!atomic_load(&is_open))
    usleep(50);
}

/* Work behind a closed gate that sets all of the mirror. */
static vptr__stream *send_behind_gate(unsigned char byte) {
  vptr__device *device = mapper->device;
  vptr__stream *stream;
  cl_command_queue queue;
  cl_event event;
  mirror_child_succeed(vptr__stream_create(mapper, VPTR__STREAM_NON_BLOCKING, 0, &stream));
  mirror_child_succeed(vptr__stream_host(stream, wait_at_gate, NULL));
  mirror_child_succeed(mirrors_acquire_all(mirror, VPTR_ACCESS_READ_WRITE));
  mirror_child_succeed(vptr__stream_begin(stream, &queue));
  mirror_child_succeed(device->ops->transfer.enqueue_fill(device, queue, vptr__mirror_buffer(mirror), 0, PAGES * page,
                                                          &byte, 1, &event));
  vptr__mirror_release(mirror, vptr__stream_id(stream), event);
  vptr__stream_end(stream);
  return stream;
}

static void ring_soon(void (*handler)(int)) {
  const struct itimerval soon = { .it_value = { .tv_usec = 20000 } };
  const struct sigaction action = { .sa_handler = handler }; /* without SA_RESTART */
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &soon, NULL);
}

static void jump_away(int number) {
  (void)number;
  siglongjmp(way_out, 1);
}

static void leave_a_fault_by_a_jump(void) {
  begin();
  mirror_child_mirror();
  vptr__stream *stream = send_behind_gate(9);
  ring_soon(jump_away);
  if (sigsetjmp(way_out, 1) == 0)
    child_require(host[0] == 0, "never comes here: the gate is closed");
  child_require(!is_blocked(SIGSEGV) && !is_blocked(SIGALRM), "the mask is the one before");
  atomic_store(&is_open, true);
  child_require(host[0] == 9, "the fault comes again and is answered");
  mirror_child_succeed(vptr__stream_destroy(stream));
  vptr__mirror_destroy(mirror);
}

/* Whether signals come while a fault waits. */
static bool signals_come(void) {
  return !SUPPORT_WATCHES_THREADS || !mirror_child_has_userfault();
}

START_TEST(a_handler_may_jump_out_of_a_fault_that_waits) {
  if (signals_come())
    mirror_child_exits(leave_a_fault_by_a_jump, 0);
}
END_TEST

#if !defined __SANITIZE_THREAD__

static vptr__mirror *second;

static void touch_another(int number) {
  (void)number;
  volatile char *other = vptr__mirror_host(second);
  child_require(other[0] == 7, "a handler reads managed memory while a fault waits");
  atomic_store(&is_open, true);
}

static void fault_in_a_handler_while_a_fault_waits(void) {
  begin();
  mirror_child_mirror();
  second = mirror_child_make();
  mirror_child_fill(second, 7);
  send_behind_gate(9);
  ring_soon(touch_another);
  child_require(host[0] == 9, "the first fault goes on");
}

START_TEST(a_handler_may_fault_itself) {
  mirror_child_exits(fault_in_a_handler_while_a_fault_waits, 0);
}
END_TEST

static void fault_on_a_small_stack_body(int number) {
  (void)number;
  mirror_child_check();
}

static void fault_on_a_small_stack(void) {
  begin();
  mirror_child_mirror();
  static char memory[1 << 17];
  size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) * 2 + 2048; /* two frames of signals, and a handler's own */
  const stack_t stack = { .ss_sp = memory, .ss_size = size };
  child_require(size <= sizeof memory, "the stack is small");
  child_require(sigaltstack(&stack, NULL) == 0, "sigaltstack");
  struct sigaction action = { .sa_handler = fault_on_a_small_stack_body, .sa_flags = SA_ONSTACK };
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
}

START_TEST(a_small_alternate_stack_is_enough) {
  mirror_child_exits(fault_on_a_small_stack, 0);
}
END_TEST

#endif

static void open_gate(int number) {
  (void)number;
  atomic_store(&is_open, true);
}

static void keep_errno(void) {
  begin();
  mirror_child_mirror();
  send_behind_gate(9);
  ring_soon(open_gate);
  errno = EXDEV;
  child_require(host[0] == 9, "a signal in between does not end the waiting");
  child_require(errno == EXDEV, "errno is what it was");
}

START_TEST(a_fault_leaves_errno_alone) {
  if (signals_come())
    mirror_child_exits(keep_errno, 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mirror_signals");
  TCase *tests = tcase_create("signals");
  tcase_add_test(tests, a_foreign_fault_goes_to_the_handler_before);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  tcase_add_test(tests, the_trap_of_device_pointers_reports_as_ever);
  tcase_add_test(tests, behind_the_trap_too_it_takes_no_other_with_it);
#endif
  tcase_add_test(tests, the_handler_before_may_jump_away_again_and_again);
  tcase_add_test(tests, a_handler_that_is_called_once_takes_no_other_with_it);
  tcase_add_test(tests, a_handler_that_is_called_once_is_called_once);
  tcase_add_test(tests, a_foreign_fault_with_no_handler_kills);
  tcase_add_test(tests, a_signal_that_was_sent_may_be_ignored_a_fault_not);
  tcase_add_test(tests, a_signal_that_was_sent_kills_as_it_did);
  tcase_add_test(tests, a_later_handler_that_passes_on_is_served);
  tcase_add_test(tests, a_later_handler_that_does_not_has_the_fault);
  tcase_add_test(tests, a_thread_that_blocks_the_signal_has_the_fault);
  tcase_add_test(tests, a_handler_may_jump_out_of_a_fault_that_waits);
  tcase_add_test(tests, a_fault_leaves_errno_alone);
#if !defined __SANITIZE_THREAD__
  tcase_add_test(tests, a_handler_may_fault_itself);
  tcase_add_test(tests, a_small_alternate_stack_is_enough);
#endif
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
