/* SPDX-License-Identifier: MIT */
/* joint - see joint.h. */
#include "joint.h"

#include <stdio.h>
#include <string.h>

#include "declarator.h"

/* A declaration that was kept. */
typedef struct kept {
  const char *path;     /* of what it names, or NULL */
  const char *spelling; /* with its namespaces and renames, without lines */
  size_t unit;
  struct kept *next;
} kept;

enum { SLOTS = 4096 };

typedef struct joint {
  vptr__arena *arena;
  cc_joint_unit *units;
  size_t unit;  /* the one at hand */
  cc_text text; /* its tokens */
  cc_buffer *out;
  kept *by_spelling[SLOTS], *by_path[SLOTS];
  bool is_renaming; /* first look: names are collected, nothing is kept */
  bool has_changed;
} joint;

static uint32_t hash_of(const char *text) {
  uint32_t hash = 2166136261u;
  for (; *text != 0; text++)
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

/* ---- spelling -------------------------------------------------------------------------------------------- */

static bool is_renamed(const joint *joint, const cc_token *token) {
  const cc_list *renamed = &joint->units[joint->unit].renamed;
  for (size_t i = 0; token->kind == CC_NAME && i < renamed->count; i++)
    if (strlen(renamed->items[i]) == token->length &&
        memcmp(renamed->items[i], joint->text.text + token->offset, token->length) == 0)
      return true;
  return false;
}

/* with_lines: as it is written to the joint; else what is compared. */
static void spell_declaration(const joint *joint, const cc_declaration *it, bool with_lines, cc_buffer *out) {
  const cc_text *text = &joint->text;
  uint32_t at = text->tokens[it->first].offset;
  cc_buffer_print(out, "%s", it->scope->opening);
  for (uint32_t i = it->first; i <= it->last; i++) {
    const cc_token *token = &text->tokens[i];
    if (with_lines)
      cc_buffer_add(out, text->text + at, token->offset - at);
    cc_buffer_add(out, text->text + token->offset, token->length);
    if (is_renamed(joint, token))
      cc_buffer_print(out, "%s", joint->units[joint->unit].suffix);
    if (!with_lines && !cc_touches(text, i))
      cc_buffer_add(out, " ", 1);
    at = token->offset + token->length;
  }
  for (unsigned i = 0; i < it->scope->depth; i++)
    cc_buffer_add(out, "}", 1);
}

/* Of `struct x {`, `enum class x {`. */
static uint32_t type_name(const cc_text *text, const cc_declaration *it) {
  for (uint32_t i = it->first; i < it->last; i++) {
    bool is_key =
        cc_is(text, i, "struct") || cc_is(text, i, "class") || cc_is(text, i, "union") || cc_is(text, i, "enum");
    if (is_key && cc_is_name(text, i + 1) && !cc_is(text, i + 1, "class") && !cc_is(text, i + 1, "struct"))
      return cc_mark(text, i + 2) == '(' ? CC_NO_MATCH : i + 1; /* __attribute__((...)) */
  }
  return CC_NO_MATCH;
}

/* Of `using x = ...`, `typedef ... x;`. */
static uint32_t alias_name(const cc_text *text, const cc_declaration *it) {
  if (cc_is(text, it->first, "using"))
    return cc_mark(text, it->first + 2) == '=' ? it->first + 1 : CC_NO_MATCH;
  return cc_is(text, it->first, "typedef") && it->last > 0 ? it->last - 1 : CC_NO_MATCH;
}

static uint32_t name_token(const joint *joint, const cc_declaration *it) {
  switch (it->kind) {
  case CC_FUNCTION:
    return it->parameters - 1;
  case CC_VARIABLE: {
    cc_declarators variables = cc_variables(&joint->text, joint->arena, it);
    return variables.count > 0 ? variables.items[0].name : CC_NO_MATCH;
  }
  case CC_CLASS:
  case CC_ENUM:
    return type_name(&joint->text, it);
  default:
    return alias_name(&joint->text, it);
  }
}

static const char *name_of(const joint *joint, const cc_declaration *it) {
  const cc_text *text = &joint->text;
  uint32_t name = name_token(joint, it);
  if (name == CC_NO_MATCH || !cc_is_name(text, name))
    return NULL;
  return vptr__arena_copy(joint->arena, text->text + text->tokens[name].offset, text->tokens[name].length);
}

static const kept *find_kept(kept *const *slots, const char *text, bool by_path, size_t unit) {
  uint32_t hash = hash_of(text);
  for (const kept *each = slots[hash % SLOTS]; each != NULL; each = each->next)
    if (each->unit != unit && strcmp(by_path ? each->path : each->spelling, text) == 0)
      return each;
  return NULL;
}

static void insert_kept(joint *joint, kept **slots, const char *key, const char *path, const char *spelling) {
  kept **slot = &slots[hash_of(key) % SLOTS];
  kept *it = VPTR__ARENA_NEW(joint->arena, kept);
  *it = (kept){ path, spelling, joint->unit, *slot };
  *slot = it;
}

/* ---- one declaration ------------------------------------------------------------------------------------- */

/* Constants and the host's variables are private to a file as far as devices know; a type that differs is another
 * one, whatever the language says of that. */
static bool is_private(const cc_declaration *it) {
  bool is_of_host = it->kind == CC_VARIABLE && it->words == 0 && !it->is_extern;
  return it->is_static || it->scope->is_hidden || is_of_host || it->kind == CC_CLASS || it->kind == CC_ENUM ||
         it->kind == CC_OTHER;
}

static bool is_of_device(const cc_declaration *it) {
  return (it->words & (CC_GLOBAL | CC_DEVICE | CC_CONSTANT | CC_MANAGED | CC_REFERENCE)) != 0;
}

static bool is_definition(const cc_declaration *it) {
  if (it->kind == CC_FUNCTION)
    return it->body != 0;
  return it->kind != CC_VARIABLE || !(it->is_extern && !it->has_initializer);
}

static bool is_left_out(const cc_declaration *it) {
  return it->kind == CC_FUNCTION && it->body != 0 && it->words == 0 && !it->is_constexpr && !it->is_template;
}

/* Word for word the same in another file: is it the same thing, so that once is enough? */
static bool is_shared(const cc_declaration *it) {
  if (!is_definition(it) || it->is_template || it->is_constexpr)
    return true;
  if (it->kind != CC_VARIABLE && it->kind != CC_FUNCTION)
    return true;
  if (it->kind == CC_FUNCTION)
    return it->is_inline || is_private(it);
  return !is_of_device(it);
}

static const char *path_of(const joint *joint, const cc_declaration *it, const char *name) {
  return vptr__arena_format(joint->arena, "%s%s%s", it->scope->path, *it->scope->path != 0 ? "::" : "", name);
}

static const char *spelling_of(const joint *joint, const cc_declaration *it) {
  cc_buffer out;
  cc_buffer_init(&out, joint->arena);
  spell_declaration(joint, it, false, &out);
  return out.text;
}

/* A private thing with a namesake in an earlier file. */
static void rename_private(joint *joint, const cc_declaration *it) {
  const char *name = name_of(joint, it);
  cc_joint_unit *unit = &joint->units[joint->unit];
  if (name == NULL || !is_private(it) || cc_list_has(&unit->renamed, name) ||
      find_kept(joint->by_path, path_of(joint, it, name), true, joint->unit) == NULL)
    return;
  if (is_shared(it) && find_kept(joint->by_spelling, spelling_of(joint, it), false, joint->unit) != NULL)
    return;
  cc_list_add(&unit->renamed, name);
  joint->has_changed = true;
}

static void keep_declaration(joint *joint, const cc_declaration *it) {
  const char *spelling = spelling_of(joint, it), *name = name_of(joint, it);
  if (is_shared(it) && find_kept(joint->by_spelling, spelling, false, joint->unit) != NULL)
    return;
  const char *path = name != NULL && is_definition(it) ? path_of(joint, it, name) : NULL;
  insert_kept(joint, joint->by_spelling, spelling, path, spelling);
  if (path != NULL)
    insert_kept(joint, joint->by_path, path, path, spelling);
  cc_place place = cc_text_place(&joint->text, joint->text.tokens[it->first].offset);
  cc_buffer_print(joint->out, "\n# %u %.*s\n", place.line, (int)place.file_length, place.file);
  spell_declaration(joint, it, true, joint->out);
}

static void join_declaration(void *context, const cc_declaration *it) {
  joint *joint = context;
  if (it->scope->is_class || is_left_out(it) || it->first == it->last)
    return;
  if (joint->is_renaming)
    rename_private(joint, it);
  else
    keep_declaration(joint, it);
}

static bool join_unit(joint *joint) {
  cc_joint_unit *unit = &joint->units[joint->unit];
  uint32_t wrong = 0;
  if (!cc_text_cut(&joint->text, joint->arena, unit->text, strlen(unit->text), &wrong)) {
    fprintf(stderr, "vptrcc: error: the device text of %s is not well-formed: compile it again\n", unit->name);
    return false;
  }
  cc_list_init(&unit->renamed, joint->arena);
  unit->suffix = vptr__arena_format(joint->arena, "_unit%zu", joint->unit);
  joint->is_renaming = true;
  do { /* what names a renamed thing differs by that */
    joint->has_changed = false;
    cc_declarations(&joint->text, joint->arena, join_declaration, joint);
  } while (joint->has_changed);
  joint->is_renaming = false;
  cc_declarations(&joint->text, joint->arena, join_declaration, joint);
  return true;
}

/* The includes that a text begins with: the translator's own headers. */
static void add_includes(vptr__arena *arena, const cc_joint_unit *unit, cc_list *seen, cc_buffer *out) {
  for (const char *line = unit->text; strncmp(line, "#include ", 9) == 0; line += strcspn(line, "\n") + 1) {
    const char *include = vptr__arena_copy(arena, line, strcspn(line, "\n"));
    if (!cc_list_has(seen, include)) {
      cc_list_add(seen, include);
      cc_buffer_print(out, "%s\n", include);
    }
  }
}

bool cc_joint_make(vptr__arena *arena, cc_joint_unit *units, size_t count, cc_buffer *out) {
  joint *all = VPTR__ARENA_NEW(arena, joint);
  cc_list includes;
  cc_list_init(&includes, arena);
  all->arena = arena;
  all->units = units;
  all->out = out;
  for (size_t i = 0; i < count; i++)
    add_includes(arena, &units[i], &includes, out);
  for (all->unit = 0; all->unit < count; all->unit++)
    if (!join_unit(all))
      return false;
  cc_buffer_print(out, "\n");
  return true;
}

const char *cc_joint_path(vptr__arena *arena, const cc_joint_unit *unit, const char *path) {
  const char *name = path;
  for (const char *at = path; (at = strstr(at, "::")) != NULL;)
    name = at += 2;
  return cc_list_has(&unit->renamed, name) ? vptr__arena_format(arena, "%s%s", path, unit->suffix) : path;
}
