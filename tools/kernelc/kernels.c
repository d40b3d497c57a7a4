/* SPDX-License-Identifier: MIT */
/*
 * kernels - see kernels.h.
 *
 * Parameters and arguments by value, and variables of a thread's own, are what LLVM cannot know the memory of: a
 * pointer that a kernel is given is to global memory, and an alloca is the thread's. Each is cast to its address space
 * and back, and LLVM's own pass does the rest.
 */
#include "kernels.h"

#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

#include "cached.h"
#include "child.h"
#include "graph.h"
#include "indirect.h"
#include "library_atomic.h"
#include "mixed.h"
#include "ptx_lower.h"
#include "recursion.h"
#include "states.h"
#include "stop.h"
#include "type.h"
#include "value.h"

/* ---- which ----------------------------------------------------------------------------------------------- */

enum { PTX_KERNEL = 71 }; /* LLVM's calling convention, which is all that says it from LLVM 20 on */

static kc_kernel *kernel_of(kc_writer *writer, LLVMValueRef function) {
  for (size_t i = 0; i < writer->kernel_count; i++)
    if (writer->kernels[i].function == function)
      return &writer->kernels[i];
  return NULL;
}

/* { function, "kernel", 1 } or { function, "maxntidx", n, "minctasm", n }. */
static void read_annotation(kc_writer *writer, LLVMValueRef annotation, bool reads_bounds) {
  enum { MOST = 64 };
  unsigned count = LLVMGetMDNodeNumOperands(annotation);
  LLVMValueRef words[MOST];
  if (count < 3 || count > MOST)
    return;
  LLVMGetMDNodeOperands(annotation, words);
  if (words[0] == NULL || LLVMIsAFunction(words[0]) == NULL || LLVMIsDeclaration(words[0]))
    return;
  kc_kernel *kernel = kernel_of(writer, words[0]);
  for (unsigned i = 1; i + 1 < count; i += 2) {
    if (!reads_bounds && kc_is_word(words[i], "kernel") && kernel == NULL)
      writer->kernels[writer->kernel_count++] = (kc_kernel){ .function = words[0] };
    else if (reads_bounds && kernel != NULL && (kc_is_word(words[i], "maxntid") || kc_is_word(words[i], "maxntidx")))
      kernel->max_threads = LLVMConstIntGetZExtValue(words[i + 1]);
    else if (reads_bounds && kernel != NULL && kc_is_word(words[i], "minctasm"))
      kernel->min_blocks = LLVMConstIntGetZExtValue(words[i + 1]);
  }
}

static size_t count_functions(kc_writer *writer) {
  size_t count = 0;
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each))
    count++;
  return count;
}

void kc_kernels_find(kc_writer *writer) {
  unsigned count = LLVMGetNamedMetadataNumOperands(writer->module, "nvvm.annotations");
  LLVMValueRef *annotations = kc_allocate(count, sizeof *annotations);
  writer->kernels = kc_allocate(count_functions(writer), sizeof *writer->kernels);
  LLVMGetNamedMetadataOperands(writer->module, "nvvm.annotations", annotations);
  for (unsigned i = 0; i < count; i++)
    read_annotation(writer, annotations[i], false);
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each))
    if ((LLVMGetFunctionCallConv(each) == PTX_KERNEL || kc_child_is_marked(writer->module, each)) &&
        !LLVMIsDeclaration(each) && kernel_of(writer, each) == NULL)
      writer->kernels[writer->kernel_count++] = (kc_kernel){ .function = each };
  for (unsigned i = 0; i < count; i++)
    read_annotation(writer, annotations[i], true);
}

/* ---- passes ---------------------------------------------------------------------------------------------- */

static bool run_passes(kc_writer *writer, const char *passes) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopUnrolling(options, false);
  LLVMPassBuilderOptionsSetLoopVectorization(options, false);
  LLVMPassBuilderOptionsSetSLPVectorization(options, false);
  LLVMErrorRef error = LLVMRunPasses(writer->module, passes, writer->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error == NULL)
    return true;
  fprintf(stderr, "vptr-kernelc: error: LLVM refuses its own passes '%s': %s\n", passes, LLVMGetErrorMessage(error));
  return false;
}

