/* SPDX-License-Identifier: MIT */
/*
 * request - see request.h: the signal's handler, its installation, and the call that serves a request.
 *
 * The flag vptr__request_waits is atomic. `before`, the handler that was there, is written once, by the thread that
 * makes the first mapper, which the atomic `done` of vptr__request_install() finds out. There are no locks. Called by
 * mapper.c, which installs the handler, and looks when it has waited; by cudart/cuda/device.c and stream.c, which look
 * likewise; and by the system, when the signal comes. To serve a request blocks as vptr_checkpoint() does.
 */
#include "mapper/request.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/option.h"
#include "base/subsystem.h"
#include "base/waiting.h"

atomic_bool vptr__request_waits;

/* Whose signal it was: the program's, or a driver's. Written before our handler is there. */
static struct sigaction before;

static void note_request(int number, siginfo_t *info, void *context) {
  atomic_store(&vptr__request_waits, true);
  if ((before.sa_flags & SA_SIGINFO) != 0)
    before.sa_sigaction(number, info, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(number);
}

/* By number, or by name with SIG or without. 0: none. */
static int signal_of(const char *text) {
  static const struct {
    const char *name;
    int number;
  } names[] = { { "USR1", SIGUSR1 }, { "USR2", SIGUSR2 }, { "TERM", SIGTERM }, { "HUP", SIGHUP },
                { "INT", SIGINT },   { "QUIT", SIGQUIT }, { "ALRM", SIGALRM } };
  const char *name = strncasecmp(text, "SIG", 3) == 0 ? text + 3 : text;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(name, names[i].name) == 0)
      return names[i].number;
  char *end;
  long number = strtol(text, &end, 10);
  return isdigit((unsigned char)text[0]) && *end == '\0' && number < NSIG && number != SIGKILL && number != SIGSTOP
             ? (int)number
             : 0;
}

/* Drivers have handlers of signals, too (LLVM's in PoCL has one of SIGUSR1): one that is there goes on to be called. */
static void install_handler(int number) {
  struct sigaction action = { .sa_sigaction = note_request, .sa_flags = SA_RESTART | SA_SIGINFO };
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &before) != 0 || sigaction(number, &action, NULL) != 0)
    vptr__log_always("VPTR_CHECKPOINT_SIGNAL: signal %d takes no handler, and asks for no checkpoint", number);
}

void vptr__request_install(void) {
  static atomic_flag done = ATOMIC_FLAG_INIT;
  const char *text = vptr__option_text(VPTR__OPTION_CHECKPOINT_SIGNAL);
  if (text == NULL || atomic_flag_test_and_set(&done))
    return;
  const int number = signal_of(text);
  if (number == 0)
    vptr__log_always("VPTR_CHECKPOINT_SIGNAL=%s is no signal: name one, such as USR1, or its number", text);
  else if (vptr__option_text(VPTR__OPTION_CHECKPOINT) == NULL)
    vptr__log_always("VPTR_CHECKPOINT_SIGNAL is set, and VPTR_CHECKPOINT, the file, is not: no checkpoint is taken");
  else
    install_handler(number);
}

/* A host function of a stream is part of the work; it leaves the request to others. */
void vptr__request_serve(vptr_mapper *mapper) {
  const vptr__subsystem *checkpoint = vptr__subsystem_at(VPTR__SUBSYSTEM_CHECKPOINT);
  if (checkpoint == NULL || vptr__waiting_is_barred() || !atomic_exchange(&vptr__request_waits, false))
    return;
  checkpoint->serve_request(mapper);
}
