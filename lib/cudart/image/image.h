/* SPDX-License-Identifier: MIT */
/*
 * image - OpenCL images of a mapper's device, for arrays and textures: made, over memory or by themselves, moved,
 * released. What an image is made of (format, extent, buffer) is device/device.h's vptr__image.
 *
 * A full device gives up what it can before an image or a staging buffer is refused, as it does for allocations and by
 * the same function (mapper/reclaim.h). Commands keep the images and buffers that they use alive.
 *
 * Thread-safe, no data, and no locks of its own: the callers hold those that guard an image, `lock` of cuda/array.c, of
 * rank ARRAY, for an array's. Making one takes locks of those who make room: of rank MIRROR, of rank POOL, and behind
 * these. Called by cuda/array.c, array_copy.c, texture.c and texture_object.c.
 */
#ifndef VPTR_IMAGE_IMAGE_H
#define VPTR_IMAGE_IMAGE_H

#include <stddef.h>

#include "device/device.h"
#include "mapper/mapper.h"
#include "stream/stream.h"

/* An image with memory of its own, into image->memory, for vptr__image_release(). Errors: OUT_OF_DEVICE_MEMORY,
 * UNSUPPORTED, and the driver's. */
vptr_status vptr__image_make(vptr_mapper *mapper, vptr__image *image);

/* The device memory that an image is to be of, as image->buffer, retained: `bytes` from ptr on, which lies in the
 * mapper's memory. what: for messages, the call. Errors: those of a look-up; INVALID_ARGUMENT if ptr is not aligned
 * as images of the device are. */
vptr_status vptr__image_hold_memory(vptr_mapper *mapper, const char *what, const void *ptr, size_t bytes,
                                    vptr__image *image);

/* The same for what kernels read by its address alone: there is never an image of it, and ptr is aligned to
 * image->element. */
vptr_status vptr__image_keep_memory(vptr_mapper *mapper, const char *what, const void *ptr, size_t bytes,
                                    vptr__image *image);
void vptr__image_let_go_of_memory(const vptr_mapper *mapper, vptr__image *image);

/* An image of that memory, which it keeps alive, into image->memory. Errors: the driver's. */
vptr_status vptr__image_make_over(vptr_mapper *mapper, vptr__image *image);

void vptr__image_retain(const vptr_mapper *mapper, const vptr__image *image);
void vptr__image_release(const vptr_mapper *mapper, const vptr__image *image);

/* A staging buffer; the commands that use it keep it, and the caller releases it once they are queued. Not between
 * vptr__stream_begin() and _end(): a full device makes room as mapper/reclaim.h says. */
vptr_status vptr__image_stage_make(vptr_mapper *mapper, size_t bytes, cl_mem *stage_out);
void vptr__image_stage_release(const vptr_mapper *mapper, cl_mem stage);

/* Queues moving elements of one image to another, or within one, through a staging buffer that holds all of them:
 * formats may differ, but not the bytes of an element. Between vptr__stream_begin() and _end(). The event is the last
 * command's, not noted yet. */
vptr_status vptr__image_move(vptr__stream *stream, cl_command_queue queue, const vptr__image *from,
                             const size_t from_at[3], const vptr__image *to, const size_t to_at[3],
                             const size_t region[3], cl_mem stage, cl_event *event_out);

/* Notes a command that another one follows, which then has room to be noted too. */
vptr_status vptr__image_note_step(vptr__stream *stream, cl_event event);

/* How kernels read an image; for vptr__image_sampler_release(). */
vptr_status vptr__image_sampler_make(const vptr_mapper *mapper, const vptr__sampler *how, cl_sampler *sampler_out);
void vptr__image_sampler_release(const vptr_mapper *mapper, cl_sampler sampler);

#endif
