/* SPDX-License-Identifier: MIT */
/*
 * joint - a device that is several others: its memory lies on all of them, and its work runs where the bytes are.
 *
 * Whatever the library holds of a device it has from the table of device.h. A joint device gives handles of its own,
 * which no OpenCL driver knows, and keeps the objects of its members behind them:
 *
 *     heap, streams, modules ...  --->  handle  --->  objects of member 0, member 1, ...
 *
 * Each buffer has a place on some members, a window of its bytes, and spans that say which members have the bytes of
 * now (joint_span.c). A large one is cut into stripes, a block for each member, where its bytes are at home; a small
 * one is at home on the first. Commands of the joint device are taken up by a thread for each of its queues, which
 * sends what they are made of to all members at once, and waits; so order is the thread's, and contexts, events and
 * clocks of different drivers never meet.
 *
 * What commands of several queues do to one buffer is kept apart by pins (joint_use.c): a pin says that bytes are being
 * written on a member, or brought there. Bytes that a kernel does not touch may lie in a buffer that it may write
 * (small allocations share one), so a copy to them goes to where that kernel runs, and does not wait.
 *
 * vptr__joint.lock, of rank LEAF, guards queues, events, places, spans and pins; of members, objects are retained with
 * it, and nothing else is called. Used by the files of this list, and by platform.c, for VPTR_STRIPE and vptr_config;
 * those above come through the device's table, and by the functions in shown.h, lane.h and reach.h.
 *
 *     joint.c            opening, closing, what the joint device says of itself
 *     joint_buffer.c     buffers
 *     joint_span.c       which members have which bytes
 *     joint_use.c        pins; bytes that are brought to a member
 *     joint_carry.c      what is sent to members; bytes from one member to another
 *     joint_transfer.c   copies and fills: the table's
 *     joint_move.c       copies and fills: what a queue's thread does
 *     joint_queue.c      queues and their threads
 *     joint_event.c      events
 *     joint_kernel.c     programs, kernels, arguments
 *     joint_launch.c     launches: what a queue's thread does
 *     joint_divide.c     which bytes a launch uses where, and launches that are divided
 *     joint_image.c      images, which are buffers
 */
#ifndef VPTR_DEVICE_JOINT_H
#define VPTR_DEVICE_JOINT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lock.h"
#include "device/device.h"
#include "device/reach.h"

/* Members at most: each is a bit of vptr__joint_span.valid. Places begin and end at multiples of the page. */
enum { VPTR__JOINT_MOST = 16, VPTR__JOINT_PAGE = 4096 };

typedef struct vptr__joint_queue vptr__joint_queue;
typedef struct vptr__joint_event vptr__joint_event;

struct vptr__joint {
  vptr__device face;       /* what all others see */
  unsigned count;          /* of members */
  vptr__device *members[VPTR__JOINT_MOST];
  size_t stripe_from;      /* buffers of so many bytes and more are cut */
  vptr__lock lock;
  pthread_cond_t changed;  /* an event, a pin, what a queue has to do */
  uint64_t tickets;        /* how many commands were ever sent */
  vptr__joint_queue *queues; /* all that have a thread */
  vptr__joint_queue *own;  /* what cl_queue is */
  struct vptr__joint_note *notes, **last_note; /* those that the teller has to tell */
  pthread_cond_t told;     /* there are some, or it shall end */
  pthread_t teller;
  bool has_teller, is_closing;
};

/* ---- buffers --------------------------------------------------------------------------------------------- */

/* Bytes [begin, end) of a buffer on a member; inner NULL: none. */
typedef struct vptr__joint_place {
  cl_mem inner;
  size_t begin, end;
} vptr__joint_place;

/* From begin to the next span's: the members that have these bytes; none: nobody ever wrote them. */
typedef struct vptr__joint_span {
  size_t begin;
  uint32_t valid;
} vptr__joint_span;

typedef struct vptr__joint_pin vptr__joint_pin;

