/* SPDX-License-Identifier: MIT */
/*
 * stream_attribute - the attributes that a stream was given: the priority, and forgetting them; see stream_attribute.c.
 *
 * Lock: one, the static `lock` of stream_attribute.c, of rank LEAF, guards the list of them. Called by stream_query.c,
 * for the priority, by stream.c, when a stream is destroyed, and by reset.c.
 */
#ifndef VPTR_CUDA_STREAM_ATTRIBUTE_H
#define VPTR_CUDA_STREAM_ATTRIBUTE_H

#include "stream/stream.h"

/* The priority that a stream was told last; at first the one that it was made with. */
int vptr__cuda_stream_priority(const vptr__stream *stream);

/* Of a stream that has ended, by its number, and of all streams of a mapper. */
void vptr__cuda_stream_attributes_forget(uint64_t id);
void vptr__cuda_stream_attributes_forget_all(const vptr_mapper *mapper);

#endif
