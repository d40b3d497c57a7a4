/* SPDX-License-Identifier: MIT */
/* conform_transfer - cudaMemcpy() with every kind between every pair of ends, cudaMemset(), and their bounds. */
#include "conform.h"

#include <stdint.h>
#include <string.h>

enum { SIZE = 1000 }; /* no multiple of anything, so that bounds are exact or wrong */

static unsigned char host[2][SIZE];
static unsigned char *device[2];

/* Byte i of what end e holds before a copy. */
static unsigned char content(int e, int i) {
  return (unsigned char)(e * 101 + i * 7 + 3);
}

static void set_up(void) {
  for (int e = 0; e < 2; e++) {
    for (int i = 0; i < SIZE; i++)
      host[e][i] = content(e, i);
    conform_succeed(cudaMemcpy(device[e], host[e], SIZE, cudaMemcpyHostToDevice));
  }
}

/* Whether the SIZE bytes at p, on the device or not, are those that end e began with. */
static int holds(const unsigned char *p, int on_device, int e) {
  unsigned char copy[SIZE];
  if (on_device)
    conform_succeed(cudaMemcpy(copy, p, SIZE, cudaMemcpyDeviceToHost));
  else
    memcpy(copy, p, SIZE);
  for (int i = 0; i < SIZE; i++)
    if (copy[i] != content(e, i))
      return 0;
  return 1;
}

/* A kind that says "device" needs a device address at that end; one that says "host" takes anything. */
static int is_allowed(enum cudaMemcpyKind kind, int to_device, int from_device) {
  switch (kind) {
  case cudaMemcpyHostToDevice:
    return to_device;
  case cudaMemcpyDeviceToHost:
    return from_device;
  case cudaMemcpyDeviceToDevice:
    return to_device && from_device;
  default:
    return 1;
  }
}

static void copy_once(enum cudaMemcpyKind kind, int to_device, int from_device) {
  set_up();
  unsigned char *to = to_device ? device[0] : host[0];
  const unsigned char *from = from_device ? device[1] : host[1];
  int allowed = is_allowed(kind, to_device, from_device);
  conform_expect(allowed ? cudaSuccess : cudaErrorInvalidValue, cudaMemcpy(to, from, SIZE, kind));
  conform_true(holds(to, to_device, allowed ? 1 : 0));
  conform_true(holds(from, from_device, 1));
}

static void every_kind_between_every_pair(void) {
  for (int kind = cudaMemcpyHostToHost; kind <= cudaMemcpyDefault; kind++)
    for (int ends = 0; ends < 4; ends++)
      copy_once((enum cudaMemcpyKind)kind, ends & 1, ends >> 1);
}

static void an_unknown_kind_is_no_direction(void) {
  conform_expect(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device[0], host[0], 8, (enum cudaMemcpyKind)5));
  conform_expect(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device[0], host[0], 8, (enum cudaMemcpyKind)99));
  conform_expect(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device[0], host[0], 8, (enum cudaMemcpyKind) - 1));
}

static void nothing_to_copy_is_a_success(void) {
  int n = 0;
  conform_succeed(cudaMemcpy(host[0], device[0], 0, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy(host[0], device[0], 0, (enum cudaMemcpyKind)99));
  conform_succeed(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault));
  conform_succeed(cudaMemcpy((void *)16, &n, 0, cudaMemcpyDeviceToDevice));
  conform_succeed(cudaMemset(NULL, 1, 0));
  conform_succeed(cudaMemset(&n, 1, 0));
}

static void null_is_invalid(void) {
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(NULL, host[0], 8, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(device[0], NULL, 8, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(NULL, device[0], 8, cudaMemcpyDeviceToHost));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(host[0], NULL, 8, cudaMemcpyDeviceToHost));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(NULL, device[0], 8, cudaMemcpyDeviceToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(device[0], NULL, 8, cudaMemcpyDeviceToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(NULL, device[0], 8, cudaMemcpyDefault));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(device[0], NULL, 8, cudaMemcpyDefault));
  conform_expect(cudaErrorInvalidValue, cudaMemset(NULL, 1, 8));
}

