/* SPDX-License-Identifier: MIT */
/*
 * proxy - a device that stands for another one, which can be exchanged for a third while all handles stay.
 *
 * Whatever the library holds of a device it has from the table of device.h: buffers, queues, events, programs, kernels,
 * images, samplers. A proxy gives handles of its own for them, each a structure with the object of the device behind
 * it:
 *
 *     heap, streams, modules ...  --->  handle  --->  object of the device that is behind the proxy now
 *
 * So who exchanges that device goes through the lists of handles, makes each object anew, moves its bytes, and nobody
 * above has anything to change (proxy_move.c). What they read of the device itself (its name, limits, what is quick on
 * it) is a face: a vptr__device with the proxy's table. An exchange makes a new face; the old ones stay as long as the
 * proxy and work as well, so whoever read a pointer to one before has nothing stale but what it describes.
 *
 * Every operation passes a gate. An exchange closes it: who comes then waits, but not who has a lock or a duty
 * (base/lock.h) or another hold, for those who are inside may need him before they come out. So they do come out, work
 * ends, and when nobody is inside the gate is shut for all, as long as the exchange takes. Operations that only wait
 * for work (an event, a queue) do it outside, and keep the device that they wait on from being closed. Whoever needs
 * several operations on one device, since an address is good on one device only, holds it (vptr__device_hold()).
 *
 * vptr__proxy.lock, of rank LEAF, guards the gate and the lists; it is not held while a device works. What a handle
 * means is written with the gate shut, and read inside; its counts are atomic. Used by the files of this list; those
 * above come through the device's table, and by the functions in device.h.
 *
 *     proxy.c            opening, closing, the gate, faces
 *     proxy_buffer.c     buffers, and host memory that is made fit
 *     proxy_transfer.c   copies and fills
 *     proxy_queue.c      queues
 *     proxy_event.c      events
 *     proxy_image.c      images and samplers
 *     proxy_kernel.c     programs and kernels
 *     proxy_quiet.c      when the gate is shut for an exchange
 *     proxy_move.c       the exchange: which steps, and back
 *     proxy_copy.c       bytes from device to device
 */
#ifndef VPTR_DEVICE_PROXY_H
#define VPTR_DEVICE_PROXY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lock.h"
#include "device/device.h"

/* A handle's place in the list of its kind, in the order in which they were made. */
typedef struct vptr__proxy_link {
  struct vptr__proxy_link *next, *previous;
} vptr__proxy_link;

typedef struct vptr__proxy_list {
  vptr__proxy_link *first, *last;
} vptr__proxy_list;

/* The device behind a proxy, how many threads wait for its work outside of the gate, and how many notices of its driver
 * are to come or under way. */
typedef struct vptr__proxy_inner {
  vptr__device *device;
  size_t waiting, notices; /* under the lock */
} vptr__proxy_inner;

typedef struct vptr__proxy_face {
  vptr__device device;     /* what all others see */
  struct vptr__proxy_face *older;
} vptr__proxy_face;

typedef enum vptr__proxy_gate {
  VPTR__PROXY_OPEN,
  VPTR__PROXY_CLOSING,     /* for those whom nobody inside can need */
  VPTR__PROXY_SHUT         /* for all */
} vptr__proxy_gate;

struct vptr__proxy {
  vptr__lock lock;
  pthread_cond_t changed;  /* the gate, who is inside, who waits */
  vptr__proxy_gate gate;
  size_t inside;           /* threads, each once for an operation or a hold */
  size_t outside;          /* threads that wait at the gate */
  uint64_t openings;       /* how often it was opened: all who waited are inside then */
  uint64_t entries;        /* how often anybody went inside */
  vptr__proxy_inner *inner; /* written with the gate shut; read inside */
  vptr__proxy_face *faces; /* newest first */
  vptr__proxy_list buffers, queues, events, programs, kernels, samplers;
  struct vptr__proxy_queue *own; /* what cl_queue is: the device's own queue */
  bool own_is_timed;
  atomic_bool has_strangers; /* the program's own queues use its memory, or it was told of the device's */
};

