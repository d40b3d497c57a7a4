/* SPDX-License-Identifier: MIT */
/*
 * crash - for programs that run on NVIDIA's libraries, which may crash over what they are given: where the program was.
 *
 * A program notes lines as it goes. Ours are to crash as they are, so that debuggers find them; under ON_NVIDIA alone.
 */
#ifndef VPTR_TESTS_CRASH_H
#define VPTR_TESTS_CRASH_H

#ifdef ON_NVIDIA
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static const char *volatile crash_file = "the program";
static volatile int crash_line;

static void crash_tell(int number) {
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
#else
#define CRASH_NOTE(file, line) ((void)0)
#endif

#endif
