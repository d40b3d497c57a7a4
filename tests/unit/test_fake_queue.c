/* SPDX-License-Identifier: MIT */
/*
 * The fake device's queues are as free as OpenCL lets them be, and no freer; they fail when told to, leave nothing
 * behind, and have threads only while these are of use. What holds on every device is in test_command.c.
 */
#include "base/memory.h"
#include "device/fake.h"
#include "device/fake_driver.h"
#include "support/support.h"

#include <dirent.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static vptr__device *device;
static const vptr__device_ops *ops;
static vptr__fake_counts before;

static void open_fake(void) {
  vptr__fake_get_counts(&before);
  support_succeed(vptr__device_open_fake(&device));
  ops = device->ops;
}

static void expect_nothing_left(void) {
  vptr__fake_counts after;
  vptr__fake_get_counts(&after);
  ck_assert_uint_eq(after.buffers, before.buffers);
  ck_assert_uint_eq(after.queues, before.queues);
  ck_assert_uint_eq(after.events, before.events);
  ck_assert_uint_eq(after.commands, 0);
}

static void close_fake(void) {
  vptr__fake_fail_nth(0, CL_SUCCESS);
  vptr__fake_fail_command(0, CL_SUCCESS);
  vptr__fake_disorder(0, 0);
  vptr__device_close(device);
  expect_nothing_left();
}

static cl_mem make(size_t bytes) {
  cl_mem buffer;
  support_succeed(ops->memory.create(device, bytes, &buffer));
  return buffer;
}

static cl_command_queue make_queue(int priority) {
  cl_command_queue queue;
  support_succeed(ops->queue.create(device, priority, true, &queue));
  return queue;
}

static cl_int state_of(cl_event event) {
  cl_int state;
  support_succeed(ops->event.state(device, event, &state));
  return state;
}

static size_t threads(void) {
  vptr__fake_counts now;
  vptr__fake_get_counts(&now);
  return now.threads;
}

/* ---- threads -------------------------------------------------------------------------------------------- */

START_TEST(what_blocks_needs_no_threads) {
  ck_assert_uint_eq(threads(), 0);
  cl_mem buffer = make(8);
  char in[8];
  support_succeed(ops->transfer.write(device, buffer, 0, "abcdefgh", 8));
  support_succeed(ops->transfer.read(device, buffer, 0, in, 8));
  support_succeed(ops->queue.finish_all(device));
  cl_command_queue queue = make_queue(0);
  support_succeed(ops->queue.finish(device, queue));
  ops->queue.release(device, queue);
  ops->memory.release(device, buffer);
  ck_assert_uint_eq(threads(), 0);
}
END_TEST

static void CL_CALLBACK post(cl_event event, cl_int state, void *context) {
  (void)event, (void)state;
  sem_post(context);
}

START_TEST(closing_ends_the_threads) {
  ck_assert_uint_eq(threads(), 0);
  vptr__device *second;
  support_succeed(vptr__device_open_fake(&second));
  cl_event event;
  sem_t told;
  sem_init(&told, 0, 0);
  support_succeed(ops->queue.enqueue_barrier(device, device->cl_queue, 0, NULL, &event));
  support_succeed(ops->event.notify(device, event, post, &told));
  sem_wait(&told);
  const size_t begun = threads();
  ck_assert_uint_gt(begun, 1); /* workers, and who told */
  ops->event.release(device, event);
  vptr__device_close(device);
  ck_assert_uint_eq(threads(), begun); /* they are there for all devices */
  vptr__device_close(second);
  ck_assert_uint_eq(threads(), 0);
  open_fake();
  sem_destroy(&told);
}
END_TEST