typedef enum vptr__proxy_kind {
  VPTR__PROXY_PLAIN,       /* a buffer with bytes of its own */
  VPTR__PROXY_PART,        /* of another */
  VPTR__PROXY_SHARED,      /* host memory itself */
  VPTR__PROXY_PINNED,      /* host memory that is made fit for copies */
  VPTR__PROXY_IMAGE,
  VPTR__PROXY_FOREIGN      /* of the program's: it cannot be made anew */
} vptr__proxy_kind;

typedef struct vptr__proxy_buffer {
  vptr__proxy_link link;
  cl_mem inner, next;      /* next: on the device that is to come */
  atomic_uint references;
  atomic_uint maps;        /* open ones */
  atomic_bool is_shown;    /* the program was given the object */
  atomic_bool is_lost;     /* its bytes stayed on a device that gave them no more */
  vptr__proxy_kind kind;
  struct vptr__proxy_buffer *root; /* of a part, or of an image over a buffer: held; NULL: none */
  size_t origin, bytes;
  _Atomic(uint64_t) told;  /* the device's address, if anybody asked; else 0 */
  uint64_t next_told;      /* likewise, on the other device of an exchange */
  void *host;
  vptr__image image;       /* of an image: as it was made; its memory and buffer are the handles */
} vptr__proxy_buffer;

typedef struct vptr__proxy_queue {
  vptr__proxy_link link;
  cl_command_queue inner, next; /* of the device's own: NULL, and inner->device->cl_queue */
  int priority;
  bool is_timed, is_adopted, is_own;
} vptr__proxy_queue;

typedef struct vptr__proxy_event {
  vptr__proxy_link link;
  cl_event inner, fresh;   /* inner NULL: it is settled; fresh: on the device that is to come */
  atomic_uint references;
  bool is_user;            /* the host completes it */
  cl_int state;            /* settled: CL_COMPLETE or a negative code */
  bool has_times;
  uint64_t began, ended;   /* likewise, on the clock of the device behind the proxy now */
} vptr__proxy_event;

typedef struct vptr__proxy_program {
  vptr__proxy_link link;
  cl_program inner;        /* NULL: it was built for a device before */
} vptr__proxy_program;

typedef struct vptr__proxy_kernel {
  vptr__proxy_link link;
  cl_kernel inner;         /* likewise */
} vptr__proxy_kernel;

typedef struct vptr__proxy_sampler {
  vptr__proxy_link link;
  vptr__sampler what;
  cl_sampler inner, next;
} vptr__proxy_sampler;

/* Into the gate, and out of it. Inside the device behind the proxy stays. A thread that holds it is inside already. */
vptr__device *vptr__proxy_enter(vptr__device *face);
void vptr__proxy_leave(vptr__device *face);

/* Out of the gate, for a wait on the device that was behind the proxy then; and when that is over. */
vptr__proxy_inner *vptr__proxy_await(vptr__device *face);
void vptr__proxy_awaited(vptr__proxy *proxy, vptr__proxy_inner *inner);

/* The gate for an exchange, moved by a thread that has no lock; `until` is a moment of vptr__clock_ns(). close_gate:
 * from open to closing, which waits while another exchange has the gate; false: it still had it at that moment. shut:
 * from closing to shut, once nobody is inside; false: somebody still was at that moment, and the gate is as before. Who
 * shut it is inside. ease: from shut to closing. open_gate: to open. */
bool vptr__proxy_close_gate(vptr__proxy *proxy, uint64_t until);
bool vptr__proxy_shut(vptr__proxy *proxy, uint64_t until);
void vptr__proxy_ease(vptr__proxy *proxy);
void vptr__proxy_open_gate(vptr__proxy *proxy);

/* How often anybody went inside. */
uint64_t vptr__proxy_entries(vptr__proxy *proxy);

