/* SPDX-License-Identifier: MIT */
/*
 * joint_use - what commands of a joint device (joint.h) do to bytes of its members, and how they are kept apart.
 *
 * A command uses bytes of a buffer on one member, or several uses at once. Those that are missing there are brought,
 * through memory of the host, since the members may be of different drivers. Pins keep what others may not disturb:
 *
 *     a pin      keeps out, of the same bytes
 *     writes     who writes them on another member, and who brings them anywhere
 *     brings     who writes them, and who brings them
 *
 * Who only reads has no pin: he begins with bytes that his member has, and what others change meanwhile is the
 * program's race, or bytes that he does not look at. A kernel's pin covers whole buffers, as nobody knows what it
 * reaches. All uses of a command begin together or none does, so nobody who has some waits for more; and a pin ends
 * when its command does. A place that is too small is made anew, under a pin of the whole buffer; who reads the old one
 * holds that.
 *
 * A use belongs to its command. vptr__joint.lock, of rank LEAF, guards pins, places and spans, and is not held while a
 * member works. Called by joint_move.c and joint_launch.c, on threads of queues. Everything here may wait for members,
 * and beginning for other commands.
 */
#include "device/joint.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

/* ---- who is kept out, under the lock ---------------------------------------------------------------------- */

static bool overlaps(const vptr__joint_pin *pin, size_t begin, size_t end) {
  return pin->begin < end && begin < pin->end;
}

static bool is_missing(const vptr__joint_use *use) {
  size_t next;
  if (use->overwrites)
    return false;
  for (size_t at = use->begin; at < use->end; at = next) {
    const uint32_t valid = vptr__joint_spans_at(use->buffer, at, use->end, &next);
    if (valid != 0 && (valid >> use->member & 1) == 0)
      return true;
  }
  return false;
}

static bool fits_place(const vptr__joint_use *use) {
  const vptr__joint_place *place = &use->buffer->places[use->member];
  return place->inner != NULL && place->begin <= use->begin && use->end <= place->end;
}

static bool brings(const vptr__joint_use *use) {
  return !fits_place(use) || is_missing(use);
}

/* What a use's pin covers: to make a place anew takes the whole buffer. */
static vptr__joint_pin pin_of(const vptr__joint_use *use) {
  vptr__joint_pin pin = { .begin = use->begin, .end = use->end, .member = use->member, .brings = brings(use) };
  if (!fits_place(use)) {
    pin.begin = 0;
    pin.end = use->buffer->bytes;
  }
  return pin;
}

static bool is_kept_out(const vptr__joint_use *use) {
  const vptr__joint_pin mine = pin_of(use);
  for (const vptr__joint_pin *pin = use->buffer->pins; pin != NULL; pin = pin->next) {
    if (!overlaps(pin, mine.begin, mine.end))
      continue;
    if (mine.brings || (use->writes && (pin->brings || pin->member != mine.member)))
      return true;
  }
  return false;
}

static bool are_kept_out(const vptr__joint_use *uses, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (is_kept_out(&uses[i]))
      return true;
  return false;
}

static void unpin(vptr__joint_use *use) {
  vptr__joint_pin **at = &use->buffer->pins;
  if (use->pin == NULL)
    return;
  while (*at != use->pin)
    at = &(*at)->next;
  *at = use->pin->next;
  vptr__memory_free(use->pin);
  use->pin = NULL;
}

/* ---- beginning -------------------------------------------------------------------------------------------- */

/* Each changes spans once: when it begins, as its bytes are there then; or, what is overwritten, when it ends. */
static bool promise_changes(vptr__joint_use *uses, size_t count) {
  size_t done = 0;
  while (done < count && vptr__joint_spans_promise(uses[done].buffer, 1))
    done++;
  for (size_t i = 0; i < done && done < count; i++)
    vptr__joint_spans_waive(uses[i].buffer);
  return done == count;
}

static vptr_status make_pins(vptr__joint_use *uses, size_t count) {
  for (size_t i = 0; i < count; i++)
    if ((uses[i].pin = vptr__memory_calloc(1, sizeof *uses[i].pin)) == NULL) {
      for (size_t k = 0; k < i; k++)
        vptr__memory_free(uses[k].pin);
      return vptr__error_host_memory(sizeof *uses[i].pin);
    }
  return VPTR_SUCCESS;
}

/* From now on others are kept out, all at once. */
static vptr_status pin_all(vptr__joint *joint, vptr__joint_use *uses, size_t count) {
  vptr_status status = make_pins(uses, count);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__lock_take(&joint->lock);
  while (are_kept_out(uses, count))
    pthread_cond_wait(&joint->changed, &joint->lock.mutex);
  const bool is_promised = promise_changes(uses, count);
  for (size_t i = 0; i < count && is_promised; i++) {
    *uses[i].pin = pin_of(&uses[i]);
    uses[i].pin->next = uses[i].buffer->pins;
    uses[i].buffer->pins = uses[i].pin;
  }
  vptr__lock_give(&joint->lock);
  if (is_promised)
    return VPTR_SUCCESS;
  for (size_t i = 0; i < count; i++)
    vptr__memory_free(uses[i].pin);
  return vptr__error_host_memory(sizeof(vptr__joint_span));
}

