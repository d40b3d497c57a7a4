/* SPDX-License-Identifier: MIT */
/*
 * joined - a joint device for tests: three fake devices, or two of PoCL's, and a kernel.
 */
#ifndef VPTR_TESTS_JOINED_H
#define VPTR_TESTS_JOINED_H

#include "device/device.h"

/* Buffers of so many bytes and more are cut into stripes. */
enum { JOINED_STRIPE_FROM = 65536 };

typedef struct joined_words {
  cl_mem buffer;
  size_t offset; /* bytes, a multiple of 4 */
} joined_words;

/* In main(), before support_run(). */
void joined_begin(void);
vptr__device *joined_open(void);

/* Closes it, and releases what was made for it. Nothing is left: as many blocks of memory are live as were before. */
void joined_close(vptr__device *device, cl_program program, cl_kernel kernel, long live_before);

/* A buffer, all of whose bytes are this one. */
cl_mem joined_make(vptr__device *device, size_t bytes, unsigned char byte);

/* to = 31 to + from, word by word: a kernel, its launch, and what it does, on the host. */
cl_kernel joined_kernel(vptr__device *device, cl_program *program_out);
vptr_status joined_launch(vptr__device *device, cl_command_queue queue, cl_kernel kernel, const joined_words *to,
                          const joined_words *from, size_t words, cl_event *event_out);
void joined_stir(unsigned char *to, const unsigned char *from, size_t words);

#endif
