/* SPDX-License-Identifier: MIT */
/*
 * fake_driver - the fake device in private: what its files share.
 *
 *     fake.c          opening and closing, what blocks, faults and counts for tests
 *     fake_table.c    handles: numbers that tell the live from the dead
 *     fake_face.c     what OpenCL's loader finds behind a buffer's handle
 *     fake_buffer.c   buffers
 *     fake_command.c  commands: what they are checked for, and the bytes they move
 *     fake_queue.c    queues: which command is next, and waiting for them
 *     fake_event.c    events: states, times, who wants to be told
 *     fake_pool.c     threads
 *     fake_image.c    images, which are buffers in disguise
 *     fake_kernel.c   programs and kernels, which are functions in disguise
 *
 * All fake devices of a process are one device, as two contexts on one GPU are: they share its memory and its threads.
 *
 * One mutex guards it all, but for the bytes of buffers: those move without it, as only the order of commands keeps
 * two from moving the same ones; where that order is wrong, thread sanitizers see it. The mutex is no vptr__lock: it
 * plays the driver's, which has no rank either and may be taken under every lock of the library. Nothing of the
 * library's but its clock and what counts late buffers (budget.h) is called while it is held. For the same reason
 * memory comes from malloc() and not from base/memory.
 *
 * Used by the files above, and by a test of queues. The mutex is a static of fake_pool.c, and is not recursive. Every
 * operation of the device's table (device.h) takes it by itself, so it is called without: those that can fail by
 * vptr__fake_begin(), the others by vptr__fake_lock(). What is called with the mutex held says so below; a comment
 * speaks of the declarations up to the next empty line.
 */
#ifndef VPTR_DEVICE_FAKE_DRIVER_H
#define VPTR_DEVICE_FAKE_DRIVER_H

#include "device/device.h"
#include "device/fake.h"

enum { VPTR__FAKE_LARGEST_PATTERN = 128 };

/* ---- fake_table.c: a handle is the place of an object in a table and how often that place was taken ------- */

typedef struct vptr__fake_place vptr__fake_place;

typedef struct vptr__fake_table {
  unsigned kind;           /* 1 to 15: so that an event is not taken for a queue */
  bool has_faces;          /* handles are addresses that OpenCL's loader may look at */
  vptr__fake_place *places;
  uint32_t count;
  uint32_t first_free;     /* 0: none; else the place's number, which begins at 1 */
} vptr__fake_table;

/* The handle for an object, or NULL if there is no memory. */
void *vptr__fake_table_add(vptr__fake_table *table, void *object);
/* The object that a handle means, or NULL if it is none, or was removed. */
void *vptr__fake_table_find(const vptr__fake_table *table, const void *handle);
void vptr__fake_table_remove(vptr__fake_table *table, const void *handle);

/* ---- fake_face.c: buffers' handles for OpenCL's loader --------------------------------------------------- */

/* The handle of a place that is taken for the generation-th time; NULL: there is none so large. */
void *vptr__fake_face(uint32_t number, uint64_t generation);
/* The place that a handle is of, which may be out of date; 0: it is no such handle. */
uint32_t vptr__fake_face_number(const void *handle);

/* ---- fake.c ---------------------------------------------------------------------------------------------- */

extern vptr__fake_counts vptr__fake_counted; /* under the mutex */

/* fake_pool.c. */
void vptr__fake_lock(void);
void vptr__fake_unlock(void);

/* Every operation that may fail begins here: takes the mutex, counts, and tells the code it shall fail with. */
cl_int vptr__fake_begin(void);
vptr_status vptr__fake_answer(cl_int code, const char *operation);

/* The code that the next command shall fail with when it runs, or CL_SUCCESS. Under the mutex. */
cl_int vptr__fake_command_fault(void);

