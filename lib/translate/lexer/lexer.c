/* SPDX-License-Identifier: MIT */
/*
 * lexer - see lexer.h.
 *
 * Texts end in a zero, so that looking ahead needs no check: no rule goes on behind a zero. Joined lines (a backslash
 * at a line's end) are looked for only where a token would end, and cost nothing elsewhere.
 */
#include "translate/lexer/lexer.h"

#include <string.h>

enum { NAME_BEGIN = 1, DIGIT = 2, BLANK = 4 };

static const uint8_t classes[256] = {
  [' '] = BLANK,      ['\t'] = BLANK,     ['\v'] = BLANK,     ['\f'] = BLANK,     ['\r'] = BLANK,
  ['0'] = DIGIT,      ['1'] = DIGIT,      ['2'] = DIGIT,      ['3'] = DIGIT,      ['4'] = DIGIT,
  ['5'] = DIGIT,      ['6'] = DIGIT,      ['7'] = DIGIT,      ['8'] = DIGIT,      ['9'] = DIGIT,
  ['_'] = NAME_BEGIN, ['$'] = NAME_BEGIN, ['a'] = NAME_BEGIN, ['b'] = NAME_BEGIN, ['c'] = NAME_BEGIN,
  ['d'] = NAME_BEGIN, ['e'] = NAME_BEGIN, ['f'] = NAME_BEGIN, ['g'] = NAME_BEGIN, ['h'] = NAME_BEGIN,
  ['i'] = NAME_BEGIN, ['j'] = NAME_BEGIN, ['k'] = NAME_BEGIN, ['l'] = NAME_BEGIN, ['m'] = NAME_BEGIN,
  ['n'] = NAME_BEGIN, ['o'] = NAME_BEGIN, ['p'] = NAME_BEGIN, ['q'] = NAME_BEGIN, ['r'] = NAME_BEGIN,
  ['s'] = NAME_BEGIN, ['t'] = NAME_BEGIN, ['u'] = NAME_BEGIN, ['v'] = NAME_BEGIN, ['w'] = NAME_BEGIN,
  ['x'] = NAME_BEGIN, ['y'] = NAME_BEGIN, ['z'] = NAME_BEGIN, ['A'] = NAME_BEGIN, ['B'] = NAME_BEGIN,
  ['C'] = NAME_BEGIN, ['D'] = NAME_BEGIN, ['E'] = NAME_BEGIN, ['F'] = NAME_BEGIN, ['G'] = NAME_BEGIN,
  ['H'] = NAME_BEGIN, ['I'] = NAME_BEGIN, ['J'] = NAME_BEGIN, ['K'] = NAME_BEGIN, ['L'] = NAME_BEGIN,
  ['M'] = NAME_BEGIN, ['N'] = NAME_BEGIN, ['O'] = NAME_BEGIN, ['P'] = NAME_BEGIN, ['Q'] = NAME_BEGIN,
  ['R'] = NAME_BEGIN, ['S'] = NAME_BEGIN, ['T'] = NAME_BEGIN, ['U'] = NAME_BEGIN, ['V'] = NAME_BEGIN,
  ['W'] = NAME_BEGIN, ['X'] = NAME_BEGIN, ['Y'] = NAME_BEGIN, ['Z'] = NAME_BEGIN,
};

static inline bool is_in_class(char byte, int class) {
  return (classes[(unsigned char)byte] & class) != 0;
}

/* What joins two lines, at p: its length, or 0. */
static inline int splice_length(const char *p) {
  if (p[0] != '\\')
    return 0;
  return p[1] == '\n' ? 2 : p[1] == '\r' && p[2] == '\n' ? 3 : 0;
}

static inline const char *past_splices(const char *p) {
  for (int length; (length = splice_length(p)) > 0;)
    p += length;
  return p;
}

void vptr__lexer_init(vptr__lexer *lexer, vptr__source *source, const char *text, size_t length,
                      vptr__position begin) {
  bool has_mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
  *lexer = (vptr__lexer){ .source = source,
                          .text = text,
                          .cursor = has_mark ? text + 3 : text,
                          .end = text + length,
                          .begin = begin,
                          .flags = VPTR__TOKEN_AT_LINE_START };
}

/* ---- white space ----------------------------------------------------------------------------------------- */