typedef struct vptr__joint_buffer {
  atomic_uint references;
  size_t bytes, stripe;    /* at home on member first + i: [i * stripe, (i + 1) * stripe) */
  unsigned first;          /* not 0 only where one stripe is all */
  vptr__joint_place places[VPTR__JOINT_MOST];
  vptr__joint_span *spans;
  size_t span_count, span_room;
  size_t promised;         /* changes of spans to come, for which there is room */
  vptr__joint_pin *pins;
} vptr__joint_buffer;

static inline vptr__joint_buffer *vptr__joint_buffer_of(cl_mem handle) {
  return (vptr__joint_buffer *)handle;
}

void vptr__joint_buffer_keep(vptr__joint_buffer *buffer);
void vptr__joint_buffer_drop(vptr__joint *joint, vptr__joint_buffer *buffer);

/* The member where a byte is at home, and where those at home there end. */
static inline unsigned vptr__joint_home(const vptr__joint_buffer *buffer, size_t at) {
  return buffer->first + (unsigned)(at / buffer->stripe);
}

static inline size_t vptr__joint_home_end(const vptr__joint_buffer *buffer, size_t at) {
  size_t end = (at / buffer->stripe + 1) * buffer->stripe;
  return end < buffer->bytes ? end : buffer->bytes;
}

/* ---- joint_span.c: all of these under the lock ----------------------------------------------------------- */

/* The whole of a new buffer is one span. false: no memory. */
bool vptr__joint_spans_make(vptr__joint_buffer *buffer, uint32_t valid);
/* Room for so many more changes, each of which then has it; false: no memory, and nothing is promised. */
bool vptr__joint_spans_promise(vptr__joint_buffer *buffer, size_t changes);
/* A promised change: of bytes [begin, end) the members of clear have them no more, and those of set do. */
void vptr__joint_spans_change(vptr__joint_buffer *buffer, size_t begin, size_t end, uint32_t clear, uint32_t set);
/* A promise that is not needed. */
void vptr__joint_spans_waive(vptr__joint_buffer *buffer);
/* Who has the byte, and up to where it is so, at most to end. */
uint32_t vptr__joint_spans_at(const vptr__joint_buffer *buffer, size_t at, size_t end, size_t *end_out);
/* How many of the bytes a member has. */
size_t vptr__joint_spans_on(const vptr__joint_buffer *buffer, size_t begin, size_t end, unsigned member);

/* ---- joint_use.c ------------------------------------------------------------------------------------------ */

/* What a command does to bytes [begin, end) of a buffer on a member. */
typedef struct vptr__joint_use {
  vptr__joint_buffer *buffer; /* held by the command */
  size_t begin, end;
  unsigned member;
  bool writes;             /* else it only reads */
  bool overwrites;         /* all of it, so that nothing need be there before */
  cl_mem inner;            /* once it has begun: the member's buffer, retained, and which byte its first one is */
  size_t inner_begin;
  vptr__joint_pin *pin;    /* NULL: none is needed */
} vptr__joint_use;

struct vptr__joint_pin {
  vptr__joint_pin *next;   /* of its buffer's */
  size_t begin, end;
  unsigned member;
  bool brings;             /* bytes are on their way to the member; else the member writes them */
};

/* What was sent to members, and is to be waited for; the first error of it. */
enum { VPTR__JOINT_SENT_ROOM = 64 };
typedef struct vptr__joint_flight {
  vptr__joint *joint;
  vptr__joint_queue *queue;
  vptr_status status;
  unsigned count;
  struct {
    unsigned member;
    cl_event event;
  } sent[VPTR__JOINT_SENT_ROOM];
} vptr__joint_flight;

/* Where the event of a command to a member goes, NULL if an earlier one failed; and what the member answered. */
cl_event *vptr__joint_flight_room(vptr__joint_flight *flight);
void vptr__joint_flight_add(vptr__joint_flight *flight, unsigned member, vptr_status status);
/* Until all is over: the first error. */
vptr_status vptr__joint_flight_end(vptr__joint_flight *flight);

/* Begins all of them together, once none is kept out by others; brings what is missing. Waits. On an error none has
 * begun. end: gives back; what it overwrote is there if has_worked, else as it was. On a queue's thread. */
vptr_status vptr__joint_uses_begin(vptr__joint *joint, vptr__joint_queue *queue, vptr__joint_use *uses, size_t count);
void vptr__joint_uses_end(vptr__joint *joint, vptr__joint_use *uses, size_t count, bool has_worked);