static unsigned kind_of(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void inline_into_kernels(kc_writer *writer) {
  for (LLVMValueRef each = LLVMGetFirstFunction(writer->module); each != NULL; each = LLVMGetNextFunction(each)) {
    if (LLVMIsDeclaration(each))
      continue;
    LLVMRemoveEnumAttributeAtIndex(each, LLVMAttributeFunctionIndex, kind_of("noinline"));
    LLVMRemoveEnumAttributeAtIndex(each, LLVMAttributeFunctionIndex, kind_of("optnone"));
    if (kernel_of(writer, each) != NULL)
      continue;
    LLVMSetLinkage(each, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(each, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(writer->context, kind_of("alwaysinline"), 0));
  }
}

/* All uses of the value see it through a cast to the space and back. */
static void cast_there_and_back(kc_writer *writer, LLVMBuilderRef builder, LLVMValueRef value, unsigned space) {
  LLVMValueRef there = LLVMBuildAddrSpaceCast(builder, value, LLVMPointerTypeInContext(writer->context, space), "");
  LLVMValueRef back = LLVMBuildAddrSpaceCast(builder, there, LLVMPointerTypeInContext(writer->context, 0), "");
  LLVMReplaceAllUsesWith(value, back);
  LLVMSetOperand(there, 0, value);
}

static bool is_generic(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return kc_is_pointer(type) && LLVMGetPointerAddressSpace(type) == KC_GENERIC;
}

static size_t collect_variables(LLVMValueRef function, LLVMValueRef *list) {
  size_t count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
      if (LLVMIsAAllocaInst(each) != NULL && is_generic(each)) {
        if (list != NULL)
          list[count] = each;
        count++;
      }
  return count;
}

static void place_pointers(kc_writer *writer, LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(writer->context);
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  LLVMValueRef *variables = kc_allocate(collect_variables(function, NULL), sizeof *variables);
  size_t count = collect_variables(function, variables);
  for (size_t i = 0; i < count; i++) {
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(variables[i]));
    cast_there_and_back(writer, builder, variables[i], KC_PRIVATE);
  }
  LLVMPositionBuilderBefore(builder, first);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef parameter = LLVMGetParam(function, i);
    if (is_generic(parameter) && !kc_indirect_is_number(parameter))
      cast_there_and_back(writer, builder, parameter, kc_passed_type(function, i) != NULL ? KC_PRIVATE : KC_GLOBAL);
  }
  LLVMDisposeBuilder(builder);
}

/* A loop that is unrolled repeats its stops, and each of them keeps all that is live: a sort of CUB's becomes a
 * megabyte. So those with stops are not, whatever their #pragma says. */
static void forget_unrolling(kc_writer *writer, LLVMValueRef function) {
  unsigned kind = LLVMGetMDKindIDInContext(writer->context, "llvm.loop", strlen("llvm.loop"));
  kc_graph *graph = kc_graph_of(writer, function);
  bool *has_stops = kc_allocate((size_t)graph->count, sizeof *has_stops);
  for (int i = 0; i < graph->count; i++)
    for (LLVMValueRef each = LLVMGetFirstInstruction(graph->blocks[i].ir); each != NULL;
         each = LLVMGetNextInstruction(each))
      if (kc_stop_of(each).operation != NULL)
        for (int loop = graph->blocks[i].loop; loop != KC_NO_BLOCK; loop = graph->blocks[loop].outer)
          has_stops[loop] = true;
  for (int i = 0; i < graph->count; i++)
    for (unsigned k = 0; k < kc_graph_successor_count(graph, i); k++) {
      int to = kc_graph_successor(graph, i, k);
      if (to <= i && has_stops[to])
        LLVMSetMetadata(LLVMGetBasicBlockTerminator(graph->blocks[i].ir), kind, NULL);
    }
  free(has_stops);
}

/* A function that is called so may call another so. */
static bool resolve_calls(kc_writer *writer) {
  enum { MOST_ROUNDS = 4 };
  kc_indirect_number(writer);
  for (int round = 0; round < MOST_ROUNDS && kc_indirect_resolve(writer); round++)
    if (!run_passes(writer, "always-inline,default<O2>"))
      return false;
  kc_indirect_end(writer);
  return run_passes(writer, "globaldce");
}

/* Whether a kernel stores a pointer to shared memory or to a variable of the thread: an array of such pointers is
 * values once the loops over it are unrolled. */
static bool stores_own_pointer(LLVMValueRef instruction) {
  LLVMValueRef value = LLVMIsAStoreInst(instruction) != NULL ? LLVMGetOperand(instruction, 0) : NULL;
  if (value == NULL || !kc_is_pointer(LLVMTypeOf(value)))
    return false;
  LLVMTypeRef type = LLVMTypeOf(kc_base_of(value));
  unsigned space = kc_is_pointer(type) ? LLVMGetPointerAddressSpace(type) : KC_GENERIC;
  return space == KC_SHARED || space == KC_PRIVATE;
}

