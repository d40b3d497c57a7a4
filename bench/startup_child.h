/* SPDX-License-Identifier: MIT */
/*
 * startup_child - what the small programs of the startup benchmark tell the one that started them.
 *
 * They are programs of their own since the loader's work counts too: what a program pays that is linked with vptr.
 * All that they tell is one line of numbers on stdout; times are of the system's monotonic clock, which all processes
 * share. A header and no source: neither may be linked with more than it is there to measure.
 */
#ifndef BENCH_STARTUP_CHILD_H
#define BENCH_STARTUP_CHILD_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static inline unsigned long long startup_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}

static inline unsigned startup_threads(void) {
  unsigned count = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (const struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;)
    count += task->d_name[0] != '.';
  if (tasks != NULL)
    closedir(tasks);
  return count;
}

/* KiB of a line of smaps_rollup; 0 where there is none. */
static inline unsigned long startup_kib(const char *name) {
  char line[256];
  unsigned long kib = 0;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, name, strlen(name)) == 0)
      sscanf(line + strlen(name), ": %lu", &kib);
  if (file != NULL)
    fclose(file);
  return kib;
}

/* When main() began, when the device was ready or the kernel had ended, what processor time the process had used by
 * then in ns, and what else it has now. */
static inline int startup_report(unsigned long long entered, unsigned long long ready, unsigned long long used) {
  unsigned threads = startup_threads();
  unsigned long resident = startup_kib("Rss"), written = startup_kib("Private_Dirty");
  int length = printf("%llu %llu %llu %u %lu %lu\n", entered, ready, used, threads, resident, written);
  return length > 0 && fflush(stdout) == 0 ? 0 : 1;
}

#endif
