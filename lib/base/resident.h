/* SPDX-License-Identifier: MIT */
/*
 * resident - keeps the library loaded until the process ends.
 *
 * For a library that was opened with dlopen(): once a thread of it runs, or the C library will call it when a thread
 * ends, dlclose() must not take its code away. Called the first time one of the two comes to be.
 */
#ifndef VPTR_BASE_RESIDENT_H
#define VPTR_BASE_RESIDENT_H

void vptr__stay_resident(void);

#endif
