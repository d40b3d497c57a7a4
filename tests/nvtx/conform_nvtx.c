/* SPDX-License-Identifier: MIT */
/*
 * conform_nvtx - NVTX: what its calls return with a tool and without one, and the lines of the tool that vptr has.
 *
 * It is compiled in several ways: against the functions of libvptr-nvtx (NVTX_NO_IMPL), and against the calls that the
 * headers have themselves, vptr's and NVIDIA's (tests/install/nvtx.sh). It needs no device. What the tool says is read
 * from stderr, which leads to a file here.
 */
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#include "support/count.h"

#define EXPECT(condition) check_that(condition, "", #condition, __LINE__)

/* ---- what was said -------------------------------------------------------------------------------------- */

static FILE *errors; /* where stderr leads; what is behind its position is new */

static void redirect_errors(void) {
  errors = tmpfile();
  if (errors == NULL || dup2(fileno(errors), STDERR_FILENO) < 0)
    abort();
}

/* The next line, without its end; "" if there is none. The file has one position, where writers stand too. */
static const char *next_line(void) {
  static char line[2048];
  static long read_to;
  fflush(errors);
  line[0] = '\0';
  ssize_t size = pread(fileno(errors), line, sizeof line - 1, read_to);
  line[size > 0 ? size : 0] = '\0';
  char *end = strchr(line, '\n');
  if (end != NULL)
    *end = '\0';
  read_to += (long)strlen(line) + (end != NULL);
  return line;
}

/* pattern: as the shell has them, behind what each line begins with. */
#define SAYS(pattern) says_line(__LINE__, "vptr: nvtx: thread " pattern)
#define SAYS_NOTHING() says_line(__LINE__, "")

static void says_line(int place, const char *pattern) {
  const char *line = next_line();
  checks++;
  if (fnmatch(pattern, line, 0) == 0)
    return;
  if (count_failure())
    printf("line %d: the tool says \"%s\", not \"%s\"\n", place, line, pattern);
}

static uint32_t own_thread(void) {
  return (uint32_t)syscall(SYS_gettid);
}

static nvtxEventAttributes_t event_with(nvtxMessageType_t type, nvtxMessageValue_t message) {
  nvtxEventAttributes_t event;
  memset(&event, 0, sizeof event);
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = (int32_t)type;
  event.message = message;
  return event;
}

static nvtxEventAttributes_t event_of(const char *text) {
  return event_with(NVTX_MESSAGE_TYPE_ASCII, (nvtxMessageValue_t){ .ascii = text });
}

/* ---- without a tool ------------------------------------------------------------------------------------- */

static void check_quiet(void) {
  nvtxEventAttributes_t event = event_of("event");
  nvtxInitialize(NULL);
  EXPECT(nvtxRangePushA("a") == NVTX_NO_PUSH_POP_TRACKING && nvtxRangePushW(L"b") == -2);
  EXPECT(nvtxRangePushEx(&event) == -2 && nvtxRangePop() == -2);
  EXPECT(nvtxDomainRangePushEx(NULL, &event) == -2 && nvtxDomainRangePop(NULL) == -2);
  EXPECT(nvtxRangeStartA("c") == 0 && nvtxRangeStartW(L"d") == 0 && nvtxRangeStartEx(&event) == 0);
  EXPECT(nvtxDomainCreateA("e") == NULL && nvtxDomainRegisterStringA(NULL, "f") == NULL);
  EXPECT(nvtxDomainResourceCreate(NULL, NULL) == NULL);
  nvtxRangeEnd(1);
  nvtxMarkA(NULL);
  nvtxNameOsThreadA(own_thread(), "main");
  nvtxNameCudaDeviceA(0, "device");
  nvtxDomainDestroy(NULL);
  SAYS_NOTHING();
}

/* ---- with vptr's ---------------------------------------------------------------------------------------- */

static void check_thread_names(void) {
  nvtxMarkA("unnamed");
  SAYS("[0-9]*: mark unnamed");
  nvtxNameOsThreadA(own_thread(), "first");
  SAYS("first: name of thread [0-9]*: first");
  nvtxNameOsThreadW(own_thread(), L"main");
  SAYS("main: name of thread [0-9]*: main");
}

