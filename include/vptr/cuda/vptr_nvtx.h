/* SPDX-License-Identifier: MIT */
/*
 * vptr_nvtx - how the calls of nvToolsExt.h reach a tool.
 *
 * The first call of a program, and of each shared library by itself, looks for a tool: the library that
 * NVTX_INJECTION64_PATH names (NVTX_INJECTION32_PATH in a program of 32 bits), else one that was linked in
 * (InitializeInjectionNvtx2_fnptr), else libvptr-nvtx where VPTR_VERBOSE is 3. The tool writes its functions into the
 * tables of NVTX 3's binary interface, as it does for programs that were compiled with NVIDIA's headers. From then on
 * a call costs two loads where no tool listens. A program with more rights than its caller gets no tool, since the
 * caller's environment would name it.
 *
 * Any thread may make the first call; others wait for it. Included by nvToolsExt.h alone.
 */
#ifndef VPTR_CUDA_VPTR_NVTX_H
#define VPTR_CUDA_VPTR_NVTX_H

#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "nvToolsExt.h"
#include "vptr_nvtx_tool.h"

#ifdef __cplusplus
#define VPTR_NVTX_CAST(type, value) reinterpret_cast<type>(value)
extern "C" {
#else
#define VPTR_NVTX_CAST(type, value) ((type)(value))
#endif

enum { VPTR_NVTX_UNSETTLED, VPTR_NVTX_IN_SEARCH, VPTR_NVTX_SETTLED };

/* One for each program and shared library. A tool gets slots, which lead to functions. */
struct vptr_nvtx_state {
  int search;
  vptr_nvtx_function functions[VPTR_NVTX_GROUPS][VPTR_NVTX_MOST];
  vptr_nvtx_function *slots[VPTR_NVTX_GROUPS][VPTR_NVTX_MOST + 1];
};
extern struct vptr_nvtx_state vptr_nvtx __attribute__((__weak__, __visibility__("hidden")));
struct vptr_nvtx_state vptr_nvtx __attribute__((__weak__, __visibility__("hidden")));

extern vptr_nvtx_injection InitializeInjectionNvtx2_fnptr __attribute__((__weak__, __visibility__("hidden")));

static __inline__ int vptr_nvtx_group(int group, vptr_nvtx_function ***slots_out, unsigned int *count_out) {
  static const unsigned int counts[VPTR_NVTX_GROUPS] = { 0, 16, 9, 15, 7, 16, 7 };
  if (group <= 0 || group >= VPTR_NVTX_GROUPS)
    return 0;
  if (slots_out)
    *slots_out = vptr_nvtx.slots[group];
  if (count_out)
    *count_out = counts[group];
  return 1;
}

static __inline__ void vptr_nvtx_hear_version(uint32_t version) {
  (void)version;
}

static __inline__ const void *vptr_nvtx_tables(uint32_t table) {
  static const struct vptr_nvtx_function_export functions = { sizeof functions, vptr_nvtx_group };
  static const struct vptr_nvtx_version_export version = { sizeof version, NVTX_VERSION, 0, vptr_nvtx_hear_version };
  return table == VPTR_NVTX_FUNCTIONS      ? VPTR_NVTX_CAST(const void *, &functions)
         : table == VPTR_NVTX_VERSION_INFO ? VPTR_NVTX_CAST(const void *, &version)
                                           : NULL;
}

/* A library that is no tool, or does not want to be one now, is closed again. */
static __inline__ int vptr_nvtx_attach(const char *path) {
  vptr_nvtx_injection injection;
  void *library = dlopen(path, RTLD_LAZY);
  void *entry = library ? dlsym(library, "InitializeInjectionNvtx2") : NULL;
  memcpy(&injection, &entry, sizeof injection);
  if (entry && injection(vptr_nvtx_tables))
    return 1;
  if (library)
    dlclose(library);
  return 0;
}

static __inline__ int vptr_nvtx_search(void) {
  const char *path = getenv(sizeof(void *) == 4 ? "NVTX_INJECTION32_PATH" : "NVTX_INJECTION64_PATH");
  const char *verbose = getenv("VPTR_VERBOSE");
  if (getauxval(AT_SECURE))
    return 0;
  if (path && *path)
    return vptr_nvtx_attach(path);
  if (&InitializeInjectionNvtx2_fnptr && InitializeInjectionNvtx2_fnptr)
    return InitializeInjectionNvtx2_fnptr(vptr_nvtx_tables);
  return verbose && verbose[0] == '3' && vptr_nvtx_attach("libvptr-nvtx.so.0");
}

static __attribute__((__unused__)) void vptr_nvtx_settle(void) {
  int expected = VPTR_NVTX_UNSETTLED, group, number;
  if (!__atomic_compare_exchange_n(&vptr_nvtx.search, &expected, VPTR_NVTX_IN_SEARCH, 0, __ATOMIC_ACQUIRE,
                                   __ATOMIC_ACQUIRE)) {
    while (__atomic_load_n(&vptr_nvtx.search, __ATOMIC_ACQUIRE) != VPTR_NVTX_SETTLED)
      sched_yield();
    return;
  }
  for (group = 1; group < VPTR_NVTX_GROUPS; group++)
    for (number = 1; number < VPTR_NVTX_MOST; number++)
      vptr_nvtx.slots[group][number] = &vptr_nvtx.functions[group][number];
  if (!vptr_nvtx_search())
    memset(vptr_nvtx.functions, 0, sizeof vptr_nvtx.functions);
  __atomic_store_n(&vptr_nvtx.search, VPTR_NVTX_SETTLED, __ATOMIC_RELEASE);
}

static __inline__ vptr_nvtx_function vptr_nvtx_tool(int group, int number) {
  if (__atomic_load_n(&vptr_nvtx.search, __ATOMIC_ACQUIRE) != VPTR_NVTX_SETTLED)
    vptr_nvtx_settle();
  return vptr_nvtx.functions[group][number];
}

/* The calls: what nobody answers is nothing, or `none`. */
#define VPTR_NVTX_TELL(name, group, number, parameters, arguments)                                                   \
  NVTX_DECLSPEC void name parameters {                                                                               \
    typedef void(*vptr_nvtx_form) parameters;                                                                        \
    vptr_nvtx_function tool = vptr_nvtx_tool(VPTR_NVTX_##group, number);                                             \
    if (tool)                                                                                                        \
      VPTR_NVTX_CAST(vptr_nvtx_form, tool) arguments;                                                                \
  }
#define VPTR_NVTX_ASK(result, none, name, group, number, parameters, arguments)                                      \
  NVTX_DECLSPEC result name parameters {                                                                             \
    typedef result(*vptr_nvtx_form) parameters;                                                                      \
    vptr_nvtx_function tool = vptr_nvtx_tool(VPTR_NVTX_##group, number);                                             \
    return tool ? VPTR_NVTX_CAST(vptr_nvtx_form, tool) arguments : none;                                             \
  }

/* clang-format off */
VPTR_NVTX_TELL(nvtxMarkEx, CORE, 1, (const nvtxEventAttributes_t *eventAttrib), (eventAttrib))
VPTR_NVTX_TELL(nvtxMarkA, CORE, 2, (const char *message), (message))
VPTR_NVTX_TELL(nvtxMarkW, CORE, 3, (const wchar_t *message), (message))
VPTR_NVTX_ASK(nvtxRangeId_t, 0, nvtxRangeStartEx, CORE, 4, (const nvtxEventAttributes_t *eventAttrib), (eventAttrib))
VPTR_NVTX_ASK(nvtxRangeId_t, 0, nvtxRangeStartA, CORE, 5, (const char *message), (message))
VPTR_NVTX_ASK(nvtxRangeId_t, 0, nvtxRangeStartW, CORE, 6, (const wchar_t *message), (message))
VPTR_NVTX_TELL(nvtxRangeEnd, CORE, 7, (nvtxRangeId_t id), (id))
VPTR_NVTX_ASK(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushEx, CORE, 8,
              (const nvtxEventAttributes_t *eventAttrib), (eventAttrib))
VPTR_NVTX_ASK(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushA, CORE, 9, (const char *message), (message))
VPTR_NVTX_ASK(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushW, CORE, 10, (const wchar_t *message), (message))
VPTR_NVTX_ASK(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePop, CORE, 11, (void), ())
VPTR_NVTX_TELL(nvtxNameCategoryA, CORE, 12, (uint32_t category, const char *name), (category, name))
VPTR_NVTX_TELL(nvtxNameCategoryW, CORE, 13, (uint32_t category, const wchar_t *name), (category, name))
VPTR_NVTX_TELL(nvtxNameOsThreadA, CORE, 14, (uint32_t threadId, const char *name), (threadId, name))
VPTR_NVTX_TELL(nvtxNameOsThreadW, CORE, 15, (uint32_t threadId, const wchar_t *name), (threadId, name))

VPTR_NVTX_TELL(nvtxDomainMarkEx, DOMAINS, 1,
               (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib), (domain, eventAttrib))
VPTR_NVTX_ASK(nvtxRangeId_t, 0, nvtxDomainRangeStartEx, DOMAINS, 2,
              (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib), (domain, eventAttrib))
VPTR_NVTX_TELL(nvtxDomainRangeEnd, DOMAINS, 3, (nvtxDomainHandle_t domain, nvtxRangeId_t id), (domain, id))
VPTR_NVTX_ASK(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePushEx, DOMAINS, 4,
              (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib), (domain, eventAttrib))
VPTR_NVTX_ASK(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop, DOMAINS, 5, (nvtxDomainHandle_t domain), (domain))
VPTR_NVTX_ASK(nvtxResourceHandle_t, NULL, nvtxDomainResourceCreate, DOMAINS, 6,
              (nvtxDomainHandle_t domain, nvtxResourceAttributes_t *attribs), (domain, attribs))
VPTR_NVTX_TELL(nvtxDomainResourceDestroy, DOMAINS, 7, (nvtxResourceHandle_t resource), (resource))
VPTR_NVTX_TELL(nvtxDomainNameCategoryA, DOMAINS, 8,
               (nvtxDomainHandle_t domain, uint32_t category, const char *name), (domain, category, name))
VPTR_NVTX_TELL(nvtxDomainNameCategoryW, DOMAINS, 9,
               (nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name), (domain, category, name))
VPTR_NVTX_ASK(nvtxStringHandle_t, NULL, nvtxDomainRegisterStringA, DOMAINS, 10,
              (nvtxDomainHandle_t domain, const char *string), (domain, string))
VPTR_NVTX_ASK(nvtxStringHandle_t, NULL, nvtxDomainRegisterStringW, DOMAINS, 11,
              (nvtxDomainHandle_t domain, const wchar_t *string), (domain, string))
VPTR_NVTX_ASK(nvtxDomainHandle_t, NULL, nvtxDomainCreateA, DOMAINS, 12, (const char *name), (name))
VPTR_NVTX_ASK(nvtxDomainHandle_t, NULL, nvtxDomainCreateW, DOMAINS, 13, (const wchar_t *name), (name))
VPTR_NVTX_TELL(nvtxDomainDestroy, DOMAINS, 14, (nvtxDomainHandle_t domain), (domain))
VPTR_NVTX_TELL(nvtxInitialize, DOMAINS, 15, (const void *reserved), (reserved))
/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