static void bounds_are_exact(void) {
  static unsigned char large[SIZE + 1];
  unsigned char *p = device[0];
  conform_succeed(cudaMemcpy(p + 999, large, 1, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy(p + 10, large, 990, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(p, large, SIZE + 1, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(p + 999, large, 2, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(large, p + 999, 2, cudaMemcpyDeviceToHost));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(large, p + SIZE, 1, cudaMemcpyDeviceToHost));
  conform_succeed(cudaMemset(p, 1, SIZE));
  conform_succeed(cudaMemset(p + 999, 1, 1));
  conform_expect(cudaErrorInvalidValue, cudaMemset(p, 1, SIZE + 1));
  conform_expect(cudaErrorInvalidValue, cudaMemset(p + SIZE, 1, 1));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(p, large, SIZE_MAX - 3, cudaMemcpyHostToDevice));
}

static void a_refused_copy_moves_nothing(void) {
  static unsigned char ones[SIZE + 1], seen[SIZE];
  memset(ones, 1, sizeof ones);
  conform_succeed(cudaMemset(device[0], 9, SIZE));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(device[0], ones, SIZE + 1, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy(seen, device[0], SIZE, cudaMemcpyDeviceToHost));
  for (int i = 0; i < SIZE; i++)
    conform_true(seen[i] == 9);
}

/* CUDA leaves the result of overlapping ranges open; that there is no error, it does not. */
static void overlap_is_no_error(void) {
  conform_succeed(cudaMemcpy(device[0], device[0] + 100, 300, cudaMemcpyDeviceToDevice));
  conform_succeed(cudaMemcpy(device[0] + 100, device[0], 300, cudaMemcpyDeviceToDevice));
  conform_succeed(cudaMemcpy(device[0], device[0], 300, cudaMemcpyDeviceToDevice));
}

static void memset_takes_the_low_byte(void) {
  unsigned char seen[8];
  conform_succeed(cudaMemset(device[0], 0, 8));
  conform_succeed(cudaMemset(device[0] + 2, 0x1ff, 3));
  conform_succeed(cudaMemcpy(seen, device[0], 8, cudaMemcpyDeviceToHost));
  const unsigned char wanted[8] = { 0, 0, 0xff, 0xff, 0xff, 0, 0, 0 };
  conform_true(memcmp(seen, wanted, 8) == 0);
}

static void memset_refuses_host_memory(void) {
  int on_stack = 5;
  conform_expect(cudaErrorInvalidValue, cudaMemset(&on_stack, 1, sizeof on_stack));
  conform_expect(cudaErrorInvalidValue, cudaMemset(host[0], 1, 8));
  conform_true(on_stack == 5);
}

static void freed_memory_is_invalid(void) {
  void *p = NULL;
  conform_succeed(cudaMalloc(&p, SIZE));
  conform_succeed(cudaFree(p));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(p, host[0], 8, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidValue, cudaMemcpy(host[0], p, 8, cudaMemcpyDeviceToHost));
  conform_expect(cudaErrorInvalidValue, cudaMemset(p, 1, 8));
}

static void large_copies_arrive(void) {
  const size_t size = ((size_t)40 << 20) + 13;
  unsigned char *from = malloc(size), *to = calloc(size, 1), *p = NULL, *q = NULL;
  for (size_t i = 0; i < size; i++)
    from[i] = (unsigned char)(i ^ (i >> 8) ^ (i >> 16));
  conform_succeed(cudaMalloc((void **)&p, size));
  conform_succeed(cudaMalloc((void **)&q, size));
  conform_succeed(cudaMemcpy(p, from, size, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpy(q, p, size, cudaMemcpyDeviceToDevice));
  conform_succeed(cudaMemcpy(to, q, size, cudaMemcpyDefault));
  conform_true(memcmp(from, to, size) == 0);
  conform_succeed(cudaFree(p));
  conform_succeed(cudaFree(q));
  free(from);
  free(to);
}

/* ---- any memory to any other ---------------------------------------------------------------------------- */

enum { MOST_PLACES = 64 };

typedef struct place {
  const char *kind;
  int device; /* that was current when it was made */
  unsigned char *bytes;
} place;

static place places[MOST_PLACES];
static int place_count;

static void add_place(const char *kind, int on, void *bytes) {
  place made = { kind, on, bytes };
  if (place_count < MOST_PLACES)
    places[place_count++] = made;
}

static void make_places(int on) {
  static unsigned char registered[3 * 4096];
  void *pinned = NULL, *managed = NULL, *first = NULL, *second = NULL;
  conform_succeed(cudaSetDevice(on));
  conform_succeed(cudaMallocHost(&pinned, SIZE));
  conform_succeed(cudaMallocManaged(&managed, SIZE, cudaMemAttachGlobal));
  conform_succeed(cudaMalloc(&first, SIZE));
  conform_succeed(cudaMalloc(&second, SIZE));
  add_place("pinned", on, pinned);
  add_place("managed", on, managed);
  add_place("device", on, first);
  add_place("device", on, second);
  if (on > 0)
    return;
  unsigned char *page = registered + (4096 - (uintptr_t)registered % 4096);
  conform_succeed(cudaHostRegister(page, SIZE, cudaHostRegisterDefault));
  add_place("registered", on, page);
  add_place("plain", on, host[0]);
}

static void end_places(void) {
  for (int i = 0; i < place_count; i++) {
    if (strcmp(places[i].kind, "pinned") == 0)
      conform_succeed(cudaFreeHost(places[i].bytes));
    else if (strcmp(places[i].kind, "registered") == 0)
      conform_succeed(cudaHostUnregister(places[i].bytes));
    else if (strcmp(places[i].kind, "plain") != 0)
      conform_succeed(cudaFree(places[i].bytes));
  }
  place_count = 0;
}

static void copy_from_place_to_place(const place *to, const place *from, int round, cudaStream_t stream) {
  unsigned char sent[SIZE], seen[SIZE];
  char what[100];
  memset(sent, round, SIZE);
  memset(seen, 0, SIZE);
  conform_succeed(cudaMemcpy(from->bytes, sent, SIZE, cudaMemcpyDefault));
  if (stream == NULL)
    conform_succeed(cudaMemcpy(to->bytes, from->bytes, SIZE, cudaMemcpyDefault));
  else
    conform_succeed(cudaMemcpyAsync(to->bytes, from->bytes, SIZE, cudaMemcpyDefault, stream));
  conform_succeed(cudaStreamSynchronize(stream));
  conform_succeed(cudaMemcpy(seen, to->bytes, SIZE, cudaMemcpyDefault));
  snprintf(what, sizeof what, "%s copy to %s memory of %d from %s memory of %d", stream ? "asynchronous" : "plain",
           to->kind, to->device, from->kind, from->device);
  conform_classify(memcmp(sent, seen, SIZE) == 0, __FILE__, __LINE__, what);
}

static void default_goes_from_anywhere_to_anywhere(void) {
  int count = 0, round = 1;
  cudaStream_t stream;
  conform_succeed(cudaGetDeviceCount(&count));
  for (int on = 0; on < count; on++)
    make_places(on);
  conform_succeed(cudaSetDevice(0));
  conform_succeed(cudaStreamCreate(&stream));
  for (int i = 0; i < place_count * place_count * 2; i++)
    copy_from_place_to_place(&places[i / 2 % place_count], &places[i / 2 / place_count], round++ % 250,
                             i % 2 == 0 ? NULL : stream);
  conform_succeed(cudaStreamDestroy(stream));
  end_places();
}

/* Of a symbol that is none CUDA says so before it looks for the place of the answer; of no bytes it says nothing. */
static void symbols_come_first(void) {
  static int number;
  void *address = &number;
  size_t size = 77;
  conform_expect(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, &number));
  conform_expect(cudaErrorInvalidSymbol, cudaGetSymbolAddress(NULL, &number));
  conform_expect(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, NULL));
  conform_expect(cudaErrorInvalidSymbol, cudaGetSymbolSize(NULL, &number));
  conform_true(address == &number && size == 77);
  conform_expect(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(&number, &size, 4, 0, cudaMemcpyHostToDevice));
  conform_expect(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(&size, &number, 4, 0, cudaMemcpyDeviceToHost));
  conform_succeed(cudaMemcpyToSymbol(&number, &size, 0, 0, cudaMemcpyHostToDevice));
  conform_succeed(cudaMemcpyToSymbolAsync(&number, &size, 0, 0, cudaMemcpyHostToDevice, NULL));
}

int main(void) {
  for (int e = 0; e < 2; e++)
    conform_succeed(cudaMalloc((void **)&device[e], SIZE));
  every_kind_between_every_pair();
  an_unknown_kind_is_no_direction();
  nothing_to_copy_is_a_success();
  null_is_invalid();
  bounds_are_exact();
  a_refused_copy_moves_nothing();
  overlap_is_no_error();
  memset_takes_the_low_byte();
  memset_refuses_host_memory();
  freed_memory_is_invalid();
  large_copies_arrive();
  default_goes_from_anywhere_to_anywhere();
  symbols_come_first();
  for (int e = 0; e < 2; e++)
    conform_succeed(cudaFree(device[e]));
  return conform_done("conform_transfer");
}
