/* SPDX-License-Identifier: MIT */
/*
 * migrate gate - the gate of a device that can be exchanged: who is kept out while it closes and who is not, that
 * those inside come out, and that whoever waits at it goes on when it opens, however soon it closes again. And who has
 * not come out when the device behind it is gone.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <vptr/vptr.h>

#include "base/clock.h"
#include "base/waiting.h"
#include "device/proxy.h"
#include "mapper/mapper.h"
#include "support/support.h"

enum { NAP_US = 200, NAPS = 5000, A_WHILE_US = 20000 };
static const uint64_t LONG_NS = UINT64_C(30000000000);

static vptr_mapper *mapper;
static vptr__proxy *proxy;
static vptr__lock lock;
static atomic_bool is_inside, has_lock, has_entered, has_left;

static void set_up(void) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.flags = VPTR_CONFIG_MIGRATE;
  support_succeed(vptr_mapper_create(&config, &mapper));
  proxy = mapper->device->proxy;
  vptr__lock_init(&lock, VPTR__RANK_STREAM);
  atomic_store(&is_inside, false);
  atomic_store(&has_lock, false);
  atomic_store(&has_entered, false);
  atomic_store(&has_left, false);
}

static void tear_down(void) {
  vptr__lock_fini(&lock);
  support_succeed(vptr_mapper_destroy(mapper));
}

/* In a thread of its own a test cannot fail as Check has it, which jumps to another stack. */
static void must_hold(bool holds, int line, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "test_migrate_gate.c:%d: does not hold: %s (%s)\n", line, what, vptr_last_error());
  abort();
}
#define must(condition) must_hold((condition), __LINE__, #condition)

static void await(atomic_bool *flag) {
  while (!atomic_load(flag))
    usleep(NAP_US);
}

static void await_gate(vptr__proxy_gate gate) {
  bool is;
  do {
    vptr__lock_take(&proxy->lock);
    is = proxy->gate == gate;
    vptr__lock_give(&proxy->lock);
    if (!is)
      usleep(NAP_US);
  } while (!is);
}

static void await_outside(size_t count) {
  bool are;
  do {
    vptr__lock_take(&proxy->lock);
    are = proxy->outside == count;
    vptr__lock_give(&proxy->lock);
    if (!are)
      usleep(NAP_US);
  } while (!are);
}

static void use_device(void) {
  vptr__device *device = mapper->device;
  cl_event event;
  must(device->ops->event.create_user(device, &event) == VPTR_SUCCESS);
  must(device->ops->event.set_user(device, event, CL_COMPLETE) == VPTR_SUCCESS);
  device->ops->event.release(device, event);
}

static void begin(void *(*run)(void *unused), pthread_t *thread) {
  ck_assert_int_eq(pthread_create(thread, NULL, run, NULL), 0);
}

static void close_gate(void) {
  ck_assert(vptr__proxy_close_gate(proxy, vptr__clock_ns() + LONG_NS));
}

static void shut_gate(void) {
  ck_assert(vptr__proxy_shut(proxy, vptr__clock_ns() + LONG_NS));
}

/* ---- who is let in -------------------------------------------------------------------------------------- */

/* Holds the device and wants the lock, as a launch that orders its stream. */
static void *hold_and_lock(void *unused) {
  vptr__device_hold(mapper->device);
  atomic_store(&is_inside, true);
  await_gate(VPTR__PROXY_CLOSING);
  await(&has_lock);
  vptr__lock_take(&lock);
  vptr__lock_give(&lock);
  vptr__device_let_go(mapper->device);
  return unused;
}

/* Has the lock, and comes when the gate is closing. */
static void *lock_and_enter(void *unused) {
  vptr__lock_take(&lock);
  atomic_store(&has_lock, true);
  await_gate(VPTR__PROXY_CLOSING);
  usleep(A_WHILE_US);
  use_device();
  vptr__lock_give(&lock);
  return unused;
}

START_TEST(who_has_a_lock_is_let_in_while_it_closes) {
  pthread_t holder, owner;
  begin(hold_and_lock, &holder);
  begin(lock_and_enter, &owner);
  await(&is_inside);
  await(&has_lock);
  close_gate();
  shut_gate();
  vptr__proxy_open_gate(proxy);
  pthread_join(holder, NULL);
  pthread_join(owner, NULL);
}
END_TEST

static void *hold_and_await(void *unused) {
  vptr__device_hold(mapper->device);
  atomic_store(&is_inside, true);
  await(&has_entered);
  vptr__device_let_go(mapper->device);
  return unused;
}

static void *enter_on_duty(void *unused) {
  vptr__lock_begin_duty();
  await_gate(VPTR__PROXY_CLOSING);
  use_device();
  vptr__lock_end_duty();
  atomic_store(&has_entered, true);
  return unused;
}

static void *enter_as_host_function(void *unused) {
  vptr__waiting_bar(true);
  await_gate(VPTR__PROXY_CLOSING);
  use_device();
  vptr__waiting_bar(false);
  atomic_store(&has_entered, true);
  return unused;
}

static void expect_let_in(void *(*run)(void *unused)) {
  pthread_t holder, other;
  begin(hold_and_await, &holder);
  begin(run, &other);
  await(&is_inside);
  close_gate();
  shut_gate();
  vptr__proxy_open_gate(proxy);
  pthread_join(holder, NULL);
  pthread_join(other, NULL);
}

START_TEST(who_is_waited_for_is_let_in_while_it_closes) {
  expect_let_in(enter_on_duty);
}
END_TEST

START_TEST(a_host_function_is_let_in_while_it_closes) {
  expect_let_in(enter_as_host_function);
}
END_TEST

