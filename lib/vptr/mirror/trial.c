/* SPDX-License-Identifier: MIT */
/*
 * trial - one fault of each kind by userfaultfd, made by a thread and answered by its maker (trial.h).
 *
 * All that changes is in one variable on the caller's stack, `it`, which the thread and its maker share, by atomics and
 * by the faults themselves; the static table `steps` is constant. A request is also in userfault.c's list `answering`
 * until it is answered, under that file's lock, of rank LEAF; a trial that fails closes userfault's file. Called by
 * fault.c, with its static lock, of rank HEAP, once a process, or again for each new mirror where
 * VPTR_FAULTS=userfaultfd asks for what failed; and in a thread of its own, which makes the faults and is joined here;
 * it takes about a millisecond, or five seconds where a fault does not come, and says what is wrong if userfaultfd is
 * not to be used.
 *
 * Three pages. The thread's steps and the expected requests go hand in hand: it cannot be further than the page that
 * it waits at, so what is done to another page while it waits has happened when it comes there.
 */
#include "mirror/trial.h"

#include "base/page.h"
#include "mirror/userfault.h"
#include "mirror/view.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 3, PATIENCE_MS = 5000 };

typedef struct trial {
  vptr__view view;
  size_t page;
  int pipe[2];
  atomic_bool is_right; /* the thread saw what it should */
} trial;

/* ---- the thread ----------------------------------------------------------------------------------------- */

/* Reads and writes a page that the file has not; one that it has; the first again, closed to writes meanwhile; lets the
 * system write the last; and reads the first, closed meanwhile. (Write, not read: of a call that reads memory strace(1)
 * reads it first, and would wait for ever, having stopped the thread.) */
static void *touch_pages(void *context) {
  trial *it = context;
  volatile unsigned char *first = it->view.user, *second = first + it->page;
  bool is_right = first[0] == 1;
  first[0] = 2;
  is_right = second[0] == 3 && is_right;
  second[0] = 4;
  is_right = first[0] == 2 && is_right;
  first[0] = 5;
  is_right = read(it->pipe[0], it->view.user + 2 * it->page, 1) == 1 && is_right;
  is_right = first[0] == 5 && is_right;
  atomic_store(&it->is_right, is_right);
  return NULL;
}

/* ---- the answers ---------------------------------------------------------------------------------------- */

enum { NONE = -1 };

typedef struct step {
  size_t page;
  vptr__touch touch;
  int byte;      /* that the page gets first */
  int closes;    /* page that is closed first */
  int keeps_out; /* page that is closed to writes first */
  bool opens_to_writes;
} step;

static const step steps[] = {
  { 0, VPTR__TOUCH_READ, 1, NONE, NONE, false }, { 0, VPTR__TOUCH_WRITE, NONE, 0, NONE, true },
  { 1, VPTR__TOUCH_READ, 3, NONE, 0, true },     { 0, VPTR__TOUCH_WRITE, NONE, 0, NONE, true },
  { 2, VPTR__TOUCH_WRITE, 6, 0, NONE, true },    { 0, VPTR__TOUCH_READ, NONE, NONE, NONE, false },
};

static unsigned char *page_at(const trial *it, int page) {
  return it->view.user + (size_t)page * it->page;
}

static bool answer_step(const trial *it, const step *now) {
  if (now->byte != NONE)
    it->view.alias[now->page * it->page] = (unsigned char)now->byte;
  if (now->closes != NONE && !vptr__userfault_unmap(page_at(it, now->closes), it->page))
    return false;
  if (now->keeps_out != NONE && !vptr__userfault_keep_writes_out(page_at(it, now->keeps_out), it->page))
    return false;
  return vptr__userfault_map(page_at(it, (int)now->page), it->page, now->opens_to_writes) == it->page;
}

static bool is_expected(const trial *it, const step *now, const vptr__request *request) {
  size_t offset = (size_t)((const unsigned char *)request->address - it->view.user);
  return offset / it->page == now->page && request->touch == now->touch;
}

static const char *take_step(trial *it, const step *now) {
  vptr__request request;
  if (!vptr__userfault_wait(PATIENCE_MS) || !vptr__userfault_requests.take(&request))
    return "a fault did not come";
  const char *trouble = !is_expected(it, now, &request) ? "a fault came as another" : NULL;
  if (trouble == NULL && !answer_step(it, now))
    trouble = "a page could not be opened or closed as it must be";
  vptr__userfault_requests.answered(&request);
  return trouble;
}

static const char *take_steps(trial *it) {
  const char *trouble = NULL;
  for (size_t i = 0; i < sizeof steps / sizeof *steps && trouble == NULL; i++)
    trouble = take_step(it, &steps[i]);
  return trouble;
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

/* After a step that failed the thread may be waiting still, and closing the file lets it go. */
static const char *run_trial(trial *it) {
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int code = pthread_create(&thread, NULL, touch_pages, it);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code != 0)
    return "the system gives no thread to try it";
  const char *trouble = take_steps(it);
  if (trouble != NULL)
    vptr__userfault_end();
  pthread_join(thread, NULL);
  return trouble == NULL && !atomic_load(&it->is_right) ? "a page held other bytes than were written" : trouble;
}

const char *vptr__trial(void) {
  trial it = { .page = vptr__page_bytes() };
  if (pipe(it.pipe) != 0)
    return "the system gives no pipe to try it";
  const char *trouble = "the system guards no pages so";
  if (write(it.pipe[1], "", 1) == 1 &&
      vptr__view_open(&it.view, PAGES * it.page, (vptr__view_wish){ 0 }) == VPTR_SUCCESS) {
    trouble = run_trial(&it);
    vptr__view_close(&it.view);
  }
  close(it.pipe[0]);
  close(it.pipe[1]);
  return trouble;
}