/* ---- places that are made anew ---------------------------------------------------------------------------- */

/* The bytes that the member has, from its old buffer. */
static vptr_status copy_place(vptr__joint *joint, vptr__joint_queue *queue, const vptr__joint_use *use,
                              const vptr__joint_place *fresh) {
  const vptr__joint_place *old = &use->buffer->places[use->member];
  vptr__device *device = joint->members[use->member];
  vptr__joint_flight flight = { .joint = joint, .queue = queue };
  size_t next;
  for (size_t at = old->begin; at < old->end; at = next) {
    vptr__lock_take(&joint->lock);
    const bool has = (vptr__joint_spans_at(use->buffer, at, old->end, &next) >> use->member & 1) != 0;
    vptr__lock_give(&joint->lock);
    cl_event *event = has ? vptr__joint_flight_room(&flight) : NULL;
    if (event != NULL)
      vptr__joint_flight_add(&flight, use->member,
                             device->ops->transfer.enqueue_copy(device, queue->inner[use->member], old->inner,
                                                                at - old->begin, fresh->inner, at - fresh->begin,
                                                                next - at, event));
  }
  return vptr__joint_flight_end(&flight);
}

static vptr_status widen_place(vptr__joint *joint, vptr__joint_queue *queue, const vptr__joint_use *use) {
  vptr__joint_place *place = &use->buffer->places[use->member], fresh = { .begin = use->begin, .end = use->end };
  vptr__device *device = joint->members[use->member];
  if (place->inner != NULL) {
    fresh.begin = vptr__smaller(fresh.begin, place->begin);
    fresh.end = vptr__larger(fresh.end, place->end);
  }
  fresh.begin -= fresh.begin % VPTR__JOINT_PAGE;
  fresh.end = vptr__smaller(vptr__align_up(fresh.end, VPTR__JOINT_PAGE), use->buffer->bytes);
  vptr_status status = device->ops->memory.create(device, fresh.end - fresh.begin, &fresh.inner);
  if (status != VPTR_SUCCESS)
    return status;
  status = place->inner != NULL ? copy_place(joint, queue, use, &fresh) : VPTR_SUCCESS;
  cl_mem left = fresh.inner;
  if (status == VPTR_SUCCESS) {
    vptr__lock_take(&joint->lock);
    left = place->inner;
    *place = fresh;
    vptr__lock_give(&joint->lock);
  }
  if (left != NULL)
    device->ops->memory.release(device, left);
  return status;
}

/* ---- bytes that are brought ------------------------------------------------------------------------------- */

/* The next ones that are missing from *at on, and who has them; false: there are no more. */
static bool next_missing(vptr__joint *joint, const vptr__joint_use *use, size_t *at, size_t *end_out,
                         vptr__joint_source *source_out) {
  uint32_t valid = 0;
  bool found = false;
  vptr__lock_take(&joint->lock);
  while (!found && *at < use->end) {
    valid = vptr__joint_spans_at(use->buffer, *at, use->end, end_out);
    found = valid != 0 && (valid >> use->member & 1) == 0;
    if (!found)
      *at = *end_out;
  }
  vptr__lock_give(&joint->lock);
  if (found)
    *source_out = vptr__joint_source_of(joint, use->buffer, *at, *end_out, use->member);
  return found;
}

static vptr_status bring_missing(vptr__joint *joint, vptr__joint_queue *queue, const vptr__joint_use *use) {
  const vptr__joint_place *place = &use->buffer->places[use->member];
  vptr_status status = VPTR_SUCCESS;
  vptr__joint_source source;
  size_t at = use->begin, end;
  while (status == VPTR_SUCCESS && next_missing(joint, use, &at, &end, &source)) {
    const vptr__joint_end from = { source.member, source.inner, at - source.inner_begin };
    const vptr__joint_end to = { use->member, place->inner, at - place->begin };
    status = vptr__joint_carry(joint, queue, &from, &to, source.end - at);
    vptr__device *device = joint->members[source.member];
    device->ops->memory.release(device, source.inner);
    at = source.end;
  }
  return status;
}

/* The bytes are there. A writer keeps its pin, and what it may write is then on its member alone; but what is
 * overwritten whole is where it was until that is done. */
static void begin_use(vptr__joint *joint, vptr__joint_use *use) {
  vptr__device *device = joint->members[use->member];
  const vptr__joint_place *place = &use->buffer->places[use->member];
  const uint32_t mine = UINT32_C(1) << use->member;
  if (!use->overwrites)
    vptr__joint_spans_change(use->buffer, use->begin, use->end, use->writes ? ~mine : 0, mine);
  use->inner = place->inner;
  use->inner_begin = place->begin;
  device->ops->memory.retain(device, use->inner);
  if (use->writes)
    *use->pin = (vptr__joint_pin){ use->pin->next, use->begin, use->end, use->member, false };
  else
    unpin(use);
}