/* To the end of the line, or of the text. A zero inside of the text is a byte like others. */
static const char *past_line_comment(const vptr__lexer *lexer, const char *p) {
  for (; p < lexer->end && *p != '\n'; p++)
    if (*p == '\\')
      p += splice_length(p) > 0 ? splice_length(p) - 1 : 0;
  return p;
}

static const char *past_block_comment(vptr__lexer *lexer, const char *p) {
  for (; p < lexer->end; p++)
    if (*p == '*' && *past_splices(p + 1) == '/')
      return past_splices(p + 1) + 1;
  lexer->has_open_comment = true;
  return lexer->end;
}

/* At a slash: NULL if it begins no comment. */
static const char *past_comment(vptr__lexer *lexer, const char *p) {
  const char *second = past_splices(p + 1);
  if (*second == '/')
    return past_line_comment(lexer, second + 1);
  return *second == '*' ? past_block_comment(lexer, second + 1) : NULL;
}

static void skip_space(vptr__lexer *lexer) {
  const char *p = lexer->cursor;
  for (;; lexer->flags |= VPTR__TOKEN_AFTER_SPACE) {
    const char *next = NULL;
    if (is_in_class(*p, BLANK))
      next = p + 1;
    else if (*p == '\n' && !lexer->in_directive) {
      lexer->flags |= VPTR__TOKEN_AT_LINE_START;
      next = p + 1;
    } else if (*p == '/')
      next = past_comment(lexer, p);
    else if (*p == '\\' && splice_length(p) > 0)
      next = past_splices(p);
    if (next == NULL)
      break;
    p = next;
  }
  lexer->cursor = p;
}

void vptr__lexer_skip_line(vptr__lexer *lexer) {
  bool in_directive = lexer->in_directive;
  lexer->in_directive = true;
  while (vptr__lexer_next(lexer).kind != VPTR__TOKEN_END)
    ;
  lexer->in_directive = in_directive;
}

/* ---- tokens ---------------------------------------------------------------------------------------------- */

static const char *without_splices(vptr__lexer *lexer, const char *begin, const char *end, uint32_t *length_out) {
  char *copy = vptr__arena_allocate(vptr__source_arena(lexer->source), (size_t)(end - begin) + 1);
  uint32_t length = 0;
  for (const char *p = past_splices(begin); p < end; p = past_splices(p + 1))
    copy[length++] = *p;
  *length_out = length;
  return copy;
}

/* The token from the cursor to `end`, which becomes the cursor. */
static vptr__token take_token(vptr__lexer *lexer, int kind, const char *end, bool has_splice) {
  vptr__token token = { .kind = (uint16_t)kind,
                        .flags = lexer->flags,
                        .position = lexer->begin + (uint32_t)(lexer->cursor - lexer->text),
                        .text = lexer->cursor,
                        .length = (uint32_t)(end - lexer->cursor) };
  if (has_splice)
    token.text = without_splices(lexer, lexer->cursor, end, &token.length);
  lexer->cursor = end;
  lexer->flags = 0;
  return token;
}

static vptr__token take_name(vptr__lexer *lexer) {
  const char *p = lexer->cursor;
  bool has_splice = false;
  while (is_in_class(*p, NAME_BEGIN | DIGIT) || splice_length(p) > 0) {
    has_splice |= *p == '\\';
    p += *p == '\\' ? splice_length(p) : 1;
  }
  vptr__token token = take_token(lexer, VPTR__TOKEN_NAME, p, has_splice);
  token.name = vptr__source_intern(lexer->source, token.text, token.length);
  token.text = token.name->text;
  return token;
}

static bool is_exponent(char byte) {
  return byte == 'e' || byte == 'E' || byte == 'p' || byte == 'P';
}

/* How many bytes at p go on with a preprocessing number, whose last byte was `last`. */
static int number_step(char last, const char *p) {
  if (is_in_class(*p, NAME_BEGIN | DIGIT) || *p == '.')
    return 1;
  if ((*p == '+' || *p == '-') && is_exponent(last))
    return 1;
  return *p == '\'' && is_in_class(p[1], NAME_BEGIN | DIGIT) ? 2 : 0;
}

