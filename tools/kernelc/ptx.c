/* SPDX-License-Identifier: MIT */
/* ptx - see ptx.h. */
#include "ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSTRUCTIONS = 256, MOST_REGISTERS = 256, MOST_NESTED = 4 };

typedef struct reader {
  const char *at;
  kc_ptx_text *text;
  unsigned depth; /* of the operand at work */
} reader;

static bool has_failed(const reader *reader) {
  return reader->text->problem[0] != 0;
}

static void fail(reader *reader, const char *what) {
  if (!has_failed(reader))
    snprintf(reader->text->problem, sizeof reader->text->problem, "%s near '%.40s'", what, reader->at);
}

static void skip_blanks(reader *reader) {
  for (;;) {
    while (isspace((unsigned char)*reader->at))
      reader->at++;
    if (strncmp(reader->at, "//", 2) == 0) {
      reader->at += strcspn(reader->at, "\n");
    } else if (strncmp(reader->at, "/*", 2) == 0) {
      const char *end = strstr(reader->at, "*/");
      reader->at = end != NULL ? end + 2 : reader->at + strlen(reader->at);
    } else {
      return;
    }
  }
}

static bool take_token(reader *reader, const char *word) {
  skip_blanks(reader);
  if (!kc_starts(reader->at, word))
    return false;
  reader->at += strlen(word);
  return true;
}

/* Letters, digits and underscores; with `more`, those characters too. */
static void read_name(reader *reader, char *name, size_t size, const char *more) {
  size_t length = 0;
  while (isalnum((unsigned char)*reader->at) || *reader->at == '_' ||
         (*reader->at != 0 && strchr(more, *reader->at) != NULL)) {
    if (length + 1 >= size)
      fail(reader, "a name is too long");
    else
      name[length++] = *reader->at;
    reader->at++;
  }
  name[length] = 0;
  if (length == 0)
    fail(reader, "a name is missing");
}

/* ---- operands -------------------------------------------------------------------------------------------- */

static void read_operand(reader *reader, kc_ptx_operand *operand);

static void read_real(reader *reader, kc_ptx_operand *operand, unsigned bits) {
  char *end = NULL;
  reader->at += 2;
  operand->number = strtoull(reader->at, &end, 16);
  operand->real_bits = (unsigned char)bits;
  if (end != reader->at + bits / 4)
    fail(reader, "a real has another number of digits");
  reader->at = end;
}

/* 12, -0x1fu, 0b101, 0f3f800000, 0d3ff0000000000000, 1.5 */
static void read_number(reader *reader, kc_ptx_operand *operand) {
  bool is_negative = take_token(reader, "-");
  char *end = NULL;
  operand->kind = KC_PTX_NUMBER;
  skip_blanks(reader);
  if (reader->at[0] == '0' && strchr("fF", reader->at[1]) != NULL && reader->at[1] != 0) {
    read_real(reader, operand, 32);
  } else if (reader->at[0] == '0' && strchr("dD", reader->at[1]) != NULL && reader->at[1] != 0) {
    read_real(reader, operand, 64);
  } else if (strspn(reader->at, "0123456789") > 0 && reader->at[strspn(reader->at, "0123456789")] == '.') {
    double value = strtod(reader->at, &end);
    memcpy(&operand->number, &value, sizeof value);
    operand->real_bits = 64;
    reader->at = end;
  } else {
    bool is_binary = reader->at[0] == '0' && tolower((unsigned char)reader->at[1]) == 'b';
    operand->number = strtoull(reader->at + (is_binary ? 2 : 0), &end, is_binary ? 2 : 0);
    reader->at = end + (*end == 'U' || *end == 'u');
  }
  if (is_negative && operand->real_bits != 0)
    operand->number ^= 1ull << (operand->real_bits - 1);
  else if (is_negative)
    operand->number = 0 - operand->number;
}

static void read_address(reader *reader, kc_ptx_operand *operand) {
  operand->kind = KC_PTX_ADDRESS;
  operand->parts = kc_allocate(1, sizeof *operand->parts);
  operand->part_count = 1;
  read_operand(reader, operand->parts);
  while (!has_failed(reader) && !take_token(reader, "]")) {
    kc_ptx_operand offset = { .kind = KC_PTX_NUMBER };
    bool is_sum = take_token(reader, "+");
    skip_blanks(reader);
    if (!is_sum && *reader->at != '-')
      fail(reader, "an address is more than a base and an offset");
    else
      read_number(reader, &offset);
    operand->offset += (long long)offset.number;
  }
}

static void read_list(reader *reader, kc_ptx_operand *operand) {
  operand->kind = KC_PTX_LIST;
  operand->parts = kc_allocate(KC_PTX_OPERANDS, sizeof *operand->parts);
  do {
    if (operand->part_count == KC_PTX_OPERANDS) {
      fail(reader, "a list is too long");
      return;
    }
    read_operand(reader, &operand->parts[operand->part_count++]);
  } while (!has_failed(reader) && take_token(reader, ","));
  if (!take_token(reader, "}"))
    fail(reader, "a list does not end");
}

/* A register, and p|q. */
static void read_register(reader *reader, kc_ptx_operand *operand) {
  bool is_special = *reader->at == '%';
  read_name(reader, operand->name, sizeof operand->name, is_special ? "%." : "");
  operand->kind = is_special ? KC_PTX_SPECIAL : strcmp(operand->name, "_") == 0 ? KC_PTX_SINK : KC_PTX_REGISTER;
}