static void give_up(vptr__joint *joint, vptr__joint_use *uses, size_t count) {
  vptr__lock_take(&joint->lock);
  for (size_t i = 0; i < count; i++) {
    vptr__joint_spans_waive(uses[i].buffer);
    unpin(&uses[i]);
  }
  pthread_cond_broadcast(&joint->changed);
  vptr__lock_give(&joint->lock);
}

vptr_status vptr__joint_uses_begin(vptr__joint *joint, vptr__joint_queue *queue, vptr__joint_use *uses,
                                   size_t count) {
  vptr_status status = pin_all(joint, uses, count);
  if (status != VPTR_SUCCESS)
    return status;
  for (size_t i = 0; i < count && status == VPTR_SUCCESS; i++) {
    if (!fits_place(&uses[i]))
      status = widen_place(joint, queue, &uses[i]);
    if (status == VPTR_SUCCESS && uses[i].pin->brings)
      status = bring_missing(joint, queue, &uses[i]);
  }
  if (status != VPTR_SUCCESS) {
    give_up(joint, uses, count);
    return status;
  }
  vptr__lock_take(&joint->lock);
  for (size_t i = 0; i < count; i++)
    begin_use(joint, &uses[i]);
  pthread_cond_broadcast(&joint->changed);
  vptr__lock_give(&joint->lock);
  return VPTR_SUCCESS;
}

/* ---- ending ----------------------------------------------------------------------------------------------- */

/* What failed while it overwrote may have spoilt the member's bytes: others have them still, if any had. */
static void end_overwriting(vptr__joint_use *use, bool has_worked) {
  const uint32_t mine = UINT32_C(1) << use->member;
  size_t next;
  bool others_have = true;
  for (size_t at = use->begin; at < use->end; at = next)
    others_have &= (vptr__joint_spans_at(use->buffer, at, use->end, &next) & ~mine) != 0;
  if (has_worked)
    vptr__joint_spans_change(use->buffer, use->begin, use->end, ~mine, mine);
  else if (others_have)
    vptr__joint_spans_change(use->buffer, use->begin, use->end, mine, 0);
  else
    vptr__joint_spans_waive(use->buffer);
}

void vptr__joint_uses_end(vptr__joint *joint, vptr__joint_use *uses, size_t count, bool has_worked) {
  vptr__lock_take(&joint->lock);
  for (size_t i = 0; i < count; i++) {
    if (uses[i].overwrites)
      end_overwriting(&uses[i], has_worked);
    unpin(&uses[i]);
  }
  pthread_cond_broadcast(&joint->changed);
  vptr__lock_give(&joint->lock);
  for (size_t i = 0; i < count; i++) {
    vptr__device *device = joint->members[uses[i].member];
    device->ops->memory.release(device, uses[i].inner);
  }
}

/* ---- where bytes are written and read ---------------------------------------------------------------------- */

vptr__joint_use vptr__joint_use_for_write(vptr__joint *joint, vptr__joint_buffer *buffer, size_t begin, size_t end) {
  vptr__joint_use use = { .buffer = buffer,
                          .begin = begin,
                          .end = vptr__smaller(end, vptr__joint_home_end(buffer, begin)),
                          .member = vptr__joint_home(buffer, begin),
                          .writes = true,
                          .overwrites = true };
  vptr__lock_take(&joint->lock);
  for (const vptr__joint_pin *pin = buffer->pins; pin != NULL; pin = pin->next) {
    if (pin->brings || !overlaps(pin, use.begin, use.end))
      continue;
    if (pin->begin <= begin) {
      use.member = pin->member;
      use.end = vptr__smaller(use.end, pin->end);
    } else {
      use.end = pin->begin;
    }
  }
  vptr__lock_give(&joint->lock);
  return use;
}

static unsigned member_with(const vptr__joint_buffer *buffer, uint32_t valid, size_t at, unsigned wanted) {
  if ((valid >> wanted & 1) != 0)
    return wanted;
  return valid != 0 ? (unsigned)__builtin_ctz(valid) : vptr__joint_home(buffer, at);
}

vptr__joint_source vptr__joint_source_of(vptr__joint *joint, vptr__joint_buffer *buffer, size_t begin, size_t end,
                                         unsigned wanted) {
  vptr__joint_source source;
  vptr__lock_take(&joint->lock);
  const uint32_t valid = vptr__joint_spans_at(buffer, begin, end, &source.end);
  source.member = member_with(buffer, valid, begin, wanted);
  if (valid == 0)
    source.end = vptr__smaller(source.end, vptr__joint_home_end(buffer, begin));
  source.inner = buffer->places[source.member].inner;
  source.inner_begin = buffer->places[source.member].begin;
  vptr__device *device = joint->members[source.member];
  device->ops->memory.retain(device, source.inner);
  vptr__lock_give(&joint->lock);
  return source;
}
