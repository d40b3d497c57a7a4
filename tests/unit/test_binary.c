/* SPDX-License-Identifier: MIT */
/* What drivers built comes back as it was kept, or not at all: damage, other keys, writers at the same time. */
#include "base/binary.h"

#include "base/memory.h"
#include "base/option.h"
#include "support/support.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/vptr-test-binary-XXXXXX";
static char cache[64];

static vptr__binary_key key_of(const char *text) {
  return (vptr__binary_key){
    { { text, strlen(text) }, { "-D", 2 }, { "platform", 8 }, { "device", 6 }, { "version", 7 }, { "driver", 6 } }
  };
}

static bool holds(const char *text, const char *expected) {
  vptr__binary_key key = key_of(text);
  unsigned char *binary;
  size_t size;
  if (!vptr__binary_load(&key, &binary, &size))
    return false;
  support_must(size == strlen(expected) && memcmp(binary, expected, size) == 0);
  vptr__memory_free(binary);
  return true;
}

static void keep(const char *text, const char *binary) {
  vptr__binary_key key = key_of(text);
  vptr__binary_keep(&key, (const unsigned char *)binary, strlen(binary));
}

static void path_of(const char *text, char path[512]) {
  vptr__binary_key key = key_of(text);
  ck_assert(vptr__binary_path(&key, path, 512));
}

static int files(void) {
  int count = 0;
  DIR *in = opendir(cache);
  for (struct dirent *entry; in != NULL && (entry = readdir(in)) != NULL;)
    count += entry->d_name[0] != '.';
  if (in != NULL)
    closedir(in);
  return count;
}

static void empty(void) {
  DIR *in = opendir(cache);
  for (struct dirent *entry; in != NULL && (entry = readdir(in)) != NULL;) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
    unlink(path);
  }
  if (in != NULL)
    closedir(in);
}

START_TEST(what_is_kept_comes_back) {
  ck_assert(!holds("text", "binary"));
  keep("text", "binary");
  ck_assert(holds("text", "binary"));
  ck_assert(!holds("texT", "binary"));
  keep("text", "newer binary");
  ck_assert(holds("text", "newer binary"));
  ck_assert_int_eq(files(), 1);
  struct stat about;
  ck_assert_int_eq(stat(cache, &about), 0);
  ck_assert_int_eq(about.st_mode & 0777, 0700);
}
END_TEST

START_TEST(parts_of_a_key_do_not_run_together) {
  vptr__binary_key one = key_of("ab"), other = key_of("a");
  other.parts[1].bytes = "b-D";
  other.parts[1].length = 3;
  vptr__binary_keep(&one, (const unsigned char *)"x", 1);
  unsigned char *binary;
  size_t size;
  ck_assert(!vptr__binary_load(&other, &binary, &size));
}
END_TEST

static size_t read_file(const char *path, unsigned char *to, size_t size) {
  FILE *file = fopen(path, "rb");
  ck_assert_ptr_nonnull(file);
  size = fread(to, 1, size, file);
  fclose(file);
  return size;
}

static void write_file(const char *path, const unsigned char *from, size_t size) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(from, 1, size, file), size);
  fclose(file);
}

START_TEST(damage_at_any_byte_is_no_find) {
  char path[512];
  unsigned char bytes[1024];
  keep("text", "a binary of some length");
  path_of("text", path);
  size_t size = read_file(path, bytes, sizeof bytes);
  for (size_t at = 0; at < size; at++) {
    bytes[at] ^= 1;
    write_file(path, bytes, size);
    support_must(!holds("text", "a binary of some length"));
    bytes[at] ^= 1;
  }
  for (size_t length = 0; length < size; length++) {
    write_file(path, bytes, length);
    support_must(!holds("text", "a binary of some length"));
  }
  write_file(path, bytes, size);
  ck_assert(holds("text", "a binary of some length"));
}
END_TEST

START_TEST(a_link_is_not_followed) {
  char path[512], other[512];
  keep("text", "binary");
  path_of("text", path);
  snprintf(other, sizeof other, "%s/other", cache);
  ck_assert_int_eq(rename(path, other), 0);
  ck_assert_int_eq(symlink(other, path), 0);
  ck_assert(!holds("text", "binary"));
}
END_TEST

