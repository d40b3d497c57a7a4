/* SPDX-License-Identifier: MIT */
/*
 * vptr-info - shows what vptr found on this machine, what it chose, and why.
 *
 * vptr_report() tells the facts; here they are collected first, since a column is as wide as its widest entry, and
 * then printed as a table or as JSON. The JSON is one object a section, in it one object a fact:
 *
 *     { "status": 0, "message": "...",
 *       "device": { "memory": { "value": 68719476736, "why": "64 GiB; ..." }, ... }, ... }
 *
 * Keys are the names of the table with '_' for whatever is no letter, digit or '_'. A value made of digits alone is a
 * number, everything else a string.
 */
#include <vptr/vptr.h>

#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { EXIT_FOUND = 0, EXIT_NO_DEVICE = 1, EXIT_USAGE = 2, EXIT_OUTPUT = 3 };

/* Columns widen to their entries up to here; a longer entry pushes its own line only. */
enum { MAX_VALUE_WIDTH = 48 };

/* One line of the report. */
typedef struct fact {
  char *section, *name, *value, *why;
} fact;

typedef struct fact_list {
  fact *facts;
  size_t count, capacity;
} fact_list;

/* ---- collecting ------------------------------------------------------------------------------------------ */

static void *or_die(void *memory) {
  if (memory == NULL) {
    fputs("vptr-info: out of memory\n", stderr);
    exit(EXIT_OUTPUT);
  }
  return memory;
}

static char *copy_text(const char *text) {
  return or_die(strdup(text));
}

static void add_fact(const char *section, const char *name, const char *value, const char *why, void *context) {
  fact_list *list = context;
  if (list->count == list->capacity) {
    list->capacity = list->capacity * 2 + 32;
    list->facts = or_die(realloc(list->facts, list->capacity * sizeof(fact)));
  }
  list->facts[list->count++] = (fact){ copy_text(section), copy_text(name), copy_text(value), copy_text(why) };
}

static void free_facts(fact_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    free(list->facts[i].section);
    free(list->facts[i].name);
    free(list->facts[i].value);
    free(list->facts[i].why);
  }
  free(list->facts);
}

static bool begins_section(const fact_list *list, size_t i) {
  return i == 0 || strcmp(list->facts[i].section, list->facts[i - 1].section) != 0;
}

/* ---- table ----------------------------------------------------------------------------------------------- */

static int widen_column(int width, const char *text, int limit) {
  size_t length = strlen(text);
  return length > (size_t)width && length <= (size_t)limit ? (int)length : width;
}

static void print_table(const fact_list *list) {
  int name_width = 0, value_width = 0;
  for (size_t i = 0; i < list->count; i++) {
    name_width = widen_column(name_width, list->facts[i].name, MAX_VALUE_WIDTH);
    value_width = widen_column(value_width, list->facts[i].value, MAX_VALUE_WIDTH);
  }
  for (size_t i = 0; i < list->count; i++) {
    const fact *entry = &list->facts[i];
    if (begins_section(list, i))
      printf("%s%s\n", i > 0 ? "\n" : "", entry->section);
    if (entry->why[0] != '\0')
      printf("  %-*s  %-*s  %s\n", name_width, entry->name, value_width, entry->value, entry->why);
    else
      printf("  %-*s  %s\n", name_width, entry->name, entry->value);
  }
}

/* ---- JSON ------------------------------------------------------------------------------------------------ */

