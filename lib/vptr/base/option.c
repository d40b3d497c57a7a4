/* SPDX-License-Identifier: MIT */
/*
 * option - reads the VPTR_* environment variables (option.h).
 *
 * Values are copied at the first look: what getenv() returns is gone after the program's next setenv(), and the library
 * may be asked from a thread or a signal handler long after that. The copies have a fixed size, so that nothing needs
 * to be freed or can fail. A program with more rights than its caller (set-uid, AT_SECURE) is told nothing by the
 * caller's environment: the variables count as unset there. The copies are in the static `values`; pthread_once()
 * (`environment_read`) guards the reading; afterwards all is constant, but for tests. The other variables are constant
 * tables of words. There is no lock. Called by log.c, by cudart/record/file.c and recorder.c, by the files of lib/vptr,
 * for the most part when a device is opened, and by cudart/cuda/memory.c, cudart/replay/runs.c,
 * cudart/virtual/shared_memory.c, cublas/tuning.c, cusolver/crossover.c, and nvrtc/option.c and translate.c.
 */
#include "base/option.h"

#include "base/limit.h"
#include "base/log.h"
#include "base/option_table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define TEXT_OF_NAME(name) #name
#define TEXT_OF(macro) TEXT_OF_NAME(macro)

static const char *const accepted[] = {
  [VPTR__OPTION_FLAG] = "1, yes or on, and 0, no or off",
  [VPTR__OPTION_LEVEL] = "0, 1, 2 or 3",
  [VPTR__OPTION_NUMBER] = ("a number from 1 to " TEXT_OF(VPTR__MOST_DEVICES)),
  [VPTR__OPTION_BYTES] = "bytes: digits, then nothing or one of K, M, G and T",
  [VPTR__OPTION_ADDRESS_WAYS] = "own, device, or device: and bytes from 64M, such as device:8G",
  [VPTR__OPTION_WAYS] = "auto, place or faults",
  [VPTR__OPTION_FAULT_WAYS] = "auto, userfaultfd or mprotect",
  [VPTR__OPTION_ARGUMENT_WAYS] = "auto, each or one",
  [VPTR__OPTION_THREAD_WAYS] = "auto, items or loops",
  [VPTR__OPTION_SPECTRA_WAYS] = "auto, host or device",
  [VPTR__OPTION_WORDS] = "a text of up to 255 bytes",
};

/* In the order of the enumerations in option.h. */
static const char *const addresses_words[] = { "own", "device", NULL };
static const char *const managed_words[] = { "auto", "place", "faults", NULL };
static const char *const faults_words[] = { "auto", "userfaultfd", "mprotect", NULL };
static const char *const arguments_words[] = { "auto", "each", "one", NULL };
static const char *const threads_words[] = { "auto", "items", "loops", NULL };
static const char *const spectra_words[] = { "auto", "host", "device", NULL };

enum { TEXT_SIZE = 256 };

typedef struct option_value {
  bool set; /* to something well-formed */
  uint64_t number;
  char text[TEXT_SIZE];
} option_value;

static option_value values[VPTR__OPTION_COUNT];
static pthread_once_t environment_read = PTHREAD_ONCE_INIT;

static bool is_one_of(const char *text, const char *a, const char *b, const char *c) {
  return strcmp(text, a) == 0 || strcmp(text, b) == 0 || strcmp(text, c) == 0;
}

static bool parse_flag(const char *text, uint64_t *number_out) {
  bool on = is_one_of(text, "1", "yes", "on");
  if (!on && !is_one_of(text, "0", "no", "off"))
    return false;
  *number_out = on;
  return true;
}

static bool parse_level(const char *text, uint64_t *number_out) {
  if (text[0] < '0' || text[0] > '3' || text[1] != '\0')
    return false;
  *number_out = (uint64_t)(text[0] - '0');
  return true;
}

/* By hand rather than by strtoull(), which takes blanks, signs and what the locale adds. */
static bool parse_digits(const char **text, uint64_t *number_out) {
  const char *digit = *text;
  uint64_t number = 0;
  for (; *digit >= '0' && *digit <= '9'; digit++)
    if (__builtin_mul_overflow(number, 10u, &number) ||
        __builtin_add_overflow(number, (uint64_t)(*digit - '0'), &number))
      return false;
  if (digit == *text)
    return false;
  *text = digit;
  *number_out = number;
  return true;
}

static bool parse_count(const char *text, uint64_t *number_out) {
  uint64_t number;
  if (!parse_digits(&text, &number) || *text != '\0' || number < 1 || number > VPTR__MOST_DEVICES)
    return false;
  *number_out = number;
  return true;
}

bool vptr__option_parse_bytes(const char *text, uint64_t *bytes_out) {
  static const char suffixes[] = "KMGT";
  uint64_t number;
  if (!parse_digits(&text, &number))
    return false;
  unsigned shift = 0;
  if (*text != '\0') {
    const char *suffix = strchr(suffixes, *text++);
    if (suffix == NULL || *text != '\0')
      return false;
    shift = 10u * (unsigned)(suffix - suffixes + 1);
  }
  if (number > UINT64_MAX >> shift)
    return false;
  *bytes_out = number << shift;
  return true;
}

