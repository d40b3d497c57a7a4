/* SPDX-License-Identifier: MIT */
/* child - another program, whose lines are read while it runs. */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Where the program of that name is: in this one's folder or the one above, since libtool keeps what it links in a
 * folder of its own. False if it can be executed in neither.
 */
bool child_find(const char *name, char *path_out, size_t size);

/* A line of the child's stdout without its end; false: no more is wanted, and the child is ended. */
typedef bool (*child_line)(void *to, char *line);

/*
 * Runs arguments[0] to its end; its stderr is this program's. status_out: its exit status, or 128 and the signal that
 * ended it. False if it could not be started or read, which has been said on stderr, or if a line was refused.
 */
bool child_run(const char *const *arguments, child_line take, void *to, int *status_out);

#endif