static bool is_continuation(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

/* How many bytes the UTF-8 character at text has; 0 if it is none: drivers name their devices as they like. The second
 * byte's bounds keep out overlong forms, surrogates and what lies above U+10FFFF. */
static int utf8_length(const unsigned char *text) {
  unsigned char first = text[0];
  if (first < 0x80)
    return 1;
  if (first >= 0xc2 && first <= 0xdf)
    return is_continuation(text[1]) ? 2 : 0;
  unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (first < 0xe0 || first > 0xf4 || text[1] < low || text[1] > high || !is_continuation(text[2]))
    return 0;
  if (first <= 0xef)
    return 3;
  return is_continuation(text[3]) ? 4 : 0;
}

static void print_character(const unsigned char *text, int length) {
  if (length == 0)
    fputs("\\ufffd", stdout);
  else if (*text == '"' || *text == '\\')
    printf("\\%c", *text);
  else if (*text < 0x20 || *text == 0x7f)
    printf("\\u%04x", *text);
  else
    fwrite(text, 1, (size_t)length, stdout);
}

static void print_string(const char *string) {
  const unsigned char *text = (const unsigned char *)string;
  putchar('"');
  while (*text != '\0') {
    int length = utf8_length(text);
    print_character(text, length);
    text += length > 0 ? length : 1;
  }
  putchar('"');
}

static bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static void print_key(const char *name) {
  putchar('"');
  for (; *name != '\0'; name++)
    putchar(is_letter_or_digit(*name) ? *name : '_');
  putchar('"');
}

/* JSON knows no leading zeros, and nobody's version "007" is a number. */
static bool is_number(const char *value) {
  size_t digits = strspn(value, "0123456789");
  return digits > 0 && value[digits] == '\0' && (digits == 1 || value[0] != '0');
}

static void print_value(const char *value) {
  if (is_number(value))
    fputs(value, stdout);
  else
    print_string(value);
}

static void print_fact(const fact *entry) {
  fputs("    ", stdout);
  print_key(entry->name);
  fputs(": { \"value\": ", stdout);
  print_value(entry->value);
  fputs(", \"why\": ", stdout);
  print_string(entry->why);
  fputs(" }", stdout);
}

static void print_json(const fact_list *list, vptr_status status) {
  printf("{\n  \"status\": %d,\n  \"message\": ", (int)status);
  print_string(status == VPTR_SUCCESS ? vptr_status_string(status) : vptr_last_error());
  for (size_t i = 0; i < list->count; i++) {
    if (begins_section(list, i)) {
      fputs(i > 0 ? "\n  },\n  " : ",\n  ", stdout);
      print_key(list->facts[i].section);
      fputs(": {\n", stdout);
    } else {
      fputs(",\n", stdout);
    }
    print_fact(&list->facts[i]);
  }
  fputs(list->count > 0 ? "\n  }\n}\n" : "\n}\n", stdout);
}

/* ---- command line ---------------------------------------------------------------------------------------- */

/* Beyond any character: a number in optopt that is less is a short option, and vptr-info has none. */
enum { FIRST_ACTION = 256 };

typedef enum action { ACTION_TABLE = FIRST_ACTION, ACTION_JSON, ACTION_HELP, ACTION_VERSION } action;

static void print_help(void) {
  puts("Usage: vptr-info [--json]\n"
       "Show what vptr found on this machine, what it chose, and why.\n"
       "\n"
       "  --json       print one JSON object instead of a table\n"
       "  --help       print this text\n"
       "  --version    print the version\n"
       "\n"
       "VPTR_PLATFORM and VPTR_DEVICE select the device (see vptr(7)).\n"
       "\n"
       "Exit status: 0 if there is a device to use, 1 if there is none, 2 if the command line is wrong,\n"
       "3 if the output cannot be written.");
}

/* Headers and library come from one build, but a program may be started with another library. */
static void print_version(void) {
  int running = vptr_version();
  printf("vptr-info (vptr) %s\n", VPTR_VERSION_STRING);
  if (running != VPTR_VERSION)
    printf("running with libvptr %d.%d.%d\n", running / 10000, running / 100 % 100, running % 100);
}

static int refuse_argument(const char *what, const char *argument) {
  fprintf(stderr, "vptr-info: %s '%s'; 'vptr-info --help' lists what there is\n", what, argument);
  return EXIT_USAGE;
}

/* getopt_long() has moved on behind a long option; in a cluster of short ones it may not have. */
static int refuse_option(char **argv) {
  const char short_option[] = { '-', (char)optopt, '\0' };
  bool is_short = optopt > 0 && optopt < FIRST_ACTION;
  return refuse_argument("cannot make sense of", is_short ? short_option : argv[optind - 1]);
}

/* getopt_long() would speak too, but with the name of the file and without the next step. */
static int parse_arguments(int argc, char **argv, action *action_out) {
  static const struct option options[] = {
    { "json", no_argument, NULL, ACTION_JSON },
    { "help", no_argument, NULL, ACTION_HELP },
    { "version", no_argument, NULL, ACTION_VERSION },
    { NULL, 0, NULL, 0 },
  };
  opterr = 0;
  for (;;) {
    int option = getopt_long(argc, argv, "", options, NULL);
    if (option == -1)
      break;
    if (option == '?')
      return refuse_option(argv);
    *action_out = (action)option;
    if (option != ACTION_JSON)
      return EXIT_FOUND;
  }
  return optind < argc ? refuse_argument("takes no operand, but there is", argv[optind]) : EXIT_FOUND;
}

/* ---- compilers ------------------------------------------------------------------------------------------- */

/* vptrcc lies beside this program; where it was built, in a folder of its own. NULL: there is none. */
static char *find_vptrcc(void) {
  static const char *const names[] = { "vptrcc", "vptrcc/vptrcc", "../vptrcc/vptrcc" }; /* libtool has .libs */
  char folder[PATH_MAX], path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  char *slash = length > 0 ? memrchr(folder, '/', (size_t)length) : NULL;
  struct stat status;
  for (size_t i = 0; slash != NULL && i < sizeof names / sizeof *names; i++) {
    int written = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - folder), folder, names[i]);
    if (written < (int)sizeof path && stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0)
      return copy_text(path);
  }
  return NULL;
}

