/* SPDX-License-Identifier: MIT */
/*
 * test_fat_binary - containers as nvcc writes them, made here byte by byte: which entry is for which device, packed
 * ones, and damaged ones. No device is needed.
 */
#include <stdlib.h>
#include <string.h>

#include <vptr/vptr.h>

#include "base/memory.h"
#include "nvidia/fat_binary.h"
#include "nvidia/unpack.h"
#include "support/support.h"

enum { PTX = 1, CODE = 2, LZ4 = 0x2000, ZSTD = 0x8000, EXACT = 0x100000, FAMILY = 0x200000 };

static unsigned char *bytes;
static size_t size;

static void put(size_t at, const void *value, size_t length) {
  memcpy(bytes + at, value, length);
}

static void put_number(size_t at, uint64_t number, size_t length) {
  put(at, &number, length);
}

static void begin(void) {
  free(bytes);
  size = 16;
  bytes = calloc(1, size);
  put_number(0, 0xba55ed50, 4);
  put_number(4, 1, 2);
  put_number(6, 16, 2);
}

/* Padded to 8 bytes, as nvcc does. */
static void add(unsigned kind, unsigned arch, uint64_t flags, const void *content, size_t length, size_t unpacked) {
  size_t padded = (length + 7) / 8 * 8, at = size;
  size += 64 + padded;
  bytes = realloc(bytes, size);
  ck_assert_ptr_nonnull(bytes);
  memset(bytes + at, 0, 64 + padded);
  put_number(at, kind, 2);
  put_number(at + 2, 0x101, 2);
  put_number(at + 4, 64, 4);
  put_number(at + 8, padded, 8);
  put_number(at + 16, length, 4);
  put_number(at + 28, arch, 4);
  put_number(at + 40, flags, 8);
  put_number(at + 56, unpacked, 8);
  put(at + 64, content, length);
  put_number(8, size - 16, 8);
}

static void add_text(unsigned kind, unsigned arch, uint64_t flags, const char *text) {
  add(kind, arch, flags, text, strlen(text), 0);
}

static void forget_bytes(void) {
  free(bytes);
  bytes = NULL;
}

/* What a device of a capability gets; "" for nothing. */
static void expect_choice(unsigned ptx, const char *text) {
  vptr__fat_entry entry;
  vptr_status status = vptr__fat_binary_choose(bytes, size, ptx, &entry);
  if (*text == 0) {
    support_expect(VPTR_ERROR_UNSUPPORTED, status);
    return;
  }
  support_succeed(status);
  ck_assert_int_eq(strncmp((const char *)entry.bytes, text, strlen(text)), 0);
}

/* ---- choosing ------------------------------------------------------------------------------------------- */

START_TEST(the_highest_ptx_that_is_not_above_the_device_is_taken) {
  begin();
  add_text(CODE, 90, 0, "code90");
  add_text(PTX, 75, 0, "ptx75");
  add_text(PTX, 90, 0, "ptx90");
  add_text(PTX, 80, 0, "ptx80");
  expect_choice(900, "ptx90");
  expect_choice(1000, "ptx90");
  expect_choice(890, "ptx80");
  expect_choice(750, "ptx75");
  expect_choice(700, "");
}
END_TEST

START_TEST(code_is_for_devices_of_its_own_generation) {
  begin();
  add_text(CODE, 80, 0, "code80");
  add_text(CODE, 86, 0, "code86");
  add_text(7, 80, 0, "what nobody knows");
  expect_choice(860, "code86");
  expect_choice(870, "code86");
  expect_choice(800, "code80");
  expect_choice(900, "");
}
END_TEST

START_TEST(what_is_for_one_architecture_is_for_no_other) {
  begin();
  add_text(PTX, 90, EXACT, "ptx90a");
  add_text(PTX, 100, FAMILY, "ptx100f");
  add_text(PTX, 80, 0, "ptx80");
  expect_choice(900, "ptx90a");
  expect_choice(890, "ptx80");
  expect_choice(1000, "ptx100f");
  expect_choice(1030, "ptx100f");
  expect_choice(1200, "ptx80");
}
END_TEST