static vptr__token take_number(vptr__lexer *lexer) {
  const char *p = lexer->cursor;
  char last = 0;
  bool has_splice = false;
  for (int step;;) {
    if ((step = number_step(last, p)) > 0)
      last = p[step - 1];
    else if ((step = splice_length(p)) > 0)
      has_splice = true;
    else
      break;
    p += step;
  }
  return take_token(lexer, VPTR__TOKEN_NUMBER, p, has_splice);
}

/* Behind the closing quote. A word there is the literal's suffix, as in C++ since C++11; a macro is not, so that older
 * texts mean what they did: "%"PRId64. */
static const char *past_suffix(const vptr__lexer *lexer, const char *p) {
  const char *end = p;
  if (is_in_class(*p, NAME_BEGIN))
    while (is_in_class(*end, NAME_BEGIN | DIGIT))
      end++;
  return end > p && vptr__source_intern(lexer->source, p, (size_t)(end - p))->macro == NULL ? end : p;
}

/* With p behind the opening quote. What does not end on its line is no token. */
static vptr__token take_quoted(vptr__lexer *lexer, const char *p, char quote) {
  bool has_splice = false;
  for (; p < lexer->end && *p != quote && *p != '\n'; p++)
    if (*p == '\\' && splice_length(p) > 0) {
      has_splice = true;
      p += splice_length(p) - 1;
    } else if (*p == '\\') { /* what it escapes may stand on the next line */
      const char *escaped = past_splices(p + 1);
      has_splice |= escaped > p + 1;
      p = escaped < lexer->end && *escaped != '\n' ? escaped : escaped - 1;
    }
  if (p >= lexer->end || *p == '\n')
    return take_token(lexer, VPTR__TOKEN_OTHER, p, has_splice);
  return take_token(lexer, quote == '"' ? VPTR__TOKEN_STRING : VPTR__TOKEN_CHARACTER, past_suffix(lexer, p + 1),
                    has_splice);
}

/* R"delimiter( ... )delimiter", with p behind the quote. No line is joined in it. */
static vptr__token take_raw_string(vptr__lexer *lexer, const char *p) {
  enum { DELIMITER_LONGEST = 16 };
  size_t length = 0;
  while (length <= DELIMITER_LONGEST && p + length < lexer->end && strchr("( )\\\t\v\f\r\n", p[length]) == NULL)
    length++;
  if (length > DELIMITER_LONGEST || p[length] != '(')
    return take_token(lexer, VPTR__TOKEN_OTHER, p, false);
  for (const char *end = p + length + 1; end + length + 1 < lexer->end; end++)
    if (*end == ')' && memcmp(end + 1, p, length) == 0 && end[length + 1] == '"')
      return take_token(lexer, VPTR__TOKEN_STRING, past_suffix(lexer, end + length + 2), false);
  return take_token(lexer, VPTR__TOKEN_OTHER, lexer->end, false);
}

/* A word that a quote follows may be its prefix: L u U u8, for strings also with R. */
static bool take_prefixed(vptr__lexer *lexer, vptr__token *token_out) {
  const char *p = lexer->cursor;
  if (*p == 'u' && p[1] == '8')
    p += 2;
  else if (*p == 'L' || *p == 'u' || *p == 'U')
    p++;
  bool is_raw = *p == 'R' && p[1] == '"';
  if (is_raw)
    *token_out = take_raw_string(lexer, p + 2);
  else if (p > lexer->cursor && (*p == '"' || *p == '\''))
    *token_out = take_quoted(lexer, p + 1, *p);
  else
    return false;
  return true;
}

typedef struct punctuator {
  char text[4];
  uint16_t kind;
} punctuator;

