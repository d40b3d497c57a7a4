/* SPDX-License-Identifier: MIT */
/*
 * trap - reports that the host dereferenced a device pointer, or a kernel on a CPU a wild one (VPTR_TRAP=1).
 *
 * Device pointers lie in memory that nobody may touch, so a host dereference is a SIGSEGV (SIGBUS on some systems) at
 * the very instruction. The handler here turns it into words: which pointer, of which allocation, read or written, and
 * by which line of the program. Then it makes way: whoever handled the signal before is called as if nothing had been
 * in between, and where that is the default action, the instruction runs again without us, so that the process dies of
 * its own fault, with its own core dump. Any other fault is passed on in silence.
 *
 * On a CPU device a kernel is code of this process, and one that follows a wild pointer raises the same signal, at an
 * address that is nobody's. So a fault at any address is told if it is a kernel's: the instruction lies in a file or a
 * function that has a kernel's name, or in no file at all while kernels are under way (mapper/flight.h), of which all
 * are named then.
 *
 * The program may install its own handler later; it then has the signal to itself, which is what it asked for.
 *
 * The handler takes no lock of the library's: what it asks are look-ups, which need none (mapper.h, heap.h). Nothing
 * allocates; text is formatted by snprintf() with plain conversions, which touches no heap and no stdio lock, and
 * leaves by write(2). backtrace() loads the unwinder when it is first called, hence once at installation. The texts are
 * static, not on the stack, since an alternate signal stack may have a few KiB only; the atomic flag `reporting` guards
 * them: a second thread that traps waits for the first one's report.
 *
 * The static `watches` has the two signals, each with the handler that was there before and whether ours is
 * `installed`: that is written once, by the one thread that finds `done` not set, before a handler of ours can run;
 * whether the one before `was_called` is atomic. The texts, `text` and `site`, and the `suspects` of a report belong to
 * the thread that has set `reporting`. Called by mapper.c for each mapper that is made; by the system, as a signal
 * handler; and by the loader, when the library is unloaded.
 */
#include "mapper/mapper.h"

#include "base/callsite.h"
#include "base/hot.h"
#include "base/log.h"
#include "base/option.h"
#include "heap/survey.h"
#include "mapper/flight.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <ucontext.h>

enum { MAX_FRAMES = 32, TEXT_SIZE = 512, SITE_SIZE = 256, LEAST_STACK = 20 << 10 };

/* One signal that is watched. Set once, before its handler is installed. */
typedef struct watched_signal {
  int number;
  const char *name;
  struct sigaction before;
  bool installed;
  atomic_bool was_called; /* the one before, if it wanted to be called once; changes later */
} watched_signal;

static watched_signal watches[] = { { .number = SIGSEGV, .name = "SIGSEGV" },
                                    { .number = SIGBUS, .name = "SIGBUS" } };
enum { WATCHES = sizeof watches / sizeof *watches };

static atomic_flag reporting = ATOMIC_FLAG_INIT;
static char text[TEXT_SIZE];
static char site[SITE_SIZE];

static watched_signal *watch_of(int number) {
  for (int i = 0; i < WATCHES; i++)
    if (watches[i].number == number)
      return &watches[i];
  return NULL;
}

/* ---- what the processor tells ---------------------------------------------------------------------------- */

#if defined __x86_64__

static const void *program_counter(const ucontext_t *context) {
  return (const void *)context->uc_mcontext.gregs[REG_RIP];
}

/* Where a call that has only just jumped would return to. */
static const void *return_address(const ucontext_t *context) {
  return *(const void *const *)context->uc_mcontext.gregs[REG_RSP];
}

/* The page fault's error code: bit 1 is set for a write, bit 4 for an instruction fetch. */
static const char *access_verb(const ucontext_t *context) {
  greg_t error = context->uc_mcontext.gregs[REG_ERR];
  if (error & 16)
    return "jumped to";
  return error & 2 ? "wrote to" : "read";
}

#elif defined __aarch64__

static const void *program_counter(const ucontext_t *context) {
  return (const void *)context->uc_mcontext.pc;
}

static const void *return_address(const ucontext_t *context) {
  return (const void *)context->uc_mcontext.regs[30];
}

/* The kernel appends records to the context; the syndrome's says data abort (class 0x24, 0x25) or instruction abort
 * (0x20, 0x21), and in bit 6 whether a data abort was a write. */
