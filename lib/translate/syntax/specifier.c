/* SPDX-License-Identifier: MIT */
/*
 * specifier - what stands before the declarators: the type's words, storage, CUDA's words and attributes, in any order.
 *
 * Attributes that say nothing about meaning are skipped. Those that change a layout are understood (aligned) or refused
 * (packed).
 */
#include <ctype.h>
#include <string.h>

#include "translate/syntax/state.h"

/* How often each word of a type came. */
typedef struct words {
  int longs, shorts, is_signed, is_unsigned;
  int base; /* keyword: VOID, BOOL, CHAR, INT, FLOAT, DOUBLE; 0: none */
  vptr__position position;
} words;

static vptr__type_kind kind_of_integer(const words *words) {
  if (words->shorts)
    return words->is_unsigned ? VPTR__TYPE_UNSIGNED_SHORT : VPTR__TYPE_SHORT;
  if (words->longs == 2)
    return words->is_unsigned ? VPTR__TYPE_UNSIGNED_LONG_LONG : VPTR__TYPE_LONG_LONG;
  if (words->longs == 1)
    return words->is_unsigned ? VPTR__TYPE_UNSIGNED_LONG : VPTR__TYPE_LONG;
  return words->is_unsigned ? VPTR__TYPE_UNSIGNED : VPTR__TYPE_INT;
}

static vptr__type_kind kind_of_char(const words *words) {
  if (words->is_unsigned)
    return VPTR__TYPE_UNSIGNED_CHAR;
  return words->is_signed ? VPTR__TYPE_SIGNED_CHAR : VPTR__TYPE_CHAR;
}

static bool can_combine_words(const words *words) {
  int signs = words->is_signed + words->is_unsigned, sizes = words->longs + words->shorts;
  if (signs > 1 || words->shorts > 1 || words->longs > 2 || (words->shorts && words->longs))
    return false;
  if (words->base == 0 || words->base == VPTR__KEYWORD_INT)
    return true;
  return sizes == 0 && (signs == 0 || words->base == VPTR__KEYWORD_CHAR);
}

static vptr__type *type_of(vptr__parser *parser, const words *words) {
  if (words->base == VPTR__KEYWORD_DOUBLE && words->longs == 1)
    vptr__parser_error(parser, words->position, "'long double' does not exist on GPUs; use double");
  else if (!can_combine_words(words))
    vptr__parser_error(parser, words->position, "these words do not make a type together");
  switch (words->base) {
  case VPTR__KEYWORD_VOID:
    return vptr__type_new(parser->unit, VPTR__TYPE_VOID);
  case VPTR__KEYWORD_BOOL:
    return vptr__type_new(parser->unit, VPTR__TYPE_BOOL);
  case VPTR__KEYWORD_FLOAT:
    return vptr__type_new(parser->unit, VPTR__TYPE_FLOAT);
  case VPTR__KEYWORD_DOUBLE:
    return vptr__type_new(parser->unit, VPTR__TYPE_DOUBLE);
  case VPTR__KEYWORD_CHAR:
    return vptr__type_new(parser->unit, kind_of_char(words));
  default:
    return vptr__type_new(parser->unit, kind_of_integer(words));
  }
}

/* One word of a type; false: it is none. */
static bool read_word(vptr__parser *parser, words *words) {
  switch (vptr__parser_kind(parser)) {
  case VPTR__KEYWORD_LONG:
    ++words->longs;
    break;
  case VPTR__KEYWORD_SHORT:
    ++words->shorts;
    break;
  case VPTR__KEYWORD_SIGNED:
    ++words->is_signed;
    break;
  case VPTR__KEYWORD_UNSIGNED:
    ++words->is_unsigned;
    break;
  case VPTR__KEYWORD_VOID:
  case VPTR__KEYWORD_BOOL:
  case VPTR__KEYWORD_CHAR:
  case VPTR__KEYWORD_INT:
  case VPTR__KEYWORD_FLOAT:
  case VPTR__KEYWORD_DOUBLE:
    if (words->base != 0)
      vptr__parser_error(parser, vptr__parser_position(parser), "two types in one declaration; is a ';' missing?");
    words->base = vptr__parser_kind(parser);
    break;
  default:
    return false;
  }
  words->position = vptr__parser_take(parser).position;
  return true;
}