static void check_levels(void) {
  EXPECT(nvtxRangePop() == -1);
  SAYS_NOTHING();
  EXPECT(nvtxRangePushA("outer") == 0);
  SAYS("main: begin outer");
  EXPECT(nvtxRangePushW(L"inner") == 1);
  SAYS("main:   begin inner");
  nvtxMarkA("now");
  SAYS("main:     mark now");
  EXPECT(nvtxRangePop() == 1);
  SAYS("main:   end inner, [0-9]*.[0-9][0-9][0-9] ms");
  EXPECT(nvtxRangePushA("next") == 1 && nvtxRangePop() == 1);
  SAYS("main:   begin next");
  SAYS("main:   end next, *");
  EXPECT(nvtxRangePop() == 0 && nvtxRangePop() == -1);
  SAYS("main: end outer, *");
  SAYS_NOTHING();
}

static void check_messages(void) {
  char text[1000];
  nvtxMarkA(NULL);
  SAYS("main: mark (no message)");
  nvtxMarkW(NULL);
  SAYS("main: mark (no message)");
  nvtxMarkEx(NULL);
  SAYS("main: mark (no message)");
  nvtxMarkA("two\nlines\x7f");
  SAYS("main: mark two lines ");
  nvtxMarkW(L"\u00e9\u20ac\U0001f600\t.");
  SAYS("main: mark \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 .");
  nvtxMarkA("%s %n");
  SAYS("main: mark %s %n");
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = '\0';
  nvtxMarkA(text);
  EXPECT(strlen(next_line()) == strlen("vptr: nvtx: thread main: mark ") + 239);
  for (size_t i = 0; i + 1 < sizeof text; i++)
    text[i] = (char)(i % 2 == 0 ? '\xc3' : '\xa9');
  nvtxMarkA(text);
  SAYS("main: mark *\xc3\xa9...");
  nvtxEventAttributes_t event = event_with(NVTX_MESSAGE_UNKNOWN, (nvtxMessageValue_t){ .ascii = NULL });
  nvtxMarkEx(&event);
  SAYS("main: mark (no message)");
  event = event_with(NVTX_MESSAGE_TYPE_REGISTERED, (nvtxMessageValue_t){ .registered = NULL });
  nvtxMarkEx(&event);
  SAYS("main: mark (no message)");
  event = event_with(NVTX_MESSAGE_TYPE_UNICODE, (nvtxMessageValue_t){ .unicode = L"wide" });
  nvtxMarkEx(&event);
  SAYS("main: mark wide");
}

static void check_details(void) {
  nvtxEventAttributes_t event = event_of("event");
  event.category = 7;
  event.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  event.payload.llValue = -5;
  nvtxMarkEx(&event);
  SAYS("main: mark event, category 7, payload -5");
  nvtxNameCategoryA(7, "first");
  SAYS("main: name of category 7: first");
  nvtxNameCategoryW(7, L"files");
  SAYS("main: name of category 7: files");
  event.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
  event.payload.dValue = 0.5;
  EXPECT(nvtxRangePushEx(&event) == 0);
  SAYS("main: begin event, category files, payload 0.5");
  EXPECT(nvtxRangePop() == 0);
  SAYS("main: end event, * ms");
  event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  event.payload.ullValue = UINT64_MAX;
  nvtxMarkEx(&event);
  SAYS("main: mark event, category files, payload 18446744073709551615");
  event.category = 0;
  event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32;
  nvtxMarkEx(&event);
  SAYS("main: mark event, payload 4294967295");
  event.payloadType = NVTX_PAYLOAD_TYPE_INT32;
  nvtxMarkEx(&event);
  SAYS("main: mark event, payload -1");
  event.payloadType = NVTX_PAYLOAD_TYPE_FLOAT;
  event.payload.fValue = 0.25f;
  nvtxMarkEx(&event);
  SAYS("main: mark event, payload 0.25");
}

