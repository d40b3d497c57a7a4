/* SPDX-License-Identifier: MIT */
/*
 * context - the list of contexts, each thread's stack of them, and the checks that calls begin with (context.h).
 *
 * The static `contexts` has the list, the primary contexts of all devices and the lock of both, of rank LEAF; the
 * thread's `stack` is thread-local; `has_begun` is atomic. Called by programs, for cuInit() and cuDriverGetVersion(),
 * directly or by the table in entry.c; and by nearly every other file of this folder, which enters the current context
 * first. The runtime is told which device is current, and where its flags are (cuda/setting.h). It blocks while a
 * device is opened.
 */
#include "driver/context.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/lock.h"
#include "base/memory.h"
#include "cuda/device.h"
#include "cuda/setting.h"
#include "device/device.h"
#include "driver/result.h"

#include <vptr/cuda/cuda_runtime_api.h>

enum { DEEPEST = 64 };

static atomic_bool has_begun;

static struct {
  vptr__lock lock;
  CUcontext created;
  unsigned long long last_id;
  struct CUctx_st primaries[VPTR__MOST_DEVICES];
} contexts = { .lock = VPTR__LOCK_INIT(VPTR__RANK_LEAF) };

static _Thread_local struct {
  CUcontext places[DEEPEST];
  int count;
} stack;

CUresult vptr__driver_invalid(const char *call, const char *what) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s", call, what);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
}

CUresult vptr__driver_check_pointer(CUresult result, const char *call, const void *pointer, const char *what) {
  if (result != CUDA_SUCCESS || pointer != NULL)
    return result;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %s is NULL", call, what);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_VALUE);
}

/* ---- beginning ------------------------------------------------------------------------------------------ */

static CUresult refuse_beginning(void) {
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
              "the driver's interface begins with cuInit(0), or with a call of the runtime, and there was neither");
  return vptr__driver_refuse(CUDA_ERROR_NOT_INITIALIZED);
}

CUresult vptr__driver_begun(void) {
  if (atomic_load_explicit(&has_begun, memory_order_relaxed))
    return CUDA_SUCCESS;
  if (!vptr__device_is_known())
    return refuse_beginning();
  atomic_store(&has_begun, true);
  return CUDA_SUCCESS;
}

CUresult cuInit(unsigned int Flags) {
  int count;
  if (Flags != 0)
    return vptr__driver_invalid("cuInit", "Flags are not 0");
  CUresult result = vptr__driver_result(cudaGetDeviceCount(&count));
  if (result == CUDA_SUCCESS)
    atomic_store(&has_begun, true);
  return result;
}

CUresult cuDriverGetVersion(int *driverVersion) {
  if (driverVersion == NULL)
    return vptr__driver_invalid("cuDriverGetVersion", "the output is NULL");
  *driverVersion = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult vptr__driver_check_device(const char *call, CUdevice device) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS || (device >= 0 && device < vptr__device_count()))
    return result;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: there is no device %d, they are 0 to %d", call, device,
              vptr__device_count() - 1);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_DEVICE);
}

/* ---- life ----------------------------------------------------------------------------------------------- */

/* With the lock. */
static void begin_context(CUcontext context, CUdevice device, unsigned api_version) {
  context->device = device;
  context->api_version = api_version;
  context->id = ++contexts.last_id;
  context->is_live = true;
}

CUcontext vptr__driver_primary(CUdevice device) {
  CUcontext primary = &contexts.primaries[device];
  vptr__lock_take(&contexts.lock);
  if (!primary->is_live) {
    begin_context(primary, device, CUDA_VERSION);
    primary->is_primary = true;
  }
  vptr__lock_give(&contexts.lock);
  return primary;
}

CUresult vptr__driver_create(CUdevice device, unsigned flags, unsigned api_version, CUcontext *context_out) {
  CUcontext context = vptr__memory_calloc(1, sizeof *context);
  if (context == NULL)
    return vptr__driver_status(vptr__error_host_memory(sizeof *context));
  context->flags = flags;
  vptr__lock_take(&contexts.lock);
  begin_context(context, device, api_version);
  context->next = contexts.created;
  contexts.created = context;
  vptr__lock_give(&contexts.lock);
  *context_out = context;
  return CUDA_SUCCESS;
}

/* With the lock: out of the list and gone, if it was destroyed and no thread has it. */
static CUcontext take_if_over(CUcontext context) {
  if (context->is_live || context->places > 0)
    return NULL;
  for (CUcontext *link = &contexts.created; *link != NULL; link = &(*link)->next)
    if (*link == context) {
      *link = context->next;
      return context;
    }
  return NULL;
}

void vptr__driver_destroy(CUcontext context) {
  vptr__lock_take(&contexts.lock);
  context->is_live = false;
  CUcontext over = take_if_over(context);
  vptr__lock_give(&contexts.lock);
  vptr__memory_free(over);
}

/* With the lock. A pointer that is no context is not followed. */
static bool is_live(CUcontext context) {
  for (int i = 0; i < VPTR__MOST_DEVICES; i++)
    if (context == &contexts.primaries[i])
      return context->is_live;
  CUcontext found = contexts.created;
  while (found != NULL && found != context)
    found = found->next;
  return found != NULL && found->is_live;
}

