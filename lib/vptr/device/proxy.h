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
 *     proxy_apart.c      pinned host memory on a device that works on a copy of it
 *     proxy_merge.c      launches with such memory
 *     proxy_queue.c      queues
 *     proxy_event.c      events
 *     proxy_image.c      images and samplers
 *     proxy_kernel.c     programs and kernels
 *     proxy_quiet.c      when the gate is shut for an exchange
 *     proxy_move.c       the exchange: which steps, and back
 *     proxy_plan.c       what a handle means on another device: whether it can go, and making it
 *     proxy_ahead.c      what an exchange makes before the gate closes
 *     proxy_stock.c      objects that no handle means: made ahead, or left behind
 *     proxy_copy.c       bytes from device to device
 *     proxy_rescue.c     bytes of a device that is lost
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
  uint64_t serial; /* in that order, from 1; no other handle of the list ever has it */
} vptr__proxy_link;

typedef struct vptr__proxy_list {
  vptr__proxy_link *first, *last;
  uint64_t made;   /* handles, ever */
} vptr__proxy_list;

/* An object of a device that no handle means. */
typedef enum vptr__proxy_spare_kind {
  VPTR__PROXY_SPARE_MEMORY, /* buffers and images */
  VPTR__PROXY_SPARE_PIN,
  VPTR__PROXY_SPARE_QUEUE,
  VPTR__PROXY_SPARE_ADOPTED, /* a queue that its device looks after */
  VPTR__PROXY_SPARE_SAMPLER,
  VPTR__PROXY_SPARE_EVENT,
  VPTR__PROXY_SPARE_KERNEL,
  VPTR__PROXY_SPARE_PROGRAM
} vptr__proxy_spare_kind;

typedef struct vptr__proxy_spare {
  vptr__proxy_spare_kind kind;
  void *object;
  void *host;              /* of a pin */
  uint64_t serial;         /* made ahead: of whose handle */
  uint64_t told;           /* likewise: the device's address, if the one before told its own; else 0 */
} vptr__proxy_spare;

/* Such objects of one device, in the order in which they were made. */
typedef struct vptr__proxy_stock {
  vptr__device *device;    /* NULL: no exchange is under way */
  vptr__proxy_spare *spares;
  size_t count, room;
  size_t busy;             /* objects that are being released */
  bool is_making;          /* an object is being made */
  bool is_closed;          /* somebody needed the room: nothing more is made ahead */
} vptr__proxy_stock;

/* The device behind a proxy, how many threads wait for its work outside of the gate, and how many notices of its driver
 * are to come or under way. */
