/* SPDX-License-Identifier: MIT */
/*
 * opencl - the device that is an OpenCL device, in private.
 *
 *     opencl.c           opening and closing: context, queues, what the device says of itself
 *     opencl_buffer.c    making, committing and releasing buffers
 *     opencl_transfer.c  moving bytes
 *     opencl_fill.c      filling
 *     opencl_blit.c      filling and copying by kernels of our own; opencl_blit_rect.c of rects, and
 *                        opencl_blit_set.c what there are no commands for
 *     opencl_trial.c     which of several ways is the quickest
 *     opencl_queue.c     queues: making them, those that others brought, and waiting
 *     opencl_command.c   commands that do not wait
 *     opencl_rect.c      the same of rects: rows and slices with gaps
 *     opencl_event.c     whether commands are done, and when they were
 *     opencl_image.c     images and samplers, and moving elements
 *     opencl_kernel.c    kernel arguments
 *     opencl_program.c   programs and kernels
 *     opencl_helper.c    kernels of the library's own, from disk where they were compiled before
 *     opencl_address.c   the device's own addresses
 *     opencl_pin.c       host memory for the device's use
 *     opencl_span.c      buffers one behind the other
 *     opencl_system.c    plain memory of the process as kernels see it
 *
 * Two queues: the device's queue carries what the user asks for, in order with the user's kernels. The service
 * queue carries what vptr needs for itself, committing buffers and asking for addresses, so that an allocation
 * does not wait behind a long kernel, nor hear of an error that is not its own.
 *
 * The device's lock is vptr__opencl.lock, of rank DEVICE: it guards what stands behind it in the structure
 * vptr__opencl, of which there is one for each device that is open. What stands before it is set once, or atomic.
 * Operations are called through the device's table (device.h), which opencl.c fills, by every folder that sends
 * commands or makes buffers; the other functions are for the files above.
 */
#ifndef VPTR_DEVICE_OPENCL_H
#define VPTR_DEVICE_OPENCL_H

#include "base/lock.h"
#include "device/device.h"

/* A queue that the user named, in a list by rising number. */
typedef struct vptr__opencl_queue {
  struct vptr__opencl_queue *next;
  uint64_t number;        /* never used again: how finish finds its place in a list that changes */
  cl_command_queue queue; /* retained */
  bool of_program;        /* named by it, and not a stream's */
  bool listed;            /* in the list: next is right */
  unsigned users;         /* the list, and each thread that waits for the queue; the last one releases it */
} vptr__opencl_queue;

typedef enum vptr__opencl_verdict {
  VPTR__OPENCL_UNKNOWN, /* not tried yet, or the try was cut short by some other error */
  VPTR__OPENCL_YES,
  VPTR__OPENCL_NO
} vptr__opencl_verdict;

/* What device addresses need; see opencl_address.c. */
typedef struct vptr__opencl_address {
  vptr__opencl_verdict verdict;
  cl_program program; /* these are there once the verdict is YES and somebody has asked for an address */
  cl_kernel tell;
  cl_mem answer;
} vptr__opencl_address;

/* Ways to do one thing, under trial; see opencl_trial.c. */
enum { VPTR__OPENCL_TRIAL_WAYS = 8, VPTR__OPENCL_TRIAL_ROUNDS = 3 };

typedef enum vptr__opencl_trial_state {
  VPTR__OPENCL_TRIAL_NONE,
  VPTR__OPENCL_TRIAL_SENT,
  VPTR__OPENCL_TRIAL_OVER,  /* ns is there */
  VPTR__OPENCL_TRIAL_FAILED /* and not tried again */
} vptr__opencl_trial_state;

typedef struct vptr__opencl_trial {
  vptr__opencl_trial_state state;
  unsigned ways;
  cl_command_queue queue; /* these three while it is SENT */
  unsigned sent;
  cl_event events[VPTR__OPENCL_TRIAL_WAYS * (VPTR__OPENCL_TRIAL_ROUNDS + 1)];
  uint64_t ns[VPTR__OPENCL_TRIAL_WAYS]; /* of each way, at best */
} vptr__opencl_trial;

/* Kernels that fill and copy; see opencl_blit.c. */
enum { VPTR__OPENCL_BLIT_KERNELS = 10 };

typedef struct vptr__opencl_blit {
  vptr__opencl_verdict verdict; /* whether there are kernels */
  cl_program program;
  cl_kernel kernels[VPTR__OPENCL_BLIT_KERNELS];
  vptr__opencl_trial fill, copy, rect;
} vptr__opencl_blit;

