/* SPDX-License-Identifier: MIT */
/*
 * chain - installing a signal handler in front of another, and calling that other one (chain.h).
 *
 * A vptr__chain is its caller's variable, the static `chain` of fault.c; this file has no data. It takes no lock, since
 * a signal handler may call it: `was_called` is atomic, and the rest is written before the handler is installed. Called
 * by fault.c alone: vptr__chain_install() once, vptr__chain_pass_on() for each SIGSEGV that is not managed memory's.
 * (mapper/trap.c, which stands below, passes on by itself.)
 */
#include "mirror/chain.h"

#include <pthread.h>
#include <ucontext.h>

/* A fault of the processor's comes again as soon as the instruction runs again, and dies of it there. A signal
 * that a program sent (kill, raise) does not, so it is sent anew; it waits until the handler returns. */
static void default_action(int number, const siginfo_t *info) {
  struct sigaction action = { .sa_handler = SIG_DFL };
  sigaction(number, &action, NULL);
  if (info->si_code <= 0)
    raise(number);
}

/* What was blocked when the signal came, what the handler wants blocked, and the signal itself unless it says no. */
static void set_mask(const struct sigaction *before, int number, const ucontext_t *context) {
  sigset_t mask;
  sigorset(&mask, &context->uc_sigmask, &before->sa_mask);
  if ((before->sa_flags & SA_NODEFER) == 0)
    sigaddset(&mask, number);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void call_handler(const struct sigaction *before, int number, siginfo_t *info, void *context) {
  set_mask(before, number, context);
  if (before->sa_flags & SA_SIGINFO)
    before->sa_sigaction(number, info, context);
  else
    before->sa_handler(number);
}

/* Whether it wanted to be called once, and was: from then on it counts as the default action. Ours stays in front, for
 * the handler may jump away, and what faults next may be managed memory. */
static bool is_used_up(vptr__chain *chain) {
  return (chain->before.sa_flags & SA_RESETHAND) != 0 && atomic_exchange(&chain->was_called, true);
}

/* The kernel lets nobody ignore a fault of the processor's, only a signal that was sent. */
void vptr__chain_pass_on(vptr__chain *chain, int number, siginfo_t *info, void *context) {
  const struct sigaction *before = &chain->before;
  bool is_function = (before->sa_flags & SA_SIGINFO) != 0;
  if (!is_function && before->sa_handler == SIG_IGN && info->si_code <= 0)
    return;
  if ((!is_function && (before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN)) || is_used_up(chain))
    default_action(number, info);
  else
    call_handler(before, number, info, context);
}

/* SA_RESTART is the former one's, so that system calls which its signals interrupt end as they did. */
bool vptr__chain_install(vptr__chain *chain, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action = { .sa_sigaction = handler };
  if (sigaction(chain->number, NULL, &chain->before) != 0)
    return false;
  sigfillset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (chain->before.sa_flags & SA_RESTART);
  return sigaction(chain->number, &action, NULL) == 0;
}