static const char *access_verb(const ucontext_t *context) {
  const unsigned char *at = context->uc_mcontext.__reserved;
  const unsigned char *end = at + sizeof context->uc_mcontext.__reserved;
  while (at + sizeof(struct esr_context) <= end) {
    const struct _aarch64_ctx *head = (const struct _aarch64_ctx *)at;
    if (head->magic == ESR_MAGIC) {
      uint64_t syndrome = ((const struct esr_context *)at)->esr;
      unsigned class = (unsigned)(syndrome >> 26) & 0x3f;
      if (class == 0x20 || class == 0x21)
        return "jumped to";
      return class != 0x24 && class != 0x25 ? "touched" : syndrome & 64 ? "wrote to" : "read";
    }
    if (head->magic == 0 || head->size == 0)
      break;
    at += head->size;
  }
  return "touched";
}

#else

static const void *program_counter(const ucontext_t *context) {
  (void)context;
  return NULL;
}

static const void *return_address(const ucontext_t *context) {
  (void)context;
  return NULL;
}

static const char *access_verb(const ucontext_t *context) {
  (void)context;
  return "touched";
}

#endif

/* ---- where in the program -------------------------------------------------------------------------------- */

static const void *module_of(const void *code) {
  Dl_info info;
  return code != NULL && dladdr(code, &info) != 0 ? info.dli_fbase : NULL;
}

/* The faulting instruction is often in the C library, with memcpy() or strlen() around it, whose caller is the one to
 * look at: the first frame behind the fault that lies in another module. NULL if the program itself is at fault, or
 * nothing more is known. */
static const void *foreign_caller(const void *pc) {
  const void *module = module_of(pc);
  if (module == NULL || module == module_of((const void *)getauxval(AT_ENTRY)))
    return NULL;
  void *frames[MAX_FRAMES];
  int count = backtrace(frames, MAX_FRAMES);
  int i = 0;
  while (i < count && frames[i] != pc)
    i++;
  for (i++; i < count; i++)
    if (module_of(frames[i]) != module)
      return frames[i];
  return NULL;
}

/* Naming a place in the code takes some 16 KiB of stack. An alternate stack often has less, and running over its end
 * would destroy what the program keeps there: then addresses have to do, which addr2line can be asked about later. */
static bool has_room(void) {
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_ONSTACK) == 0)
    return true;
  return (uintptr_t)__builtin_frame_address(0) - (uintptr_t)stack.ss_sp >= LEAST_STACK;
}

static const char *place_name(const void *code) {
  if (has_room())
    vptr__callsite_describe(code, site, sizeof site);
  else
    snprintf(site, sizeof site, "%p (no names: the alternate signal stack is small)", code);
  return site;
}

/* A program that calls a device pointer as a function stands there already: its caller is the place to name. */
static void report_place(const ucontext_t *context, const void *address) {
  const void *pc = program_counter(context);
  const void *caller = NULL;
  if (pc == address)
    caller = return_address(context);
  else if (pc != NULL && has_room())
    caller = foreign_caller(pc);
  if (pc != NULL && pc != address)
    vptr__log_always("  at %s", place_name(pc));
  if (caller != NULL)
    vptr__log_always("  called from %s", place_name((const char *)caller - 1));
}

/* ---- the report ------------------------------------------------------------------------------------------ */

static void report_live(vptr_mapper *mapper, const vptr_location *location) {
  vptr_location nearest;
  vptr_status state;
  const void *made_at = NULL;
  vptr__log_always("  it lies %zu bytes into allocation #%" PRIu64 " of %zu bytes at %p", location->offset,
                   location->serial, location->size, location->base);
  if (vptr__heap_nearest(mapper->heap, location->base, &nearest, &state, &made_at) && made_at != NULL)
    vptr__log_always("  made at %s", place_name((const char *)made_at - 1));
}

static void report_dead(vptr_mapper *mapper, vptr_status status, const void *address) {
  if (has_room())
    vptr__mapper_describe(mapper, status, address, 1, text, sizeof text);
  else
    snprintf(text, sizeof text, "%p: %s", address, vptr_status_string(status));
  vptr__log_always("  %s", text);
}

static void report_access(const watched_signal *watched, vptr_mapper *mapper, const void *address,
                          const ucontext_t *context) {
  vptr_location location;
  vptr__log_always("%s: the host %s %p, a device pointer", watched->name, access_verb(context), address);
  vptr_status status = vptr__mapper_locate(mapper, address, 1, &location);
  if (status == VPTR_SUCCESS)
    report_live(mapper, &location);
  else
    report_dead(mapper, status, address);
  report_place(context, address);
  vptr__log_always("  the host reaches device memory by vptr_map() or vptr_memcpy() only");
}

