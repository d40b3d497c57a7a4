/* SPDX-License-Identifier: MIT */
/*
 * migrate heap - what a mapper has that goes to another device beside buffers of one allocation: slabs that are packed
 * go along or are told as lost, and an allocation of several buffers is refused as where there is none.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/error.h"
#include "base/option.h"
#include "device/fake.h"
#include "device/proxy.h"
#include "heap/heap.h"
#include "mapper/mapper.h"
#include "support/support.h"

static vptr_mapper *mapper;

static void set_up_with(size_t addresses) {
  vptr_config config = VPTR_CONFIG_INIT;
  config.reserve_size = addresses;
  config.flags = VPTR_CONFIG_MIGRATE | VPTR_CONFIG_OVERSUBSCRIBE;
  vptr__fake_report_addresses(true);
  support_succeed(vptr_mapper_create(&config, &mapper));
}

static void set_up(void) {
  set_up_with((size_t)1 << 36);
}

static void tear_down(void) {
  support_succeed(vptr_check(mapper));
  support_succeed(vptr_mapper_destroy(mapper));
}

/* The device behind the mapper's gives no more bytes from now on. */
static vptr__device_ops dead_ops;

static vptr_status dead_read(vptr__device *device, cl_mem buffer, size_t offset, void *to, size_t size) {
  (void)device, (void)buffer, (void)offset, (void)to, (void)size;
  return vptr__error_cl(CL_DEVICE_NOT_AVAILABLE, "the test's device");
}

static void lose_device(void) {
  vptr__device *inner = mapper->device->proxy->inner->device;
  dead_ops = *inner->ops;
  dead_ops.transfer.read = dead_read;
  inner->ops = &dead_ops;
}

/* ---- slabs that are packed ------------------------------------------------------------------------------ */

enum { PIECES = 2000, PIECE = 1000, KEPT_ONE_IN = 10 };

/* All of one size; most are freed, and the slabs of the others are packed. */
static void make_packs(unsigned char **pieces) {
  for (int i = 0; i < PIECES; i++) {
    void *ptr;
    support_succeed(vptr_malloc(mapper, PIECE, &ptr));
    support_succeed(vptr_memset(mapper, ptr, i % 251 + 1, PIECE));
    pieces[i] = ptr;
  }
  for (int i = 0; i < PIECES; i++)
    if (i % KEPT_ONE_IN != 0) {
      support_succeed(vptr_free(mapper, pieces[i]));
      pieces[i] = NULL;
    }
  support_succeed(vptr_trim(mapper, 0));
  support_succeed(vptr_compact(mapper, NULL));
  ck_assert_uint_gt(vptr__heap_places_of(mapper->heap).packed, 0);
}

static void expect_pieces(unsigned char *const *pieces, bool are_lost) {
  unsigned char got[PIECE];
  for (int i = 0; i < PIECES; i += KEPT_ONE_IN) {
    support_succeed(vptr_memcpy(mapper, got, pieces[i], PIECE));
    for (int at = 0; at < PIECE; at++)
      support_must(got[at] == (are_lost ? 0 : i % 251 + 1));
  }
  support_succeed(vptr_check(mapper));
}

START_TEST(packed_slabs_go_along) {
  unsigned char *pieces[PIECES];
  make_packs(pieces);
  for (int round = 0; round < 2; round++) {
    support_succeed(vptr_migrate(mapper, NULL));
    ck_assert_uint_gt(vptr__heap_places_of(mapper->heap).packed, 0);
    expect_pieces(pieces, false);
  }
}
END_TEST

/* What knows an address of a pack asks for it anew: it is the new device's buffer that lies there. */
START_TEST(packed_slabs_have_the_new_devices_addresses) {
  unsigned char *pieces[PIECES];
  uint64_t before = 0, after = 0;
  vptr__lease lease;
  make_packs(pieces);
  support_succeed(vptr__lease_address(mapper->heap, pieces[0], VPTR_ACCESS_READ, &before, &lease));
  vptr__lease_give(&lease);
  support_succeed(vptr_migrate(mapper, NULL));
  support_succeed(vptr__lease_address(mapper->heap, pieces[0], VPTR_ACCESS_READ, &after, &lease));
  ck_assert_uint_ne(before, after);
  ck_assert_int_eq(*(unsigned char *)(uintptr_t)after, 1);
  vptr__lease_give(&lease);
}
END_TEST

static size_t losses;

static void count_loss(const vptr_location *allocation, void *context) {
  (void)context;
  ck_assert_uint_eq(allocation->size, PIECE);
  losses++;
}

START_TEST(what_was_lost_of_packed_slabs_is_told) {
  unsigned char *pieces[PIECES];
  make_packs(pieces);
  losses = 0;
  lose_device();
  support_succeed(vptr_migrate_lost(mapper, NULL, count_loss, NULL));
  ck_assert_uint_eq(losses, PIECES / KEPT_ONE_IN);
  expect_pieces(pieces, true);
}
END_TEST

/* ---- more than one buffer may have ---------------------------------------------------------------------- */

static void set_up_small_buffers(void) {
  setenv("VPTR_BUFFER_BYTES", "3000000", 1);
  vptr__option_reload();
  set_up_with((size_t)1 << 28); /* few, so that windows are small, and parts may be */
}

static void tear_down_small_buffers(void) {
  tear_down();
  unsetenv("VPTR_BUFFER_BYTES");
  vptr__option_reload();
}

/* They lie apart, so that any device can have them, and go as other buffers do. */
START_TEST(an_allocation_of_several_buffers_goes_along) {
  static unsigned char bytes[5000000], back[sizeof bytes];
  void *ptr = NULL;
  vptr__row *row = NULL;
  vptr__device *device = mapper->device;
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(i * 7 >> 3);
  support_succeed(vptr_malloc(mapper, sizeof bytes, &ptr));
  support_expect(VPTR_ERROR_UNSUPPORTED, device->ops->memory.row_create(device, 5000000, 1 << 20, &row));
  ck_assert_ptr_null(row);
  support_succeed(vptr_memcpy(mapper, ptr, bytes, sizeof bytes));
  support_succeed(vptr_migrate(mapper, NULL));
  support_succeed(vptr_memcpy(mapper, back, ptr, sizeof back));
  ck_assert_int_eq(memcmp(bytes, back, sizeof back), 0);
  support_succeed(vptr_free(mapper, ptr));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("migrate heap");
  TCase *packed = tcase_create("packed"), *large = tcase_create("large");
  tcase_add_checked_fixture(packed, set_up, tear_down);
  tcase_add_test(packed, packed_slabs_go_along);
  tcase_add_test(packed, what_was_lost_of_packed_slabs_is_told);
  if (!support_has_opencl()) /* an address that the host may look at */
    tcase_add_test(packed, packed_slabs_have_the_new_devices_addresses);
  suite_add_tcase(suite, packed);
  tcase_add_checked_fixture(large, set_up_small_buffers, tear_down_small_buffers);
  tcase_add_test(large, an_allocation_of_several_buffers_goes_along);
  suite_add_tcase(suite, large);
  return support_run(suite);
}