/* Makes a face of the device, which nobody knows yet. NULL: no memory. vptr__proxy_face_show(), with the gate shut:
 * from then on the face is the proxy's newest, and `inner` the device behind the proxy. */
vptr__proxy_face *vptr__proxy_face_make(vptr__proxy *proxy, const vptr__device *device);
void vptr__proxy_face_show(vptr__proxy *proxy, vptr__proxy_face *face, vptr__proxy_inner *inner);

/* Under vptr__proxy.lock. */
void vptr__proxy_list_append(vptr__proxy_list *list, vptr__proxy_link *link);

/* Enters a handle in a list, and takes it off. Takes vptr__proxy.lock, of rank LEAF: callers hold none of that rank. */
void vptr__proxy_enter_list(vptr__proxy *proxy, vptr__proxy_list *list, vptr__proxy_link *link);
void vptr__proxy_leave_list(vptr__proxy *proxy, vptr__proxy_list *list, vptr__proxy_link *link);

/* What a handle means now; NULL of NULL. Inside. */
static inline cl_mem vptr__proxy_mem(cl_mem handle) {
  return handle != NULL ? ((vptr__proxy_buffer *)handle)->inner : NULL;
}

static inline cl_command_queue vptr__proxy_queue_of(const vptr__device *inner, cl_command_queue handle) {
  const vptr__proxy_queue *queue = (const vptr__proxy_queue *)handle;
  return queue->is_own ? inner->cl_queue : queue->inner;
}

/* proxy_event.c: a handle for an event that a command is about to have, where one is wanted; and what became of the
 * command: the handle is entered, or dropped. false: no memory, said. */
bool vptr__proxy_event_begin(cl_event *wanted, vptr__proxy_event **event_out);
vptr_status vptr__proxy_event_end(vptr__proxy *proxy, vptr__proxy_event *event, cl_event *event_out,
                                  vptr_status status);

/* Where the device's answer for a command goes. */
static inline cl_event *vptr__proxy_event_room(vptr__proxy_event *event) {
  return event != NULL ? &event->inner : NULL;
}

/* proxy_event.c: with the gate shut and all work done: reads what there is to know of an event, so that its object can
 * go. */
vptr_status vptr__proxy_event_settle(vptr__device *inner, vptr__device *next, vptr__proxy_event *event);

/* The same of a device that is lost: what was not over by then has failed. */
vptr_status vptr__proxy_event_lose(vptr__device *inner, vptr__device *next, vptr__proxy_event *event);

/* proxy_quiet.c: shuts the gate when all work is done and the mover is ready; or at once, of a device that is lost.
 * Errors: NOT_READY, and what the work failed for. */
vptr_status vptr__proxy_shut_when_quiet(vptr__device *face, const vptr__mover *mover);
vptr_status vptr__proxy_shut_at_once(vptr__proxy *proxy, const vptr__mover *mover);

/* The members of the table, by file. */
void vptr__proxy_buffer_ops(vptr__device_ops *ops);
void vptr__proxy_transfer_ops(vptr__device_ops *ops);
void vptr__proxy_queue_ops(vptr__device_ops *ops);
void vptr__proxy_event_ops(vptr__device_ops *ops);
void vptr__proxy_image_ops(vptr__device_ops *ops);
void vptr__proxy_kernel_ops(vptr__device_ops *ops);

/* proxy_copy.c: the bytes of a buffer from one device to another, through memory of the host. */
typedef struct vptr__proxy_copy vptr__proxy_copy;
vptr_status vptr__proxy_copy_open(vptr__device *from, vptr__device *to, size_t most, vptr__proxy_copy **copy_out);
vptr_status vptr__proxy_copy_bytes(vptr__proxy_copy *copy, cl_mem from, cl_mem to, size_t bytes);
vptr_status vptr__proxy_copy_image(vptr__proxy_copy *copy, const vptr__image *from, const vptr__image *to);
vptr_status vptr__proxy_copy_finish(vptr__proxy_copy *copy);
void vptr__proxy_copy_close(vptr__proxy_copy *copy);

#endif