/* The use of overwriting [begin, ...) of a buffer, at most to end, by a copy or a fill: on the member that is writing
 * there, else where the bytes are at home. Its end is the use's. Takes the lock. */
vptr__joint_use vptr__joint_use_for_write(vptr__joint *joint, vptr__joint_buffer *buffer, size_t begin, size_t end);

/* Bytes of a buffer as they are now on a member that has them, retained, and up to where; never waits for others. */
typedef struct vptr__joint_source {
  unsigned member;
  cl_mem inner;
  size_t inner_begin, end;
} vptr__joint_source;
vptr__joint_source vptr__joint_source_of(vptr__joint *joint, vptr__joint_buffer *buffer, size_t begin, size_t end,
                                         unsigned wanted);

/* Bytes from one member's buffer to another's, through memory of the host. Waits. */
typedef struct vptr__joint_end {
  unsigned member;
  cl_mem inner;
  size_t offset;
} vptr__joint_end;
vptr_status vptr__joint_carry(vptr__joint *joint, vptr__joint_queue *queue, const vptr__joint_end *from,
                              const vptr__joint_end *to, size_t size);

/* ---- joint_event.c ---------------------------------------------------------------------------------------- */

struct vptr__joint_event {
  atomic_uint references;
  bool is_user;
  cl_int state;            /* under the lock, as what follows */
  uint64_t began, ended;   /* ns of the clock */
  struct vptr__joint_note *notes;
};

/* NULL: no memory, said. */
vptr__joint_event *vptr__joint_event_make(cl_int state);
void vptr__joint_event_keep(vptr__joint_event *event);
void vptr__joint_event_drop(vptr__joint_event *event);
/* Under the lock: it is over. */
void vptr__joint_event_end(vptr__joint *joint, vptr__joint_event *event, cl_int state);
/* Waits, and says what failed. */
vptr_status vptr__joint_event_await(vptr__joint *joint, vptr__joint_event *event);
vptr_status vptr__joint_teller_start(vptr__joint *joint);
void vptr__joint_teller_stop(vptr__joint *joint);

/* ---- joint_queue.c ---------------------------------------------------------------------------------------- */

/* One command; run does it on the queue's thread, and drop gives back what it has. */
typedef struct vptr__joint_command vptr__joint_command;
struct vptr__joint_command {
  vptr__joint_command *next;
  uint64_t ticket;         /* rises over all queues */
  vptr__joint_event *event;
  vptr_status (*run)(vptr__joint *joint, vptr__joint_queue *queue, vptr__joint_command *command);
  void (*drop)(vptr__joint *joint, vptr__joint_command *command);
};

enum { VPTR__JOINT_RING = 2 };
struct vptr__joint_queue {
  vptr__joint_queue *next;
  vptr__joint *joint;
  cl_command_queue inner[VPTR__JOINT_MOST];
  unsigned char *ring;     /* of the thread's, for bytes from member to member; NULL: not yet needed */
  pthread_t thread;
  pthread_cond_t sent;     /* a command came, or the queue is to end */
  vptr__joint_command *first, **last;
  uint64_t running;        /* the ticket of the command that the thread does; 0: none */
  bool is_adopted, is_released, has_ended;
};

vptr_status vptr__joint_queue_open(vptr__joint *joint, int priority, vptr__joint_queue **queue_out);
void vptr__joint_queues_close(vptr__joint *joint);

/* Puts a command into a queue, which has it from then on. event_out may be NULL. On an error it is dropped. */
vptr_status vptr__joint_send(vptr__joint_queue *queue, vptr__joint_command *command, cl_event *event_out);
/* The same into the device's own queue, and waits until it is over. */
vptr_status vptr__joint_do(vptr__joint *joint, vptr__joint_command *command);

static inline vptr__joint_queue *vptr__joint_queue_of(cl_command_queue handle) {
  return (vptr__joint_queue *)handle;
}

/* ---- joint_move.c ----------------------------------------------------------------------------------------- */