/* Says what was wrong in the use of the fake device, and aborts. */
_Noreturn void vptr__fake_misused(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- fake_buffer.c: all of these under the mutex ---------------------------------------------------------- */

/* Makes a buffer on a device of limit bytes; to await gives the mutex back as long as room is due. */
cl_int vptr__fake_buffer_new(size_t bytes, uint64_t limit, cl_mem *buffer_out);
cl_int vptr__fake_buffer_await(size_t bytes, uint64_t limit, cl_mem *buffer_out);
/* Pages for buffers one behind the other, with addresses to show if others have those; and one of the buffers. */
vptr_status vptr__fake_row_make(size_t bytes, size_t part_bytes, vptr__row **row_out);
cl_int vptr__fake_buffer_in_row(vptr__row *row, size_t index, uint64_t limit, unsigned char byte, cl_mem *buffer_out);
cl_int vptr__fake_buffer_part(cl_mem root, size_t origin, size_t size, size_t alignment, cl_mem *buffer_out);
/* Host memory as a buffer. */
cl_int vptr__fake_buffer_borrow(void *host, size_t bytes, cl_mem *buffer_out);
void vptr__fake_buffer_keep(cl_mem buffer);
void vptr__fake_buffer_drop(cl_mem buffer);
/* 0 if it is no live buffer. */
size_t vptr__fake_buffer_bytes(cl_mem buffer);
/* All bytes of it; whole pages of zeros are the system's, and take no memory. */
void vptr__fake_buffer_set(cl_mem buffer, unsigned char byte);
/* The buffer that it is a part of, and from where on; itself if it is whole. */
cl_mem vptr__fake_buffer_whole(cl_mem buffer, size_t *offset_out);
/* The address that kernels have it at. */
uint64_t vptr__fake_buffer_address(cl_mem buffer);
/* Where the bytes [offset, offset + size) lie. Misuse if they are not in the buffer. */
unsigned char *vptr__fake_buffer_reach(cl_mem buffer, size_t offset, size_t size, const char *operation);

/* ---- fake_event.c ----------------------------------------------------------------------------------------- */

typedef struct vptr__fake_queue vptr__fake_queue;
typedef struct vptr__fake_note vptr__fake_note;

typedef struct vptr__fake_event {
  cl_event handle;
  unsigned references;     /* the callers', its command's, those of commands that wait for it, and of notes */
  bool by_user;
  cl_int state;
  uint64_t begin, end;     /* of its command; 0: its queue keeps no times */
  vptr__fake_queue *queue; /* where its command is; NULL when it is done */
  vptr__fake_note *notes;  /* who wants to be told */
} vptr__fake_event;

/* One who wants to be told, in a list. */
struct vptr__fake_note {
  vptr__fake_note *next;
  vptr__fake_event *event; /* with a reference */
  vptr__notify *notify;
  void *context;
};

/* Under the mutex: a new event with one reference, or NULL if there is no memory; the live event of a handle; and
 * the end of one, which all who wait are told. */
vptr__fake_event *vptr__fake_event_new(cl_int state);
vptr__fake_event *vptr__fake_event_find(cl_event handle, const char *operation);
void vptr__fake_event_drop(vptr__fake_event *event);
void vptr__fake_event_end(vptr__fake_event *event, cl_int state);

/* Operations of the device: without the mutex, which they take. */
void vptr__fake_event_retain(vptr__device *device, cl_event event);
void vptr__fake_event_release(vptr__device *device, cl_event event);
vptr_status vptr__fake_event_wait(vptr__device *device, cl_event event);
vptr_status vptr__fake_event_state(vptr__device *device, cl_event event, cl_int *state_out);
vptr_status vptr__fake_event_times(vptr__device *device, cl_event event, uint64_t *begin_out, uint64_t *end_out);
vptr_status vptr__fake_event_notify(vptr__device *device, cl_event event, vptr__notify *notify, void *context);
vptr_status vptr__fake_user_event(vptr__device *device, cl_event *event_out);
vptr_status vptr__fake_user_event_set(vptr__device *device, cl_event event, cl_int state);

/* ---- fake_command.c --------------------------------------------------------------------------------------- */

typedef struct vptr__fake_call vptr__fake_call; /* fake_kernel.c: a kernel to be run */

/* Bytes to be moved or filled: a rect on each side. */
typedef struct vptr__fake_move {
  unsigned char *to;
  const unsigned char *from;           /* NULL: filled with the pattern, or nothing moves if that is empty */
  size_t to_row, to_slice;
  size_t from_row, from_slice;
  size_t region[3];
  unsigned char pattern[VPTR__FAKE_LARGEST_PATTERN];
  size_t pattern_size;
  bool is_set;                         /* each row is filled with VPTR__SET_BYTES of pattern, see enqueue_set() */
  size_t to_offset;                    /* then: of `to` in its buffer */
  cl_mem buffers[2];                   /* it uses these, or NULL; retained as long as it is queued */
  uint64_t *counter;                   /* of vptr__fake_counted: grows by the bytes moved */
} vptr__fake_move;

typedef struct vptr__fake_command {
  struct vptr__fake_command *next;     /* in its queue */
  uint64_t ticket;                     /* rises over all queues */
  bool here;                           /* runs on the thread that queued it, which waits for its turn */
  vptr__fake_move move;
  vptr__fake_call *call;               /* of a kernel; else NULL */
  /* the host's bytes as they were when it was queued; NULL: it looks when it runs */
  void *taken;
  vptr__fake_event *event;             /* or NULL */
  cl_uint wait_count;
  vptr__fake_event **waits;
} vptr__fake_command;

/* Under the mutex: the moves of plain ranges, checked. */
void vptr__fake_move_write(vptr__fake_move *move, cl_mem buffer, size_t offset, const void *from, size_t size);
void vptr__fake_move_read(vptr__fake_move *move, cl_mem buffer, size_t offset, void *to, size_t size);
void vptr__fake_move_copy(vptr__fake_move *move, cl_mem from, size_t from_offset, cl_mem to, size_t to_offset,
                          size_t size);
void vptr__fake_move_fill(vptr__fake_move *move, cl_mem buffer, size_t offset, size_t size, const void *pattern,
                          size_t pattern_size);

/* Moves the bytes, or runs the kernel. Without the mutex, which running a kernel takes for its arguments. */
void vptr__fake_command_do(const vptr__fake_command *command);
void vptr__fake_move_do(const vptr__fake_move *move);

/* Under the mutex: retains the buffers that a command uses, as long as it is queued, and releases them. */
void vptr__fake_command_keep(vptr__fake_command *command);
void vptr__fake_command_let_go(vptr__fake_command *command);

/* Frees the command's memory, which nobody else knows: with the mutex or without. */
void vptr__fake_command_free(vptr__fake_command *command);

/* Operations of the device: without the mutex, which they take. */
vptr_status vptr__fake_enqueue_write(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                     const void *from, size_t size, cl_event *event_out);
vptr_status vptr__fake_enqueue_read(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                    void *to, size_t size, cl_event *event_out);
vptr_status vptr__fake_enqueue_copy(vptr__device *device, cl_command_queue queue, cl_mem from, size_t from_offset,
                                    cl_mem to, size_t to_offset, size_t size, cl_event *event_out);
vptr_status vptr__fake_enqueue_fill(vptr__device *device, cl_command_queue queue, cl_mem buffer, size_t offset,
                                    size_t size, const void *pattern, size_t pattern_size, cl_event *event_out);
bool vptr__fake_enqueue_set(vptr__device *device, cl_command_queue queue, const vptr__rect *to, const size_t region[3],
                            const unsigned char *pattern, cl_event *event_out);
vptr_status vptr__fake_enqueue_write_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *to,
                                         const void *from, size_t from_row, size_t from_slice,
                                         const size_t region[3], cl_event *event_out);
