/* SPDX-License-Identifier: MIT */
/* stream_attribute - what is kept of streams' attributes goes when they do. See stream_attribute.c. */
#ifndef VPTR_CUDA_STREAM_ATTRIBUTE_H
#define VPTR_CUDA_STREAM_ATTRIBUTE_H

#include "stream/stream.h"

/* The priority that a stream was told last; at first the one that it was made with. */
int vptr__cuda_stream_priority(const vptr__stream *stream);

/* Of a stream that has ended, by its number, and of all streams of a mapper. */
void vptr__cuda_stream_attributes_forget(uint64_t id);
void vptr__cuda_stream_attributes_forget_all(const vptr_mapper *mapper);

#endif