static bool has_words(const words *words) {
  return words->base || words->longs || words->shorts || words->is_signed || words->is_unsigned;
}

static unsigned flag_of(int kind) {
  switch (kind) {
  case VPTR__KEYWORD_GLOBAL:
    return VPTR__GLOBAL;
  case VPTR__KEYWORD_DEVICE:
    return VPTR__DEVICE;
  case VPTR__KEYWORD_HOST:
    return VPTR__HOST;
  case VPTR__KEYWORD_SHARED:
    return VPTR__SHARED;
  case VPTR__KEYWORD_CONSTANT:
    return VPTR__CONSTANT;
  case VPTR__KEYWORD_MANAGED:
    return VPTR__MANAGED;
  case VPTR__KEYWORD_EXTERN:
    return VPTR__EXTERN;
  case VPTR__KEYWORD_STATIC:
    return VPTR__STATIC;
  case VPTR__KEYWORD_INLINE:
  case VPTR__KEYWORD_FORCEINLINE:
    return VPTR__INLINE;
  case VPTR__KEYWORD_NOINLINE:
    return VPTR__NOINLINE;
  case VPTR__KEYWORD_CONSTEXPR:
    return VPTR__CONSTEXPR;
  default:
    return 0;
  }
}

static unsigned qualifier_of(int kind) {
  return kind == VPTR__KEYWORD_CONST      ? VPTR__CONST
         : kind == VPTR__KEYWORD_VOLATILE ? VPTR__VOLATILE
         : kind == VPTR__KEYWORD_RESTRICT ? VPTR__RESTRICT
                                          : 0;
}

static const char *refusal_of(int kind) {
  switch (kind) {
  case VPTR__KEYWORD_THREAD_LOCAL:
    return "kernels have no thread_local variables; use a local variable, or an array with an element for each "
           "thread";
  case VPTR__KEYWORD_VIRTUAL:
  case VPTR__KEYWORD_EXPLICIT:
  case VPTR__KEYWORD_FRIEND:
  case VPTR__KEYWORD_MUTABLE:
    return "classes with more than data are not supported in device code; use a struct and functions that take it";
  case VPTR__KEYWORD_INT128:
    return "128-bit integers are not supported; use two unsigned long long";
  case VPTR__KEYWORD_WCHAR_T:
  case VPTR__KEYWORD_CHAR16_T:
  case VPTR__KEYWORD_CHAR32_T:
    return "wide characters are not supported in device code; use unsigned short or unsigned int";
  case VPTR__KEYWORD_CLUSTER_DIMS:
    return "clusters of blocks are not supported; leave __cluster_dims__ out and use global memory between blocks";
  case VPTR__KEYWORD_TEMPLATE:
    return "templates are not supported yet; write the function or struct for each type, or make it by a macro";
  case VPTR__KEYWORD_ASM:
    return "asm is not supported; use CUDA's functions";
  default:
    return NULL;
  }
}

/* ( expression ) */
static vptr__expression *read_parenthesized(vptr__parser *parser) {
  vptr__parser_expect(parser, '(', "here");
  vptr__expression *expression = vptr__expression_conditional(parser);
  vptr__parser_expect(parser, ')', "behind the expression");
  return expression;
}

/* alignas(T) is alignas(alignof(T)) */
static vptr__expression *read_alignas(vptr__parser *parser) {
  vptr__position position = vptr__parser_position(parser);
  if (!vptr__name_is_type_id(parser, parser->at + 1))
    return read_parenthesized(parser);
  vptr__parser_expect(parser, '(', "here");
  vptr__expression *expression = vptr__expression_new(parser->unit, VPTR__EXPRESSION_ALIGNOF, position);
  expression->written_type = vptr__declarator_type_id(parser);
  vptr__parser_expect(parser, ')', "behind the type");
  return expression;
}

