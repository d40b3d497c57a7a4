/* SPDX-License-Identifier: MIT */
/*
 * texture - texture and surface references of CUDA up to 11, and the calls that read and write by them.
 *
 *     texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> image;
 *     surface<void, 2> sheet;
 *     ... tex2D(image, x, y) ... surf2Dread<int>(sheet, 4 * i, j) ... surf2Dwrite(v, sheet, 4 * i, j) ...
 *
 * These are templates of C++, and there are no others in kernels in C; but the programs that have them are C but for
 * that. So this one spelling is read: a type, and numbers or CUDA's names for them, at namespace level. The variable is
 * a number of 64 bits, a handle that the host tells (lib/cudart/cuda/reference.h). A call that names one becomes a call
 * of a function of the built-in header vptr_texel.h, and another that makes its type of what was read. What is written
 * in another way (an alias, a type that depends on others) is no reference here, and the file is clang's to compile.
 *
 * Whether a call is one of these is seen before anything of it is read: all others stay what they were.
 */
#include <string.h>

#include "translate/lexer/literal.h"
#include "translate/syntax/state.h"

/* CUDA's numbers: how many axes there are, and what else a texture is. */
enum { ONE = 1, TWO = 2, THREE = 3, CUBE = 0x0C, ONE_LAYERED = 0xF1, TWO_LAYERED = 0xF2, CUBE_LAYERED = 0xFC };

typedef struct number {
  const char *name;
  int value;
} number;

static const number kinds[] = {
  { "cudaTextureType1D", ONE },
  { "cudaTextureType2D", TWO },
  { "cudaTextureType3D", THREE },
  { "cudaTextureTypeCubemap", CUBE },
  { "cudaTextureType1DLayered", ONE_LAYERED },
  { "cudaTextureType2DLayered", TWO_LAYERED },
  { "cudaTextureTypeCubemapLayered", CUBE_LAYERED },
  { "cudaSurfaceType1D", ONE },
  { "cudaSurfaceType2D", TWO },
  { "cudaSurfaceType3D", THREE },
  { "cudaSurfaceTypeCubemap", CUBE },
  { "cudaSurfaceType1DLayered", ONE_LAYERED },
  { "cudaSurfaceType2DLayered", TWO_LAYERED },
  { "cudaSurfaceTypeCubemapLayered", CUBE_LAYERED },
  { NULL, 0 },
};

static const number modes[] = { { "cudaReadModeElementType", 0 }, { "cudaReadModeNormalizedFloat", 1 }, { NULL, 0 } };

/* What reads by a texture, and of which kind that is. */
static const number reads[] = {
  { "tex1Dfetch", ONE },
  { "tex1D", ONE },
  { "tex1DLod", ONE },
  { "tex1DGrad", ONE },
  { "tex1DLayered", ONE_LAYERED },
  { "tex1DLayeredLod", ONE_LAYERED },
  { "tex1DLayeredGrad", ONE_LAYERED },
  { "tex2D", TWO },
  { "tex2DLod", TWO },
  { "tex2DGrad", TWO },
  { "tex2Dgather", TWO },
  { "tex2DLayered", TWO_LAYERED },
  { "tex2DLayeredLod", TWO_LAYERED },
  { "tex2DLayeredGrad", TWO_LAYERED },
  { "tex3D", THREE },
  { "tex3DLod", THREE },
  { "tex3DGrad", THREE },
  { "texCubemap", CUBE },
  { "texCubemapLod", CUBE },
  { "texCubemapGrad", CUBE },
  { "texCubemapLayered", CUBE_LAYERED },
  { "texCubemapLayeredLod", CUBE_LAYERED },
  { "texCubemapLayeredGrad", CUBE_LAYERED },
  { NULL, 0 },
};

/* With "read" or "write" behind it. */
static const number surfaces[] = {
  { "surf1D", ONE },
  { "surf2D", TWO },
  { "surf3D", THREE },
  { "surf1DLayered", ONE_LAYERED },
  { "surf2DLayered", TWO_LAYERED },
  { "surfCubemap", CUBE },
  { "surfCubemapLayered", CUBE_LAYERED },
  { NULL, 0 },
};