static void check_domains(void) {
  nvtxEventAttributes_t event = event_of("event");
  nvtxDomainHandle_t first = nvtxDomainCreateA("first"), second = nvtxDomainCreateW(L"second");
  EXPECT(first != NULL && second != NULL && first != second);
  EXPECT(nvtxDomainRangePushEx(first, &event) == 0);
  SAYS("main: begin event, domain first");
  EXPECT(nvtxDomainRangePushEx(second, &event) == 0 && nvtxDomainRangePushEx(first, &event) == 1);
  SAYS("main:   begin event, domain second");
  SAYS("main:     begin event, domain first");
  EXPECT(nvtxRangePushA("plain") == 0 && nvtxDomainRangePushEx(NULL, &event) == 1 && nvtxDomainRangePop(NULL) == 1);
  SAYS("main:       begin plain");
  SAYS("main:         begin event");
  SAYS("main:         end event, *");
  EXPECT(nvtxDomainRangePop(second) == 0 && nvtxDomainRangePop(second) == -1);
  SAYS("main:       end event, *");
  EXPECT(nvtxDomainRangePop(first) == 1 && nvtxRangePop() == 0 && nvtxDomainRangePop(first) == 0);
  SAYS("main:     end event, *");
  SAYS("main:   end plain, *");
  SAYS("main: end event, *");
  nvtxDomainNameCategoryA(first, 7, "own");
  SAYS("main: name of category 7 of domain first: own");
  nvtxDomainNameCategoryW(second, 7, L"wide");
  SAYS("main: name of category 7 of domain second: wide");
  event.category = 7;
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered = nvtxDomainRegisterStringA(first, "registered");
  EXPECT(event.message.registered != NULL);
  nvtxDomainMarkEx(first, &event);
  SAYS("main: mark registered, domain first, category own");
  event.message.registered = nvtxDomainRegisterStringW(NULL, L"default");
  nvtxMarkEx(&event);
  SAYS("main: mark default, category files");
  EXPECT(nvtxDomainRangePushEx(first, &event) == 0);
  SAYS("main: begin default, *");
  nvtxDomainDestroy(first);
  nvtxDomainDestroy(second);
  second = nvtxDomainCreateA("at the same address, perhaps");
  EXPECT(nvtxDomainRangePop(second) == -1);
  nvtxDomainDestroy(second);
  SAYS_NOTHING();
}

static void *end_range(void *range) {
  nvtxRangeEnd(*(nvtxRangeId_t *)range);
  return NULL;
}

static void check_started_ranges(void) {
  nvtxEventAttributes_t event = event_of("event");
  nvtxDomainHandle_t domain = nvtxDomainCreateA("own");
  pthread_t thread;
  nvtxRangeId_t first = nvtxRangeStartA("first"), second = nvtxRangeStartW(L"second");
  nvtxRangeId_t third = nvtxRangeStartEx(&event), fourth = nvtxDomainRangeStartEx(domain, &event);
  EXPECT(first != 0 && second == first + 1 && third == first + 2 && fourth == first + 3);
  SAYS("main:   start first, range 1");
  SAYS("main:   start second, range 2");
  SAYS("main:   start event, range 3");
  SAYS("main:   start event, range 4, domain own");
  nvtxRangeEnd(first);
  SAYS("main:   stop first, range 1, [0-9]*.[0-9][0-9][0-9] ms");
  nvtxRangeEnd(first);
  nvtxRangeEnd(0);
  SAYS_NOTHING();
  nvtxDomainRangeEnd(domain, fourth);
  SAYS("main:   stop event, range 4, *");
  EXPECT(pthread_create(&thread, NULL, end_range, &third) == 0 && pthread_join(thread, NULL) == 0);
  SAYS("[0-9]*: stop event, range 3, * ms");
  nvtxRangeEnd(second);
  SAYS("main:   stop second, range 2, *");
  nvtxDomainDestroy(domain);
}