/* A child, by a pipe, without a shell: the path may have any character. */
static FILE *open_vptrcc(char *path, pid_t *pid_out) {
  char option[] = "--list-front-ends", *words[] = { path, option, NULL };
  int ends[2];
  posix_spawn_file_actions_t actions;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return NULL;
  bool is_started = posix_spawn_file_actions_init(&actions) == 0 &&
                    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) == 0 &&
                    posix_spawn(pid_out, path, &actions, NULL, words, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  FILE *output = is_started ? fdopen(ends[0], "r") : NULL;
  if (output == NULL)
    close(ends[0]);
  return output;
}

static void add_front_ends(fact_list *list, FILE *lines) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, lines) > 0) {
    char *rest = NULL;
    const char *name = strtok_r(line, "\t", &rest), *value = strtok_r(NULL, "\t", &rest);
    const char *why = strtok_r(NULL, "\n", &rest);
    if (name != NULL && value != NULL)
      add_fact("compilers", name, value, why != NULL ? why : "", list);
  }
  free(line);
}

static void add_compilers(fact_list *list) {
  char *path = find_vptrcc();
  pid_t pid = 0;
  FILE *lines = path != NULL ? open_vptrcc(path, &pid) : NULL;
  add_fact("compilers", "vptrcc", path != NULL ? path : "none", path != NULL ? "" : "it is not beside this program",
           list);
  if (lines != NULL) {
    add_front_ends(list, lines);
    fclose(lines);
    waitpid(pid, NULL, 0);
  }
  free(path);
}

static int show_report(action wanted) {
  fact_list list = { 0 };
  vptr_status status = vptr_report(NULL, add_fact, &list);
  add_compilers(&list);
  if (wanted == ACTION_JSON)
    print_json(&list, status);
  else
    print_table(&list);
  free_facts(&list);
  if (status == VPTR_SUCCESS)
    return EXIT_FOUND;
  if (wanted == ACTION_TABLE)
    fflush(stdout);
  fprintf(stderr, "vptr-info: %s\n", vptr_last_error());
  return EXIT_NO_DEVICE;
}

static int run_action(action wanted) {
  switch (wanted) {
  case ACTION_HELP:
    print_help();
    return EXIT_FOUND;
  case ACTION_VERSION:
    print_version();
    return EXIT_FOUND;
  case ACTION_TABLE:
  case ACTION_JSON:
    break;
  }
  return show_report(wanted);
}

/* A full disk shows when the last bytes are written, not before. */
static int close_output(int exit_status) {
  if (ferror(stdout) == 0 && fclose(stdout) == 0)
    return exit_status;
  perror("vptr-info: cannot write the output");
  return EXIT_OUTPUT;
}

int main(int argc, char **argv) {
  action wanted = ACTION_TABLE;
  int wrong = parse_arguments(argc, argv, &wanted);
  if (wrong != EXIT_FOUND)
    return wrong;
  return close_output(run_action(wanted));
}
