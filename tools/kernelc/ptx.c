/* SPDX-License-Identifier: MIT */
/* ptx - see ptx.h. */
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

#include "nvidia/token.h"

enum { MOST_INSTRUCTIONS = 256, MOST_REGISTERS = 256, MOST_NESTED = 4 };

typedef struct reader {
  const char *at, *end;
  vptr__ptx_token token; /* the next one */
  kc_ptx_text *text;
  unsigned depth; /* of the operand at work */
} reader;

static bool has_failed(const reader *reader) {
  return reader->text->problem[0] != 0;
}

static void fail(reader *reader, const char *what) {
  if (!has_failed(reader))
    snprintf(reader->text->problem, sizeof reader->text->problem, "%s near '%.40s'", what, reader->token.begin);
}

static void step(reader *reader) {
  reader->token = vptr__ptx_next(&reader->at, reader->end);
}

static bool take_token(reader *reader, const char *text) {
  if (!vptr__ptx_is(&reader->token, text))
    return false;
  step(reader);
  return true;
}

/* A word without its first bytes. */
static void read_name(reader *reader, char *name, size_t size, size_t without) {
  const vptr__ptx_token *token = &reader->token;
  size_t length = (size_t)(token->end - token->begin);
  if (token->kind != VPTR__PTX_WORD || length <= without)
    fail(reader, "a name is missing");
  else if (length - without >= size)
    fail(reader, "a name is too long");
  else
    memcpy(name, token->begin + without, length - without), name[length - without] = 0;
  step(reader);
}

static unsigned long long read_integer(reader *reader, const char *otherwise) {
  uint64_t number = 0;
  if (!vptr__ptx_integer(&reader->token, &number))
    fail(reader, otherwise);
  step(reader);
  return number;
}

/* ---- operands -------------------------------------------------------------------------------------------- */

static void read_operand(reader *reader, kc_ptx_operand *operand);

static void read_bits(reader *reader, kc_ptx_operand *operand, unsigned bits) {
  char *end = NULL;
  operand->number = strtoull(reader->token.begin + 2, &end, 16);
  operand->real_bits = (unsigned char)bits;
  if (end != reader->token.end || end != reader->token.begin + 2 + bits / 4)
    fail(reader, "a real has another number of digits");
  step(reader);
}

static void read_decimal(reader *reader, kc_ptx_operand *operand) {
  char *end = NULL;
  double value = strtod(reader->token.begin, &end);
  memcpy(&operand->number, &value, sizeof value);
  operand->real_bits = 64;
  if (end != reader->token.end)
    fail(reader, "a number of another form");
  step(reader);
}

/* 12, -0x1fu, 0b101, 0f3f800000, 0d3ff0000000000000, 1.5 */
static void read_number(reader *reader, kc_ptx_operand *operand) {
  bool is_negative = take_token(reader, "-");
  const char *digits = reader->token.begin;
  operand->kind = KC_PTX_NUMBER;
  if (kc_starts(digits, "0f") || kc_starts(digits, "0F"))
    read_bits(reader, operand, 32);
  else if (kc_starts(digits, "0d") || kc_starts(digits, "0D"))
    read_bits(reader, operand, 64);
  else if (memchr(digits, '.', (size_t)(reader->token.end - digits)) != NULL)
    read_decimal(reader, operand);
  else
    operand->number = read_integer(reader, "a number of another form");
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
    if (!take_token(reader, "+") && !vptr__ptx_is(&reader->token, "-"))
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

static void read_register(reader *reader, kc_ptx_operand *operand) {
  bool is_special = *reader->token.begin == '%';
  read_name(reader, operand->name, sizeof operand->name, 0);
  operand->kind = is_special ? KC_PTX_SPECIAL : strcmp(operand->name, "_") == 0 ? KC_PTX_SINK : KC_PTX_REGISTER;
}

/* $0, ${0} */
static void read_argument(reader *reader, kc_ptx_operand *operand) {
  static const char other[] = "an operand of another form";
  operand->kind = KC_PTX_ARGUMENT;
  if (take_token(reader, "$")) {
    bool is_whole = take_token(reader, "{");
    operand->number = read_integer(reader, other);
    if (!is_whole || !take_token(reader, "}"))
      fail(reader, other);
  } else {
    reader->token.kind = VPTR__PTX_NUMBER;
    reader->token.begin++;
    operand->number = read_integer(reader, other);
  }
}

static void read_operand(reader *reader, kc_ptx_operand *operand) {
  if (reader->depth == MOST_NESTED) {
    fail(reader, "operands nest too deep");
    return;
  }
  reader->depth++;
  operand->is_negated = take_token(reader, "!");
  if (take_token(reader, "["))
    read_address(reader, operand);
  else if (take_token(reader, "{"))
    read_list(reader, operand);
  else if (reader->token.kind == VPTR__PTX_NUMBER || vptr__ptx_is(&reader->token, "-"))
    read_number(reader, operand);
  else if (reader->token.kind != VPTR__PTX_WORD)
    fail(reader, "an operand of another form");
  else if (*reader->token.begin == '$')
    read_argument(reader, operand);
  else
    read_register(reader, operand);
  if (operand->kind <= KC_PTX_ARGUMENT && take_token(reader, "|")) {
    operand->parts = kc_allocate(1, sizeof *operand->parts);
    operand->part_count = 1;
    read_operand(reader, operand->parts);
  }
  reader->depth--;
}

/* ---- statements ------------------------------------------------------------------------------------------ */

/* .reg .u32 a, b<4>; or .reg.u32 */
static void read_registers(reader *reader) {
  char type[8] = "", name[KC_PTX_NAME] = "";
  if (!take_token(reader, ".reg"))
    reader->token.begin += strlen(".reg");
  if (*reader->token.begin != '.')
    fail(reader, "registers have no type");
  read_name(reader, type, sizeof type, 1);
  do {
    unsigned long long count = 0;
    read_name(reader, name, sizeof name, 0);
    bool is_many = take_token(reader, "<");
    if (is_many) {
      count = read_integer(reader, "a number of registers is missing");
      if (!take_token(reader, ">"))
        fail(reader, "a number of registers does not end");
    }
    for (unsigned long long i = 0; i < (is_many ? count : 1); i++) {
      kc_ptx_text *text = reader->text;
      if (text->register_count == MOST_REGISTERS || has_failed(reader)) {
        fail(reader, "too many registers");
        return;
      }
      kc_ptx_register *each = &text->registers[text->register_count++];
      snprintf(each->name, sizeof each->name, is_many ? "%.48s%llu" : "%.48s", name, i);
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
    read_name(reader, instruction->guard, sizeof instruction->guard, 0);
  }
  read_name(reader, instruction->name, sizeof instruction->name, 0);
  if (vptr__ptx_is(&reader->token, ":"))
    fail(reader, "a label is not translated");
  split_name(instruction);
  while (!has_failed(reader) && !take_token(reader, ";")) {
    if (reader->token.kind == VPTR__PTX_END)
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
  reader reader = { .at = text, .end = text + strlen(text), .text = result };
  result->instructions = kc_allocate(MOST_INSTRUCTIONS, sizeof *result->instructions);
  result->registers = kc_allocate(MOST_REGISTERS, sizeof *result->registers);
  for (step(&reader); reader.token.kind != VPTR__PTX_END && !has_failed(&reader);) {
    if (take_token(&reader, "{") || take_token(&reader, "}") || take_token(&reader, ";"))
      continue;
    if (vptr__ptx_is(&reader.token, ".reg") || vptr__ptx_begins(&reader.token, ".reg."))
      read_registers(&reader);
    else if (*reader.token.begin == '.')
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
