/* SPDX-License-Identifier: MIT */
/*
 * child - a folder of one's own, and a program that works in it.
 */
#ifndef VPTR_NVRTC_CHILD_H
#define VPTR_NVRTC_CHILD_H

#include "nvrtc/text.h"

/* Makes a folder in TMPDIR, or /tmp; *path_out is vptr__memory_free()'s. False: the reason is in errno. */
bool vptr__nvrtc_folder_make(char **path_out);

/* With all that is in it. */
void vptr__nvrtc_folder_remove(const char *path);

/* A file in it, by a name that may have folders. False: it could not be written whole, or the name leads elsewhere. */
bool vptr__nvrtc_folder_write(const char *folder, const char *name, const char *bytes, size_t length);

/* Appends a file's bytes. False: there is none that could be read. */
bool vptr__nvrtc_folder_read(const char *folder, const char *name, vptr__nvrtc_text *text);

/* Runs command[0], searched for in PATH, with its output and its messages in the file `log` of the folder, and waits
 * for it. False: it could not be started. How it ended is not told: who ignores SIGCHLD cannot know. */
bool vptr__nvrtc_child_run(char *const *command, const char *folder, const char *log);

#endif
