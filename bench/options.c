/* SPDX-License-Identifier: MIT */
/* options - see options.h. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_LIVE = 10, MOST_LIVE = 10000000, MOST_LEAST = 4096, MOST_THREADS = 1024, MOST_REPETITIONS = 1001 };

/* Beyond any character: a number in optopt that is less is a short option, and vptr-bench has none. */
enum { FIRST_CHOICE = 256 };

typedef enum choice {
  CHOICE_CSV = FIRST_CHOICE,
  CHOICE_JSON,
  CHOICE_LIVE,
  CHOICE_LEAST,
  CHOICE_THREADS,
  CHOICE_PLOT,
  CHOICE_REPETITIONS,
  CHOICE_OWN,
  CHOICE_PEER,
  CHOICE_NVRTC,
  CHOICE_ONLY,
  CHOICE_QUICK,
  CHOICE_REAL,
  CHOICE_HELP,
  CHOICE_VERSION
} choice;

static bool refuse(const char *what, const char *argument) {
  fprintf(stderr, "vptr-bench: %s '%s'; 'vptr-bench --help' lists what there is\n", what, argument);
  return false;
}

/* getopt_long() has moved on behind a long option; in a cluster of short ones it may not have. */
static bool refuse_option(const char *what, char **argv) {
  const char short_option[] = { '-', (char)optopt, '\0' };
  return refuse(what, optopt > 0 && optopt < FIRST_CHOICE ? short_option : argv[optind - 1]);
}

static bool parse_number(const char *name, const char *text, size_t least, size_t most, size_t *number_out) {
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
  if (!is_number || number < least || number > most) {
    fprintf(stderr, "vptr-bench: %s takes a number from %zu to %zu, not '%s'\n", name, least, most, text);
    return false;
  }
  *number_out = (size_t)number;
  return true;
}

static bool take_plot(const char *text, options *to) {
  static const char ending[] = ".svg";
  size_t length = strlen(text), needed = sizeof ending - 1;
  if (length <= needed || strcmp(text + length - needed, ending) != 0) {
    fprintf(stderr, "vptr-bench: --plot draws SVG alone and takes a name that ends in %s, not '%s'\n", ending, text);
    return false;
  }
  to->plot = text;
  return true;
}

static bool take_least(const char *text, options *to) {
  if (!parse_number("--least", text, 1, MOST_LEAST, &to->least))
    return false;
  if ((to->least & (to->least - 1)) == 0)
    return true;
  fprintf(stderr, "vptr-bench: --least takes a power of two, not '%s'\n", text);
  return false;
}

static bool apply(int option, options *to) {
  switch (option) {
  case CHOICE_CSV:
    to->format = REPORT_CSV;
    return true;
  case CHOICE_JSON:
    to->format = REPORT_JSON;
    return true;
  case CHOICE_LIVE:
    return parse_number("--live", optarg, LEAST_LIVE, MOST_LIVE, &to->live);
  case CHOICE_LEAST:
    return take_least(optarg, to);
  case CHOICE_THREADS:
    return parse_number("--threads", optarg, 1, MOST_THREADS, &to->threads);
  case CHOICE_PLOT:
    return take_plot(optarg, to);
  case CHOICE_REPETITIONS:
    return parse_number("--repetitions", optarg, 1, MOST_REPETITIONS, &to->repetitions);
  case CHOICE_OWN:
    to->own = optarg;
    return true;
  case CHOICE_PEER:
    to->peer = optarg;
    return true;
  case CHOICE_NVRTC:
    to->nvrtc = optarg;
    return true;
  case CHOICE_ONLY:
    to->only = optarg;
    return true;
  case CHOICE_QUICK:
    return to->quick = true;
  case CHOICE_REAL:
    return to->real = true;
  case CHOICE_HELP:
    return to->help = true;
  case CHOICE_VERSION:
    return to->version = true;
  default:
    return false;
  }
}

bool options_parse(int argc, char **argv, options *options_out) {
  static const struct option known[] = {
    { "csv", no_argument, NULL, CHOICE_CSV },
    { "json", no_argument, NULL, CHOICE_JSON },
    { "threads", required_argument, NULL, CHOICE_THREADS },
    { "plot", required_argument, NULL, CHOICE_PLOT },
    { "live", required_argument, NULL, CHOICE_LIVE },
    { "least", required_argument, NULL, CHOICE_LEAST },
    { "repetitions", required_argument, NULL, CHOICE_REPETITIONS },
    { "own", required_argument, NULL, CHOICE_OWN },
    { "peer", required_argument, NULL, CHOICE_PEER },
    { "nvrtc", required_argument, NULL, CHOICE_NVRTC },
    { "only", required_argument, NULL, CHOICE_ONLY },
    { "quick", no_argument, NULL, CHOICE_QUICK },
    { "real", no_argument, NULL, CHOICE_REAL },
    { "help", no_argument, NULL, CHOICE_HELP },
    { "version", no_argument, NULL, CHOICE_VERSION },
    { NULL, 0, NULL, 0 },
  };
  options read = { .format = REPORT_TABLE, .repetitions = 15 };
  opterr = 0;
  for (;;) {
    int option = getopt_long(argc, argv, ":", known, NULL);
    if (option == -1)
      break;
    if (option == ':')
      return refuse_option("there is no value behind", argv);
    if (option == '?')
      return refuse_option("cannot make sense of", argv);
    if (!apply(option, &read))
      return false;
  }
  if (optind < argc)
    read.noun = argv[optind++];
  if (optind < argc)
    return refuse("one benchmark at a time; there is also", argv[optind]);
  *options_out = read;
  return true;
}