static void read_launch_bounds(vptr__parser *parser, vptr__specifiers *out) {
  vptr__parser_expect(parser, '(', "behind __launch_bounds__");
  out->launch_bounds[0] = vptr__expression_conditional(parser);
  if (vptr__parser_accept(parser, ','))
    out->launch_bounds[1] = vptr__expression_conditional(parser);
  if (vptr__parser_kind(parser) == ',')
    vptr__parser_error(parser, vptr__parser_position(parser),
                       "__launch_bounds__ takes two numbers here, since clusters of blocks are not supported");
  vptr__parser_expect(parser, ')', "behind the numbers of __launch_bounds__");
}

static bool is_named(const vptr__token *token, const char *name) {
  if (vptr__parser_is_text(token, name))
    return true;
  return token->length == strlen(name) + 4 && memcmp(token->text, "__", 2) == 0 &&
         memcmp(token->text + 2, name, strlen(name)) == 0;
}

/* What vptr-kernelc writes of variables that are references in clang's IR (tools/kernelc/reference.c). */
static const vptr__reference *reference_marked(const vptr__token *token) {
  static const struct {
    const char *word;
    vptr__reference reference;
  } marks[] = { { "vptr_texture", { .is_surface = false } },
                { "vptr_texture_floats", { .reads_floats = true } },
                { "vptr_surface", { .is_surface = true } } };
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (vptr__parser_is_text(token, marks[i].word))
      return &marks[i].reference;
  return NULL;
}

/* One of the list in __attribute__((...)) or __declspec(...). */
static void read_attribute(vptr__parser *parser, vptr__specifiers *out) {
  const vptr__token *token = vptr__parser_token(parser);
  if (is_named(token, "packed"))
    vptr__parser_error(parser, token->position,
                       "packed structs are not supported; order the members by size instead");
  const vptr__reference *reference = reference_marked(token);
  if (reference != NULL)
    out->reference = reference;
  bool is_aligned = is_named(token, "aligned") || is_named(token, "align");
  vptr__parser_take(parser);
  if (vptr__parser_kind(parser) != '(')
    return;
  if (is_aligned)
    out->align = read_alignas(parser);
  else
    parser->at = vptr__skip_balanced(parser, parser->at);
}

static void read_attributes(vptr__parser *parser, vptr__specifiers *out, bool is_double) {
  vptr__parser_expect(parser, '(', "before the attributes");
  if (is_double)
    vptr__parser_expect(parser, '(', "before the attributes");
  while (vptr__parser_kind(parser) != ')' && vptr__parser_kind(parser) != VPTR__TOKEN_END)
    if (!vptr__parser_accept(parser, ','))
      read_attribute(parser, out);
  vptr__parser_expect(parser, ')', "behind the attributes");
  if (is_double)
    vptr__parser_expect(parser, ')', "behind the attributes");
}

/* [[ ... ]]: what says nothing about layouts, as GNU's own may. */
static void skip_attributes(vptr__parser *parser) {
  size_t end = vptr__skip_balanced(parser, parser->at);
  for (size_t at = parser->at; at < end; at++)
    if (is_named(&parser->tokens[at], "packed") || is_named(&parser->tokens[at], "aligned"))
      vptr__parser_error(parser, parser->tokens[at].position,
                         "packed structs are not supported, and alignments are written alignas(n) or __align__(n)");
  if (!parser->is_panicking)
    parser->at = end;
}

void vptr__specifiers_attributes(vptr__parser *parser, vptr__specifiers *out) {
  for (;;) {
    int kind = vptr__parser_kind(parser);
    if (kind == '[' && vptr__parser_kind_at(parser, 1) == '[') {
      skip_attributes(parser);
    } else if (kind == VPTR__KEYWORD_ATTRIBUTE) {
      vptr__parser_take(parser);
      read_attributes(parser, out, true);
    } else if (kind == VPTR__TOKEN_NAME && vptr__parser_is_text(vptr__parser_token(parser), "__declspec")) {
      vptr__parser_take(parser);
      read_attributes(parser, out, false);
    } else if (kind == VPTR__KEYWORD_ALIGNAS || kind == VPTR__KEYWORD_ALIGN) {
      vptr__parser_take(parser);
      out->align = read_alignas(parser);
    } else {
      return;
    }
  }
}