static int system_threads(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  ck_assert_ptr_nonnull(tasks);
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
    count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

typedef struct closing {
  sem_t may_close, closed;
} closing;

/* Work may be done before it is flushed, so the callback waits until the device is used no more. */
static void CL_CALLBACK close_and_post(cl_event event, cl_int state, void *context) {
  closing *told = context;
  (void)state;
  sem_wait(&told->may_close);
  ops->event.release(device, event);
  vptr__device_close(device);
  sem_post(&told->closed);
}

/* The thread that calls back cannot be waited for there; it ends behind the callback. */
START_TEST(closing_in_a_callback_ends_the_threads_too) {
  const int own = system_threads();
  cl_event event;
  closing told;
  sem_init(&told.may_close, 0, 0);
  sem_init(&told.closed, 0, 0);
  support_succeed(ops->queue.enqueue_barrier(device, device->cl_queue, 0, NULL, &event));
  support_succeed(ops->event.notify(device, event, close_and_post, &told));
  support_succeed(ops->queue.flush(device, device->cl_queue));
  sem_post(&told.may_close);
  sem_wait(&told.closed);
  ck_assert_uint_eq(threads(), 0);
  for (int tries = 0; tries < 500 && system_threads() > own; tries++)
    usleep(10000);
  ck_assert_int_eq(system_threads(), own);
  open_fake();
  sem_destroy(&told.may_close);
  sem_destroy(&told.closed);
}
END_TEST

/* And its handle is not given away twice. */
START_TEST(closing_leaves_a_released_queue_to_its_work) {
  vptr__device *second;
  cl_command_queue gone;
  cl_event gate;
  support_succeed(vptr__device_open_fake(&second));
  support_succeed(ops->queue.create(second, 0, true, &gone));
  support_succeed(ops->event.create_user(device, &gate));
  support_succeed(ops->queue.enqueue_barrier(second, gone, 1, &gate, NULL));
  support_succeed(ops->queue.flush(second, gone));
  ops->queue.release(second, gone);
  vptr__device_close(second);
  cl_command_queue one = make_queue(0), two = make_queue(0), three = make_queue(0);
  support_succeed(ops->queue.flush(device, one));
  support_succeed(ops->queue.flush(device, two));
  support_succeed(ops->event.set_user(device, gate, CL_COMPLETE));
  ops->event.release(device, gate);
  for (vptr__fake_counts counts = { .commands = 1 }; counts.commands > 0;)
    vptr__fake_get_counts(&counts);
  ops->queue.release(device, one);
  ops->queue.release(device, two);
  ops->queue.release(device, three);
}
END_TEST

START_TEST(closing_waits_for_the_work) {
  vptr__device *second;
  support_succeed(vptr__device_open_fake(&second));
  cl_mem buffer = make(8);
  cl_command_queue queue;
  support_succeed(ops->queue.create(second, 0, true, &queue));
  support_succeed(ops->queue.use(second, queue));
  char in[8] = "";
  vptr__fake_disorder(3, 20000);
  support_succeed(ops->transfer.enqueue_fill(second, second->cl_queue, buffer, 0, 4, "a", 1, NULL));
  support_succeed(ops->transfer.enqueue_fill(second, queue, buffer, 4, 4, "b", 1, NULL));
  ops->queue.release(second, queue); /* it was named, so it is there still */
  vptr__device_close(second);
  support_succeed(ops->transfer.read(device, buffer, 0, in, 8));
  ck_assert_mem_eq(in, "aaaabbbb", 8);
  ops->memory.release(device, buffer);
}
END_TEST

enum { NOT_ENDED = 70 };

/* What ends its process, a child. */
typedef void child_function(void);

static int run_child(child_function *body) {
  fflush(NULL); /* else exit() in the child would write it too */
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    alarm(60); /* a child that hangs fails, and holds up nobody */
    body();
    _exit(NOT_ENDED);
  }
  int ended;
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended);
}

static void exit_with_work_pending(void) {
  cl_event gate;
  ops->event.create_user(device, &gate);
  ops->queue.enqueue_barrier(device, device->cl_queue, 1, &gate, NULL);
  ops->transfer.enqueue_fill(device, device->cl_queue, make(1 << 20), 0, 1 << 20, "a", 1, NULL);
  exit(71);
}

static void CL_CALLBACK exit_now(cl_event event, cl_int state, void *context) {
  (void)event, (void)state, (void)context;
  exit(72);
}

static void exit_from_a_callback(void) {
  cl_event event;
  ops->queue.enqueue_barrier(device, device->cl_queue, 0, NULL, &event);
  ops->event.notify(device, event, exit_now, NULL);
  pause();
}