static void check_names(void) {
  nvtxResourceAttributes_t resource = { NVTX_VERSION, NVTX_RESOURCE_ATTRIB_STRUCT_SIZE, 0, { 0 }, 0, { 0 } };
  nvtxNameCudaDeviceA(1, "big");
  SAYS("main:   name of device 1: big");
  nvtxNameCudaDeviceW(1, L"wide");
  SAYS("main:   name of device 1: wide");
  nvtxNameCudaStreamA((cudaStream_t)0x1230, "copies");
  SAYS("main:   name of stream 0x1230: copies");
  nvtxNameCudaStreamW((cudaStream_t)0x1230, L"wide");
  SAYS("main:   name of stream 0x1230: wide");
  nvtxNameCudaEventA((cudaEvent_t)0x1230, "done");
  SAYS("main:   name of event 0x1230: done");
  nvtxNameCudaEventW((cudaEvent_t)0x1230, L"wide");
  SAYS("main:   name of event 0x1230: wide");
  nvtxNameCuDeviceA(0, "small");
  SAYS("main:   name of device 0: small");
  nvtxNameCuContextA((CUcontext)0x1230, "context");
  SAYS("main:   name of context 0x1230: context");
  nvtxNameCuContextW((CUcontext)0x1230, L"wide");
  SAYS("main:   name of context 0x1230: wide");
  nvtxNameCuStreamA((CUstream)0x1230, "copies");
  SAYS("main:   name of stream 0x1230: copies");
  nvtxNameCuEventW((CUevent)0x1230, L"wide");
  SAYS("main:   name of event 0x1230: wide");
  resource.identifierType = NVTX_RESOURCE_TYPE_GENERIC_POINTER;
  resource.identifier.pValue = (const void *)0x4560;
  resource.messageType = NVTX_MESSAGE_TYPE_ASCII;
  resource.message.ascii = "table";
  nvtxResourceHandle_t handle = nvtxDomainResourceCreate(NULL, &resource);
  EXPECT(handle != NULL);
  SAYS("main:   name of resource 0x4560: table");
  nvtxDomainResourceDestroy(handle);
  SAYS_NOTHING();
}

enum { THREADS = 4, ROUNDS = 200 };

static void *push_and_pop(void *wrong) {
  for (int i = 0; i < ROUNDS; i++) {
    nvtxRangeId_t range = nvtxRangeStartA("worked");
    int is_right = nvtxRangePushA("worked") == 0 && nvtxRangePushA("worked") == 1 && nvtxRangePop() == 1 &&
                   nvtxRangePop() == 0 && range != 0;
    nvtxRangeEnd(range);
    if (!is_right)
      *(int *)wrong = 1;
  }
  nvtxRangePushA("worked, and stays open");
  return NULL;
}

/* Each has levels of its own, whatever is open here, and lines do not mix. */
static void check_threads(void) {
  pthread_t threads[THREADS];
  int wrong[THREADS] = { 0 };
  for (int i = 0; i < THREADS; i++)
    EXPECT(pthread_create(&threads[i], NULL, push_and_pop, &wrong[i]) == 0);
  for (int i = 0; i < THREADS; i++)
    EXPECT(pthread_join(threads[i], NULL) == 0 && !wrong[i]);
  int lines = 0, strange = 0;
  for (const char *line; *(line = next_line()) != '\0'; lines++)
    if (fnmatch("vptr: nvtx: thread [0-9]*: * worked*", line, 0) != 0)
      strange++;
  EXPECT(lines == THREADS * (6 * ROUNDS + 1) && strange == 0);
}

/* In a process of its own, since the first call decides for all. */
static void in_process(void (*check)(void), const char *level) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int before = failures;
    checks = 0;
    setenv("VPTR_VERBOSE", level, 1);
    redirect_errors();
    check();
    printf("with VPTR_VERBOSE=%s: %d checks\n", level, checks);
    fflush(stdout);
    _exit(failures != before);
  }
  int status = -1;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void check_shown(void) {
  nvtxInitialize(NULL);
  check_thread_names();
  check_levels();
  check_messages();
  check_details();
  check_domains();
  check_started_ranges();
  check_names();
  check_threads();
}

int main(void) {
  in_process(check_quiet, "0");
  in_process(check_quiet, "2");
  in_process(check_shown, "3");
  return verdict("conform_nvtx");
}
