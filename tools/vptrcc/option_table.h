/* SPDX-License-Identifier: MIT */
/* option_table - the table of options: names, whether a value follows, and what each does. */
#ifndef VPTRCC_OPTION_TABLE_H
#define VPTRCC_OPTION_TABLE_H

#include "options.h"

typedef void cc_action(cc_options *options, const char *value);

typedef enum cc_effect { CC_ACT, CC_SET_GOAL, CC_SET_FLAG, CC_SET_TEXT, CC_REPORT_HOST, CC_IGNORE } cc_effect;

typedef struct cc_option {
  const char *brief, *full; /* names behind their dashes; NULL: it has only the other */
  bool has_value;
  cc_effect effect;
  cc_action *act;
  size_t place;            /* of the flag, or the text, in cc_options */
  cc_goal goal;
  const char *host;        /* for the host's compiler */
} cc_option;

/* The option of a name without dashes, or NULL. *value_out: what stands behind its '=', or NULL. */
const cc_option *cc_option_find(const char *name, const char **value_out);

void cc_option_do(const cc_option *option, cc_options *options, const char *value);

/* Options of one letter that stand together with their value: -Ifolder. */
const cc_option *cc_option_find_letter(char letter);

#endif