static void work_in_a_forked_child(void) {
  cl_mem buffer = make(8);
  char in[2];
  cl_event done;
  ops->transfer.enqueue_fill(device, device->cl_queue, buffer, 0, 8, "x", 1, NULL);
  ops->transfer.enqueue_read(device, device->cl_queue, buffer, 0, in, 2, &done);
  ops->event.wait(device, done);
  /* by a signal: checkers of leaks would look for those of threads that never were in this process */
  raise(in[0] == 'x' && in[1] == 'x' ? SIGKILL : SIGTERM);
}

START_TEST(a_process_may_end_in_the_middle_of_work) {
  ck_assert_int_eq(run_child(exit_with_work_pending), 71);
  int code = run_child(exit_from_a_callback);
  ck_assert(code > 0 && code != NOT_ENDED); /* 72, or a leak checker's own, which the thread that exits may upset */
}
END_TEST

/* Not with a sanitizer: malloc() in the child waits for ever where a thread of the parent was in it. */
START_TEST(a_forked_child_has_threads_of_its_own) {
  cl_event event; /* the parent has some now */
  support_succeed(ops->queue.enqueue_barrier(device, device->cl_queue, 0, NULL, &event));
  support_succeed(ops->event.wait(device, event));
  ck_assert_int_eq(run_child(work_in_a_forked_child), -SIGKILL);
  ops->event.release(device, event);
}
END_TEST

static void just_exit(void) {
  alarm(20);
  exit(71);
}

/* As when another thread has it: here the parent does. */
START_TEST(a_child_that_was_forked_under_the_mutex_can_exit) {
  vptr__fake_lock();
  int code = run_child(just_exit);
  vptr__fake_unlock();
  ck_assert_int_eq(code, 71);
}
END_TEST

/* ---- order ---------------------------------------------------------------------------------------------- */

START_TEST(in_disorder_nothing_begins_unflushed) {
  cl_command_queue queue = make_queue(0);
  cl_event event;
  vptr__fake_disorder(1, 0);
  support_succeed(ops->queue.enqueue_barrier(device, queue, 0, NULL, &event));
  usleep(20000);
  ck_assert_int_eq(state_of(event), CL_QUEUED);
  support_succeed(ops->queue.flush(device, queue));
  while (state_of(event) != CL_COMPLETE)
    usleep(100);
  ops->event.release(device, event);
  support_succeed(ops->queue.enqueue_barrier(device, queue, 0, NULL, &event));
  support_succeed(ops->event.wait(device, event)); /* flushes */
  ops->event.release(device, event);
  support_succeed(ops->queue.enqueue_barrier(device, queue, 0, NULL, &event));
  ops->queue.release(device, queue); /* so does this */
  while (state_of(event) != CL_COMPLETE)
    usleep(100);
  ops->event.release(device, event);
}
END_TEST

/* The order in which a command on each of two queues ran. */
static bool second_ran_first(uint64_t seed) {
  cl_command_queue one = make_queue(0), two = make_queue(0);
  cl_mem buffer = make(1);
  cl_event first, second;
  char in = 0;
  vptr__fake_disorder(seed, 300);
  support_succeed(ops->transfer.enqueue_fill(device, one, buffer, 0, 1, "1", 1, &first));
  support_succeed(ops->queue.enqueue_barrier(device, two, 0, NULL, &second));
  support_succeed(ops->queue.flush(device, one));
  support_succeed(ops->queue.flush(device, two));
  support_succeed(ops->event.wait(device, first));
  support_succeed(ops->event.wait(device, second));
  uint64_t begin[2], end[2];
  support_succeed(ops->event.times(device, first, &begin[0], &end[0]));
  support_succeed(ops->event.times(device, second, &begin[1], &end[1]));
  vptr__fake_disorder(0, 0);
  support_succeed(ops->transfer.read(device, buffer, 0, &in, 1));
  ck_assert_int_eq(in, '1');
  ops->event.release(device, first);
  ops->event.release(device, second);
  ops->memory.release(device, buffer);
  ops->queue.release(device, one);
  ops->queue.release(device, two);
  return begin[1] < begin[0];
}

START_TEST(disorder_has_it_both_ways) {
  bool seen[2] = { false, false };
  for (uint64_t seed = 1; seed < 1000 && !(seen[0] && seen[1]); seed++)
    seen[second_ran_first(seed)] = true;
  ck_assert(seen[0] && seen[1]);
}
END_TEST