/* By first byte, the longest first. */
static const punctuator punctuators[] = {
  { "->", VPTR__TOKEN_ARROW },
  { "-=", VPTR__TOKEN_SUB_ASSIGN },
  { "--", VPTR__TOKEN_DECREMENT },
  { "++", VPTR__TOKEN_INCREMENT },
  { "+=", VPTR__TOKEN_ADD_ASSIGN },
  { "<<<", VPTR__TOKEN_LAUNCH_BEGIN },
  { "<<=", VPTR__TOKEN_SHIFT_LEFT_ASSIGN },
  { "<<", VPTR__TOKEN_SHIFT_LEFT },
  { "<=", VPTR__TOKEN_LESS_EQUAL },
  { "<:", '[' },
  { "<%", '{' },
  { ">>=", VPTR__TOKEN_SHIFT_RIGHT_ASSIGN },
  { ">>", VPTR__TOKEN_SHIFT_RIGHT },
  { ">=", VPTR__TOKEN_GREATER_EQUAL },
  { "==", VPTR__TOKEN_EQUAL },
  { "!=", VPTR__TOKEN_NOT_EQUAL },
  { "&&", VPTR__TOKEN_AND_AND },
  { "&=", VPTR__TOKEN_AND_ASSIGN },
  { "||", VPTR__TOKEN_OR_OR },
  { "|=", VPTR__TOKEN_OR_ASSIGN },
  { "...", VPTR__TOKEN_ELLIPSIS },
  { "*=", VPTR__TOKEN_MUL_ASSIGN },
  { "/=", VPTR__TOKEN_DIV_ASSIGN },
  { "%=", VPTR__TOKEN_MOD_ASSIGN },
  { "%>", '}' },
  { "%:", '#' },
  { "^=", VPTR__TOKEN_XOR_ASSIGN },
  { "::", VPTR__TOKEN_SCOPE },
  { ":>", ']' },
  { "##", VPTR__TOKEN_HASH_HASH },
};

/* Where `text` ends at p, joined lines left out; NULL: something else stands there. */
static const char *match_text(const char *p, const char *text) {
  for (; *text != 0; text++, p++) {
    p = past_splices(p);
    if (*p != *text)
      return NULL;
  }
  return p;
}

static vptr__token take_punctuator(vptr__lexer *lexer) {
  const char *p = lexer->cursor;
  bool is_plain = strchr("-+<>=!&|.*/%^:#", *p) == NULL;
  for (size_t i = 0; !is_plain && i < sizeof punctuators / sizeof *punctuators; i++) {
    const char *end = punctuators[i].text[0] == *p ? match_text(p, punctuators[i].text) : NULL;
    /* <:: is < and ::, unless : or > comes next */
    if (end != NULL && punctuators[i].kind == '[' && *end == ':' && end[1] != ':' && end[1] != '>')
      end = NULL;
    if (end != NULL)
      return take_token(lexer, punctuators[i].kind, end, end - p != (ptrdiff_t)strlen(punctuators[i].text));
  }
  return take_token(lexer, *p, p + 1, false);
}

/* A byte that begins nothing; of UTF-8, all bytes of the run, so that a message shows characters. */
static vptr__token take_stray(vptr__lexer *lexer) {
  const char *p = lexer->cursor + 1;
  if ((unsigned char)p[-1] >= 0x80)
    while (p < lexer->end && (unsigned char)*p >= 0x80)
      p++;
  return take_token(lexer, VPTR__TOKEN_OTHER, p, false);
}

vptr__token vptr__lexer_next(vptr__lexer *lexer) {
  skip_space(lexer);
  const char *p = lexer->cursor;
  vptr__token token;
  if (is_in_class(*p, NAME_BEGIN))
    return (*p == 'L' || *p == 'u' || *p == 'U' || *p == 'R') && take_prefixed(lexer, &token) ? token
                                                                                              : take_name(lexer);
  if (is_in_class(*p, DIGIT) || (*p == '.' && is_in_class(*past_splices(p + 1), DIGIT)))
    return take_number(lexer);
  if (*p == '"' || *p == '\'')
    return take_quoted(lexer, p + 1, *p);
  if (p >= lexer->end || *p == '\n') {
    token = take_token(lexer, VPTR__TOKEN_END, p, false);
    lexer->flags = token.flags; /* what is known of the next token stays known */
    return token;
  }
  return *p > ' ' && *p < 127 && strchr("@`\\", *p) == NULL ? take_punctuator(lexer) : take_stray(lexer);
}

bool vptr__lexer_header_name(vptr__lexer *lexer, vptr__token *token_out) {
  skip_space(lexer);
  const char *begin = lexer->cursor;
  char closing = *begin == '<' ? '>' : '"';
  if (*begin != '<' && *begin != '"')
    return false;
  const char *p = begin + 1;
  while (p < lexer->end && *p != closing && *p != '\n')
    p++;
  if (p >= lexer->end || *p != closing)
    return false;
  *token_out = take_token(lexer, *begin, p + 1, false);
  token_out->text++;
  token_out->length -= 2;
  return true;
}