/* A copy or a fill. A side without a buffer is the host's, or none. */
typedef struct vptr__joint_side {
  vptr__joint_buffer *buffer;
  unsigned char *host;
  size_t offset;           /* of the first byte, in the buffer */
  size_t row, slice;       /* bytes from one to the next */
} vptr__joint_side;

typedef struct vptr__joint_move {
  vptr__joint_command command;
  vptr__joint_side from, to;
  size_t region[3];
  size_t pattern_size;     /* not 0: a fill */
  unsigned char pattern[128];
} vptr__joint_move;

/* A command whose sides are these, with their buffers held. NULL: no memory, said. */
vptr__joint_move *vptr__joint_move_make(const vptr__joint_side *from, const vptr__joint_side *to,
                                        const size_t region[3]);

/* ---- joint_kernel.c --------------------------------------------------------------------------------------- */

typedef struct vptr__joint_argument {
  enum { VPTR__JOINT_UNSET, VPTR__JOINT_BUFFER, VPTR__JOINT_VALUE, VPTR__JOINT_LOCAL } kind;
  vptr__joint_buffer *buffer; /* or NULL */
  bool reads;              /* and the kernel only reads it */
  vptr__reach reach;       /* what it reaches there; end 0: nobody said */
  size_t size;
  unsigned char few[16];
  unsigned char *more;     /* of a value that is larger; else NULL */
} vptr__joint_argument;

typedef struct vptr__joint_kernel {
  atomic_uint references;
  vptr__lock lock;         /* rank MAPPING: guards the members' kernels */
  char name[64];
  cl_kernel inner[VPTR__JOINT_MOST];
  vptr__joint_argument *arguments;
  unsigned argument_count;
  unsigned axis;           /* along which launches may be divided, from 1; 0: along none */
} vptr__joint_kernel;

/* ---- joint_divide.c: no locks ----------------------------------------------------------------------------- */

/* Layers [first, first + count) of a launch, which one member runs. */
typedef struct vptr__joint_part {
  unsigned member;
  size_t first, count;
  vptr__joint_use *uses;   /* each buffer once */
  size_t use_count;
} vptr__joint_part;

/* What the layers of a part use, of so many in all, in room for as many uses as there are arguments. */
void vptr__joint_part_fill(vptr__joint_part *part, const vptr__joint_argument *arguments, unsigned count,
                           size_t layers, vptr__joint_use *room);

/* Parts of a launch of so many layers, a member each, along the stripes of the largest argument: at most as many as
 * members, in room for as many uses as arguments for each. How many; 0: it is not divided, and *why_out says why. */
unsigned vptr__joint_divide(const vptr__joint *joint, const vptr__joint_argument *arguments, unsigned count,
                            size_t layers, vptr__joint_part *parts, vptr__joint_use *room, const char **why_out);

/* joint_launch.c: a launch with the arguments that the kernel has now. */
vptr_status vptr__joint_launch(vptr__joint *joint, cl_command_queue queue, vptr__joint_kernel *kernel,
                               const size_t offset[3], const size_t global[3], const size_t local[3],
                               cl_event *event_out);
void vptr__joint_kernel_drop(vptr__joint *joint, vptr__joint_kernel *kernel);
bool vptr__joint_argument_copy(vptr__joint_argument *to, const vptr__joint_argument *from);
void vptr__joint_argument_drop(vptr__joint *joint, vptr__joint_argument *argument);

/* joint.c: a device that is several, which are its from then on: at least two, at most VPTR__JOINT_MOST. Buffers of
 * stripe_from bytes and more are cut into stripes. On an error they stay the caller's. */
vptr_status vptr__device_open_joint(vptr__device *const *members, unsigned count, size_t stripe_from,
                                    vptr__device **device_out);
void vptr__joint_close(vptr__device *device);

/* The members of the table, by file. */
void vptr__joint_buffer_ops(vptr__device_ops *ops);
void vptr__joint_transfer_ops(vptr__device_ops *ops);
void vptr__joint_queue_ops(vptr__device_ops *ops);
void vptr__joint_event_ops(vptr__device_ops *ops);
void vptr__joint_image_ops(vptr__device_ops *ops);
void vptr__joint_kernel_ops(vptr__device_ops *ops);

#endif