static const number *find_number(const number *table, const char *name, size_t length) {
  for (; table->name != NULL; table++)
    if (strlen(table->name) == length && memcmp(table->name, name, length) == 0)
      return table;
  return NULL;
}

/* NULL: there is none. */
static const char *name_of(const number *table, int value) {
  while (table->name != NULL && table->value != value)
    table++;
  return table->name;
}

/* ---- types of elements ----------------------------------------------------------------------------------- */

static const char *channel_of(vptr__type_kind kind) {
  switch (kind) {
  case VPTR__TYPE_CHAR:
  case VPTR__TYPE_SIGNED_CHAR:
    return "char";
  case VPTR__TYPE_UNSIGNED_CHAR:
    return "uchar";
  case VPTR__TYPE_SHORT:
    return "short";
  case VPTR__TYPE_UNSIGNED_SHORT:
    return "ushort";
  case VPTR__TYPE_INT:
    return "int";
  case VPTR__TYPE_UNSIGNED:
    return "uint";
  case VPTR__TYPE_LONG_LONG:
    return "longlong";
  case VPTR__TYPE_UNSIGNED_LONG_LONG:
    return "ulonglong";
  case VPTR__TYPE_FLOAT:
    return "float";
  default:
    return NULL;
  }
}

/* "float" and 4 of float4; 0: one that is no vector. NULL: no element of a texture or surface. */
static const char *element_of(vptr__parser *parser, const vptr__type *type, int *count_out) {
  *count_out = 0;
  if (type->kind != VPTR__TYPE_RECORD || type->declaration->name == NULL || type->declaration->scope != NULL)
    return channel_of(type->kind);
  const char *name = type->declaration->name->text;
  size_t length = strlen(name);
  if (length < 2 || strchr("124", name[length - 1]) == NULL)
    return NULL;
  *count_out = name[length - 1] - '0';
  for (int kind = 0; kind < VPTR__TYPE_COUNT; kind++) {
    const char *channel = channel_of((vptr__type_kind)kind);
    if (channel != NULL && strlen(channel) == length - 1 && memcmp(channel, name, length - 1) == 0)
      return vptr__arena_copy(parser->arena, name, length - 1);
  }
  return NULL;
}

static const char *join_element(vptr__parser *parser, const char *channel, int count) {
  return count == 0 ? channel : vptr__arena_format(parser->arena, "%s%d", channel, count);
}

/* Integers of 32 bits have no floats in their place. */
static void describe_reads(vptr__parser *parser, vptr__reference *reference, const vptr__type *type,
                           vptr__position position) {
  int count = 0;
  const char *channel = element_of(parser, type, &count);
  if (channel == NULL || strstr(channel, "longlong") != NULL)
    vptr__parser_error(parser, position,
                       "a texture has elements of char, short, int, float, unsigned ones, or 1, 2 or 4 of them");
  else if (reference->reads_floats && strstr(channel, "int") != NULL)
    vptr__parser_error(parser, position, "cudaReadModeNormalizedFloat is for elements of 8 and 16 bits");
  else {
    channel = reference->reads_floats ? "float" : channel;
    reference->read = join_element(parser, channel, count);
    reference->gathered = join_element(parser, channel, 4);
  }
}

/* ---- declarations ---------------------------------------------------------------------------------------- */

static size_t behind_storage(const vptr__parser *parser) {
  size_t at = parser->at;
  while (parser->tokens[at].kind == VPTR__KEYWORD_STATIC || parser->tokens[at].kind == VPTR__KEYWORD_EXTERN)
    at++;
  return at;
}

bool vptr__texture_is_reference(const vptr__parser *parser) {
  const vptr__token *token = &parser->tokens[behind_storage(parser)];
  return token->kind == VPTR__TOKEN_NAME && token[1].kind == '<' && token->name->declaration == NULL &&
         (vptr__parser_is_text(token, "texture") || vptr__parser_is_text(token, "surface")) &&
         !vptr__preprocessor_is_defined(parser->preprocessor, "VPTR_CUDA_NO_REFERENCES");
}

