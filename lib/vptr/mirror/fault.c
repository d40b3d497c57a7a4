/* SPDX-License-Identifier: MIT */
/*
 * fault - the choice between userfaultfd and SIGSEGV, and the handler of SIGSEGV (fault.h).
 *
 * The static `chain` has the handler that was there before ours; it is written before ours can run. `is_chosen` and
 * `is_watched`, static in watch_faults(), tell what is done already. The static `lock` in vptr__fault_watch(), of rank
 * HEAP, guards these two, and is held while a trial of the choice runs and the service's first thread begins. The
 * handler takes no lock.
 *
 * Called by mirror.c for each new mirror; all but the first call find that it is done; and by the system, as a signal
 * handler. It fails where the chosen way cannot be had, or the system gives no thread.
 */
#include "mirror/fault.h"

#include "base/error.h"
#include "base/log.h"
#include "base/option.h"
#include "mirror/address_index.h"
#include "mirror/mailbox.h"
#include "mirror/chain.h"
#include "mirror/service.h"
#include "mirror/trial.h"
#include "mirror/userfault.h"

#include <errno.h>
#include <string.h>
#include <ucontext.h>

static vptr__chain chain = { .number = SIGSEGV };

/* ---- what the processor tells --------------------------------------------------------------------------- */

#if defined __x86_64__

/* The page fault's error code: bit 1 is set for a write, bit 4 for an instruction fetch. */
static vptr__touch touch_of(const ucontext_t *context) {
  return context->uc_mcontext.gregs[REG_ERR] & 2 ? VPTR__TOUCH_WRITE : VPTR__TOUCH_READ;
}

static bool is_jump(const ucontext_t *context) {
  return (context->uc_mcontext.gregs[REG_ERR] & 16) != 0;
}

#else

static vptr__touch touch_of(const ucontext_t *context) {
  (void)context;
  return VPTR__TOUCH_UNKNOWN;
}

static bool is_jump(const ucontext_t *context) {
  (void)context;
  return false;
}

#endif

/* ---- the handler ---------------------------------------------------------------------------------------- */

/* No page of ours may be jumped to, so that would fault for ever. */
static bool is_ours(const siginfo_t *info, const ucontext_t *context) {
  return info->si_code == SEGV_ACCERR && vptr__address_index_has(info->si_addr) && !is_jump(context) &&
         vptr__service_is_here();
}

static void handle_fault_signal(int number, siginfo_t *info, void *opaque) {
  const ucontext_t *context = opaque;
  int errno_before = errno;
  bool ours = is_ours(info, context);
  if (ours)
    vptr__mailbox_ask(info->si_addr, touch_of(context), &context->uc_sigmask);
  errno = errno_before;
  if (!ours)
    vptr__chain_pass_on(&chain, number, info, opaque);
}

/* The service first: from the handler's first moment on somebody answers. What the handler calls is called before,
 * errno's function too: the loader looks a function up at its first call, and needs 3 KiB of stack, which a small one
 * has not. */
static vptr_status watch_by_signal(void) {
  errno = 0;
  vptr__mailbox_prepare();
  vptr_status status = vptr__service_start(&vptr__mailbox_requests);
  if (status != VPTR_SUCCESS || vptr__chain_install(&chain, handle_fault_signal))
    return status;
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "managed memory needs a handler of SIGSEGV, and the system takes none: %s", strerror(errno));
}

/* ---- the way -------------------------------------------------------------------------------------------- */

/* NULL if faults come by userfaultfd from now on; else why not. */
static const char *begin_userfault(void) {
  if (!vptr__userfault_begin())
    return strerror(errno);
  vptr__error_try();
  const char *trouble = vptr__trial();
  vptr__error_tried(VPTR_SUCCESS);
  if (trouble != NULL && vptr__userfault_is_on())
    vptr__userfault_end();
  return trouble;
}

/* Once; later views are guarded as the first one is. */
static vptr_status choose_fault_way(vptr__faults wish) {
  const char *trouble = wish != VPTR__FAULTS_MPROTECT ? begin_userfault() : "VPTR_FAULTS says so";
  if (trouble != NULL && wish == VPTR__FAULTS_USERFAULTFD)
    return vptr__error(
        VPTR_ERROR_UNSUPPORTED,
        "VPTR_FAULTS=userfaultfd, and the system does not give it: %s; set vm.unprivileged_userfaultfd "
        "to 1, or leave VPTR_FAULTS away",
        trouble);
  vptr__log(VPTR__LOG_DECISION, "managed memory: page faults come by %s%s",
            trouble == NULL ? "userfaultfd" : "mprotect and SIGSEGV: ", trouble == NULL ? "" : trouble);
  return VPTR_SUCCESS;
}

static vptr_status watch_faults(void) {
  static bool is_chosen, is_watched;
  vptr_status status = VPTR_SUCCESS;
  if (!is_chosen)
    status = choose_fault_way((vptr__faults)vptr__option_number(VPTR__OPTION_FAULTS, VPTR__FAULTS_AUTO));
  is_chosen = status == VPTR_SUCCESS;
  if (is_watched || status != VPTR_SUCCESS)
    return status;
  status = vptr__userfault_is_on() ? vptr__service_start(&vptr__userfault_requests) : watch_by_signal();
  is_watched = status == VPTR_SUCCESS;
  return status;
}

vptr_status vptr__fault_watch(void) {
  static vptr__lock lock = VPTR__LOCK_INIT(VPTR__RANK_HEAP);
  vptr__lock_take(&lock);
  vptr_status status = watch_faults();
  vptr__lock_give(&lock);
  return status;
}
