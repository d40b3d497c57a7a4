/* SPDX-License-Identifier: MIT */
/*
 * joint_divide - which bytes a launch on a joint device (joint.h) uses, and how one is divided among the members.
 *
 * A launch uses the buffers among its arguments: all of each, or the bytes that it says it reaches (reach.h). It may be
 * divided where all that it writes is said by layers; what it only reads each member can have. The largest argument
 * that has stripes tells where: a layer goes to the member where most of its bytes are at home, so that nothing of what
 * lies in stripes is moved but bytes of a layer that lies across a seam.
 *
 * Parts may run at the same time, so what one writes no other may use: where arguments overlap so, the launch is one.
 *
 * Arguments, parts and uses are the caller's; of buffers only what never changes is read. No locks. Called by
 * joint_launch.c, when a launch is sent.
 */
#include "device/joint.h"

#include "base/number.h"

/* ---- what a part uses ------------------------------------------------------------------------------------- */

static bool is_buffer(const vptr__joint_argument *argument) {
  return argument->kind == VPTR__JOINT_BUFFER && argument->buffer != NULL;
}

static bool has_reach(const vptr__joint_argument *argument) {
  return argument->reach.end > 0;
}

static size_t bytes_before(const vptr__reach *reach, size_t layers) {
  size_t bytes;
  const size_t all = reach->end - reach->begin;
  return __builtin_mul_overflow(reach->layer, layers, &bytes) || bytes > all ? all : bytes;
}

/* What layers of an argument reach: the last one what is left. */
static vptr__joint_use use_of(const vptr__joint_argument *argument, const vptr__joint_part *part, size_t layers) {
  const vptr__reach *reach = &argument->reach;
  vptr__joint_use use = { .buffer = argument->buffer,
                          .end = argument->buffer->bytes,
                          .member = part->member,
                          .writes = !argument->reads,
                          .overwrites = has_reach(argument) && reach->discards && !argument->reads };
  if (has_reach(argument)) {
    use.begin = reach->begin;
    use.end = reach->end;
  }
  if (reach->layer > 0) {
    use.begin = reach->begin + bytes_before(reach, part->first);
    if (part->first + part->count < layers)
      use.end = reach->begin + bytes_before(reach, part->first + part->count);
  }
  return use;
}

/* A buffer is used once, from the first to the last of the bytes that arguments reach: between them may be others,
 * which are not overwritten. */
static void add_use(vptr__joint_part *part, const vptr__joint_use *use) {
  size_t i = 0;
  while (i < part->use_count && part->uses[i].buffer != use->buffer)
    i++;
  vptr__joint_use *at = &part->uses[i];
  if (i == part->use_count) {
    *at = *use;
    part->use_count++;
    return;
  }
  at->begin = vptr__smaller(at->begin, use->begin);
  at->end = vptr__larger(at->end, use->end);
  at->writes |= use->writes;
  at->overwrites = false;
}

void vptr__joint_part_fill(vptr__joint_part *part, const vptr__joint_argument *arguments, unsigned count,
                           size_t layers, vptr__joint_use *room) {
  part->uses = room;
  part->use_count = 0;
  for (unsigned i = 0; i < count; i++)
    if (is_buffer(&arguments[i])) {
      const vptr__joint_use use = use_of(&arguments[i], part, layers);
      add_use(part, &use);
    }
}

/* ---- where it is cut -------------------------------------------------------------------------------------- */

static bool leads(const vptr__joint_argument *argument, const vptr__joint_argument *before) {
  if (!is_buffer(argument) || argument->reach.layer == 0 || argument->buffer->stripe >= argument->buffer->bytes)
    return false;
  return before == NULL || argument->reach.end - argument->reach.begin > before->reach.end - before->reach.begin;
}

/* The argument whose stripes the launch is cut along; NULL: none has stripes and layers. */
static const vptr__joint_argument *find_lead(const vptr__joint_argument *arguments, unsigned count) {
  const vptr__joint_argument *lead = NULL;
  for (unsigned i = 0; i < count; i++)
    if (leads(&arguments[i], lead))
      lead = &arguments[i];
  return lead;
}

static bool says_what_it_writes(const vptr__joint_argument *arguments, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (is_buffer(&arguments[i]) && !arguments[i].reads && arguments[i].reach.layer == 0)
      return false;
  return true;
}

/* Behind the layers of a member: the border of its stripe, to the nearer layer. */
static size_t last_layer(const vptr__joint_argument *lead, unsigned member, size_t layers) {
  const vptr__reach *reach = &lead->reach;
  const size_t border = (size_t)(member + 1) * lead->buffer->stripe;
  if (border >= lead->buffer->bytes || border >= reach->end)
    return layers;
  if (border <= reach->begin)
    return 0;
  const size_t bytes = border - reach->begin;
  return vptr__smaller(bytes / reach->layer + (bytes % reach->layer >= reach->layer - bytes % reach->layer), layers);
}

static bool has_nothing(const vptr__joint_part *part) {
  for (size_t i = 0; i < part->use_count; i++)
    if (part->uses[i].begin >= part->uses[i].end)
      return true;
  return false;
}

static bool disturb(const vptr__joint_part *a, const vptr__joint_part *b) {
  for (size_t i = 0; i < a->use_count; i++)
    for (size_t k = 0; k < b->use_count; k++) {
      const vptr__joint_use *one = &a->uses[i], *other = &b->uses[k];
      if (one->buffer == other->buffer && (one->writes || other->writes) && one->begin < other->end &&
          other->begin < one->end)
        return true;
    }
  return false;
}

static const char *check_parts(const vptr__joint_part *parts, unsigned count) {
  if (count < 2)
    return "its bytes lie in one stripe";
  for (unsigned i = 0; i < count; i++) {
    if (has_nothing(&parts[i]))
      return "some of its layers reach nothing of an argument";
    for (unsigned k = 0; k < i; k++)
      if (disturb(&parts[i], &parts[k]))
        return "parts of it would write what others use";
  }
  return NULL;
}

static unsigned cut(const vptr__joint *joint, const vptr__joint_argument *arguments, unsigned count, size_t layers,
                    const vptr__joint_argument *lead, vptr__joint_part *parts, vptr__joint_use *room) {
  unsigned made = 0;
  size_t first = 0;
  for (unsigned i = 0; i < joint->count && first < layers; i++) {
    const size_t last = last_layer(lead, i, layers);
    if (last <= first)
      continue;
    parts[made] = (vptr__joint_part){ .member = i, .first = first, .count = last - first };
    vptr__joint_part_fill(&parts[made], arguments, count, layers, room + (size_t)made * count);
    made++;
    first = last;
  }
  return made;
}

unsigned vptr__joint_divide(const vptr__joint *joint, const vptr__joint_argument *arguments, unsigned count,
                            size_t layers, vptr__joint_part *parts, vptr__joint_use *room, const char **why_out) {
  const vptr__joint_argument *lead = find_lead(arguments, count);
  *why_out = lead == NULL                             ? "no argument with layers has stripes"
             : !says_what_it_writes(arguments, count) ? "it may write more than layers of its arguments"
                                                      : NULL;
  if (*why_out != NULL)
    return 0;
  const unsigned made = cut(joint, arguments, count, layers, lead, parts, room);
  *why_out = check_parts(parts, made);
  return *why_out == NULL ? made : 0;
}