START_TEST(the_higher_priority_begins_first) {
  cl_command_queue low = make_queue(0), high = make_queue(-1);
  for (int i = 0; i < 20; i++) {
    cl_event gate, on_low, on_high;
    uint64_t low_begin, high_begin, end;
    support_succeed(ops->event.create_user(device, &gate));
    support_succeed(ops->queue.enqueue_barrier(device, low, 1, &gate, &on_low));
    support_succeed(ops->queue.enqueue_barrier(device, high, 1, &gate, &on_high));
    support_succeed(ops->event.set_user(device, gate, CL_COMPLETE));
    support_succeed(ops->event.wait(device, on_low));
    support_succeed(ops->event.wait(device, on_high));
    support_succeed(ops->event.times(device, on_low, &low_begin, &end));
    support_succeed(ops->event.times(device, on_high, &high_begin, &end));
    ck_assert_uint_le(high_begin, low_begin);
    ops->event.release(device, gate);
    ops->event.release(device, on_low);
    ops->event.release(device, on_high);
  }
  ops->queue.release(device, low);
  ops->queue.release(device, high);
}
END_TEST

/* Random copies between cells by random queues, each behind those whose bytes it needs: the cells end as if it had
 * been one after the other. Thread sanitizers see it too if an order is not kept. */
START_TEST(events_keep_order_in_disorder) {
  enum { CELLS = 6, CELL = 256, QUEUES = 5, STEPS = 400 };
  unsigned char model[CELLS][CELL], in[CELL];
  cl_mem cells[CELLS];
  cl_event last[CELLS] = { NULL }; /* the command that used the cell last */
  cl_command_queue queues[QUEUES];
  uint64_t seed = 99;
  for (int i = 0; i < QUEUES; i++)
    queues[i] = make_queue(-(i % 2));
  for (int i = 0; i < CELLS; i++) {
    memset(model[i], i, CELL);
    support_succeed(ops->transfer.write(device, cells[i] = make(CELL), 0, model[i], CELL));
  }
  vptr__fake_disorder(5, 60);
  for (int step = 0; step < STEPS; step++) {
    size_t from = support_random(&seed) % CELLS, to = (from + 1 + support_random(&seed) % (CELLS - 1)) % CELLS;
    size_t size = 1 + support_random(&seed) % CELL;
    cl_command_queue queue = queues[support_random(&seed) % QUEUES];
    cl_event waits[2], done;
    cl_uint count = 0;
    if (last[from] != NULL)
      waits[count++] = last[from];
    if (last[to] != NULL)
      waits[count++] = last[to];
    support_succeed(ops->queue.enqueue_barrier(device, queue, count, waits, NULL));
    support_succeed(ops->transfer.enqueue_copy(device, queue, cells[from], 0, cells[to], CELL - size, size, &done));
    support_succeed(ops->queue.flush(device, queue));
    memcpy(model[to] + CELL - size, model[from], size);
    for (cl_uint i = 0; i < count; i++)
      ops->event.release(device, waits[i]);
    ops->event.retain(device, done);
    last[from] = last[to] = done;
  }
  for (int i = 0; i < CELLS; i++) {
    if (last[i] != NULL) {
      support_succeed(ops->event.wait(device, last[i]));
      ops->event.release(device, last[i]);
    }
    support_succeed(ops->transfer.read(device, cells[i], 0, in, CELL));
    ck_assert_mem_eq(in, model[i], CELL);
    ops->memory.release(device, cells[i]);
  }
  for (int i = 0; i < QUEUES; i++)
    ops->queue.release(device, queues[i]);
}
END_TEST

/* ---- callbacks ------------------------------------------------------------------------------------------ */

typedef struct chain {
  cl_command_queue queue;
  cl_mem buffer;
  sem_t done;
  int left;
} chain;

/* Queues the next command from within the callback of the last. */
static void CL_CALLBACK go_on(cl_event event, cl_int state, void *context) {
  chain *chain_ = context;
  ops->event.release(device, event);
  if (state != CL_COMPLETE || chain_->left-- == 0) {
    sem_post(&chain_->done);
    return;
  }
  cl_event next;
  const unsigned char byte = (unsigned char)chain_->left;
  ops->transfer.enqueue_fill(device, chain_->queue, chain_->buffer, 0, 1, &byte, 1, &next);
  ops->event.notify(device, next, go_on, chain_);
  ops->queue.flush(device, chain_->queue);
}