static void read_argument(reader *reader, kc_ptx_operand *operand) {
  char *end = NULL;
  bool has_brace = kc_starts(reader->at, "${");
  reader->at += has_brace ? 2 : 1;
  operand->kind = KC_PTX_ARGUMENT;
  operand->number = strtoull(reader->at, &end, 10);
  if (end == reader->at || (has_brace && *end != '}'))
    fail(reader, "an operand of another form");
  reader->at = end + has_brace;
}

static void read_operand(reader *reader, kc_ptx_operand *operand) {
  if (reader->depth == MOST_NESTED) {
    fail(reader, "operands nest too deep");
    return;
  }
  reader->depth++;
  operand->is_negated = take_token(reader, "!");
  skip_blanks(reader);
  if (*reader->at == '[') {
    reader->at++;
    read_address(reader, operand);
  } else if (*reader->at == '{') {
    reader->at++;
    read_list(reader, operand);
  } else if (*reader->at == '$') {
    read_argument(reader, operand);
  } else if (isdigit((unsigned char)*reader->at) || *reader->at == '-') {
    read_number(reader, operand);
  } else if (isalpha((unsigned char)*reader->at) || *reader->at == '_' || *reader->at == '%') {
    read_register(reader, operand);
  } else {
    fail(reader, "an operand of another form");
  }
  if (operand->kind <= KC_PTX_ARGUMENT && take_token(reader, "|")) {
    operand->parts = kc_allocate(1, sizeof *operand->parts);
    operand->part_count = 1;
    read_operand(reader, operand->parts);
  }
  reader->depth--;
}

/* ---- statements ------------------------------------------------------------------------------------------ */

/* .reg .u32 a, b<4>; */
static void read_registers(reader *reader) {
  char type[8], name[KC_PTX_NAME];
  if (!take_token(reader, "."))
    fail(reader, "registers have no type");
  read_name(reader, type, sizeof type, "");
  do {
    unsigned long count = 0;
    skip_blanks(reader);
    read_name(reader, name, sizeof name, "%");
    bool is_many = take_token(reader, "<");
    if (is_many) {
      char *end = NULL;
      count = strtoul(reader->at, &end, 10);
      reader->at = end;
      if (!take_token(reader, ">"))
        fail(reader, "a number of registers does not end");
    }
    for (unsigned long i = 0; i < (is_many ? count : 1); i++) {
      kc_ptx_text *text = reader->text;
      if (text->register_count == MOST_REGISTERS || has_failed(reader)) {
        fail(reader, "too many registers");
        return;
      }
      kc_ptx_register *each = &text->registers[text->register_count++];
      snprintf(each->name, sizeof each->name, is_many ? "%.48s%lu" : "%.48s", name, i);
      memcpy(each->type, type, sizeof each->type);
    }
  } while (!has_failed(reader) && take_token(reader, ","));
  if (!take_token(reader, ";"))
    fail(reader, "a declaration does not end");
}

static void split_name(kc_ptx_instruction *instruction) {
  char *parts = kc_allocate(sizeof instruction->name, 1);
  memcpy(parts, instruction->name, sizeof instruction->name);
  for (char *part = strtok(parts, "."); part != NULL && instruction->part_count < KC_PTX_PARTS;
       part = strtok(NULL, "."))
    instruction->parts[instruction->part_count++] = part;
}

static void read_instruction(reader *reader) {
  if (reader->text->instruction_count == MOST_INSTRUCTIONS) {
    fail(reader, "too many instructions");
    return;
  }
  kc_ptx_instruction *instruction = &reader->text->instructions[reader->text->instruction_count++];
  if (take_token(reader, "@")) {
    instruction->has_guard = true;
    instruction->is_guard_negated = take_token(reader, "!");
    read_name(reader, instruction->guard, sizeof instruction->guard, "%");
    skip_blanks(reader);
  }
  read_name(reader, instruction->name, sizeof instruction->name, ".:");
  if (strchr(instruction->name, ':') != NULL && strstr(instruction->name, "::") == NULL)
    fail(reader, "a label is not translated");
  split_name(instruction);
  while (!has_failed(reader) && !take_token(reader, ";")) {
    if (*reader->at == 0)
      return;
    if (instruction->operand_count > 0 && !take_token(reader, ","))
      fail(reader, "operands without a comma");
    else if (instruction->operand_count == KC_PTX_OPERANDS)
      fail(reader, "too many operands");
    else
      read_operand(reader, &instruction->operands[instruction->operand_count++]);
  }
}

kc_ptx_text *kc_ptx_read(const char *text) {
  kc_ptx_text *result = kc_allocate(1, sizeof *result);
  reader reader = { .at = text, .text = result };
  result->instructions = kc_allocate(MOST_INSTRUCTIONS, sizeof *result->instructions);
  result->registers = kc_allocate(MOST_REGISTERS, sizeof *result->registers);
  for (skip_blanks(&reader); *reader.at != 0 && !has_failed(&reader); skip_blanks(&reader)) {
    if (strchr("{};", *reader.at) != NULL)
      reader.at++;
    else if (kc_starts(reader.at, ".reg") && strchr(" \t\n.", reader.at[4]) != NULL) {
      reader.at += 4;
      read_registers(&reader);
    } else if (*reader.at == '.')
      fail(&reader, "a directive is not translated");
    else
      read_instruction(&reader);
  }
  return result;
}

bool kc_ptx_has(const kc_ptx_instruction *instruction, const char *part) {
  for (unsigned i = 1; i < instruction->part_count; i++)
    if (strcmp(instruction->parts[i], part) == 0)
      return true;
  return false;
}
