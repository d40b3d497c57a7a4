/* SPDX-License-Identifier: MIT */
/* report - see report.h. */
#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_shown(const report *to, const report_column *column) {
  return (column->where & (to->format == REPORT_TABLE ? REPORT_IN_TABLE : REPORT_IN_DATA)) != 0;
}

/* ---- table ----------------------------------------------------------------------------------------------- */

/* Words to the left, numbers to the right. */
static void table_text(const report_column *column, const char *text) {
  printf("%*s  ", column->decimals == REPORT_TEXT ? -column->width : column->width, text);
}

static void table_cell(const report_column *column, const report_cell *cell) {
  if (column->decimals == REPORT_TEXT)
    table_text(column, cell->text);
  else if (isnan(cell->number))
    table_text(column, "");
  else
    printf("%*.*f  ", column->width, column->decimals, cell->number);
}

static void table_head(const report *to) {
  if (to->notes > 0)
    putchar('\n');
  for (size_t i = 0; i < to->column_count; i++)
    if (is_shown(to, &to->columns[i]))
      table_text(&to->columns[i], to->columns[i].title);
  putchar('\n');
}

static void table_row(const report *to, const report_cell *cells) {
  for (size_t i = 0; i < to->column_count; i++)
    if (is_shown(to, &to->columns[i]))
      table_cell(&to->columns[i], &cells[i]);
  putchar('\n');
}

/* ---- CSV ------------------------------------------------------------------------------------------------- */

static void csv_text(const char *text) {
  if (strpbrk(text, ",\"\n") == NULL) {
    fputs(text, stdout);
    return;
  }
  putchar('"');
  for (; *text != '\0'; text++) {
    if (*text == '"')
      putchar('"');
    putchar(*text);
  }
  putchar('"');
}

static void csv_cell(const report_column *column, const report_cell *cell) {
  if (column->decimals == REPORT_TEXT)
    csv_text(cell->text);
  else if (!isnan(cell->number))
    printf("%.*f", column->decimals, cell->number);
}

static void csv_line(const report *to, const report_cell *cells) {
  bool first = true;
  for (size_t i = 0; i < to->column_count; i++) {
    if (!is_shown(to, &to->columns[i]))
      continue;
    if (!first)
      putchar(',');
    first = false;
    if (cells == NULL)
      csv_text(to->columns[i].key);
    else
      csv_cell(&to->columns[i], &cells[i]);
  }
  putchar('\n');
}

/* ---- JSON ------------------------------------------------------------------------------------------------ */

/* All texts but a device's name are ours, and a name may be in any encoding: what is no ASCII becomes '?'. */
static void json_text(const char *text) {
  putchar('"');
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c < 0x20)
      printf("\\u%04x", c);
    else
      putchar(c < 0x7f ? c : '?');
  }
  putchar('"');
}

static void json_cell(const report_column *column, const report_cell *cell) {
  json_text(column->key);
  fputs(": ", stdout);
  if (column->decimals == REPORT_TEXT)
    json_text(cell->text);
  else if (isnan(cell->number))
    fputs("null", stdout);
  else
    printf("%.*f", column->decimals, cell->number);
}

static void json_open_rows(const report *to) {
  printf("%s\"rows\": [", to->notes > 0 ? "\n  },\n  " : "{\n  ");
}

static void json_row(const report *to, const report_cell *cells) {
  bool first = true;
  printf("%s\n    { ", to->rows > 0 ? "," : "");
  for (size_t i = 0; i < to->column_count; i++) {
    if (!is_shown(to, &to->columns[i]))
      continue;
    if (!first)
      fputs(", ", stdout);
    first = false;
    json_cell(&to->columns[i], &cells[i]);
  }
  fputs(" }", stdout);
}

/* ---- all three ------------------------------------------------------------------------------------------- */

void report_begin(report *to, report_format format, const report_column *columns, size_t column_count) {
  *to = (report){ .format = format, .columns = columns, .column_count = column_count };
}

void report_note(report *to, const char *name, const char *value) {
  if (to->format == REPORT_TABLE) {
    printf("%s: %s\n", name, value);
  } else if (to->format == REPORT_JSON) {
    fputs(to->notes > 0 ? ",\n    " : "{\n  \"notes\": {\n    ", stdout);
    json_text(name);
    fputs(": ", stdout);
    json_text(value);
  }
  to->notes++;
}

static void head(const report *to) {
  switch (to->format) {
  case REPORT_TABLE:
    table_head(to);
    break;
  case REPORT_CSV:
    csv_line(to, NULL);
    break;
  case REPORT_JSON:
    json_open_rows(to);
    break;
  }
}

void report_row(report *to, const report_cell *cells) {
  if (to->rows == 0)
    head(to);
  if (to->format == REPORT_TABLE)
    table_row(to, cells);
  else if (to->format == REPORT_CSV)
    csv_line(to, cells);
  else
    json_row(to, cells);
  to->rows++;
  fflush(stdout);
}

void report_gap(const report *to) {
  if (to->format == REPORT_TABLE)
    putchar('\n');
}

void report_left_out(report *to, const char *format, ...) {
  if (to->left_out_count == REPORT_MOST_LEFT_OUT)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to->left_out[to->left_out_count++], sizeof to->left_out[0], format, arguments);
  va_end(arguments);
}

static void print_left_out(const report *to, size_t index) {
  const char *text = to->left_out[index];
  if (to->format == REPORT_JSON) {
    fputs(index > 0 ? ", " : "", stdout);
    json_text(text);
  } else {
    fprintf(to->format == REPORT_CSV ? stderr : stdout, "%sleft out: %s\n",
            to->format == REPORT_CSV ? "vptr-bench: "
            : index == 0             ? "\n"
                                     : "",
            text);
  }
}

void report_end(report *to) {
  if (to->rows == 0)
    head(to);
  if (to->format == REPORT_JSON)
    fputs("\n  ],\n  \"left_out\": [", stdout);
  for (size_t i = 0; i < to->left_out_count; i++)
    print_left_out(to, i);
  if (to->format == REPORT_JSON)
    fputs("]\n}\n", stdout);
}

bool report_close(void) {
  if (ferror(stdout) == 0 && fclose(stdout) == 0)
    return true;
  perror("vptr-bench: cannot write the output");
  return false;
}
