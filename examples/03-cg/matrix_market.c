/* SPDX-License-Identifier: MIT */
/*
 * matrix_market - see matrix_market.h.
 *
 * One pass, line by line. The reader keeps where it is, so that whoever finds an error can say so: every function
 * that may fail ends in `return refuse(...)`, and the first sentence stays. Numbers are read by strtod() and
 * strtoll() and checked to end where they should, since scanf() neither sees overflow nor what follows.
 */
#define _POSIX_C_SOURCE 200809L

#include "matrix_market.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

enum {
  /* Row starts are int on the device, so all entries, both triangles, must be countable by one. */
  MAX_ENTRIES = INT_MAX
};

typedef enum field_kind { FIELD_NUMBER, FIELD_PATTERN } field_kind;

typedef struct reader {
  const char *path;
  FILE *file;
  char *line; /* the current one, without its end */
  size_t line_capacity;
  long long line_number;
  field_kind field;
  bool has_lower, has_upper; /* of a symmetric file: which triangles it stores */
  char *error;
  size_t error_size;
} reader;

/* Says what is wrong with the current line. Returns false, for callers to pass on. */
__attribute__((format(printf, 2, 3))) static bool refuse(reader *in, const char *format, ...) {
  char words[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  snprintf(in->error, in->error_size, "%s:%lld: %s", in->path, in->line_number, words);
  return false;
}

/* ---- lines ----------------------------------------------------------------------------------------------- */

/* The next line, if there is one. What a read error looks like is the caller's to see: ferror(). */
static bool next_line(reader *in) {
  ssize_t length = getline(&in->line, &in->line_capacity, in->file);
  if (length < 0)
    return false;
  in->line_number++;
  while (length > 0 && (in->line[length - 1] == '\n' || in->line[length - 1] == '\r'))
    in->line[--length] = '\0';
  return true;
}

static const char *skip_blanks(const char *text) {
  while (*text == ' ' || *text == '\t')
    text++;
  return text;
}

/* The next line that says something. */
static bool next_content(reader *in) {
  while (next_line(in)) {
    const char *text = skip_blanks(in->line);
    if (*text != '\0' && *text != '%')
      return true;
  }
  return false;
}

/* Why there is no further line, where one was needed. */
static bool refuse_end(reader *in, const char *wanted) {
  if (ferror(in->file))
    return refuse(in, "reading failed: %s", strerror(errno));
  return refuse(in, "the file ends here, where %s should follow", wanted);
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

static bool ends_number(char c) {
  return c == '\0' || c == ' ' || c == '\t';
}

/* A whole number from low to high; *text moves behind it. */
static bool read_whole(reader *in, const char **text, const char *what, long long low, long long high,
                       long long *value_out) {
  const char *begin = skip_blanks(*text);
  char *end;
  if (*begin == '\0')
    return refuse(in, "the line ends where %s should be", what);
  errno = 0;
  long long value = strtoll(begin, &end, 10);
  if (end == begin || !ends_number(*end))
    return refuse(in, "'%.40s' is not %s, a whole number", begin, what);
  if (errno == ERANGE || value < low || value > high)
    return refuse(in, "%s is %.*s, but must be from %lld to %lld", what, (int)(end - begin), begin, low, high);
  *text = end;
  *value_out = value;
  return true;
}

static bool read_value(reader *in, const char **text, double *value_out) {
  const char *begin = skip_blanks(*text);
  char *end;
  if (*begin == '\0')
    return refuse(in, "the line ends where the value should be");
  double value = strtod(begin, &end);
  if (end == begin || !ends_number(*end))
    return refuse(in, "'%.40s' is not a number", begin);
  if (!isfinite(value))
    return refuse(in, "the value %.*s is not finite", (int)(end - begin), begin);
  *text = end;
  *value_out = value;
  return true;
}

static bool expect_end(reader *in, const char *text) {
  text = skip_blanks(text);
  return *text == '\0' || refuse(in, "'%.40s' follows where the line should end", text);
}

/* ---- the header ------------------------------------------------------------------------------------------ */

static bool refuse_word(reader *in, const char *what, const char *word, const char *allowed) {
  return refuse(in, "%s is '%.40s', but must be %s", what, word, allowed);
}

static bool read_banner(reader *in, bool *symmetric_out) {
  char banner[32], object[32], format[32], field[32], symmetry[32];
  if (!next_line(in))
    return refuse_end(in, "a line that begins with %%MatrixMarket");
  int words = sscanf(in->line, "%31s %31s %31s %31s %31s", banner, object, format, field, symmetry);
  if (words < 1 || strcasecmp(banner, "%%MatrixMarket") != 0)
    return refuse(in,
                  "no Matrix Market file: it does not begin with %%%%MatrixMarket (if it is compressed, unpack it)");
  if (words != 5)
    return refuse(
        in, "the first line has %d words, but must have five: %%%%MatrixMarket matrix coordinate FIELD SYMMETRY",
        words);
  if (strcasecmp(object, "matrix") != 0)
    return refuse_word(in, "the object", object, "matrix");
  if (strcasecmp(format, "coordinate") != 0)
    return refuse_word(in, "the format", format, "coordinate: only sparse matrices are read");
  if (strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0 && strcasecmp(field, "pattern") != 0)
    return refuse_word(in, "the field", field, "real, integer or pattern");
  if (strcasecmp(symmetry, "general") != 0 && strcasecmp(symmetry, "symmetric") != 0)
    return refuse_word(in, "the symmetry", symmetry, "general or symmetric");
  in->field = strcasecmp(field, "pattern") == 0 ? FIELD_PATTERN : FIELD_NUMBER;
  *symmetric_out = strcasecmp(symmetry, "symmetric") == 0;
  return true;
}

static bool read_sizes(reader *in, mm_matrix *matrix) {
  long long rows, columns, entries;
  if (!next_content(in))
    return refuse_end(in, "the line with rows, columns and entries");
  const char *text = in->line;
  if (!read_whole(in, &text, "the number of rows", 1, INT_MAX - 1, &rows) ||
      !read_whole(in, &text, "the number of columns", 1, INT_MAX - 1, &columns) ||
      !read_whole(in, &text, "the number of entries", 0, MAX_ENTRIES / (matrix->symmetric ? 2 : 1), &entries) ||
      !expect_end(in, text))
    return false;
  if (matrix->symmetric && rows != columns)
    return refuse(in, "a symmetric matrix with %lld rows and %lld columns: it must be square", rows, columns);
  if (rows * columns < entries) /* neither product nor factors can overflow: both are ints */
    return refuse(in, "%lld entries, but %lld rows by %lld columns have room for %lld", entries, rows, columns,
                  rows * columns);
  matrix->rows = (int)rows;
  matrix->columns = (int)columns;
  matrix->stored = (size_t)entries;
  return true;
}

/* ---- entries --------------------------------------------------------------------------------------------- */

static bool read_entry(reader *in, const mm_matrix *matrix, mm_entry *entry_out) {
  const char *text = in->line;
  long long row, column;
  double value = 1;
  if (!read_whole(in, &text, "the row", 1, matrix->rows, &row) ||
      !read_whole(in, &text, "the column", 1, matrix->columns, &column) ||
      (in->field == FIELD_NUMBER && !read_value(in, &text, &value)) || !expect_end(in, text))
    return false;
  *entry_out = (mm_entry){ (int)row - 1, (int)column - 1, value };
  return true;
}

/* A file that says symmetric stores one triangle: the lower one by the rules, the upper one in some. With entries
 * on both sides, mirroring them would double what was meant once. */
static bool check_triangle(reader *in, const mm_entry *entry) {
  in->has_lower |= entry->row > entry->column;
  in->has_upper |= entry->row < entry->column;
  return !(in->has_lower && in->has_upper) ||
         refuse(in,
                "row %d, column %d: a symmetric file stores one side of the diagonal, this one has entries on both",
                entry->row + 1, entry->column + 1);
}

static bool read_entries(reader *in, mm_matrix *matrix) {
  for (size_t i = 0; i < matrix->stored; i++) {
    mm_entry *entry = &matrix->entries[matrix->count];
    if (!next_content(in)) {
      char wanted[64];
      snprintf(wanted, sizeof wanted, "entry %zu of %zu", i + 1, matrix->stored);
      return refuse_end(in, wanted);
    }
    if (!read_entry(in, matrix, entry))
      return false;
    matrix->count++;
    if (matrix->symmetric && !check_triangle(in, entry))
      return false;
    if (matrix->symmetric && entry->row != entry->column)
      matrix->entries[matrix->count++] = (mm_entry){ entry->column, entry->row, entry->value };
  }
  if (next_content(in))
    return refuse(in, "'%.40s' follows, but the file announced %zu entries and all were read", in->line,
                  matrix->stored);
  return !ferror(in->file) || refuse_end(in, "nothing");
}

/* The file says how many entries it has, and may lie; what it lies about should not be allocated unseen. Pages that
 * nobody writes to cost nothing, so only a number beyond the address space is an error here. */
static bool reserve_entries(reader *in, mm_matrix *matrix) {
  size_t most = matrix->stored * (matrix->symmetric ? 2 : 1);
  matrix->entries = malloc((most > 0 ? most : 1) * sizeof *matrix->entries);
  return matrix->entries != NULL ||
         refuse(in, "no memory for %zu entries of %zu bytes", most, sizeof *matrix->entries);
}

static bool read_all(reader *in, mm_matrix *matrix) {
  return read_banner(in, &matrix->symmetric) && read_sizes(in, matrix) && reserve_entries(in, matrix) &&
         read_entries(in, matrix);
}

bool mm_read(const char *path, mm_matrix *matrix_out, char *error, size_t error_size) {
  reader in = { .path = path, .error = error, .error_size = error_size };
  mm_matrix matrix = { 0 };
  in.file = fopen(path, "r");
  if (in.file == NULL) {
    snprintf(error, error_size, "%s: cannot be opened: %s", path, strerror(errno));
    return false;
  }
  bool good = read_all(&in, &matrix);
  free(in.line);
  fclose(in.file);
  if (good)
    *matrix_out = matrix;
  else
    mm_free(&matrix);
  return good;
}

void mm_free(mm_matrix *matrix) {
  free(matrix->entries);
  *matrix = (mm_matrix){ 0 };
}