void vptr__texture_prepare(vptr__parser *parser) {
  if (!parser->has_texels)
    vptr__parser_include(parser, "vptr_texel.h");
  parser->has_texels = true;
}

/* A number, or CUDA's name for one. */
static int read_argument(vptr__parser *parser, const number *names, int otherwise) {
  vptr__literal literal;
  if (!vptr__parser_accept(parser, ','))
    return otherwise;
  const vptr__token token = vptr__parser_take(parser);
  if (token.kind == VPTR__TOKEN_NUMBER && vptr__literal_read(parser->source, &token, &literal) &&
      literal.integer <= CUBE_LAYERED)
    return (int)literal.integer;
  const number *named = token.kind == VPTR__TOKEN_NAME ? find_number(names, token.text, token.length) : NULL;
  if (named == NULL)
    vptr__parser_error(parser, token.position, "expected a number, or a name such as %s", names->name);
  return named != NULL ? named->value : otherwise;
}

static const vptr__reference *read_template(vptr__parser *parser) {
  vptr__reference *reference = vptr__parser_new(parser, sizeof *reference);
  vptr__token token = vptr__parser_take(parser);
  *reference = (vptr__reference){ .is_surface = vptr__parser_is_text(&token, "surface") };
  vptr__parser_expect(parser, '<', "behind the template");
  const vptr__type *type = vptr__declarator_type_id(parser);
  reference->dimensions = read_argument(parser, kinds, ONE);
  if (!reference->is_surface) {
    reference->reads_floats = read_argument(parser, modes, 0) != 0;
    if (!parser->is_panicking)
      describe_reads(parser, reference, type, token.position);
  }
  if (name_of(kinds, reference->dimensions) == NULL)
    vptr__parser_error(parser, token.position, "%d is no kind of texture: cudaTextureType2D is one",
                       reference->dimensions);
  vptr__parser_expect(parser, '>', "behind the arguments of the template");
  return reference;
}

/* How it reads at first is the host's: (0, cudaFilterModePoint), or another initialiser. */
static void skip_initializer(vptr__parser *parser) {
  while (vptr__parser_kind(parser) != ',' && vptr__parser_kind(parser) != ';' &&
         vptr__parser_kind(parser) != VPTR__TOKEN_END) {
    int kind = vptr__parser_kind(parser);
    if (kind == '[')
      vptr__parser_error(parser, vptr__parser_position(parser), "a texture or surface reference is no array");
    else if (kind == '(' || kind == '{')
      parser->at = vptr__skip_balanced(parser, parser->at);
    else
      vptr__parser_take(parser);
  }
}

static void declare_one(vptr__parser *parser, const vptr__reference *reference, unsigned flags) {
  const vptr__token token = vptr__parser_take(parser);
  if (token.kind != VPTR__TOKEN_NAME) {
    vptr__parser_error(parser, token.position, "expected the name of a reference");
    return;
  }
  vptr__declaration *variable = vptr__declaration_new(parser, VPTR__DECLARATION_VARIABLE, token.name, token.position);
  variable->type = vptr__type_new(parser->unit, VPTR__TYPE_UNSIGNED_LONG_LONG);
  variable->flags = flags | (parser->is_extern_c ? VPTR__EXTERN_C : 0);
  variable->reference = reference;
  vptr__scope_declare(parser, variable);
  skip_initializer(parser);
  if (!parser->is_panicking)
    vptr__declaration_append(parser, variable);
}

void vptr__texture_declare(vptr__parser *parser) {
  unsigned flags = VPTR__DEVICE;
  for (size_t name = behind_storage(parser); parser->at < name; vptr__parser_take(parser))
    flags |= vptr__parser_kind(parser) == VPTR__KEYWORD_STATIC ? VPTR__STATIC : VPTR__EXTERN;
  const vptr__reference *reference = read_template(parser);
  do
    declare_one(parser, reference, flags);
  while (vptr__parser_accept(parser, ','));
  vptr__parser_expect(parser, ';', "behind the reference");
}