/* ---- a kernel's fault ------------------------------------------------------------------------------------ */

/* Whether the code is a kernel's, by the name of its function or of the file that the driver compiled it to. */
static bool is_code_of(const void *pc, const vptr__flight *kernel) {
  Dl_info info;
  if (dladdr(pc, &info) == 0)
    return false;
  return (info.dli_sname != NULL && strstr(info.dli_sname, kernel->entry) != NULL) ||
         strstr(info.dli_fname, kernel->entry) != NULL;
}

static bool is_in_a_file(const void *pc) {
  Dl_info info;
  return dladdr(pc, &info) != 0;
}

/* Those that the instruction may belong to, first; 0: it is none of a kernel's, or there is no room to find out. */
static size_t find_suspects(const void *pc, vptr__flight *suspects) {
  size_t count = vptr__flight_list(suspects, VPTR__FLIGHTS), named = 0;
  if (count == 0 || !has_room())
    return 0;
  for (size_t i = 0; i < count; i++)
    if (is_code_of(pc, &suspects[i]))
      suspects[named++] = suspects[i];
  return named > 0 || is_in_a_file(pc) ? named : count;
}

typedef struct nearest_search {
  uint64_t address;
  vptr_mapper *mapper; /* NULL: none so far */
  vptr__survey_near near;
} nearest_search;

static void search_mapper(vptr_mapper *mapper, void *context) {
  nearest_search *search = context;
  vptr__survey_near near;
  if (!vptr__survey_nearest(mapper->heap, search->address, &near) ||
      (search->mapper != NULL && near.gap >= search->near.gap))
    return;
  search->mapper = mapper;
  search->near = near;
}

/* In the addresses that kernels see. */
static void report_nearest(const void *address) {
  nearest_search search = { .address = (uintptr_t)address };
  vptr_location location;
  vptr_status state;
  const void *made_at = NULL;
  vptr__mapper_each_unlocked(search_mapper, &search);
  if (search.mapper == NULL ||
      !vptr__heap_nearest(search.mapper->heap, search.near.ptr, &location, &state, &made_at)) {
    vptr__log_always("  no device memory that kernels were told of is near it");
    return;
  }
  uint64_t base = search.near.device_base + ((uintptr_t)location.base - search.near.base);
  uint64_t at = (uintptr_t)address;
  vptr__log_always("  the nearest allocation is #%" PRIu64 " of %zu bytes%s at %p, which kernels see at 0x%" PRIx64
                   ": the address is %" PRIu64 " bytes %s its %s",
                   location.serial, location.size, state == VPTR_SUCCESS ? "" : ", freed,", location.base, base,
                   at < base ? base - at : at - base, at < base ? "before" : "behind", "beginning");
  if (made_at != NULL)
    vptr__log_always("  made at %s", place_name((const char *)made_at - 1));
}

/* x86-64 tells no address where it is none that there could be. */
static void report_target(const siginfo_t *info) {
  if (info->si_code == SI_KERNEL)
    vptr__log_always("  the processor does not tell the address, for it has more bits than addresses have");
  else
    report_nearest(info->si_addr);
}

/* False if it was none of a kernel's, and nothing was said. */
VPTR__APART static bool report_kernel(const watched_signal *watched, const siginfo_t *info,
                                      const ucontext_t *context) {
  static vptr__flight suspects[VPTR__FLIGHTS];
  const void *pc = program_counter(context);
  size_t count = pc != NULL ? find_suspects(pc, suspects) : 0;
  if (count == 0)
    return false;
  char address[48] = "a wild address";
  if (info->si_code != SI_KERNEL)
    snprintf(address, sizeof address, "0x%" PRIxPTR ", where nothing is", (uintptr_t)info->si_addr);
  vptr__log_always("%s: kernel %s%s %s %s", watched->name, suspects[0].name,
                   count > 1 ? ", or another of those below," : "",
                   info->si_code == SI_KERNEL ? "touched" : access_verb(context), address);
  for (size_t i = 1; i < count; i++)
    vptr__log_always("  or kernel %s, which is under way too", suspects[i].name);
  report_target(info);
  vptr__log_always("  its pointers are wrong, or an index: VPTR_EXACT=1 and Oclgrind tell the line");
  return true;
}

/* Sleeps rather than spins: the other thread's report asks addr2line, for milliseconds. */
static void reporting_begin(void) {
  const struct timespec pause = { .tv_nsec = 1000000 };
  while (atomic_flag_test_and_set(&reporting))
    nanosleep(&pause, NULL);
}