/* Words that are no part of the type; false: it is none. */
static bool read_storage(vptr__parser *parser, vptr__specifiers *out) {
  int kind = vptr__parser_kind(parser);
  size_t before = parser->at;
  if (flag_of(kind) != 0) {
    out->flags |= flag_of(kind);
  } else if (qualifier_of(kind) != 0) {
    out->qualifiers |= qualifier_of(kind);
  } else if (kind == VPTR__KEYWORD_TYPEDEF) {
    out->is_typedef = true;
  } else if (kind == VPTR__KEYWORD_LAUNCH_BOUNDS) {
    vptr__parser_take(parser);
    read_launch_bounds(parser, out);
    return true;
  } else if (kind == VPTR__KEYWORD_MAXNREG && vptr__parser_kind_at(parser, 1) == '(') {
    parser->at = vptr__skip_balanced(parser, parser->at + 1);
    return true;
  } else if (refusal_of(kind) != NULL) {
    vptr__parser_error(parser, vptr__parser_position(parser), "%s", refusal_of(kind));
    return false;
  } else if (kind != VPTR__KEYWORD_REGISTER && kind != VPTR__KEYWORD_EXTENSION && kind != VPTR__KEYWORD_TYPENAME &&
             kind != VPTR__KEYWORD_GRID_CONSTANT) {
    vptr__specifiers_attributes(parser, out);
    return parser->at != before;
  }
  vptr__parser_take(parser);
  return true;
}

static vptr__type *read_decltype(vptr__parser *parser) {
  vptr__position position = vptr__parser_take(parser).position;
  if (vptr__parser_kind(parser) == '(' && vptr__name_is_type_id(parser, parser->at + 1)) { /* typeof(T) */
    vptr__parser_take(parser);
    vptr__type *written = vptr__declarator_type_id(parser);
    vptr__parser_expect(parser, ')', "behind the type");
    return written;
  }
  vptr__type *type = vptr__type_new(parser->unit, VPTR__TYPE_DECLTYPE);
  vptr__parser_expect(parser, '(', "behind decltype");
  if (vptr__parser_kind(parser) == VPTR__KEYWORD_AUTO)
    vptr__parser_error(parser, position, "decltype(auto) is not supported; use auto, or write the type");
  type->length = vptr__expression_read(parser);
  vptr__parser_expect(parser, ')', "behind the expression of decltype");
  return type;
}

static vptr__type *read_named(vptr__parser *parser) {
  vptr__written_name written = vptr__name_look(parser, parser->at);
  vptr__declaration *declaration = written.declaration;
  if (declaration == NULL || !vptr__declaration_is_type(declaration))
    return NULL;
  if ((declaration->flags & VPTR__HOST_ONLY) || declaration->type == NULL) {
    vptr__name_refuse_host(parser, &written);
    return NULL;
  }
  parser->at = written.end;
  vptr__type *type = vptr__type_again(parser->unit, declaration->type);
  if (declaration->kind == VPTR__DECLARATION_TYPEDEF)
    type->alias = declaration;
  return type;
}

/* A type that is no word; NULL: none stands here. */
static vptr__type *read_type(vptr__parser *parser, vptr__specifiers *out) {
  switch (vptr__parser_kind(parser)) {
  case VPTR__KEYWORD_STRUCT:
  case VPTR__KEYWORD_CLASS:
  case VPTR__KEYWORD_UNION:
    return vptr__record_read(parser, out);
  case VPTR__KEYWORD_ENUM:
    return vptr__enumeration_read(parser, out);
  case VPTR__KEYWORD_DECLTYPE:
  case VPTR__KEYWORD_TYPEOF:
    return read_decltype(parser);
  case VPTR__KEYWORD_AUTO:
    vptr__parser_take(parser);
    return vptr__type_new(parser->unit, VPTR__TYPE_AUTO);
  case VPTR__TOKEN_NAME:
  case VPTR__TOKEN_SCOPE:
    return read_named(parser);
  default:
    return NULL;
  }
}