typedef struct vptr__proxy_inner {
  vptr__device *device;
  size_t waiting, notices; /* under the lock */
  struct vptr__proxy_inner *next; /* of those that were left */
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
  uint64_t closed_at;      /* when it was closed last */
  bool is_moving;          /* a thread exchanges the device; others wait until it is through */
  vptr__proxy_stock coming, going; /* of the device that is to come, made ahead; of the one that was left */
  vptr__proxy_inner *inner; /* written with the gate shut; read inside */
  vptr__proxy_inner *left; /* and those that were behind it and are not closed yet */
  size_t notices;          /* of all of them; a proxy that is closed stays for these */
  bool is_closed;
  vptr__proxy_face *faces; /* newest first */
  vptr__proxy_list buffers, queues, events, programs, kernels, samplers;
  struct vptr__proxy_queue *own; /* what cl_queue is: the device's own queue */
  bool own_is_timed;
  /* host memory that the device keeps apart (proxy_apart.h) */
  struct {
    vptr__lock lock;
    cl_event last;         /* of the command that had the turn last, retained; NULL: of none */
    size_t merges;         /* to come, under the proxy's lock */
    atomic_size_t apart;   /* buffers; rises with the gate shut or inside */
  } turn;
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
  bool may_be_apart;       /* SHARED: its pages stay, so that a device may have a copy of them */
  bool is_apart, next_is_apart; /* it has: on the device behind the proxy, and on the other one of an exchange */
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
  cl_mem *shared;          /* by argument: the host memory that it is, as a handle that may be gone by now, or NULL */
  size_t room;
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

/* Around a notice of that device's driver, from when it is asked for until it is over: the proxy stays for it, though
 * it be closed, and the device where it was left. end: the proxy may be gone afterwards. */
void vptr__proxy_begin_notice(vptr__proxy *proxy, vptr__proxy_inner *inner);
void vptr__proxy_end_notice(vptr__proxy *proxy, vptr__proxy_inner *inner);

/* The device is behind the proxy no longer. take_left: one of those that nobody waits on or is told of any more, which
 * is the caller's to close; NULL: there is none. */
void vptr__proxy_leave_inner(vptr__proxy *proxy, vptr__proxy_inner *inner);
vptr__device *vptr__proxy_take_left(vptr__proxy *proxy);

/* The gate for an exchange, moved by a thread that has no lock; `until` is a moment of vptr__clock_ns(). close_gate:
 * from open to closing, which waits while another exchange has the gate; false: it still had it at that moment. shut:
 * from closing to shut, once nobody is inside; false: somebody still was at that moment, and the gate is as before. Who
 * shut it is inside. ease: from shut to closing. open_gate: to open. */
bool vptr__proxy_close_gate(vptr__proxy *proxy, uint64_t until);
bool vptr__proxy_shut(vptr__proxy *proxy, uint64_t until);
void vptr__proxy_ease(vptr__proxy *proxy);
void vptr__proxy_open_gate(vptr__proxy *proxy);

/* How long others were kept out, so far. With the gate shut. */
uint64_t vptr__proxy_closed_ns(vptr__proxy *proxy);

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

/* proxy_event.c: how much later the new device's clock is than the old one's, wrapping, so that what an event of before
 * and one of later say can be compared. Clocks go on alike for as long as an exchange takes, so this is asked before
 * the gate closes. 0 where either keeps no times. */
uint64_t vptr__proxy_compare_clocks(vptr__device *from, vptr__device *to);

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

/* proxy_stock.c: an exchange from one device to the other, one at a time: begin_move waits while another is under way.
 * end_move: when both stocks are empty. Neither blocks for a device. */
void vptr__proxy_begin_move(vptr__proxy *proxy, vptr__device *next);
void vptr__proxy_end_move(vptr__proxy *proxy);

/* Room for so many more objects. Only who moves calls it. HOST_MEMORY. */
vptr_status vptr__proxy_stock_reserve(vptr__proxy *proxy, vptr__proxy_stock *stock, size_t more);

/* Puts an object where room is reserved. With the gate shut. */
void vptr__proxy_stock_put(vptr__proxy_stock *stock, vptr__proxy_spare_kind kind, void *object, void *host);

/* With the gate open, around the making of an object for `coming`. begin_making: false: nothing is to be made ahead any
 * more. end_making: NULL: it was not made; else it is the stock's, in room that is reserved, or is released at once
 * since somebody needs its memory. */
bool vptr__proxy_begin_making(vptr__proxy *proxy);
void vptr__proxy_end_making(vptr__proxy *proxy, const vptr__proxy_spare *made);

/* Releases all that the stock has, and waits for those who release some of it. */
void vptr__proxy_stock_drain(vptr__proxy *proxy, vptr__proxy_stock *stock);

/* Of who is inside and got this status for an object: whether it is worth another try, since the device was full and
 * objects that no handle means have been released. */
bool vptr__proxy_made_room(vptr__proxy *proxy, vptr_status status);

/* proxy_plan.c: how a handle's object is made on another device, and whether it can be; a copy, which is good without
 * the handle. */
typedef struct vptr__proxy_plan {
  vptr__proxy_spare_kind what;
  uint64_t serial, root;   /* of the handle, and of its root; 0: it has none */
  vptr__proxy_kind kind;
  bool is_shown, is_mapped, is_told, may_be_apart;
  bool is_apart;           /* once it was made */
  size_t origin, bytes;
  void *host;
  vptr__image image;
  int priority;            /* of a queue */
  bool is_timed;
  vptr__sampler sampler;
} vptr__proxy_plan;
void vptr__proxy_plan_buffer(const vptr__proxy_buffer *buffer, vptr__proxy_plan *plan);
void vptr__proxy_plan_queue(const vptr__proxy_queue *queue, vptr__proxy_plan *plan);
void vptr__proxy_plan_sampler(const vptr__proxy_sampler *sampler, vptr__proxy_plan *plan);

/* Whether a buffer can go: UNSUPPORTED, MAPPED. And whether the mapper can, whatever it has. */
vptr_status vptr__proxy_plan_check(const vptr__proxy_plan *plan, const vptr__device *to);
vptr_status vptr__proxy_check_strangers(const vptr__proxy *proxy);

/* Makes it; root: its root's object there, or NULL. A queue is not adopted yet. */
vptr_status vptr__proxy_plan_make(vptr__proxy_plan *plan, vptr__device *to, cl_mem root, void **object_out);

/* proxy_ahead.c, before the gate closes: whether all that is there now can go, and making it on the device that is to
 * come, as far as others' work allows, with the size of the largest buffer. Host memory that is pinned or shared is not
 * made ahead: it may go at any moment. And, with the gate shut: what was made becomes its handles' `next`; what has no
 * handle any more stays in the stock. */
vptr_status vptr__proxy_make_ahead(vptr__proxy *proxy, size_t *largest_out);
void vptr__proxy_take_ahead(vptr__proxy *proxy);

/* Whether a buffer has bytes of its own, which have to go along. */
static inline bool vptr__proxy_has_bytes(const vptr__proxy_buffer *buffer) {
  return buffer->kind == VPTR__PROXY_PLAIN || (buffer->kind == VPTR__PROXY_IMAGE && buffer->root == NULL);
}

/* proxy_rescue.c: what a device that is lost still gives goes to the new one; the rest is zeros there. */
vptr_status vptr__proxy_rescue(vptr__proxy *proxy, vptr__device *from, vptr__device *to);

/* proxy_copy.c: the bytes of a buffer from one device to another, through memory of the host. */
typedef struct vptr__proxy_copy vptr__proxy_copy;
vptr_status vptr__proxy_copy_open(vptr__device *from, vptr__device *to, size_t most, vptr__proxy_copy **copy_out);
vptr_status vptr__proxy_copy_bytes(vptr__proxy_copy *copy, cl_mem from, cl_mem to, size_t bytes);
vptr_status vptr__proxy_copy_image(vptr__proxy_copy *copy, const vptr__image *from, const vptr__image *to);
vptr_status vptr__proxy_copy_finish(vptr__proxy_copy *copy);
void vptr__proxy_copy_close(vptr__proxy_copy *copy);

/* What an exchange leaves open for the next one between the same two devices, whichever way, as long as both are open.
 * take: NULL: nothing serves, or not for buffers of so many bytes, and what there was is closed. give: waits for what
 * it has under way, and closes what was kept before. drop: before a device is closed that is in no exchange. `lock`, of
 * rank ARRAY, guards the copy, and is held while one is closed: so nothing of the device is left behind a drop. */
typedef struct vptr__proxy_ring {
  vptr__lock lock;
  vptr__proxy_copy *copy;
} vptr__proxy_ring;
void vptr__proxy_ring_init(vptr__proxy_ring *ring);
void vptr__proxy_ring_fini(vptr__proxy_ring *ring);
vptr__proxy_copy *vptr__proxy_ring_take(vptr__proxy_ring *ring, const vptr__device *from, const vptr__device *to,
                                        size_t most);
void vptr__proxy_ring_give(vptr__proxy_ring *ring, vptr__proxy_copy *copy);
void vptr__proxy_ring_drop(vptr__proxy_ring *ring);

/* What was copied so far, and how long it waited for reads and for writes. */
typedef struct vptr__proxy_copied {
  uint64_t bytes, read_ns, write_ns;
} vptr__proxy_copied;
vptr__proxy_copied vptr__proxy_copy_told(const vptr__proxy_copy *copy);

#endif