START_TEST(a_pipe_is_not_waited_for) {
  char path[512];
  keep("text", "binary");
  path_of("text", path);
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  ck_assert(!holds("text", "binary"));
  keep("text", "binary");
  ck_assert(holds("text", "binary"));
}
END_TEST

START_TEST(a_folder_that_cannot_be_made_is_no_error) {
  char path[512];
  path_of("text", path);
  empty();
  rmdir(cache);
  write_file(cache, (const unsigned char *)"", 0);
  keep("text", "binary");
  ck_assert(!holds("text", "binary"));
  unlink(cache);
}
END_TEST

START_TEST(off_keeps_nothing) {
  static const char *const words[] = { "0", "off", "OFF", "no" };
  vptr__binary_key key = key_of("text");
  char path[512];
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    setenv("VPTR_CACHE", words[i], 1);
    vptr__option_reload();
    ck_assert(!vptr__binary_path(&key, path, sizeof path));
    keep("text", "binary");
    ck_assert(!holds("text", "binary"));
  }
  setenv("VPTR_CACHE", cache, 1);
  vptr__option_reload();
}
END_TEST

static void *write_and_read(void *which) {
  static char wrong[] = "wrong";
  char binary[4001];
  memset(binary, *(char *)which, 4000);
  binary[4000] = 0;
  vptr__binary_key key = key_of("shared");
  for (int i = 0; i < 100; i++) {
    unsigned char *seen;
    size_t size;
    vptr__binary_keep(&key, (const unsigned char *)binary, 4000);
    if (!vptr__binary_load(&key, &seen, &size))
      return wrong;
    bool whole = size == 4000 && seen[0] == seen[3999];
    vptr__memory_free(seen);
    if (!whole)
      return wrong;
  }
  return NULL;
}

START_TEST(writers_at_the_same_time_leave_whole_files) {
  pthread_t threads[4];
  static char names[] = "abcd";
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, write_and_read, &names[i]), 0);
  for (int i = 0; i < 4; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    ck_assert_ptr_null(wrong);
  }
  ck_assert_int_eq(files(), 1);
}
END_TEST

START_TEST(no_memory_is_no_error) {
  long live = vptr__memory_live();
  keep("text", "binary");
  for (long n = 1; n < 4; n++) {
    vptr__memory_fail_nth(n);
    holds("text", "binary");
    vptr__memory_fail_nth(n);
    keep("text", "binary");
  }
  vptr__memory_fail_nth(0);
  ck_assert(holds("text", "binary"));
  ck_assert_int_eq(vptr__memory_live(), live);
}
END_TEST

static Suite *binary_suite(void) {
  Suite *suite = suite_create("binary");
  TCase *tests = tcase_create("binary");
  tcase_add_checked_fixture(tests, empty, empty);
  tcase_add_test(tests, what_is_kept_comes_back);
  tcase_add_test(tests, parts_of_a_key_do_not_run_together);
  tcase_add_test(tests, damage_at_any_byte_is_no_find);
  tcase_add_test(tests, a_link_is_not_followed);
  tcase_add_test(tests, a_pipe_is_not_waited_for);
  tcase_add_test(tests, a_folder_that_cannot_be_made_is_no_error);
  tcase_add_test(tests, off_keeps_nothing);
  tcase_add_test(tests, writers_at_the_same_time_leave_whole_files);
  tcase_add_test(tests, no_memory_is_no_error);
  suite_add_tcase(suite, tests);
  return suite;
}

int main(void) {
  if (mkdtemp(folder) == NULL)
    return 1;
  snprintf(cache, sizeof cache, "%s/deep/er", folder);
  setenv("VPTR_CACHE", cache, 1);
  int status = support_run(binary_suite());
  char parent[64];
  empty();
  rmdir(cache);
  snprintf(parent, sizeof parent, "%s/deep", folder);
  rmdir(parent);
  rmdir(folder);
  return status;
}