/* ---- unpacking ------------------------------------------------------------------------------------------ */

static void expect_unpacked(const char *text) {
  vptr__fat_entry entry;
  char *unpacked;
  size_t length;
  support_succeed(vptr__fat_binary_choose(bytes, SIZE_MAX, 900, &entry));
  support_succeed(vptr__unpack(&entry, &unpacked, &length));
  ck_assert_str_eq(unpacked, text);
  ck_assert_uint_ge(length, strlen(text));
  vptr__memory_free(unpacked);
}

START_TEST(plain_content_is_what_lies_there) {
  begin();
  add_text(PTX, 80, 0, "plain text");
  expect_unpacked("plain text");
}
END_TEST

/* "abc", then nine bytes from three before, then 20 of one letter, then three. */
static const unsigned char lz4[] = { 0x35, 'a', 'b', 'c', 3, 0, 0x1f, 'x', 1, 0, 0, 0x30, 'e', 'n', 'd' };
static const char lz4_text[] = "abcabcabcabcxxxxxxxxxxxxxxxxxxxxend";

START_TEST(lz4_is_unpacked) {
  begin();
  add(PTX, 80, LZ4, lz4, sizeof lz4, sizeof lz4_text - 1);
  expect_unpacked(lz4_text);
  unsigned char longer[300] = { 0xf0, 255, 1 }; /* 15 + 255 + 1 letters */
  char text[272] = "";
  memset(longer + 3, 'y', 271);
  memset(text, 'y', 271);
  begin();
  add(PTX, 80, LZ4, longer, 3 + 271, 271);
  expect_unpacked(text);
}
END_TEST

/* What `zstd` makes of 200 times "abc". */
static const unsigned char zstd[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x58, 0x01, 0x55, 0x00, 0x00,
                                      0x18, 0x61, 0x62, 0x63, 0x01, 0x00, 0x52, 0xac, 0xdc, 0x10 };

START_TEST(zstd_is_unpacked_by_its_library) {
  char text[601] = "", *unpacked;
  size_t length;
  vptr__fat_entry entry;
  for (int i = 0; i < 600; i++)
    text[i] = (char)('a' + i % 3);
  begin();
  add(PTX, 80, ZSTD, zstd, sizeof zstd, 600);
  support_succeed(vptr__fat_binary_choose(bytes, SIZE_MAX, 900, &entry));
  support_expect(VPTR_ERROR_UNSUPPORTED, vptr__unpack(&entry, &unpacked, &length));
  vptr__unpack_open_zstd();
  expect_unpacked(text);
}
END_TEST

START_TEST(packings_of_all_entries_are_told) {
  begin();
  add_text(PTX, 75, 0, "some text");
  add(PTX, 80, LZ4, lz4, sizeof lz4, sizeof lz4_text - 1);
  ck_assert(vptr__fat_binary_has_packing(bytes, SIZE_MAX, VPTR__FAT_PLAIN));
  ck_assert(vptr__fat_binary_has_packing(bytes, size, VPTR__FAT_LZ4));
  ck_assert(!vptr__fat_binary_has_packing(bytes, size, VPTR__FAT_ZSTD));
  add(CODE, 200, ZSTD, zstd, sizeof zstd, 600);
  ck_assert(vptr__fat_binary_has_packing(bytes, SIZE_MAX, VPTR__FAT_ZSTD));
  ck_assert(!vptr__fat_binary_has_packing(bytes, size - 1, VPTR__FAT_ZSTD));
}
END_TEST

/* ---- damage --------------------------------------------------------------------------------------------- */