/* The number of a word in a list that ends with NULL. */
static bool parse_word(const char *text, const char *const *words, uint64_t *number_out) {
  uint64_t number = 0;
  while (words[number] != NULL && strcmp(words[number], text) != 0)
    number++;
  if (words[number] == NULL)
    return false;
  *number_out = number;
  return true;
}

/* "own", "device", or "device:" and bytes. */
static bool parse_addresses(const char *text, uint64_t *number_out) {
  static const char sized[] = "device:";
  if (strncmp(text, sized, sizeof sized - 1) == 0)
    return vptr__option_parse_bytes(text + sizeof sized - 1, number_out) && *number_out >= VPTR__ADDRESSES_LEAST;
  return parse_word(text, addresses_words, number_out);
}

static bool parse_value(vptr__option_kind kind, const char *text, option_value *value_out) {
  size_t length = strlen(text);
  if (length >= TEXT_SIZE)
    return false;
  memcpy(value_out->text, text, length + 1);
  switch (kind) {
  case VPTR__OPTION_FLAG:
    return parse_flag(text, &value_out->number);
  case VPTR__OPTION_LEVEL:
    return parse_level(text, &value_out->number);
  case VPTR__OPTION_NUMBER:
    return parse_count(text, &value_out->number);
  case VPTR__OPTION_BYTES:
    return vptr__option_parse_bytes(text, &value_out->number);
  case VPTR__OPTION_ADDRESS_WAYS:
    return parse_addresses(text, &value_out->number);
  case VPTR__OPTION_WAYS:
    return parse_word(text, managed_words, &value_out->number);
  case VPTR__OPTION_FAULT_WAYS:
    return parse_word(text, faults_words, &value_out->number);
  case VPTR__OPTION_ARGUMENT_WAYS:
    return parse_word(text, arguments_words, &value_out->number);
  case VPTR__OPTION_THREAD_WAYS:
    return parse_word(text, threads_words, &value_out->number);
  case VPTR__OPTION_SPECTRA_WAYS:
    return parse_word(text, spectra_words, &value_out->number);
  case VPTR__OPTION_WORDS:
    break;
  }
  return true;
}

/* An empty variable counts as unset: scripts write VPTR_DEVICE= to say so. */
static void read_variable(vptr__option option) {
  const vptr__option_entry *variable = &vptr__option_table[option];
  option_value read = { 0 };
  const char *text = secure_getenv(variable->name);
  if (text != NULL && *text != '\0') {
    read.set = parse_value(variable->kind, text, &read);
    if (!read.set)
      vptr__log_always("%s=%.80s is ignored; it takes %s (%s; without it: %s)", variable->name, text,
                       accepted[variable->kind], variable->help, variable->fallback);
  }
  values[option] = read;
}

static bool is_known(const char *name, size_t length) {
  for (int i = 0; i < VPTR__OPTION_COUNT; i++)
    if (strlen(vptr__option_table[i].name) == length && strncmp(vptr__option_table[i].name, name, length) == 0)
      return true;
  return false;
}

static void report_unknown(const char *name, size_t length) {
  char known[1024] = "";
  for (int i = 0; i < VPTR__OPTION_COUNT; i++) {
    if (i > 0)
      strncat(known, ", ", sizeof known - strlen(known) - 1);
    strncat(known, vptr__option_table[i].name, sizeof known - strlen(known) - 1);
  }
  vptr__log_always("%.*s is ignored, since vptr has no such variable; it knows %s", (int)(length < 80 ? length : 80),
                   name, known);
}

static bool begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Those of the tests, and the one that vptrcc and run-time compilation read. */
static bool is_of_others(const char *name, size_t length) {
  static const char clang[] = "VPTR_CLANG";
  return begins_with(name, "VPTR_TEST_") || (length == sizeof clang - 1 && begins_with(name, clang));
}

static void report_unknown_variables(void) {
  if (getauxval(AT_SECURE) != 0)
    return;
  for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
    size_t length = strcspn(*entry, "=");
    if (begins_with(*entry, "VPTR_") && !is_of_others(*entry, length) && !is_known(*entry, length))
      report_unknown(*entry, length);
  }
}

static void read_environment(void) {
  for (int i = 0; i < VPTR__OPTION_COUNT; i++)
    read_variable((vptr__option)i);
  report_unknown_variables();
}

static const option_value *get_option(vptr__option option) {
  pthread_once(&environment_read, read_environment);
  return &values[option];
}

bool vptr__option_flag(vptr__option option) {
  return get_option(option)->number != 0;
}

uint64_t vptr__option_number(vptr__option option, uint64_t fallback) {
  const option_value *value = get_option(option);
  return value->set ? value->number : fallback;
}

const char *vptr__option_text(vptr__option option) {
  const option_value *value = get_option(option);
  return value->set ? value->text : NULL;
}

const char *vptr__option_name(int i) {
  return i >= 0 && i < VPTR__OPTION_COUNT ? vptr__option_table[i].name : NULL;
}

/* After the first reading, so that a later first use does not read a second time. */
void vptr__option_reload(void) {
  get_option(VPTR__OPTION_VERBOSE);
  read_environment();
}