vptr_status vptr__fake_enqueue_read_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from, void *to,
                                        size_t to_row, size_t to_slice, const size_t region[3], cl_event *event_out);
vptr_status vptr__fake_enqueue_copy_rect(vptr__device *device, cl_command_queue queue, const vptr__rect *from,
                                        const vptr__rect *to, const size_t region[3], cl_event *event_out);
vptr_status vptr__fake_enqueue_barrier(vptr__device *device, cl_command_queue queue, cl_uint count,
                                       const cl_event *events, cl_event *event_out);

/* Queues a kernel, which is taken over; NULL: there was no memory for it. Without the mutex, which it takes. */
vptr_status vptr__fake_enqueue_call(cl_command_queue queue, vptr__fake_call *call, cl_event *event_out);

/* ---- fake_kernel.c ---------------------------------------------------------------------------------------- */

/* Operations of the device: without the mutex, which they take. */
vptr_status vptr__fake_program_build(vptr__device *device, const vptr__program_source *source,
                                     cl_program *program_out);
vptr_status vptr__fake_program_binary(vptr__device *device, cl_program program, unsigned char **binary_out,
                                      size_t *size_out);
void vptr__fake_program_release(vptr__device *device, cl_program program);
vptr_status vptr__fake_kernel_create(vptr__device *device, cl_program program, const char *name,
                                     cl_kernel *kernel_out);
void vptr__fake_kernel_release(vptr__device *device, cl_kernel kernel);
vptr_status vptr__fake_kernel_limits(vptr__device *device, cl_kernel kernel, vptr__kernel_limits *limits_out);
vptr_status vptr__fake_arg_buffer(vptr__device *device, cl_kernel kernel, cl_uint index, cl_mem buffer);
vptr_status vptr__fake_arg_value(vptr__device *device, cl_kernel kernel, cl_uint index, const void *value,
                                 size_t size);
