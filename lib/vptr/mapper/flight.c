/* SPDX-License-Identifier: MIT */
/*
 * flight - see flight.h: a ring, in which launch n has place n % VPTR__FLIGHTS, and is under way while that place has
 * its number.
 *
 * The ring is the static `places`; `last` is the number of the latest launch. `last`, the number in each place, and
 * vptr__flight_is_kept are atomic; there is no lock, for a signal handler reads all of it. Two launches that are 32
 * apart may write one place at once: then a report may have a name that is mixed from both. Called by
 * cudart/module/launch.c before and after it sends a kernel; by trap.c when it installs its signal handler, and in
 * that; and by the driver when a kernel is over.
 */
#include "mapper/flight.h"

#include <string.h>

#include "base/error.h"

typedef struct flight_place {
  _Atomic(uint64_t) number; /* of the launch; 0: none, or being written */
  vptr__flight kernel;
} flight_place;

atomic_bool vptr__flight_is_kept;

static flight_place places[VPTR__FLIGHTS];
static _Atomic(uint64_t) last;

void vptr__flight_keep(void) {
  atomic_store(&vptr__flight_is_kept, true);
}

static void copy_name(char *to, const char *from) {
  size_t length = strnlen(from, VPTR__FLIGHT_NAME - 1);
  memcpy(to, from, length);
  to[length] = '\0';
}

uint64_t vptr__flight_begin(const char *name, const char *entry) {
  uint64_t number = atomic_fetch_add(&last, 1) + 1;
  flight_place *place = &places[number % VPTR__FLIGHTS];
  atomic_store(&place->number, 0);
  copy_name(place->kernel.name, name);
  copy_name(place->kernel.entry, entry);
  atomic_store(&place->number, number);
  return number;
}

static void strike_flight(uint64_t number) {
  uint64_t expected = number;
  atomic_compare_exchange_strong(&places[number % VPTR__FLIGHTS].number, &expected, 0);
}

static void CL_CALLBACK strike_when_over(cl_event event, cl_int state, void *context) {
  (void)event, (void)state;
  strike_flight((uintptr_t)context);
}

void vptr__flight_sent(vptr__device *device, uint64_t flight, cl_event event) {
  vptr__error_try();
  bool is_watched = event != NULL && device->ops->event.notify(device, event, strike_when_over,
                                                               (void *)(uintptr_t)flight) == VPTR_SUCCESS;
  vptr__error_tried(VPTR_SUCCESS);
  if (!is_watched)
    strike_flight(flight);
}

/* A place that is written anew meanwhile has another number afterwards. */
static bool read_place(uint64_t number, vptr__flight *kernel_out) {
  flight_place *place = &places[number % VPTR__FLIGHTS];
  if (atomic_load(&place->number) != number)
    return false;
  *kernel_out = place->kernel;
  atomic_thread_fence(memory_order_acquire);
  return atomic_load(&place->number) == number;
}

size_t vptr__flight_list(vptr__flight *list, size_t room) {
  size_t count = 0;
  uint64_t newest = atomic_load(&last);
  for (uint64_t back = 0; back < VPTR__FLIGHTS && back < newest && count < room; back++)
    count += read_place(newest - back, &list[count]);
  return count;
}

bool vptr__flight_any(void) {
  for (size_t i = 0; i < VPTR__FLIGHTS; i++)
    if (atomic_load(&places[i].number) != 0)
      return true;
  return false;
}