START_TEST(callbacks_may_use_the_device) {
  chain chain_ = { .queue = make_queue(0), .buffer = make(1), .left = 50 };
  cl_event first;
  unsigned char in = 77;
  sem_init(&chain_.done, 0, 0);
  vptr__fake_disorder(11, 50);
  support_succeed(ops->queue.enqueue_barrier(device, chain_.queue, 0, NULL, &first));
  support_succeed(ops->event.notify(device, first, go_on, &chain_));
  support_succeed(ops->queue.flush(device, chain_.queue));
  sem_wait(&chain_.done);
  support_succeed(ops->transfer.read(device, chain_.buffer, 0, &in, 1));
  ck_assert_int_eq(in, 0);
  ops->memory.release(device, chain_.buffer);
  ops->queue.release(device, chain_.queue);
  sem_destroy(&chain_.done);
}
END_TEST

/* ---- faults --------------------------------------------------------------------------------------------- */

typedef struct verdict {
  sem_t heard;
  cl_int state;
} verdict;

static void CL_CALLBACK hear(cl_event event, cl_int state, void *context) {
  (void)event;
  verdict *verdict_ = context;
  verdict_->state = state;
  sem_post(&verdict_->heard);
}

START_TEST(a_command_fails_when_it_runs) {
  cl_command_queue one = make_queue(0), two = make_queue(0);
  cl_mem buffer = make(4);
  cl_event failed, behind, dependent, after;
  char in[4];
  verdict heard = { .state = 1 };
  sem_init(&heard.heard, 0, 0);
  support_succeed(ops->transfer.fill(device, buffer, 0, 4, "-", 1));
  vptr__fake_fail_command(2, CL_OUT_OF_RESOURCES);
  support_succeed(ops->transfer.enqueue_fill(device, one, buffer, 0, 1, "a", 1, NULL));
  support_succeed(ops->transfer.enqueue_fill(device, one, buffer, 1, 1, "b", 1, &failed)); /* this one */
  support_succeed(ops->transfer.enqueue_fill(device, one, buffer, 2, 1, "c", 1, &behind));
  support_succeed(ops->event.notify(device, failed, hear, &heard));
  support_expect(VPTR_ERROR_OPENCL, ops->event.wait(device, failed));
  ck_assert_int_eq(vptr_last_cl_error(), CL_OUT_OF_RESOURCES);
  ck_assert_int_eq(state_of(failed), CL_OUT_OF_RESOURCES);
  sem_wait(&heard.heard);
  ck_assert_int_eq(heard.state, CL_OUT_OF_RESOURCES);
  support_succeed(ops->event.wait(device, behind));
  support_succeed(ops->queue.enqueue_barrier(device, two, 1, &failed, &dependent));
  support_succeed(ops->transfer.enqueue_fill(device, two, buffer, 3, 1, "d", 1, &after));
  support_expect(VPTR_ERROR_OPENCL, ops->event.wait(device, dependent));
  ck_assert_int_eq(state_of(dependent), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  support_succeed(ops->event.wait(device, after));
  support_succeed(ops->queue.finish(device, one));
  uint64_t begin, end;
  support_expect(VPTR_ERROR_OPENCL, ops->event.times(device, failed, &begin, &end));
  support_succeed(ops->transfer.read(device, buffer, 0, in, 4));
  ck_assert_mem_eq(in, "a-cd", 4);
  cl_event events[] = { failed, behind, dependent, after };
  for (int i = 0; i < 4; i++)
    ops->event.release(device, events[i]);
  ops->memory.release(device, buffer);
  ops->queue.release(device, one);
  ops->queue.release(device, two);
  sem_destroy(&heard.heard);
}
END_TEST

/* Adds a failure to what was met so far. */
static void meet(vptr_status *met, vptr_status status) {
  if (*met == VPTR_SUCCESS)
    *met = status;
}

/* Every kind of command on one queue; the first status that is not success. */
static vptr_status queue_some(cl_command_queue queue, cl_mem one, cl_mem two, char *host) {
  const vptr__rect in_one = { one, 3, 8, 64 }, in_two = { two, 0, 16, 64 };
  const size_t region[3] = { 4, 3, 2 };
  cl_event event = NULL;
  vptr_status met = ops->transfer.enqueue_write(device, queue, one, 0, host, 64, NULL);
  meet(&met, ops->transfer.enqueue_read(device, queue, one, 0, host + 64, 64, NULL));
  meet(&met, ops->transfer.enqueue_copy(device, queue, one, 0, two, 0, 64, NULL));
  meet(&met, ops->transfer.enqueue_fill(device, queue, two, 0, 64, "ab", 2, NULL));
  meet(&met, ops->transfer.enqueue_write_rect(device, queue, &in_one, host, 8, 32, region, NULL));
  meet(&met, ops->transfer.enqueue_read_rect(device, queue, &in_one, host + 64, 8, 32, region, NULL));
  meet(&met, ops->transfer.enqueue_copy_rect(device, queue, &in_one, &in_two, region, NULL));
  vptr_status status = ops->queue.enqueue_barrier(device, queue, 0, NULL, &event);
  meet(&met, status);
  if (status != VPTR_SUCCESS)
    return met;
  meet(&met, ops->event.wait(device, event));
  ops->event.release(device, event);
  return met;
}

static vptr_status use_event(cl_command_queue queue) {
  cl_event gate;
  vptr_status met = ops->event.create_user(device, &gate), status;
  if (met != VPTR_SUCCESS)
    return met;
  meet(&met, ops->queue.enqueue_barrier(device, queue, 1, &gate, NULL));
  do
    meet(&met, status = ops->event.set_user(device, gate, CL_COMPLETE));
  while (status != VPTR_SUCCESS);
  ops->event.release(device, gate);
  return met;
}

static vptr_status work(char *host) {
  cl_command_queue queue;
  cl_mem one = make(128), two = make(128);
  vptr_status met = ops->queue.create(device, 0, true, &queue);
  if (met == VPTR_SUCCESS) {
    met = queue_some(queue, one, two, host);
    meet(&met, use_event(queue));
    meet(&met, ops->queue.flush(device, queue));
    while (ops->queue.finish(device, queue) != VPTR_SUCCESS)
      met = VPTR_ERROR_OPENCL;
    ops->queue.release(device, queue);
  }
  ops->memory.release(device, one);
  ops->memory.release(device, two);
  return met;
}

START_TEST(every_operation_may_fail) {
  static char host[128];
  static const cl_int codes[] = { CL_OUT_OF_RESOURCES, CL_INVALID_OPERATION };
  support_succeed(work(host));
  for (size_t c = 0; c < sizeof codes / sizeof *codes; c++)
    for (long n = 3;; n++) { /* the first two make the buffers */
      vptr__fake_counts at_first, now;
      vptr__fake_get_counts(&at_first);
      vptr__fake_fail_nth(n, codes[c]);
      vptr_status status = work(host);
      vptr__fake_fail_nth(0, 0);
      vptr__fake_get_counts(&now);
      ck_assert_uint_eq(now.queues, at_first.queues);
      ck_assert_uint_eq(now.events, at_first.events);
      ck_assert_uint_eq(now.buffers, at_first.buffers);
      ck_assert_uint_eq(now.commands, 0);
      if (status == VPTR_SUCCESS) {
        ck_assert_int_gt(n, 14);
        break;
      }
      ck_assert_int_eq(vptr_last_cl_error(), codes[c]);
      ck_assert_int_lt(n, 100);
    }
}
END_TEST

/* ---- misuse --------------------------------------------------------------------------------------------- */

typedef void misuse_function(cl_mem buffer);

static void use_a_released_queue(cl_mem buffer) {
  cl_command_queue queue = make_queue(0);
  ops->queue.release(device, queue);
  ops->transfer.enqueue_fill(device, queue, buffer, 0, 1, "a", 1, NULL);
}

static void take_an_event_for_a_queue(cl_mem buffer) {
  cl_event event;
  (void)buffer;
  ops->event.create_user(device, &event);
  ops->queue.flush(device, (cl_command_queue)(void *)event);
}

static void release_an_event_twice(cl_mem buffer) {
  cl_event event;
  (void)buffer;
  ops->event.create_user(device, &event);
  ops->event.release(device, event);
  ops->event.release(device, event);
}

static void set_an_event_twice(cl_mem buffer) {
  cl_event event;
  (void)buffer;
  ops->event.create_user(device, &event);
  ops->event.set_user(device, event, CL_COMPLETE);
  ops->event.set_user(device, event, CL_COMPLETE);
}

static void write_a_rect_past_the_end(cl_mem buffer) {
  const vptr__rect rect = { buffer, 1, 512, 2048 };
  const size_t region[3] = { 512, 4, 1 };
  ops->transfer.enqueue_write_rect(device, device->cl_queue, &rect, buffer, 512, 2048, region, NULL);
}

static void read_a_rect_of_overlapping_rows(cl_mem buffer) {
  const vptr__rect rect = { buffer, 0, 16, 64 };
  const size_t region[3] = { 17, 2, 1 };
  ops->transfer.enqueue_read_rect(device, device->cl_queue, &rect, buffer, 32, 64, region, NULL);
}

static void read_a_rect_with_an_odd_slice(cl_mem buffer) {
  const vptr__rect rect = { buffer, 0, 16, 72 };
  const size_t region[3] = { 16, 2, 2 };
  ops->transfer.enqueue_read_rect(device, device->cl_queue, &rect, buffer, 16, 64, region, NULL);
}

static void copy_a_rect_onto_itself(cl_mem buffer) {
  const vptr__rect from = { buffer, 0, 16, 64 }, to = { buffer, 2 * 16 + 15, 16, 64 };
  const size_t region[3] = { 8, 4, 2 };
  ops->transfer.enqueue_copy_rect(device, device->cl_queue, &from, &to, region, NULL);
}

static misuse_function *const misuses[] = {
  use_a_released_queue,      take_an_event_for_a_queue,       release_an_event_twice,        set_an_event_twice,
  write_a_rect_past_the_end, read_a_rect_of_overlapping_rows, read_a_rect_with_an_odd_slice, copy_a_rect_onto_itself,
};

START_TEST(misuse_aborts_with_words) {
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  cl_mem buffer = make(2048);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    misuses[_i](buffer);
    _exit(0);
  }
  close(ends[1]);
  char words[512] = "";
  ck_assert_int_gt(read(ends[0], words, sizeof words - 1), 0);
  close(ends[0]);
  int ended;
  ck_assert_int_eq(waitpid(child, &ended, 0), child);
  ck_assert(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGABRT);
  ck_assert_msg(strncmp(words, "vptr: fake device misused: ", 27) == 0, "said: %s", words);
  ops->memory.release(device, buffer);
}
END_TEST