vptr_status vptr__fake_arg_plain(vptr__device *device, cl_kernel kernel, cl_uint index, uint64_t address);
vptr_status vptr__fake_arg_local(vptr__device *device, cl_kernel kernel, cl_uint index, size_t size);
vptr_status vptr__fake_enqueue_kernel(vptr__device *device, cl_command_queue queue, cl_kernel kernel,
                                      const size_t offset[3], const size_t global[3], const size_t local[3],
                                      cl_event *event_out);

/* Under the mutex: retains a call's buffers, and releases them. */
void vptr__fake_call_keep(const vptr__fake_call *call);
void vptr__fake_call_let_go(const vptr__fake_call *call);

/* Runs a call: without the mutex, which it takes for a moment to find the buffers' bytes. */
void vptr__fake_call_do(const vptr__fake_call *call);

/* Frees a call's memory, which nobody else knows: with the mutex or without. */
void vptr__fake_call_free(vptr__fake_call *call);

/* ---- fake_queue.c ----------------------------------------------------------------------------------------- */

struct vptr__fake_queue {
  vptr__fake_queue *next;   /* of all queues there are */
  cl_command_queue handle;
  const vptr__device *device; /* NULL: it was closed */
  int priority;
  bool timed;
  bool own;                 /* the device's, or was before it kept times */
  unsigned references;      /* 0: nobody can reach it; it goes when it is empty */
  bool named;               /* to queue_use or queue_adopt, which holds a reference */
  bool of_program;          /* ... to queue_use */
  bool running;             /* its first command is being executed */
  uint64_t sent;            /* commands with tickets up to this have been flushed */
  vptr__fake_command *head, *tail;
};

/* Under the mutex. Adding takes over the command, whose memory is malloc's. */
vptr__fake_queue *vptr__fake_queue_find(cl_command_queue handle, const char *operation);
void vptr__fake_queue_add(vptr__fake_queue *queue, vptr__fake_command *command);
void vptr__fake_queue_send(vptr__fake_queue *queue);

/* Under the mutex, which it lets go meanwhile: runs a command of the caller's in its turn, on this thread. */
void vptr__fake_queue_run_here(vptr__fake_queue *queue, vptr__fake_command *command);

/* Under the mutex, which it lets go meanwhile: runs one command that may begin, of any queue. False if there is
 * none. */
bool vptr__fake_queue_work(void);

/* Opening and closing a device, and its operations: without the mutex, which they take. */
cl_int vptr__fake_queue_open_own(vptr__device *device);
void vptr__fake_queue_close_all(vptr__device *device);
vptr_status vptr__fake_finish(vptr__device *device);
vptr_status vptr__fake_queue_use(vptr__device *device, cl_command_queue queue);
vptr_status vptr__fake_queue_adopt(vptr__device *device, cl_command_queue queue);
vptr_status vptr__fake_settle(vptr__device *device);
vptr_status vptr__fake_queue_drop(vptr__device *device, cl_command_queue queue);
vptr_status vptr__fake_queue_create(vptr__device *device, int priority, bool timed, cl_command_queue *queue_out);
vptr_status vptr__fake_queue_time(vptr__device *device);
void vptr__fake_queue_release(vptr__device *device, cl_command_queue queue);
vptr_status vptr__fake_queue_flush(vptr__device *device, cl_command_queue queue);
vptr_status vptr__fake_queue_finish(vptr__device *device, cl_command_queue queue);

/* ---- fake_pool.c: all but two of these under the mutex, which those that wait give back meanwhile --------- */

/* Makes sure that there are threads to run commands, or one to tell of events. */
cl_int vptr__fake_pool_staff(void);
cl_int vptr__fake_pool_staff_teller(void);

/* Something changed that others may wait for. */
void vptr__fake_pool_wake(void);
/* Until something changed. */
void vptr__fake_pool_wait(void);

/* Has those told, on the teller's thread. Takes over the list. */
void vptr__fake_pool_report(vptr__fake_note *notes);

/* Devices come and go; with the last one go the threads, which is waited for. Without the mutex, which they take. */
void vptr__fake_pool_enter(void);
void vptr__fake_pool_leave(void);

/* In disorder: whether there is any, a number below limit, and a sleep of some length, without the mutex meanwhile. */
bool vptr__fake_pool_disorder(void);
uint64_t vptr__fake_pool_random(uint64_t limit);
void vptr__fake_pool_delay(void);

#endif
