/* SPDX-License-Identifier: MIT */
/*
 * section - which kernels need a function: a line in front of it, by which lib/cudart/module cuts a kernel out of its
 * module (part.c there).
 *
 *     //vptr-for 0,3-5       the kernels of these lines, counted from 0; it holds up to the next such line
 *     //vptr-for *           all
 *
 * A comment, so that the text is still one that a driver takes whole. What stands before the first is every kernel's,
 * and a module with one kernel has none. A list that would be longer than LONGEST is a *: a function too many costs a
 * kernel little, but thousands of helpers that thousands of kernels share would make a list of millions of numbers.
 */
#include "translate/emit/emitter.h"

enum { LONGEST = 400 };

/* Kernels are added in their order. */
typedef struct user_list {
  vptr__writer runs;   /* those before the last */
  uint32_t begin, end; /* the last; none at first */
} user_list;

static void close_run(user_list *users) {
  const char *separator = users->runs.length > 0 ? "," : "";
  if (users->end - users->begin > 1)
    vptr__writer_format(&users->runs, "%s%u-%u", separator, users->begin, users->end - 1);
  else
    vptr__writer_format(&users->runs, "%s%u", separator, users->begin);
}

/* False: it is there. */
static bool add_user(vptr__emitter *emitter, const vptr__instance *instance, uint32_t kernel) {
  void **slot = vptr__map_put(emitter->arena, &emitter->users, (uintptr_t)instance);
  user_list *users = *slot;
  if (users == NULL) {
    *slot = users = VPTR__ARENA_NEW(emitter->arena, user_list);
    vptr__writer_init(&users->runs, emitter->arena);
    users->begin = users->end = kernel;
  } else if (users->end == kernel + 1) {
    return false;
  } else if (users->end < kernel && users->runs.length <= LONGEST) {
    close_run(users);
    users->begin = kernel;
  }
  users->end = kernel + 1;
  return true;
}

static void add_user_to_all(vptr__emitter *emitter, const vptr__instance *instance, uint32_t kernel) {
  if (!add_user(emitter, instance, kernel))
    return;
  vptr__arena_enter(emitter->arena);
  for (const vptr__call_target *call = instance->calls; call != NULL; call = call->next)
    add_user_to_all(emitter, call->instance, kernel);
  vptr__arena_leave(emitter->arena);
}

void vptr__emit_find_users(vptr__emitter *emitter) {
  for (const vptr__kernel_plan *kernel = emitter->plan->kernels; kernel != NULL; kernel = kernel->next)
    add_user_to_all(emitter, kernel->instance, emitter->kernel_count++);
}

void vptr__emit_section(vptr__emitter *emitter, const vptr__instance *instance) {
  user_list *users = *vptr__map_put(emitter->arena, &emitter->users, (uintptr_t)instance);
  if (emitter->kernel_count < 2)
    return;
  bool is_of_all = users == NULL || (users->runs.length == 0 && users->end - users->begin == emitter->kernel_count);
  if (!is_of_all)
    close_run(users);
  is_of_all = is_of_all || users->runs.length > LONGEST;
  vptr__writer_format(emitter->out, "\n//vptr-for %s\n", is_of_all ? "*" : vptr__writer_result(&users->runs));
}

void vptr__emit_section_of_one(vptr__emitter *emitter, uint32_t kernel) {
  if (emitter->kernel_count > 1)
    vptr__writer_format(emitter->out, "\n//vptr-for %u\n", kernel);
}
