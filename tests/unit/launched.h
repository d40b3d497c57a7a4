/* SPDX-License-Identifier: MIT */
/*
 * launched - the fixture of tests that launch kernels of a module on the fake device, which tells addresses: its
 * mapper, the module, and a stream that waits for no other. A test defines what stands for the kernels before.
 */
#ifndef VPTR_TESTS_LAUNCHED_H
#define VPTR_TESTS_LAUNCHED_H

#include "module/module.h"
#include "stream/stream.h"

extern vptr_mapper *launched_mapper;
extern vptr__module *launched_module;
extern vptr__stream *launched_stream;

/* The text is kept by the caller. */
void launched_begin(const char *text);

/* Of what the mapper has, nothing is left. */
void launched_end(void);

#endif