typedef struct vptr__opencl {
  vptr__device device; /* first: the two are converted into each other */
  cl_command_queue service;
  unsigned counter; /* of its buffers' bytes; 0: they are not counted; see opencl_buffer.c */
  atomic_bool detours_layers; /* between buffers and layers of one row; see opencl_image.c */
  _Atomic(vptr__opencl_verdict) takes_system; /* found under the lock; see opencl_system.c */

  vptr__lock lock; /* rank DEVICE: guards what follows */
  vptr__opencl_queue *queues;
  uint64_t queues_named; /* ever */
  vptr__opencl_address address;
  vptr__opencl_blit blit;
  cl_command_queue untimed; /* what the device's queue was before it kept times; NULL: it does not */
  vptr__opencl_verdict shares; /* whether the device works on host memory in place; see opencl_pin.c */
} vptr__opencl;

static inline vptr__opencl *vptr__opencl_of(vptr__device *device) {
  return (vptr__opencl *)device;
}

/* opencl_buffer.c */
/* Counting of buffers: takes bytes, false: there are not so many; a ticket says what was taken of which device. */
bool vptr__opencl_count_take(const vptr__opencl *opencl, size_t bytes);
void *vptr__opencl_count_ticket(const vptr__opencl *opencl, size_t bytes);
void vptr__opencl_count_give(void *ticket);
uint64_t vptr__opencl_count_used(const vptr__opencl *opencl);
vptr_status vptr__opencl_buffer_of(vptr__device *device, const void *bytes, size_t size, cl_mem *buffer_out);
vptr_status vptr__opencl_buffer_create(vptr__device *device, size_t bytes, cl_mem *buffer_out);
void vptr__opencl_count_buffers(vptr__opencl *opencl); /* of a device that is described, where they are to be */
/* opencl_fill.c: all of a buffer's bytes, without the trials that other fills may begin with. */
cl_int vptr__opencl_set_whole(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t bytes,
                              unsigned char byte, cl_event *event_out);
/* opencl_buffer.c, too: the device's operations on buffers. */
vptr_status vptr__opencl_buffer_create_set(vptr__device *device, size_t bytes, unsigned char byte, cl_mem *buffer_out);
void vptr__opencl_buffer_retain(vptr__device *device, cl_mem buffer);
void vptr__opencl_buffer_release(vptr__device *device, cl_mem buffer);
vptr_status vptr__opencl_sub_buffer(vptr__device *device, cl_mem root, size_t origin, size_t size,
                                    cl_mem *buffer_out);
vptr_status vptr__opencl_sub_buffer_set(vptr__device *device, cl_mem root, size_t origin, size_t size,
                                        unsigned char byte, cl_mem *buffer_out);
bool vptr__opencl_buffer_is_shared(vptr__device *device, cl_mem buffer);

/* Bytes of a buffer as one of its own, or of the buffer that it is a part of, for OpenCL has no parts of parts. */
cl_int vptr__opencl_part(cl_mem buffer, size_t origin, size_t size, cl_mem *part_out);
vptr_status vptr__opencl_buffer_size(vptr__device *device, cl_mem buffer, size_t *bytes_out);

/* opencl_transfer.c */
vptr_status vptr__opencl_write(vptr__device *device, cl_mem buffer, size_t offset, const void *from, size_t size);
vptr_status vptr__opencl_read(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size);
vptr_status vptr__opencl_copy(vptr__device *device, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                              size_t size);
vptr_status vptr__opencl_map(vptr__device *device, cl_mem buffer, size_t offset, size_t size, vptr_access access,
                             void **host_out);
vptr_status vptr__opencl_unmap(vptr__device *device, cl_mem buffer, void *host);

/* opencl_image.c */
vptr_status vptr__opencl_image_create(vptr__device *device, vptr__image *image);
vptr_status vptr__opencl_sampler_create(vptr__device *device, const vptr__sampler *what, cl_sampler *sampler_out);
void vptr__opencl_sampler_release(vptr__device *device, cl_sampler sampler);
vptr_status vptr__opencl_enqueue_image_write(vptr__device *device, cl_command_queue queue, const vptr__image *to,
                                             const size_t origin[3], const size_t region[3], const void *from,
                                             size_t from_row, size_t from_slice, cl_event *event_out);
vptr_status vptr__opencl_enqueue_image_read(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                            const size_t origin[3], const size_t region[3], void *to, size_t to_row,
                                            size_t to_slice, cl_event *event_out);
vptr_status vptr__opencl_enqueue_image_copy(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                            const size_t from_origin[3], const vptr__image *to,
                                            const size_t to_origin[3], const size_t region[3], cl_event *event_out);
vptr_status vptr__opencl_enqueue_image_from_buffer(vptr__device *device, cl_command_queue queue, cl_mem from,
                                                   size_t offset, const vptr__image *to, const size_t origin[3],
                                                   const size_t region[3], cl_event *event_out);
