/* SPDX-License-Identifier: MIT */
/*
 * signature - rows of the table of CUDA's functions as candidates for a call: letters as types.
 */
#include "translate/types/check.h"

#include <string.h>

typedef struct letters_reader {
  vptr__checker *checker;
  const char *letters;
  vptr__type *deduced; /* what Q's argument points to */
} letters_reader;

static vptr__type_kind kind_of(char letter) {
  static const struct {
    char letter;
    vptr__type_kind kind;
  } kinds[] = {
    { 'v', VPTR__TYPE_VOID },          { 'b', VPTR__TYPE_BOOL },
    { 'c', VPTR__TYPE_CHAR },          { 's', VPTR__TYPE_SHORT },
    { 'i', VPTR__TYPE_INT },           { 'j', VPTR__TYPE_UNSIGNED },
    { 'l', VPTR__TYPE_LONG },          { 'm', VPTR__TYPE_UNSIGNED_LONG },
    { 'x', VPTR__TYPE_LONG_LONG },     { 'y', VPTR__TYPE_UNSIGNED_LONG_LONG },
    { 'f', VPTR__TYPE_FLOAT },         { 'd', VPTR__TYPE_DOUBLE },
    { 'z', VPTR__TYPE_UNSIGNED_LONG }, { 'a', VPTR__TYPE_DOUBLE },
    { 'h', VPTR__TYPE_UNSIGNED_CHAR }, { 't', VPTR__TYPE_UNSIGNED_SHORT },
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].letter == letter)
      return kinds[i].kind;
  return VPTR__TYPE_COUNT;
}

/* A record of the built-in headers; NULL: that header was not read, so no argument can be one. */
static vptr__type *find_record(const vptr__checker *checker, const char *name, size_t length) {
  for (vptr__declaration *found = checker->unit->declarations; found != NULL; found = found->next)
    if ((found->kind == VPTR__DECLARATION_RECORD || found->kind == VPTR__DECLARATION_TYPEDEF) &&
        found->name != NULL && found->scope == NULL && found->name->length == length &&
        memcmp(found->name->text, name, length) == 0)
      return found->type;
  return NULL;
}

static vptr__type *read_type(letters_reader *reader) {
  char letter = *reader->letters++;
  if (letter == '{') {
    size_t length = strcspn(reader->letters, "}");
    vptr__type *found = find_record(reader->checker, reader->letters, length);
    reader->letters += length + (reader->letters[length] == '}');
    return found;
  }
  if (letter == 'T')
    return reader->deduced != NULL ? vptr__kind_unqualified(reader->checker, reader->deduced) : NULL;
  if (letter == 'Q')
    return reader->deduced != NULL ? vptr__type_pointer(reader->checker->unit, reader->deduced) : NULL;
  if (letter == 'P' || letter == 'C') {
    vptr__type *pointee = read_type(reader);
    if (pointee == NULL)
      return NULL;
    if (letter == 'C')
      pointee = vptr__kind_requalified(reader->checker, pointee, VPTR__CONST);
    return vptr__type_pointer(reader->checker->unit, pointee);
  }
  vptr__type_kind kind = kind_of(letter);
  return kind == VPTR__TYPE_COUNT ? NULL : vptr__kind_basic(reader->checker, kind);
}

/* What the first argument in a place of Q points to. */
static vptr__type *deduce_pointee(const char *signature, const vptr__expression *arguments) {
  const char *letter = signature;
  for (bool is_result = true; *letter != '\0'; letter++) {
    if (*letter == 'P' || *letter == 'C')
      continue;
    if (*letter == '{')
      letter += strcspn(letter, "}");
    if (!is_result && arguments == NULL)
      return NULL;
    if (!is_result && *letter == 'Q') {
      const vptr__type *type = arguments->type;
      bool points = type != NULL && (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_ARRAY);
      return points ? type->base : NULL;
    }
    if (!is_result)
      arguments = arguments->next;
    is_result = false;
  }
  return NULL;
}

/* Of a row that wants 16 bytes at once. */
static bool is_lockable(vptr__checker *checker, const vptr__expression *arguments, vptr__type *pointee) {
  return pointee != NULL && pointee->kind == VPTR__TYPE_RECORD &&
         vptr__layout_resolve(checker, pointee, arguments->position) && vptr__type_size(pointee) == 16 &&
         vptr__type_alignment(pointee) == 16;
}

vptr__candidate *vptr__signature_read(vptr__checker *checker, const vptr__builtin *builtin,
                                      const vptr__expression *arguments) {
  letters_reader reader = { checker, builtin->signature, NULL };
  if (strchr(builtin->signature, 'Q') != NULL)
    reader.deduced = deduce_pointee(builtin->signature, arguments);
  if ((builtin->flags & VPTR__BUILTIN_LOCKED) && !is_lockable(checker, arguments, reader.deduced))
    return NULL;
  vptr__candidate *made = VPTR__ARENA_NEW(checker->arena, vptr__candidate);
  size_t most = strlen(builtin->signature);
  made->builtin = builtin;
  made->parameters = vptr__arena_allocate(checker->arena, most * sizeof *made->parameters);
  made->result = read_type(&reader);
  while (*reader.letters != '\0' && made->result != NULL) {
    if (*reader.letters == '*') {
      made->is_variadic = true;
      break;
    }
    made->is_generic = made->is_generic || *reader.letters == 'a' || *reader.letters == 'Q';
    if (*reader.letters == 'a')
      made->any |= 1u << made->count;
    if ((made->parameters[made->count] = read_type(&reader)) == NULL)
      return NULL;
    made->count++;
  }
  made->required = made->count;
  return made->result != NULL ? made : NULL;
}