static void reporting_end(void) {
  atomic_flag_clear(&reporting);
}

/* ---- the handler before us ------------------------------------------------------------------------------- */

/* A fault of the processor's comes again as soon as the instruction runs again, and dies of it there. A signal that a
 * program sent (kill, raise) does not, so it is sent anew; it waits until the handler returns. */
static void default_action(int number, const siginfo_t *info) {
  struct sigaction action = { .sa_handler = SIG_DFL };
  sigaction(number, &action, NULL);
  if (info->si_code <= 0)
    raise(number);
}

/* What the kernel would have done for it. The mask of our own action is the former one's, so that is in force. */
static void call_handler(const struct sigaction *before, int number, siginfo_t *info, void *context) {
  if (before->sa_flags & SA_NODEFER) {
    sigset_t self;
    sigemptyset(&self);
    sigaddset(&self, number);
    pthread_sigmask(SIG_UNBLOCK, &self, NULL);
  }
  if (before->sa_flags & SA_SIGINFO)
    before->sa_sigaction(number, info, context);
  else
    before->sa_handler(number);
}

/* Whether it wanted to be called once, and was: from then on it counts as the default action. The signal's action is
 * not reset meanwhile, for it may be that of a handler in front of ours (mirror/chain.h). */
static bool is_used_up(watched_signal *watched) {
  return (watched->before.sa_flags & SA_RESETHAND) != 0 && atomic_exchange(&watched->was_called, true);
}

/* The kernel lets nobody ignore a fault of the processor's, only a signal that was sent. */
static void pass_on(watched_signal *watched, siginfo_t *info, void *context) {
  const struct sigaction *before = &watched->before;
  bool is_function = (before->sa_flags & SA_SIGINFO) != 0;
  if (!is_function && before->sa_handler == SIG_IGN && info->si_code <= 0)
    return;
  if ((!is_function && (before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN)) || is_used_up(watched))
    default_action(watched->number, info);
  else
    call_handler(before, watched->number, info, context);
}

/* si_addr means something only if the kernel raised the signal (si_code > 0). */
static void handle_trap_signal(int number, siginfo_t *info, void *context) {
  watched_signal *watched = watch_of(number);
  vptr_mapper *mapper = info->si_code > 0 ? vptr__mapper_owning(info->si_addr) : NULL;
  bool may_be_a_kernels = info->si_code > 0 && vptr__flight_any();
  if (mapper != NULL || may_be_a_kernels) {
    int errno_before = errno;
    reporting_begin();
    if (!(may_be_a_kernels && report_kernel(watched, info, context)) && mapper != NULL)
      report_access(watched, mapper, info->si_addr, context);
    reporting_end();
    errno = errno_before;
  }
  pass_on(watched, info, context);
}

/* ---- installation ---------------------------------------------------------------------------------------- */

/* Ours takes over the mask and SA_RESTART of the one before, so that the latter runs in the world it asked for. */
static void install_handler(watched_signal *watched) {
  if (sigaction(watched->number, NULL, &watched->before) != 0)
    return;
  struct sigaction action = { .sa_sigaction = handle_trap_signal, .sa_mask = watched->before.sa_mask };
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (watched->before.sa_flags & SA_RESTART);
  watched->installed = sigaction(watched->number, &action, NULL) == 0;
}

void vptr__trap_install(void) {
  static atomic_flag done = ATOMIC_FLAG_INIT;
  if (!vptr__option_flag(VPTR__OPTION_TRAP) || atomic_flag_test_and_set(&done))
    return;
  vptr__flight_keep();
  void *frame;
  backtrace(&frame, 1);
  for (int i = 0; i < WATCHES; i++)
    install_handler(&watches[i]);
}

static void uninstall_handler(watched_signal *watched) {
  const struct sigaction none = { .sa_handler = SIG_DFL };
  sigaction(watched->number, is_used_up(watched) ? &none : &watched->before, NULL);
}

/* Should the library ever be unloaded, the handler's code is gone, so the former one gets its place back, unless it was
 * called once and wanted no more; and unless somebody else has taken the place meanwhile, who may still call us: then
 * there is nothing that we could do. */
__attribute__((destructor)) static void uninstall_handlers(void) {
  for (int i = 0; i < WATCHES; i++) {
    struct sigaction now;
    if (watches[i].installed && sigaction(watches[i].number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
        now.sa_sigaction == handle_trap_signal)
      uninstall_handler(&watches[i]);
  }
}