vptr_status vptr__opencl_enqueue_image_to_buffer(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                                 const size_t origin[3], const size_t region[3], cl_mem to,
                                                 size_t offset, cl_event *event_out);

/* opencl_program.c */
cl_program vptr__opencl_program_make(const vptr__device *device, const vptr__program_source *source,
                                     cl_int *code_out);
vptr_status vptr__opencl_program_build(vptr__device *device, const vptr__program_source *source,
                                       cl_program *program_out);
vptr_status vptr__opencl_program_binary(vptr__device *device, cl_program program, unsigned char **binary_out,
                                        size_t *size_out);
void vptr__opencl_program_release(vptr__device *device, cl_program program);
vptr_status vptr__opencl_kernel_create(vptr__device *device, cl_program program, const char *name,
                                       cl_kernel *kernel_out);
void vptr__opencl_kernel_release(vptr__device *device, cl_kernel kernel);
vptr_status vptr__opencl_kernel_limits(vptr__device *device, cl_kernel kernel, vptr__kernel_limits *limits_out);
vptr_status vptr__opencl_enqueue_kernel(vptr__device *device, cl_command_queue queue, cl_kernel kernel,
                                        const size_t offset[3], const size_t global[3], const size_t local[3],
                                        cl_event *event_out);

/* opencl_fill.c */
vptr_status vptr__opencl_fill(vptr__device *device, cl_mem buffer, size_t offset, size_t size,
                              const void *pattern, size_t pattern_size);
vptr_status vptr__opencl_enqueue_fill(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                      size_t size, const void *pattern, size_t pattern_size, cl_event *event_out);

/* opencl_trial.c */
typedef cl_int vptr__opencl_trial_way(void *context, unsigned way, cl_command_queue queue, cl_event *event_out);

/* Sends the trial, and does not wait. false: it failed, and nothing of it is left. context is not kept. */
bool vptr__opencl_trial_begin(vptr__device *device, vptr__opencl_trial *trial, unsigned ways,
                              vptr__opencl_trial_way *way, void *context);

/* Whether a trial that was under way has just ended, well or badly. */
bool vptr__opencl_trial_look(vptr__opencl_trial *trial);
void vptr__opencl_trial_fini(vptr__opencl_trial *trial);

/* opencl_blit.c: each queues a kernel that does what the command would. false: nothing was queued, and nothing said;
 * it has to be the command. Ranges are those of the device's operations. */
bool vptr__opencl_blit_fill(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset, size_t size,
                            const void *pattern, size_t pattern_size, cl_event *event_out);
bool vptr__opencl_blit_copy(vptr__device *device, cl_command_queue queue, cl_mem from, size_t from_offset, cl_mem to,
                            size_t to_offset, size_t size, cl_event *event_out);
void vptr__opencl_blit_fini(vptr__opencl_blit *blit);

/* opencl_blit_rect.c: the same. No size of the region is 0. */
bool vptr__opencl_blit_copy_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                const vptr__rect *to, const size_t region[3], cl_event *event_out);

/* opencl_blit_set.c */
bool vptr__opencl_enqueue_set(vptr__device *device, cl_command_queue queue, const vptr__rect *to,
                              const size_t region[3], const unsigned char *pattern, cl_event *event_out);

/* opencl_blit.c, for these two files, under vptr__opencl.lock: whether there are kernels, made now if need be; and one
 * of them sent. */
typedef struct vptr__opencl_blit_arg {
  size_t size;
  const void *value;
} vptr__opencl_blit_arg;

bool vptr__opencl_blit_ready(vptr__opencl *opencl);
cl_int vptr__opencl_blit_send(cl_command_queue queue, cl_kernel kernel, const vptr__opencl_blit_arg *args,
                              unsigned count, size_t items, cl_event *event_out);

/* opencl_queue.c */
vptr_status vptr__opencl_finish(vptr__device *device);
vptr_status vptr__opencl_queue_use(vptr__device *device, cl_command_queue queue);
vptr_status vptr__opencl_queue_adopt(vptr__device *device, cl_command_queue queue);
vptr_status vptr__opencl_settle(vptr__device *device);
vptr_status vptr__opencl_queue_drop(vptr__device *device, cl_command_queue queue);
void vptr__opencl_queue_forget_all(vptr__opencl *opencl);

vptr_status vptr__opencl_queue_create(vptr__device *device, int priority, bool timed, cl_command_queue *queue_out);
vptr_status vptr__opencl_queue_time(vptr__device *device);
void vptr__opencl_queue_release(vptr__device *device, cl_command_queue queue);
vptr_status vptr__opencl_queue_flush(vptr__device *device, cl_command_queue queue);
vptr_status vptr__opencl_queue_finish(vptr__device *device, cl_command_queue queue);