/* ---- who is kept out ------------------------------------------------------------------------------------ */

static void *enter(void *unused) {
  use_device();
  atomic_store(&has_entered, true);
  return unused;
}

/* Kept out is one operation: create_user() of use_device(). */
START_TEST(others_are_kept_out_until_it_opens) {
  pthread_t thread;
  close_gate();
  begin(enter, &thread);
  await_outside(1);
  shut_gate();
  usleep(A_WHILE_US);
  ck_assert(!atomic_load(&has_entered));
  vptr__proxy_open_gate(proxy);
  pthread_join(thread, NULL);
  ck_assert(atomic_load(&has_entered));
}
END_TEST

static void *enter_with_lock(void *unused) {
  vptr__lock_take(&lock);
  use_device();
  vptr__lock_give(&lock);
  atomic_store(&has_entered, true);
  return unused;
}

START_TEST(who_has_a_lock_is_kept_out_once_it_is_shut) {
  pthread_t thread;
  close_gate();
  shut_gate();
  begin(enter_with_lock, &thread);
  await_outside(1);
  ck_assert(!atomic_load(&has_entered));
  vptr__proxy_ease(proxy);
  await(&has_entered);
  pthread_join(thread, NULL);
  vptr__proxy_open_gate(proxy);
}
END_TEST

/* Each round lets the one who waits do one operation at least, though nobody gives him time to wake. */
START_TEST(who_waits_goes_on_however_soon_it_closes_again) {
  enum { OPERATIONS = 8 };
  pthread_t thread;
  close_gate();
  begin(enter, &thread);
  await_outside(1);
  for (int i = 0; i < OPERATIONS; i++) {
    const uint64_t before = vptr__proxy_entries(proxy);
    vptr__proxy_open_gate(proxy);
    close_gate();
    ck_assert(i > 0 || vptr__proxy_entries(proxy) > before);
    shut_gate();
    vptr__proxy_ease(proxy);
  }
  vptr__proxy_open_gate(proxy);
  pthread_join(thread, NULL);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------------------ */

START_TEST(who_does_not_come_out_keeps_it_from_being_shut) {
  pthread_t holder;
  begin(hold_and_await, &holder);
  await(&is_inside);
  close_gate();
  ck_assert(!vptr__proxy_shut(proxy, vptr__clock_ns() + (uint64_t)A_WHILE_US * 1000));
  ck_assert(!vptr__proxy_close_gate(proxy, vptr__clock_ns() + (uint64_t)A_WHILE_US * 1000));
  vptr__proxy_open_gate(proxy);
  atomic_store(&has_entered, true);
  pthread_join(holder, NULL);
  support_succeed(vptr_migrate(mapper, NULL));
}
END_TEST

/* ---- notices that are late -------------------------------------------------------------------------------- */

/* Not for ever: a driver may call it in the thread that completes the event. */
static void CL_CALLBACK take_a_while(cl_event event, cl_int state, void *context) {
  (void)event, (void)state, (void)context;
  atomic_store(&is_inside, true);
  for (int i = 0; i < NAPS && !atomic_load(&has_left); i++)
    usleep(NAP_US);
  atomic_store(&has_entered, true);
}

static void begin_notice(vptr__device *device) {
  cl_event event;
  support_succeed(device->ops->event.create_user(device, &event));
  support_succeed(device->ops->event.notify(device, event, take_a_while, NULL));
  support_succeed(device->ops->event.set_user(device, event, CL_COMPLETE));
  device->ops->event.release(device, event);
  await(&is_inside);
}

static void end_notice(void) {
  atomic_store(&has_left, true);
  await(&has_entered);
  usleep(A_WHILE_US); /* who told has more to do, which is nobody's to see but the sanitizers' */
}

/* The fixture's mapper keeps the fake device's threads from being waited for. */
START_TEST(a_driver_may_tell_when_the_mapper_is_gone) {
  vptr_config config = VPTR_CONFIG_INIT;
  vptr_mapper *other;
  config.flags = VPTR_CONFIG_MIGRATE;
  support_succeed(vptr_mapper_create(&config, &other));
  begin_notice(other->device);
  support_succeed(vptr_mapper_destroy(other));
  end_notice();
}
END_TEST

START_TEST(a_driver_may_tell_when_its_device_was_left) {
  begin_notice(mapper->device);
  const bool is_late = !atomic_load(&has_entered);
  support_succeed(vptr_migrate_lost(mapper, NULL, NULL, NULL));
  ck_assert_int_eq(proxy->left != NULL, is_late);
  end_notice();
  support_succeed(vptr_migrate(mapper, NULL));
  ck_assert_ptr_null(proxy->left);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("migrate gate");
  TCase *gate = tcase_create("gate");
  tcase_add_checked_fixture(gate, set_up, tear_down);
  tcase_add_test(gate, who_has_a_lock_is_let_in_while_it_closes);
  tcase_add_test(gate, who_is_waited_for_is_let_in_while_it_closes);
  tcase_add_test(gate, a_host_function_is_let_in_while_it_closes);
  tcase_add_test(gate, others_are_kept_out_until_it_opens);
  tcase_add_test(gate, who_has_a_lock_is_kept_out_once_it_is_shut);
  tcase_add_test(gate, who_waits_goes_on_however_soon_it_closes_again);
  tcase_add_test(gate, who_does_not_come_out_keeps_it_from_being_shut);
  tcase_add_test(gate, a_driver_may_tell_when_the_mapper_is_gone);
  tcase_add_test(gate, a_driver_may_tell_when_its_device_was_left);
  suite_add_tcase(suite, gate);
  return support_run(suite);
}
