/* SPDX-License-Identifier: MIT */
/* option - the table of options: names, whether a value follows, and what each does. */
#ifndef VPTRCC_OPTION_H
#define VPTRCC_OPTION_H

#include "options.h"

typedef void cc_action(cc_options *options, const char *value);

typedef struct cc_option {
  const char *name;        /* behind its dashes */
  bool has_value;
  cc_action *act;
} cc_option;

/* The option of a name without dashes, or NULL. *value_out: what stands behind its '=', or NULL. */
const cc_option *cc_option_find(const char *name, const char **value_out);

/* Options of one letter that stand together with their value: -Ifolder. */
const cc_option *cc_option_find_letter(char letter);

#endif