static bool keeps_own_pointers(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL; each = LLVMGetNextInstruction(each))
      if (stores_own_pointer(each))
        return true;
  return false;
}

/* Asked for by name, LLVM's pass ends the program where once is not enough, unless it is told that it may be. */
#if LLVM_VERSION_MAJOR >= 18
#define COMBINE "instcombine<no-verify-fixpoint>"
#else
#define COMBINE "instcombine"
#endif

/* clang marks all loops as not to be unrolled; here they are again what LLVM takes them for. */
static bool allow_unrolling(kc_writer *writer, LLVMValueRef function) {
  unsigned kind = LLVMGetMDKindIDInContext(writer->context, "llvm.loop", strlen("llvm.loop"));
  if (!keeps_own_pointers(function) || kc_states_wanted(writer, function))
    return false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    LLVMSetMetadata(LLVMGetBasicBlockTerminator(block), kind, NULL);
  return true;
}

/* A kernel that is refused is not written. */
static bool try_kernel(kc_writer *writer, kc_kernel *kernel,
                       bool (*change)(kc_writer *writer, LLVMValueRef function)) {
  if (kernel->is_refused)
    return false;
  writer->kernel = kernel;
  if (setjmp(writer->refused) == 0)
    return change(writer, kernel->function);
  kernel->is_refused = true;
  return false;
}

static bool each_kernel(kc_writer *writer, bool (*each)(kc_writer *writer, LLVMValueRef function)) {
  bool has_changed = false;
  for (size_t i = 0; i < writer->kernel_count; i++)
    has_changed |= try_kernel(writer, &writer->kernels[i], each);
  writer->kernel = NULL;
  return has_changed;
}

static const char passes[] = "function(sroa,infer-address-spaces,sroa," COMBINE ",simplifycfg,early-cse,"
                             "infer-address-spaces,gvn,sroa,scalarizer,dce,fix-irreducible)";

static bool resolve_pointers(kc_writer *writer) {
  if (each_kernel(writer, kc_mixed_place) && !run_passes(writer, passes))
    return false;
  return !each_kernel(writer, kc_mixed_split) ||
         (run_passes(writer, "always-inline,globaldce") && run_passes(writer, passes));
}

/* What is still called by itself is no tail call, and has few values. */
static bool end_recursion(kc_writer *writer) {
  static const char few[] = "function(sroa,early-cse,simplifycfg," COMBINE ",tailcallelim)";
  if (!kc_recursion_found(writer))
    return true;
  if (!run_passes(writer, few))
    return false;
  if (kc_recursion_found(writer)) {
    if (!run_passes(writer, "function(reg2mem)"))
      return false;
    kc_recursion_replace(writer);
  }
  return run_passes(writer, "always-inline,globaldce");
}

static bool lower_assembler(kc_writer *writer) {
  if (!kc_ptx_found(writer))
    return true;
  if (!run_passes(writer, "function(sroa,early-cse,simplifycfg)"))
    return false;
  kc_ptx_lower(writer);
  return run_passes(writer, "always-inline,globaldce");
}

bool kc_kernels_prepare(kc_writer *writer) {
  if (!kc_children_replace(writer))
    return false;
  kc_cached_replace(writer);
  kc_library_atomic_replace(writer);
  inline_into_kernels(writer);
  if (!run_passes(writer, "globaldce,function(sroa,early-cse,simplifycfg),always-inline,globaldce") ||
      !end_recursion(writer) || !lower_assembler(writer))
    return false;
  for (size_t i = 0; i < writer->kernel_count; i++)
    if (!writer->kernels[i].is_refused && setjmp(writer->refused) == 0 &&
        kc_states_known(writer, writer->kernels[i].function))
      forget_unrolling(writer, writer->kernels[i].function);
  if (!run_passes(writer, "default<O2>") || !resolve_calls(writer))
    return false;
  for (size_t i = 0; i < writer->kernel_count; i++)
    place_pointers(writer, writer->kernels[i].function);
  if (!run_passes(writer, passes))
    return false;
  if (each_kernel(writer, allow_unrolling) &&
      !(run_passes(writer, "function(loop-simplify,lcssa,loop-unroll<O3;full-unroll-max=64;no-partial;no-runtime;"
                           "no-peeling>)") &&
        run_passes(writer, passes)))
    return false;
  return resolve_pointers(writer);
}
