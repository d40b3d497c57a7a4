/* SPDX-License-Identifier: MIT */
/*
 * stop - what ends a block, where one work-item runs it: a failed assert(), and __trap().
 *
 * OpenCL has no way out of a kernel for all threads of a block, and a work-item that left alone would miss the next
 * barrier. Where one work-item is the block, a return is that way: the thread that fails leaves its function, and each
 * caller leaves behind the call, by a word of the context that the compiler keeps in a register once all is inlined. So
 * not even the rest of the expression is evaluated, and no other thread comes to its turn. A return stands inside of an
 * expression by GNU's statement expressions, which every OpenCL compiler for CPUs has from clang.
 *
 * Work-items by themselves go on as before: stop_ends_block() is false of their functions.
 */
#include "translate/emit/emitter.h"

static bool ends_block(const vptr__emitter *emitter) {
  return emitter->has_place || emitter->instance->runs_block;
}

/* Kernel C has one function for both forms of a kernel, and PTX is for devices that have threads. */
static void write_return(vptr__emitter *emitter) {
  const vptr__type *returned = emitter->instance->function->type->base;
  if (!emitter->has_place)
    vptr__writer_text(emitter->out, "if (VPTR_PTX == 0) ");
  if (emitter->loops != NULL || returned->kind == VPTR__TYPE_VOID)
    vptr__writer_text(emitter->out, "return;");
  else
    vptr__writer_format(emitter->out, "{ %s = { 0 }; return vptr_none; }",
                        vptr__emit_bare_declarator(emitter, returned, "vptr_none"));
}

void vptr__emit_failure(vptr__emitter *emitter, int code) {
  bool ends = ends_block(emitter);
  emitter->reach |= VPTR__REACHES_CONTEXT;
  vptr__emit_need(emitter, "fail", NULL);
  vptr__writer_format(emitter->out, "%svptr_fail(vptr->m_status, %d)", ends ? "({ " : "", code);
  if (!ends)
    return;
  vptr__writer_text(emitter->out, "; ((struct vptr_context *)vptr)->m_stopped = 1; ");
  write_return(emitter);
  vptr__writer_text(emitter->out, " })");
}

/* Where pointers in its type lead is the callee's to say. */
static const char *value_of(vptr__emitter *emitter, vptr__instance *callee) {
  vptr__instance *own = emitter->instance;
  emitter->instance = callee;
  const char *declarator = vptr__emit_bare_declarator(emitter, callee->function->type->base, "vptr_value");
  emitter->instance = own;
  return declarator;
}

bool vptr__emit_call_begin(vptr__emitter *emitter, vptr__instance *callee) {
  const vptr__type *returned = callee->function->type->base;
  if (!emitter->has_place || !callee->asserts)
    return false;
  vptr__writer_text(emitter->out, "({ ");
  if (returned->kind != VPTR__TYPE_VOID)
    vptr__writer_format(emitter->out, "%s = ", value_of(emitter, callee));
  return true;
}

void vptr__emit_call_end(vptr__emitter *emitter, const vptr__instance *callee, bool has_begun) {
  if (!has_begun)
    return;
  vptr__writer_text(emitter->out, "; ");
  vptr__emit_stopped(emitter);
  vptr__writer_text(emitter->out, callee->function->type->base->kind != VPTR__TYPE_VOID ? " vptr_value; })" : " })");
}

void vptr__emit_stopped(vptr__emitter *emitter) {
  vptr__writer_text(emitter->out, "if (vptr->m_stopped) ");
  write_return(emitter);
}

void vptr__emit_entry_stopped(vptr__emitter *emitter, const vptr__instance *kernel) {
  if (kernel->asserts && (kernel->runs_block || vptr__infer_has_loops(kernel)))
    vptr__writer_format(emitter->out, "  if (%s*vptr.m_status != 0)\n    return;\n",
                        kernel->runs_block ? "VPTR_PTX == 0 && " : "");
}