/* ---- calls ----------------------------------------------------------------------------------------------- */

static vptr__declaration *reference_at(vptr__parser *parser, size_t at) {
  vptr__written_name written = vptr__name_look(parser, at);
  const vptr__reference *reference = written.declaration != NULL ? written.declaration->reference : NULL;
  return reference != NULL && reference->dimensions != 0 ? written.declaration : NULL;
}

static vptr__expression *name_function(vptr__parser *parser, const char *name, vptr__position position) {
  vptr__expression *expression = vptr__expression_new(parser->unit, VPTR__EXPRESSION_NAME, position);
  expression->name = vptr__source_intern(parser->source, name, strlen(name));
  expression->declaration = vptr__scope_member(parser->global, expression->name);
  return expression;
}

static vptr__expression *call_function(vptr__parser *parser, const char *name, vptr__expression *arguments,
                                       vptr__position position) {
  vptr__expression *call = vptr__expression_new(parser->unit, VPTR__EXPRESSION_CALL, position);
  call->operands[0] = name_function(parser, name, position);
  call->arguments = arguments;
  return call;
}

/* The reference's name, and what is behind it up to the parenthesis: its number with that list. */
static vptr__expression *read_reference(vptr__parser *parser, const number *of, bool is_surface,
                                        const vptr__declaration **declaration_out) {
  vptr__written_name written = vptr__name_look(parser, parser->at);
  const vptr__reference *reference = written.declaration->reference;
  if (reference->is_surface != is_surface || reference->dimensions != of->value)
    vptr__parser_error(parser, written.position, "%s%s is for %s of %s, and '%s' is a %s of %s", of->name,
                       is_surface ? "read() or write()" : "()", is_surface ? "surfaces" : "textures",
                       name_of(kinds, of->value), written.name->text, reference->is_surface ? "surface" : "texture",
                       name_of(kinds, reference->dimensions));
  vptr__expression *number = vptr__expression_new(parser->unit, VPTR__EXPRESSION_NAME, written.position);
  number->name = written.name;
  number->declaration = written.declaration;
  number->scope = written.scope;
  *declaration_out = written.declaration;
  if (!parser->is_panicking)
    parser->at = written.end;
  if (vptr__parser_accept(parser, ','))
    number->next = vptr__expression_list(parser, ')');
  else
    vptr__parser_expect(parser, ')', "behind the reference");
  return number;
}

static vptr__expression *read_texture(vptr__parser *parser, const number *of) {
  const vptr__declaration *image = NULL;
  vptr__position position = vptr__parser_take(parser).position;
  vptr__parser_take(parser);
  vptr__expression *arguments = read_reference(parser, of, false, &image);
  if (parser->is_panicking)
    return vptr__expression_error(parser);
  const char *read = strcmp(of->name, "tex2Dgather") == 0 ? image->reference->gathered : image->reference->read;
  vptr__expression *words =
      call_function(parser, vptr__arena_format(parser->arena, "vptr_%s", of->name), arguments, position);
  return call_function(parser, vptr__arena_format(parser->arena, "vptr_texel_%s", read), words, position);
}

/* A call by a surface, as it is seen before it is read. */
typedef struct surface_call {
  const number *of;
  bool writes, has_type, has_value; /* a value that is written, or a pointer to what is read, stands in front */
} surface_call;

/* Behind the first argument; `at` is its first token. */
static size_t skip_argument(const vptr__parser *parser, size_t at) {
  while (at < parser->count && parser->tokens[at].kind != ',' && parser->tokens[at].kind != ')') {
    int kind = parser->tokens[at].kind;
    at = kind == '(' || kind == '[' || kind == '{' ? vptr__skip_balanced(parser, at) : at + 1;
  }
  return at;
}

