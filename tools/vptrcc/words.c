/* SPDX-License-Identifier: MIT */
/* words - see words.h. */
#include "words.h"

#include <string.h>

static void end_part(cc_list *out, cc_buffer *part) {
  if (part->length > 0)
    cc_list_add(out, part->text);
  cc_buffer_init(part, out->arena);
}

void cc_words_list(cc_list *out, const char *value) {
  bool is_quoted = false;
  cc_buffer part;
  cc_buffer_init(&part, out->arena);
  for (const char *at = value; *at != 0; at++) {
    if (*at == ',' && !is_quoted) {
      end_part(out, &part);
      continue;
    }
    if (*at == '\\' && at[1] != 0)
      at++;
    else if (*at == '"')
      is_quoted = !is_quoted;
    cc_buffer_add(&part, at, 1);
  }
  end_part(out, &part);
}

void cc_words_names(cc_list *out, const char *value) {
  cc_list parts;
  cc_list_init(&parts, out->arena);
  cc_words_list(&parts, value);
  for (size_t i = 0; i < parts.count; i++) {
    cc_buffer name;
    cc_buffer_init(&name, out->arena);
    for (const char *at = parts.items[i]; *at != 0; at++)
      if (*at != '"')
        cc_buffer_add(&name, at, 1);
    end_part(out, &name);
  }
}

/* What is between quotes; at the opening one before, behind the closing one afterwards. */
static const char *add_quoted(cc_buffer *word, const char *at) {
  char quote = *at++;
  while (*at != 0 && *at != quote) {
    if (quote == '"' && *at == '\\' && at[1] != 0 && strchr("\"\\$`", at[1]) != NULL)
      at++;
    cc_buffer_add(word, at++, 1);
  }
  return *at == 0 ? at : at + 1;
}

static const char *add_word(cc_buffer *word, const char *at) {
  while (*at != 0 && strchr(" \t\r\n", *at) == NULL) {
    if (*at == '"' || *at == '\'') {
      at = add_quoted(word, at);
      continue;
    }
    if (*at == '\\' && at[1] != 0)
      at++;
    cc_buffer_add(word, at++, 1);
  }
  return at;
}

void cc_words_shell(cc_list *out, const char *text) {
  while (*(text += strspn(text, " \t\r\n")) != 0) {
    cc_buffer word;
    cc_buffer_init(&word, out->arena);
    text = add_word(&word, text);
    cc_list_add(out, word.text);
  }
}

void cc_words_options(cc_list *out, const char *value) {
  cc_list parts;
  cc_list_init(&parts, out->arena);
  cc_words_list(&parts, value);
  for (size_t i = 0; i < parts.count; i++)
    cc_words_shell(out, parts.items[i]);
}
