/* SPDX-License-Identifier: MIT */
/*
 * nvToolsExt - NVTX, by which programs name their phases to a tool.
 *
 * Types, values and prototypes are those of NVTX 3, which is a header and no library: each call asks a tool that was
 * loaded at the first of them, and does nothing where there is none (vptr_nvtx.h). A push and a pop answer
 * NVTX_NO_PUSH_POP_TRACKING then; ranges, domains, strings and resources are 0. With NVTX_NO_IMPL there are prototypes
 * alone, for what libvptr-nvtx exports.
 */
#ifndef VPTR_CUDA_NVTOOLSEXT_H
#define VPTR_CUDA_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>

#include "host_defines.h"

#define NVTX_VERSION 3
#define NVTX_API
#define NVTX_INLINE_STATIC __inline__ static
#ifndef NVTX_DECLSPEC
#if defined(NVTX_NO_IMPL)
#define NVTX_DECLSPEC
#elif defined(NVTX_EXPORT_API)
#define NVTX_DECLSPEC __attribute__((__visibility__("default")))
#else
#define NVTX_DECLSPEC NVTX_INLINE_STATIC
#endif
#endif

#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_ERR_INIT_LOAD_PROPERTY 2
#define NVTX_ERR_INIT_ACCESS_LIBRARY 3
#define NVTX_ERR_INIT_LOAD_LIBRARY 4
#define NVTX_ERR_INIT_MISSING_LIBRARY_ENTRY_POINT 5
#define NVTX_ERR_INIT_FAILED_LIBRARY_ENTRY_POINT 6
#define NVTX_ERR_NO_INJECTION_LIBRARY_AVAILABLE 7

#define NVTX_NO_PUSH_POP_TRACKING (-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE 48
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE 32

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st nvtxDomainRegistration;
typedef nvtxDomainRegistration *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st nvtxStringRegistration;
typedef nvtxStringRegistration *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;

typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

/* What a mark or a range is. */
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;

#define NVTX_RESOURCE_CLASS_GENERIC 1
#define NVTX_RESOURCE_MAKE_TYPE(kind, index) ((NVTX_RESOURCE_CLASS_##kind << 16) | (index))

typedef enum nvtxResourceGenericType_t {
  NVTX_RESOURCE_TYPE_UNKNOWN = 0,
  NVTX_RESOURCE_TYPE_GENERIC_POINTER = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 1),
  NVTX_RESOURCE_TYPE_GENERIC_HANDLE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 2),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 3),
  NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = NVTX_RESOURCE_MAKE_TYPE(GENERIC, 4)
} nvtxResourceGenericType_t;

/* An object of the program's that is to have a name. */
typedef struct nvtxResourceAttributes_v0 {
  uint16_t version, size;
  int32_t identifierType;
  union identifier_t {
    const void *pValue;
    uint64_t ullValue;
  } identifier;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxResourceAttributes_v0;
typedef nvtxResourceAttributes_v0 nvtxResourceAttributes_t;

/* ---- calls ---------------------------------------------------------------------------------------------- */

NVTX_DECLSPEC void nvtxInitialize(const void *reserved);
NVTX_DECLSPEC void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib);
NVTX_DECLSPEC void nvtxMarkEx(const nvtxEventAttributes_t *eventAttrib);
NVTX_DECLSPEC void nvtxMarkA(const char *message);
NVTX_DECLSPEC void nvtxMarkW(const wchar_t *message);
NVTX_DECLSPEC nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                   const nvtxEventAttributes_t *eventAttrib);
NVTX_DECLSPEC nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *eventAttrib);
NVTX_DECLSPEC nvtxRangeId_t nvtxRangeStartA(const char *message);
NVTX_DECLSPEC nvtxRangeId_t nvtxRangeStartW(const wchar_t *message);
NVTX_DECLSPEC void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id);
NVTX_DECLSPEC void nvtxRangeEnd(nvtxRangeId_t id);
NVTX_DECLSPEC int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *eventAttrib);
NVTX_DECLSPEC int nvtxRangePushEx(const nvtxEventAttributes_t *eventAttrib);
NVTX_DECLSPEC int nvtxRangePushA(const char *message);
NVTX_DECLSPEC int nvtxRangePushW(const wchar_t *message);
NVTX_DECLSPEC int nvtxDomainRangePop(nvtxDomainHandle_t domain);
NVTX_DECLSPEC int nvtxRangePop(void);
NVTX_DECLSPEC nvtxResourceHandle_t nvtxDomainResourceCreate(nvtxDomainHandle_t domain,
                                                            nvtxResourceAttributes_t *attribs);
NVTX_DECLSPEC void nvtxDomainResourceDestroy(nvtxResourceHandle_t resource);
NVTX_DECLSPEC void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *name);
NVTX_DECLSPEC void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name);
NVTX_DECLSPEC void nvtxNameCategoryA(uint32_t category, const char *name);
NVTX_DECLSPEC void nvtxNameCategoryW(uint32_t category, const wchar_t *name);
NVTX_DECLSPEC void nvtxNameOsThreadA(uint32_t threadId, const char *name);
NVTX_DECLSPEC void nvtxNameOsThreadW(uint32_t threadId, const wchar_t *name);
NVTX_DECLSPEC nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *string);
NVTX_DECLSPEC nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t *string);
NVTX_DECLSPEC nvtxDomainHandle_t nvtxDomainCreateA(const char *name);
NVTX_DECLSPEC nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *name);
NVTX_DECLSPEC void nvtxDomainDestroy(nvtxDomainHandle_t domain);

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#ifdef __cplusplus
}
#endif

#ifndef NVTX_NO_IMPL
#include "vptr_nvtx.h"
#endif

#endif