static Suite *fake_queue_suite(void) {
  Suite *suite = suite_create("fake queue");
  TCase *tests = tcase_create("fake queue");
  tcase_add_checked_fixture(tests, open_fake, close_fake);
  tcase_add_test(tests, what_blocks_needs_no_threads); /* first: there are none yet */
  tcase_add_test(tests, closing_ends_the_threads);
  tcase_add_test(tests, closing_in_a_callback_ends_the_threads_too);
  tcase_add_test(tests, closing_waits_for_the_work);
  tcase_add_test(tests, closing_leaves_a_released_queue_to_its_work);
  tcase_add_loop_test(tests, misuse_aborts_with_words, 0, (int)(sizeof misuses / sizeof *misuses));
  tcase_add_test(tests, a_process_may_end_in_the_middle_of_work);
  if (!SUPPORT_IS_SANITIZED)
    tcase_add_test(tests, a_forked_child_has_threads_of_its_own);
  tcase_add_test(tests, a_child_that_was_forked_under_the_mutex_can_exit);
  tcase_add_test(tests, in_disorder_nothing_begins_unflushed);
  tcase_add_test(tests, disorder_has_it_both_ways);
  tcase_add_test(tests, the_higher_priority_begins_first);
  tcase_add_test(tests, events_keep_order_in_disorder);
  tcase_add_test(tests, callbacks_may_use_the_device);
  tcase_add_test(tests, a_command_fails_when_it_runs);
  tcase_add_test(tests, every_operation_may_fail);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  return support_run(fake_queue_suite());
}
