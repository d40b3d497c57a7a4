/* SPDX-License-Identifier: MIT */
/*
 * option - see option.h.
 *
 * Values are copied at the first look: what getenv() returns is gone after the program's next setenv(), and the
 * library may be asked from a thread or a signal handler long after that. The copies have a fixed size, so that
 * nothing needs to be freed or can fail. A program with more rights than its caller (set-uid, AT_SECURE) is told nothing by
 * the caller's environment: the variables count as unset there. pthread_once() guards the reading; afterwards all is constant.
 */
#include "base/option.h"

#include "base/log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

typedef enum value_kind {
  KIND_FLAG,
  KIND_LEVEL,
  KIND_COUNT,
  KIND_BYTES,
  KIND_MANAGED,
  KIND_FAULTS,
  KIND_ARGUMENTS,
  KIND_TEXT
} value_kind;

typedef struct variable_entry {
  const char *name;
  value_kind kind;
  const char *help;
  const char *fallback; /* what holds where it is unset, in words */
} variable_entry;

/* The one list of the variables. */
static const variable_entry variables[VPTR__OPTION_COUNT] = {
  [VPTR__OPTION_VERBOSE] = { "VPTR_VERBOSE", KIND_LEVEL,
                             "1: errors on stderr, 2: also decisions, and what vptr_map() moves", "0" },
  [VPTR__OPTION_PLATFORM] = { "VPTR_PLATFORM", KIND_TEXT,
                              "the OpenCL platform: part of its name, its ordinal, or \"fake\"", "any" },
  [VPTR__OPTION_DEVICE] = { "VPTR_DEVICE", KIND_TEXT, "the device: part of its name, or its ordinal",
                            "the first GPU, else the first there is" },
  [VPTR__OPTION_PARTITION] = { "VPTR_PARTITION", KIND_COUNT, "parts that each device is cut into, for tests", "1" },
  [VPTR__OPTION_RESERVE] = { "VPTR_RESERVE", KIND_BYTES, "addresses that a mapper reserves",
                             "a quarter of what is free in one piece, at most 16T" },
  [VPTR__OPTION_QUARANTINE] = { "VPTR_QUARANTINE", KIND_BYTES,
                                "freed memory that the default mapper holds back from reuse", "0" },
  [VPTR__OPTION_IDLE_BYTES] = { "VPTR_IDLE_BYTES", KIND_BYTES, "freed buffers that a mapper may cache",
                                "a sixteenth of the device's memory" },
  [VPTR__OPTION_FREE_WAITS] = { "VPTR_FREE_WAITS", KIND_FLAG,
                                "cudaFree(), cudaFreeHost() and cudaFreeArray() wait for work in flight", "1" },
  [VPTR__OPTION_LEAKS] = { "VPTR_LEAKS", KIND_FLAG, "a table at exit of what was never freed", "0" },
  [VPTR__OPTION_TRACE_ALLOC] = { "VPTR_TRACE_ALLOC", KIND_FLAG, "remember where each allocation was made", "0" },
  [VPTR__OPTION_TRAP] = { "VPTR_TRAP", KIND_FLAG,
                          "a report when the host dereferences a device pointer, or a CPU device's kernel a wild one",
                          "0" },
  [VPTR__OPTION_EXACT] = { "VPTR_EXACT", KIND_FLAG, "each allocation is a buffer of its own, as large as asked for",
                           "0" },
  [VPTR__OPTION_CACHE] = { "VPTR_CACHE", KIND_TEXT, "folder that keeps built kernels; 0 or off: none",
                           "$XDG_CACHE_HOME/vptr or ~/.cache/vptr" },
  [VPTR__OPTION_MANAGED] = { "VPTR_MANAGED", KIND_MANAGED, "how managed memory is kept one for host and kernels",
                             "auto" },
  [VPTR__OPTION_FAULTS] = { "VPTR_FAULTS", KIND_FAULTS, "how managed memory hears of page faults", "auto" },
  [VPTR__OPTION_ARGUMENTS] = { "VPTR_ARGUMENTS", KIND_ARGUMENTS,
                               "parameters of translated kernels: each an argument, or all in one", "auto" },
  [VPTR__OPTION_POISON] = { "VPTR_POISON", KIND_FLAG, "fresh device memory is filled with 255, not with zero", "0" },
  [VPTR__OPTION_FAKE_BYTES] = { "VPTR_FAKE_BYTES", KIND_BYTES, "memory of the fake device", "64G" },
};