static bool see_surface_call(vptr__parser *parser, surface_call *call) {
  const vptr__token *token = &parser->tokens[parser->at];
  size_t at = parser->at + 1;
  static const char *const ends[] = { "read", "write" };
  for (int i = 0; i < 2 && call->of == NULL; i++) {
    size_t length = strlen(ends[i]);
    if (token->length > length && memcmp(token->text + token->length - length, ends[i], length) == 0)
      call->of = find_number(surfaces, token->text, token->length - length);
    call->writes = i == 1;
  }
  if (call->of == NULL)
    return false;
  call->has_type = parser->tokens[at].kind == '<';
  at = call->has_type ? vptr__skip_template(parser, at) : at;
  if (parser->tokens[at].kind != '(')
    return false;
  call->has_value = reference_at(parser, ++at) == NULL;
  if (!call->has_value)
    return !call->writes && call->has_type;
  at = skip_argument(parser, at);
  return parser->tokens[at].kind == ',' && reference_at(parser, at + 1) != NULL;
}

/* What lies outside ends the kernel, unless that is known to be asked for otherwise. */
static bool is_tame(const vptr__expression *arguments) {
  const vptr__expression *last = arguments;
  while (last != NULL && last->next != NULL)
    last = last->next;
  return last != NULL && last->kind == VPTR__EXPRESSION_NAME && last->name != NULL &&
         (strcmp(last->name->text, "cudaBoundaryModeClamp") == 0 ||
          strcmp(last->name->text, "cudaBoundaryModeZero") == 0);
}

static vptr__expression *convert_value(vptr__parser *parser, vptr__expression *value, vptr__type *type) {
  if (type->kind == VPTR__TYPE_RECORD)
    return value;
  vptr__expression *cast = vptr__expression_new(parser->unit, VPTR__EXPRESSION_CAST, value->position);
  cast->cast = VPTR__CAST_STATIC;
  cast->written_type = type;
  cast->operands[0] = value;
  return cast;
}

static vptr__expression *read_surface(vptr__parser *parser, const surface_call *seen) {
  const vptr__declaration *sheet = NULL;
  vptr__type *type = NULL;
  vptr__expression *value = NULL;
  vptr__position position = vptr__parser_take(parser).position;
  if (vptr__parser_accept(parser, '<')) {
    type = vptr__declarator_type_id(parser);
    vptr__parser_expect(parser, '>', "behind the type");
  }
  vptr__parser_expect(parser, '(', "behind the function");
  if (seen->has_value) {
    value = vptr__expression_assignment(parser);
    vptr__parser_expect(parser, ',', "behind the value");
  }
  if (parser->is_panicking)
    return vptr__expression_error(parser);
  vptr__expression *arguments = read_reference(parser, seen->of, true, &sheet);
  int count = 0;
  const char *channel = type != NULL ? element_of(parser, type, &count) : "";
  if (channel == NULL)
    vptr__parser_error(parser, position, "elements of a surface are integers, floats, or 1, 2 or 4 of them");
  if (parser->is_panicking || channel == NULL)
    return vptr__expression_error(parser);
  const char *tame = is_tame(arguments) ? "tame_" : "";
  arguments->next = call_function(parser, vptr__arena_format(parser->arena, "vptr_at_%s", seen->of->name),
                                  arguments->next, position);
  if (seen->has_value) {
    value = type != NULL && seen->writes ? convert_value(parser, value, type) : value;
    value->next = arguments;
    return call_function(
        parser, vptr__arena_format(parser->arena, "vptr_surface_%s%s", tame, seen->writes ? "write" : "read"), value,
        position);
  }
  return call_function(
      parser, vptr__arena_format(parser->arena, "vptr_surface_%sread_%s", tame, join_element(parser, channel, count)),
      arguments, position);
}

vptr__expression *vptr__texture_call(vptr__parser *parser) {
  const vptr__token *token = vptr__parser_token(parser);
  surface_call seen = { .of = NULL };
  if (token->kind != VPTR__TOKEN_NAME || !parser->has_texels)
    return NULL;
  const number *of = find_number(reads, token->text, token->length);
  if (of != NULL && parser->tokens[parser->at + 1].kind == '(' && reference_at(parser, parser->at + 2) != NULL)
    return read_texture(parser, of);
  return of == NULL && see_surface_call(parser, &seen) ? read_surface(parser, &seen) : NULL;
}
