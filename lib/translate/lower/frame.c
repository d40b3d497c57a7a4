/* SPDX-License-Identifier: MIT */
/*
 * frame - see frame.h. The inference lists callees first, so one pass is enough.
 */
#include "translate/lower/frame.h"

#include "translate/infer/visit.h"
#include "translate/types/types.h"

/* Nothing has as much, and two of them can be added. */
static const uint64_t most = UINT64_C(1) << 62;

static uint64_t sum_of(uint64_t a, uint64_t b) {
  return a < most && b < most - a ? a + b : most;
}

static bool is_constant(const vptr__declaration *variable) {
  const vptr__type *type = variable->type;
  while (type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  return variable->initializer != NULL &&
         ((variable->flags & VPTR__CONSTEXPR) != 0 || (type->qualifiers & VPTR__CONST) != 0);
}

static void add_variable(void *context, vptr__declaration *variable) {
  const unsigned elsewhere = VPTR__SHARED | VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED;
  vptr__instance *instance = context;
  if ((variable->flags & elsewhere) || is_constant(variable))
    return;
  uint64_t size = vptr__type_size(variable->type);
  if (size >= VPTR__FRAME_LEAST)
    instance->private_bytes = sum_of(instance->private_bytes, size);
}

void vptr__frame_measure(vptr__inference *inference) {
  for (vptr__instance *instance = inference->instances; instance != NULL; instance = instance->next) {
    vptr__visitor visitor = { .variable = add_variable, .context = instance };
    instance->private_bytes = 0;
    vptr__visit_statement(&visitor, instance->function->body);
    for (const vptr__call_target *call = instance->calls; call != NULL; call = call->next)
      instance->private_bytes = sum_of(instance->private_bytes, call->instance->private_bytes);
  }
}
