/* SPDX-License-Identifier: MIT */
/*
 * proxy_apart - pinned host memory whose handle (proxy.h, VPTR__PROXY_SHARED) means a buffer of the device's own.
 *
 * A CPU's device works on host memory where it lies; a device with memory of its own does not. Where a mapper goes from
 * the one to the other, such memory goes along all the same: the handle means a buffer over there, and the host has the
 * bytes. They are sent before a command uses them, and fetched behind it:
 *
 *     copy from it     host -> buffer (these bytes), then the copy
 *     copy to it       the copy, then buffer -> host (these bytes)
 *     a launch         host -> buffer (all bytes), the kernel, buffer -> host: what the kernel has changed, alone
 *
 * So after a wait for the command the host has what it left, and between commands the buffer has nothing that the host
 * has not: to go back, or on, no bytes of it are moved. What the host writes meanwhile into other bytes of the same
 * allocation stays, for what a launch brought is compared with what was sent, byte by byte (proxy_merge.c).
 *
 * Two such commands at once would send each other's old bytes, so they have turns: each waits, on the device, for the
 * one before, on whatever queue that is. A launch uses the memory that its arguments name, and, where addresses were
 * told, all that has such an address: a kernel may have it from anywhere. A device that reaches pinned memory by the
 * host's address (reaches_pinned) is told that one, and then there is nothing to send for a launch.
 *
 * vptr__proxy.turn.lock, of rank TURN, guards who has the turn; it is held while commands are queued, and not while
 * they are waited for. Used by proxy_buffer.c, proxy_image.c, proxy_kernel.c, proxy_move.c, proxy_plan.c,
 * proxy_transfer.c and proxy.c.
 */
#ifndef VPTR_DEVICE_PROXY_APART_H
#define VPTR_DEVICE_PROXY_APART_H

#include "device/proxy.h"

/* device/platform.c, for tests: devices that are opened from now on do not work on host memory in place, as one with
 * memory of its own; or do again. */
void vptr__device_keep_apart(bool keeps);

static inline bool vptr__proxy_is_apart(cl_mem handle) {
  return handle != NULL && ((const vptr__proxy_buffer *)handle)->is_apart;
}

/* Makes the buffer of a handle of host memory: over that memory, or else, where it may be, apart from it. */
vptr_status vptr__proxy_share(vptr__device *inner, void *host, size_t bytes, bool may_be_apart, cl_mem *object_out,
                              bool *is_apart_out);

/* Refuses a part or an image over a buffer that is apart: its bytes would not be sent. */
vptr_status vptr__proxy_refuse_part_apart(const vptr__device *device, size_t bytes);

/* A copy's turn. Inside. */
typedef struct vptr__proxy_turn {
  vptr__proxy *proxy;
  vptr__device *inner;
  cl_command_queue queue;
  const vptr__rect *to;    /* handles; NULL: none that is apart */
  const size_t *region;
  bool is_taken;
  cl_event event;          /* of the last command, if the turn is taken */
} vptr__proxy_turn;

/* Before a copy: if either side is apart, takes the turn, and sends what is copied from there. `from` and `to` may be
 * NULL, and stay until the end. On an error there is no turn. Then the copy is queued, with this room for its event;
 * and at the end, with the copy's status, what was copied to a side that is apart is fetched, and *room (NULL: nobody
 * wants it) is the event of that. */
vptr_status vptr__proxy_turn_begin(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue,
                                   const vptr__rect *from, const vptr__rect *to, const size_t region[3],
                                   vptr__proxy_turn *turn);
vptr_status vptr__proxy_turn_end(vptr__proxy_turn *turn, vptr_status status, cl_event *room);

static inline cl_event *vptr__proxy_turn_room(vptr__proxy_turn *turn, cl_event *room) {
  return turn->is_taken ? &turn->event : room;
}

/* For proxy_merge.c: to have the turn, behind whoever had it; and to give it back, with the event that the next one
 * waits for, or NULL: the one before stays. */
vptr_status vptr__proxy_turn_take(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue);
void vptr__proxy_turn_give(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue, cl_event last);

/* With the gate shut and all work done, or at the end: forgets who had the turn last. */
void vptr__proxy_turn_forget(vptr__proxy *proxy);

/* proxy_merge.c: a launch. Inside. begin: NULL: it uses no memory that is apart, else its memory is sent, and the turn
 * is taken; on an error there is no turn. end: with the status of the kernel's command and its event, for which there
 * is this room: fetches the memory, gives the turn back, and *room (NULL: nobody wants it) is the event of all that. */
typedef struct vptr__proxy_merge vptr__proxy_merge;
vptr_status vptr__proxy_merge_begin(vptr__proxy *proxy, vptr__device *inner, cl_command_queue queue,
                                    const vptr__proxy_kernel *kernel, vptr__proxy_merge **merge_out);
vptr_status vptr__proxy_merge_end(vptr__proxy_merge *merge, vptr_status status, cl_event kernel, cl_event *room);

/* Waits until the last merge of the proxy is over: before it is freed. */
void vptr__proxy_merge_await(vptr__proxy *proxy);

#endif