/* What programs often name, by its beginning, and what to do instead. */
static const char *find_advice(const char *name) {
  static const char narrow[] = "kernels in C have no half precision: compile as C++ by clang, or use float";
  static const struct known {
    const char *beginning, *advice;
  } knowns[] = {
    { "texture", "texture references are read where clang compiles the kernels (vptrcc --front-end=auto)" },
    { "surface", "surface references are read where clang compiles the kernels (vptrcc --front-end=auto)" },
    { "curandState", "CURAND's generators for kernels are in curand_kernel.h: include that; MTGP32 is not there" },
    { "__half", narrow },
    { "half", narrow },
    { "__nv_bfloat", narrow },
    { "nv_bfloat", narrow },
    { "__nv_fp8", narrow },
    { "cooperative_groups", "cooperative groups are not supported yet; use __syncthreads()" },
    { "cg", "if this is cooperative groups, they are not supported yet; use __syncthreads()" },
    { "nvcuda", "tensor cores are not supported" },
    { "thrust", "Thrust and CUB are not supported in kernels" },
    { "cub", "Thrust and CUB are not supported in kernels" },
  };
  for (size_t i = 0; i < sizeof knowns / sizeof *knowns; i++) {
    size_t length = strlen(knowns[i].beginning);
    if (strncmp(name, knowns[i].beginning, length) == 0 && !islower((unsigned char)name[length]))
      return knowns[i].advice;
  }
  return NULL;
}

static void report_unknown(vptr__parser *parser, const vptr__written_name *written) {
  const char *name = written->name->text;
  if (written->scope != NULL)
    name = vptr__arena_format(parser->arena, "%s::%s", written->scope, name);
  const char *instead = find_advice(name);
  if (instead != NULL)
    vptr__parser_error(parser, written->position, "'%s': %s", name, instead);
  else
    vptr__parser_error(parser, written->position, "'%s' is no type that is known here", name);
}

static void report_no_type(vptr__parser *parser) {
  vptr__written_name written = vptr__name_look(parser, parser->at);
  if (parser->is_panicking || written.name == NULL)
    vptr__parser_unexpected(parser, "a type");
  else if (written.declaration != NULL && (written.declaration->flags & VPTR__HOST_ONLY))
    vptr__name_refuse_host(parser, &written);
  else
    report_unknown(parser, &written);
}

/* const of an array is const of its elements; of a reference it says nothing. */
void vptr__specifiers_qualify(vptr__type *type, unsigned qualifiers) {
  while (type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  if (type->kind != VPTR__TYPE_REFERENCE)
    type->qualifiers |= qualifiers;
}

void vptr__specifiers_read(vptr__parser *parser, vptr__specifiers *out) {
  words words = { 0 };
  *out = (vptr__specifiers){ .position = vptr__parser_position(parser) };
  while (vptr__parser_kind(parser) != VPTR__TOKEN_END) {
    if (read_storage(parser, out))
      continue;
    if (out->type == NULL && read_word(parser, &words))
      continue;
    if (out->type != NULL || has_words(&words))
      break;
    out->type = read_type(parser, out);
    if (out->type == NULL)
      break;
  }
  if (out->type == NULL && has_words(&words))
    out->type = type_of(parser, &words);
  if (out->type == NULL) {
    report_no_type(parser);
    out->type = vptr__type_new(parser->unit, VPTR__TYPE_INT);
  }
  vptr__specifiers_qualify(out->type, out->qualifiers);
}

vptr__type *vptr__specifiers_type(vptr__parser *parser, vptr__specifiers *specifiers) {
  if (specifiers->is_used)
    return vptr__type_again(parser->unit, specifiers->type);
  specifiers->is_used = true;
  return specifiers->type;
}