/* Waits for one command and releases its event: the code that the command ended with. */
cl_int vptr__opencl_await(cl_event event);

/* opencl_command.c */
vptr_status vptr__opencl_enqueue_write(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                       const void *from, size_t size, cl_event *event_out);
vptr_status vptr__opencl_enqueue_read(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                      void *to, size_t size, cl_event *event_out);
vptr_status vptr__opencl_enqueue_copy(vptr__device *device, cl_command_queue queue, cl_mem from, size_t from_offset,
                                      cl_mem to, size_t to_offset, size_t size, cl_event *event_out);
vptr_status vptr__opencl_enqueue_barrier(vptr__device *device, cl_command_queue queue, cl_uint count,
                                         const cl_event *events, cl_event *event_out);

/* What a command of no bytes is. */
vptr_status vptr__opencl_enqueue_nothing(cl_command_queue queue, cl_event *event_out);

/* opencl_rect.c */
vptr_status vptr__opencl_enqueue_write_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *to,
                                           const void *from, size_t from_row, size_t from_slice,
                                           const size_t region[3], cl_event *event_out);
vptr_status vptr__opencl_enqueue_read_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                          void *to, size_t to_row, size_t to_slice, const size_t region[3],
                                          cl_event *event_out);
vptr_status vptr__opencl_enqueue_copy_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                          const vptr__rect *to, const size_t region[3], cl_event *event_out);

/* opencl_helper.c: a program from its text, or from disk if this driver has compiled it before; and whether a trial
 * with these kernels has succeeded before, on this device with this driver. */
cl_int vptr__opencl_helper_build(vptr__device *device, const char *text, cl_program *program_out);
bool vptr__opencl_helper_recalls(const vptr__device *device, const char *text);
void vptr__opencl_helper_remember(const vptr__device *device, const char *text);

/* opencl_event.c */
void vptr__opencl_event_retain(vptr__device *device, cl_event event);
void vptr__opencl_event_release(vptr__device *device, cl_event event);
vptr_status vptr__opencl_event_wait(vptr__device *device, cl_event event);
vptr_status vptr__opencl_event_state(vptr__device *device, cl_event event, cl_int *state_out);
vptr_status vptr__opencl_event_times(vptr__device *device, cl_event event, uint64_t *begin_out, uint64_t *end_out);
vptr_status vptr__opencl_event_notify(vptr__device *device, cl_event event, vptr__notify *notify, void *context);
vptr_status vptr__opencl_user_event(vptr__device *device, cl_event *event_out);
vptr_status vptr__opencl_user_event_set(vptr__device *device, cl_event event, cl_int state);

/* The code that a command failed with, where waiting for it returned waited. */
cl_int vptr__opencl_event_code(cl_event event, cl_int waited);

/* opencl_kernel.c */
vptr_status vptr__opencl_arg_buffer(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer);
vptr_status vptr__opencl_arg_value(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value,
                                   size_t size);
vptr_status vptr__opencl_arg_local(vptr__device *device, cl_kernel kernel, cl_uint index, size_t size);
vptr_status vptr__opencl_arg_address(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address);

/* opencl_span.c */
vptr_status vptr__opencl_row_create(vptr__device *device, size_t bytes, size_t part_bytes, vptr__row **row_out);
void vptr__opencl_row_release(vptr__device *device, vptr__row *row);
vptr_status vptr__opencl_row_part(vptr__device *device, vptr__row *row, size_t index, unsigned char byte,
                                  cl_mem *buffer_out);

/* opencl_pin.c */
vptr_status vptr__opencl_pin_host(vptr__device *device, void *host, size_t size, cl_mem *pin_out);
void vptr__opencl_unpin_host(vptr__device *device, cl_mem pin, void *host);
vptr_status vptr__opencl_share_host(vptr__device *device, void *host, size_t size, cl_mem *buffer_out);

/* opencl_address.c */
vptr_status vptr__opencl_takes_addresses(vptr__device *device, bool *takes_out);
vptr_status vptr__opencl_buffer_address(vptr__device *device, cl_mem buffer, uint64_t *address_out);
void vptr__opencl_address_fini(vptr__opencl_address *address);

/* What the device has of shared virtual memory: 0 where its driver has not even the calls. */
cl_int vptr__opencl_shared_virtual(const vptr__device *device, cl_device_svm_capabilities *svm_out);

/* Whether an error is a device's answer to a trial, and no accident. */
bool vptr__opencl_is_refusal(cl_int code);

/* opencl_system.c */
bool vptr__opencl_takes_system(vptr__device *device);

#endif
