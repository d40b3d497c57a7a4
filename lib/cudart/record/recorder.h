/* SPDX-License-Identifier: MIT */
/*
 * recorder - launches, written into the file of VPTR_RECORD with the memory that they reach, before and after.
 *
 * It is a watcher of launches (module/module.h), which there is only if the variable was set when the library was
 * loaded; otherwise a launch pays for one branch that is never taken. A launch that is recorded waits for its device
 * before, so that what is read is what the kernel will see, and for itself after. The host keeps a copy of what it
 * reaches for that time.
 *
 * What cannot be recorded is sent as ever, and a line on stderr says which launch was left out and why. No error of
 * the recorder's becomes the program's.
 *
 * Thread-safe. Of the static `recorder` of recorder.c the range is set once, by the first launch that is watched; its
 * counts are atomic; there is no lock here. Which modules are in the file is file.c's, under its lock. Used by
 * cuda/launch.c, when the library is loaded.
 */
#ifndef VPTR_RECORD_RECORDER_H
#define VPTR_RECORD_RECORDER_H

/* Begins to watch, if VPTR_RECORD is set. */
void vptr__recorder_watch(void);

#endif
