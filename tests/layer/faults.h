/* SPDX-License-Identifier: MIT */
/*
 * faults - calls of the device under test fail on demand, whichever device that is: of the fake device its operations,
 * of an OpenCL platform every OpenCL call, by the layer (layer.h).
 *
 *     bool has_fired = true;
 *     for (long n = 1; has_fired; n++) {
 *       faults_plant(n, CL_OUT_OF_RESOURCES);
 *       ... a piece of work ...
 *       has_fired = faults_pull();
 *       ... all is as before the work, or as after it ...
 *     }                                                       every call of the work has failed once
 */
#ifndef VPTR_TESTS_FAULTS_H
#define VPTR_TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "layer/layer.h"

/* In main(), before support_run(): puts the layer in place where the device is an OpenCL platform's. */
void faults_begin(void);

/* Whether calls of the device can fail here: not where there is no layer, or the loader takes none. */
bool faults_can(void);

/* The n-th call from now on fails with the code (1: the next), once. In a row: so many do on the fake device, from the
 * n-th on; elsewhere one does. */
void faults_plant(long n, cl_int code);
void faults_plant_in_a_row(long n, long count, cl_int code);

/* None does any more. Whether the one that was planted last has failed, now and until the next is planted; and the name
 * of the OpenCL call, "" on the fake device. */
bool faults_pull(void);
bool faults_have_fired(void);
const char *faults_where(void);

/* Buffers, queues and contexts that are held: of what fails nothing may be left. */
size_t faults_objects(void);

#endif
