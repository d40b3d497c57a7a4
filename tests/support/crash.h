/* SPDX-License-Identifier: MIT */
/*
 * crash - for programs that run on NVIDIA's libraries, which may crash over what they are given: where the program was.
 *
 * A program notes lines as it goes. Behind CRASH_RETURNS(1) a crash goes back to CRASHED, once, so that a wrong
 * argument that NVIDIA's does not look at leaves the others to be tried. Ours are to crash as they are, so that
 * debuggers find them: all of it is there under ON_NVIDIA alone.
 */
#ifndef VPTR_TESTS_CRASH_H
#define VPTR_TESTS_CRASH_H

#ifdef ON_NVIDIA
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static const char *volatile crash_file = "the program";
static volatile int crash_line, crash_returns;
static sigjmp_buf crash_return;

static void crash_tell(int number) {
  if (crash_returns) {
    crash_returns = 0;
    siglongjmp(crash_return, 1);
  }
  printf("signal %d at or behind %s:%d\n", number, crash_file, crash_line);
  fflush(stdout);
  _Exit(1);
}

__attribute__((constructor)) static void crash_begin(void) {
  signal(SIGSEGV, crash_tell);
  signal(SIGABRT, crash_tell);
  signal(SIGFPE, crash_tell);
}

#define CRASH_NOTE(file, line) (crash_file = (file), crash_line = (line))
#define CRASH_RETURNS(whether) (crash_returns = (whether))
#define CRASHED (sigsetjmp(crash_return, 1) != 0)
#else
#define CRASH_NOTE(file, line) ((void)0)
#define CRASH_RETURNS(whether) ((void)0)
#define CRASHED false
#endif

#endif