CUresult vptr__driver_check_context(const char *call, CUcontext context) {
  vptr__lock_take(&contexts.lock);
  bool fine = context != NULL && is_live(context);
  vptr__lock_give(&contexts.lock);
  if (fine)
    return CUDA_SUCCESS;
  vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "%s: %p is no context: it was destroyed, or never created", call,
              (void *)context);
  return vptr__driver_refuse(CUDA_ERROR_INVALID_CONTEXT);
}

bool vptr__driver_retain(CUcontext primary, int change) {
  vptr__lock_take(&contexts.lock);
  bool fine = change > 0 || primary->retained > 0;
  if (fine)
    primary->retained += (unsigned)change;
  vptr__lock_give(&contexts.lock);
  return fine;
}

/* ---- stacks --------------------------------------------------------------------------------------------- */

/* The runtime tells the flags of the context on top. Before a context is let go, another one is shown. */
static void show_top(void) {
  CUcontext top = stack.count > 0 ? stack.places[stack.count - 1] : NULL;
  if (top != NULL && !top->is_primary)
    vptr__cuda_show_flags(&top->flags, top->device);
  else
    vptr__cuda_show_flags(NULL, -1);
}

/* On top, as the last of count. */
static void set_top_context(int count, CUcontext context) {
  vptr__lock_take(&contexts.lock);
  context->places++;
  vptr__lock_give(&contexts.lock);
  stack.places[count - 1] = context;
  stack.count = count;
  show_top();
}

static void release_place(CUcontext context) {
  vptr__lock_take(&contexts.lock);
  context->places--;
  CUcontext over = take_if_over(context);
  vptr__lock_give(&contexts.lock);
  vptr__memory_free(over);
}

/* What the runtime did since somebody asked last. */
static void follow_runtime(void) {
  int device = vptr__cuda_entered_device();
  if (device < 0)
    return;
  if (stack.count == 0) {
    set_top_context(1, vptr__driver_primary(device));
  } else if (stack.places[stack.count - 1]->device != device) {
    CUcontext before = stack.places[stack.count - 1];
    set_top_context(stack.count, vptr__driver_primary(device));
    release_place(before);
  }
}

CUcontext vptr__driver_current(void) {
  follow_runtime();
  return stack.count > 0 ? stack.places[stack.count - 1] : NULL;
}

/* A destroyed context's device is no harm to the runtime; that its context is over is told by the next call. */
static CUresult report_runtime(void) {
  if (stack.count == 0) {
    vptr__cuda_leave_device();
    return CUDA_SUCCESS;
  }
  return vptr__driver_result_of(vptr__cuda_enter_device(stack.places[stack.count - 1]->device));
}

CUresult vptr__driver_push(CUcontext context) {
  follow_runtime();
  if (stack.count == DEEPEST) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "a thread's stack of contexts is %d deep, and full: pop some", DEEPEST);
    return vptr__driver_refuse(CUDA_ERROR_OUT_OF_MEMORY);
  }
  CUresult result = vptr__driver_result_of(vptr__cuda_enter_device(context->device));
  if (result != CUDA_SUCCESS)
    return result;
  set_top_context(stack.count + 1, context);
  return CUDA_SUCCESS;
}

CUresult vptr__driver_pop(CUcontext *context_out) {
  CUcontext current = vptr__driver_current();
  if (current == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "cuCtxPopCurrent: no context is current to this thread");
    return vptr__driver_refuse(CUDA_ERROR_INVALID_CONTEXT);
  }
  stack.count--;
  show_top();
  if (context_out != NULL)
    *context_out = current;
  release_place(current);
  return report_runtime();
}

CUresult vptr__driver_set_current(CUcontext context) {
  if (context == NULL)
    return vptr__driver_current() != NULL ? vptr__driver_pop(NULL) : CUDA_SUCCESS;
  if (vptr__driver_current() == NULL)
    return vptr__driver_push(context);
  CUresult result = vptr__driver_result_of(vptr__cuda_enter_device(context->device));
  if (result != CUDA_SUCCESS)
    return result;
  CUcontext before = stack.places[stack.count - 1];
  set_top_context(stack.count, context);
  release_place(before);
  return CUDA_SUCCESS;
}

CUresult vptr__driver_enter(CUcontext *context_out) {
  CUresult result = vptr__driver_begun();
  if (result != CUDA_SUCCESS)
    return result;
  CUcontext current = vptr__driver_current();
  if (current == NULL) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "no context is current to this thread: call cuCtxSetCurrent()");
    return vptr__driver_refuse(CUDA_ERROR_INVALID_CONTEXT);
  }
  if (!current->is_live) {
    vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the context that is current to this thread was destroyed");
    return vptr__driver_refuse(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  }
  if (context_out != NULL)
    *context_out = current;
  return CUDA_SUCCESS;
}

CUresult vptr__driver_enter_allocation(const char *call, const void *output, size_t bytes) {
  CUresult result = vptr__driver_check_pointer(vptr__driver_enter(NULL), call, output, "the output");
  return result == CUDA_SUCCESS && bytes == 0 ? vptr__driver_invalid(call, "0 bytes are asked for") : result;
}