static vptr_status use_all(size_t most) {
  vptr__fat_entry entry;
  char *unpacked;
  size_t length;
  vptr_status status = vptr__fat_binary_choose(bytes, most, 900, &entry);
  if (status == VPTR_SUCCESS)
    status = vptr__unpack(&entry, &unpacked, &length);
  if (status == VPTR_SUCCESS)
    vptr__memory_free(unpacked);
  return status;
}

static void make_mixture(void) {
  begin();
  add_text(PTX, 75, 0, "some text");
  add(PTX, 80, LZ4, lz4, sizeof lz4, sizeof lz4_text - 1);
}

START_TEST(a_container_that_is_cut_short_is_refused) {
  make_mixture();
  support_succeed(use_all(size));
  for (size_t length = 0; length < size; length++) {
    unsigned char *whole = bytes;
    bytes = malloc(length > 0 ? length : 1);
    memcpy(bytes, whole, length);
    support_expect(VPTR_ERROR_INVALID_ARGUMENT, use_all(length));
    free(bytes);
    bytes = whole;
  }
}
END_TEST

static void expect_damage(size_t at, uint64_t number, size_t length) {
  make_mixture();
  put_number(at, number, length);
  support_expect(VPTR_ERROR_INVALID_ARGUMENT, use_all(size));
  ck_assert_ptr_nonnull(strstr(vptr_last_error(), "damaged"));
}

START_TEST(lies_about_sizes_are_found) {
  const size_t second = 16 + 64 + 16;
  expect_damage(0, 0xba55ed51, 4);
  expect_damage(6, 8, 2);
  expect_damage(8, UINT64_MAX, 8);
  expect_damage(8, 17, 8);
  expect_damage(16 + 4, 8, 4);
  expect_damage(16 + 4, 0xffffffff, 4);
  expect_damage(16 + 8, UINT64_MAX - 63, 8);
  expect_damage(second + 16, 17, 4);
  expect_damage(second + 16, 5, 4);
  expect_damage(second + 56, 0, 8);
  expect_damage(second + 56, UINT64_MAX, 8);
  expect_damage(second + 56, sizeof lz4_text, 8);
  expect_damage(second + 56, sizeof lz4_text - 2, 8);
}
END_TEST

START_TEST(damaged_content_is_unpacked_or_refused) {
  uint64_t state = 3;
  vptr__unpack_open_zstd();
  for (long i = 0; i < support_rounds(20000); i++) {
    make_mixture();
    if (i % 2 == 0)
      add(PTX, 90, ZSTD, zstd, sizeof zstd, 600);
    for (int k = 0; k < 1 + (int)(i % 3); k++)
      bytes[support_below(&state, size)] ^= (unsigned char)(1 + support_below(&state, 255));
    vptr_status status = use_all(size);
    ck_assert(status == VPTR_SUCCESS || status == VPTR_ERROR_INVALID_ARGUMENT || status == VPTR_ERROR_UNSUPPORTED ||
              status == VPTR_ERROR_OUT_OF_HOST_MEMORY);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("fat_binary");
  TCase *tests = tcase_create("fat_binary");
  tcase_add_checked_fixture(tests, NULL, forget_bytes);
  tcase_add_test(tests, the_highest_ptx_that_is_not_above_the_device_is_taken);
  tcase_add_test(tests, code_is_for_devices_of_its_own_generation);
  tcase_add_test(tests, what_is_for_one_architecture_is_for_no_other);
  tcase_add_test(tests, plain_content_is_what_lies_there);
  tcase_add_test(tests, lz4_is_unpacked);
  tcase_add_test(tests, zstd_is_unpacked_by_its_library);
  tcase_add_test(tests, packings_of_all_entries_are_told);
  tcase_add_test(tests, a_container_that_is_cut_short_is_refused);
  tcase_add_test(tests, lies_about_sizes_are_found);
  tcase_add_test(tests, damaged_content_is_unpacked_or_refused);
  suite_add_tcase(suite, tests);
  return support_run(suite);
}