static const char *const accepted[] = {
  [KIND_FLAG] = "1, yes or on, and 0, no or off",
  [KIND_LEVEL] = "0, 1 or 2",
  [KIND_COUNT] = "a number from 1 to 64",
  [KIND_BYTES] = "bytes: digits, then nothing or one of K, M, G and T",
  [KIND_MANAGED] = "auto, place or faults",
  [KIND_FAULTS] = "auto, userfaultfd or mprotect",
  [KIND_ARGUMENTS] = "auto, each or one",
  [KIND_TEXT] = "a text of up to 255 bytes",
};

/* In the order of the enumerations in option.h. */
static const char *const managed_words[] = { "auto", "place", "faults", NULL };
static const char *const faults_words[] = { "auto", "userfaultfd", "mprotect", NULL };
static const char *const arguments_words[] = { "auto", "each", "one", NULL };

enum { TEXT_SIZE = 256, MOST_COUNT = 64 };

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
  if (text[0] < '0' || text[0] > '2' || text[1] != '\0')
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
  if (!parse_digits(&text, &number) || *text != '\0' || number < 1 || number > MOST_COUNT)
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

static bool parse_value(value_kind kind, const char *text, option_value *value_out) {
  size_t length = strlen(text);
  if (length >= TEXT_SIZE)
    return false;
  memcpy(value_out->text, text, length + 1);
  switch (kind) {
  case KIND_FLAG:
    return parse_flag(text, &value_out->number);
  case KIND_LEVEL:
    return parse_level(text, &value_out->number);
  case KIND_COUNT:
    return parse_count(text, &value_out->number);
  case KIND_BYTES:
    return vptr__option_parse_bytes(text, &value_out->number);
  case KIND_MANAGED:
    return parse_word(text, managed_words, &value_out->number);
  case KIND_FAULTS:
    return parse_word(text, faults_words, &value_out->number);
  case KIND_ARGUMENTS:
    return parse_word(text, arguments_words, &value_out->number);
  case KIND_TEXT:
    break;
  }
  return true;
}

/* An empty variable counts as unset: scripts write VPTR_DEVICE= to say so. */
static void read_variable(vptr__option option) {
  const variable_entry *variable = &variables[option];
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
    if (strlen(variables[i].name) == length && strncmp(variables[i].name, name, length) == 0)
      return true;
  return false;
}

static void report_unknown(const char *name, size_t length) {
  char known[1024] = "";
  for (int i = 0; i < VPTR__OPTION_COUNT; i++) {
    if (i > 0)
      strncat(known, ", ", sizeof known - strlen(known) - 1);
    strncat(known, variables[i].name, sizeof known - strlen(known) - 1);
  }
  vptr__log_always("%.*s is ignored, since vptr has no such variable; it knows %s", (int)(length < 80 ? length : 80),
                   name, known);
}

static bool begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

static void report_unknown_variables(void) {
  if (getauxval(AT_SECURE) != 0)
    return;
  for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
    size_t length = strcspn(*entry, "=");
    if (begins_with(*entry, "VPTR_") && !begins_with(*entry, "VPTR_TEST_") && !is_known(*entry, length))
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
  return i >= 0 && i < VPTR__OPTION_COUNT ? variables[i].name : NULL;
}

/* After the first reading, so that a later first use does not read a second time. */
void vptr__option_reload(void) {
  get_option(VPTR__OPTION_VERBOSE);
  read_environment();
}
