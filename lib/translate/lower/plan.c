/* SPDX-License-Identifier: MIT */
/*
 * plan - see plan.h. The order of work: what instances reach, whether barriers hold, kernels, records.
 */
#include "translate/lower/plan.h"

#include "base/number.h"
#include "translate/lower/counter.h"
#include "translate/lower/frame.h"
#include "translate/lower/loops.h"
#include "translate/lower/meeting.h"
#include "translate/lower/reach.h"
#include "translate/lower/records.h"
#include "translate/lower/step.h"
#include "translate/lower/uniform.h"
#include "translate/types/types.h"

static uint64_t size_of(const vptr__declaration *variable) {
  return variable->size != 0 ? variable->size : vptr__type_size(variable->type);
}

static uint64_t alignment_of(const vptr__declaration *variable) {
  uint64_t own = variable->alignment != 0 ? variable->alignment : vptr__type_alignment(variable->type);
  return own < VPTR__SHARED_ALIGNMENT && size_of(variable) >= VPTR__SHARED_ALIGNMENT ? VPTR__SHARED_ALIGNMENT : own;
}

/* CUDA's layout: each parameter at the next multiple of its alignment. */
static uint64_t parameter_bytes(const vptr__declaration *kernel) {
  uint64_t offset = 0;
  for (const vptr__declaration *parameter = kernel->type->parameters; parameter != NULL; parameter = parameter->next)
    offset = vptr__align_up(offset, vptr__type_alignment(parameter->type)) + vptr__type_size(parameter->type);
  return offset;
}

static vptr__kernel_plan *plan_kernel(vptr__reach *reach, vptr__instance *instance) {
  vptr__kernel_plan *kernel = VPTR__ARENA_NEW(reach->arena, vptr__kernel_plan);
  kernel->instance = instance;
  kernel->members = vptr__reach_kernel(reach, instance);
  kernel->parameter_bytes = parameter_bytes(instance->function);
  for (vptr__context_member **member = kernel->members; *member != NULL; member++) {
    const vptr__declaration *variable = (*member)->variable;
    if ((*member)->kind == VPTR__MEMBER_SHARED)
      kernel->shared_bytes = vptr__align_up(kernel->shared_bytes, alignment_of(variable)) + size_of(variable);
    kernel->uses_dynamic_shared |= (*member)->kind == VPTR__MEMBER_DYNAMIC_SHARED;
    kernel->uses_status |= (*member)->kind == VPTR__MEMBER_STATUS;
  }
  return kernel;
}

static void plan_kernels(vptr__reach *reach) {
  vptr__kernel_plan **end = &reach->plan->kernels;
  for (vptr__instance *instance = reach->plan->inference->instances; instance != NULL; instance = instance->next) {
    if (!instance->is_kernel)
      continue;
    *end = plan_kernel(reach, instance);
    reach->plan->has_asserts |= instance->asserts;
    end = &(*end)->next;
  }
}

vptr__plan *vptr__plan_make(vptr__unit *unit, vptr__inference *inference) {
  vptr__arena *arena = vptr__source_arena(unit->source);
  int errors = vptr__source_errors(unit->source);
  vptr__plan *plan = VPTR__ARENA_NEW(arena, vptr__plan);
  *plan = (vptr__plan){ .unit = unit, .inference = inference, .mod_ref = { .arena = arena } };
  vptr__reach reach = { .plan = plan, .arena = arena };
  vptr__counters_split(arena, inference);
  vptr__reach_instances(&reach, inference);
  vptr__uniform_check(unit, inference);
  vptr__step_check(unit, inference);
  vptr__frame_measure(inference);
  vptr__meeting_plan(arena, inference);
  vptr__loops_plan(unit, inference);
  plan_kernels(&reach);
  for (const vptr__instance *instance = inference->instances; instance != NULL; instance = instance->next)
    vptr__mod_ref_walk(&plan->mod_ref, instance->function);
  vptr__records_plan(plan);
  return vptr__source_errors(unit->source) == errors ? plan : NULL;
}
