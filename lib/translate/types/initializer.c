/* SPDX-License-Identifier: MIT */
/*
 * initializer - what variables, members and elements begin with.
 *
 * Whatever was written (braces left out, designators, strings) comes out in one shape: an INIT_LIST has the type of
 * its aggregate, and its items are the elements or fields in order, each an INIT_LIST again if it is an aggregate
 * that is not copied whole. What is missing at the end is zero. Of a union there is one item at most, and
 * `declaration` is its FIELD. A string that fills an array of char stays a STRING.
 */
#include "translate/types/check.h"

#include <string.h>

enum { MOST_ITEMS = 1 << 22 };

/* The elements that were found, by their index. */
typedef struct slot_list {
  vptr__expression **items;
  uint64_t count, room;
} slot_list;

static vptr__expression *from_list(vptr__checker *checker, vptr__type *type, vptr__expression *list,
                                   const char *purpose);
static vptr__expression *fill_aggregate(vptr__checker *checker, vptr__type *type, vptr__expression **cursor,
                                        bool is_braced, vptr__position position);

static bool is_aggregate(const vptr__type *type) {
  return type->kind == VPTR__TYPE_RECORD || type->kind == VPTR__TYPE_ARRAY;
}

static bool is_text(const vptr__type *type, const vptr__expression *item) {
  return type->kind == VPTR__TYPE_ARRAY && item->kind == VPTR__EXPRESSION_STRING &&
         type->base->kind >= VPTR__TYPE_CHAR && type->base->kind <= VPTR__TYPE_UNSIGNED_CHAR;
}

static vptr__expression *make_zero(vptr__checker *checker, vptr__type *type, vptr__position position) {
  bool is_list = is_aggregate(type);
  vptr__expression *made =
      vptr__expression_new(checker->unit, is_list ? VPTR__EXPRESSION_INIT_LIST : VPTR__EXPRESSION_INTEGER, position);
  made->type = is_list ? type : vptr__kind_basic(checker, VPTR__TYPE_INT);
  return is_list ? made : vptr__convert_cast(checker, made, type);
}

static bool set_item(vptr__checker *checker, slot_list *slots, uint64_t index, vptr__expression *item) {
  if (index >= MOST_ITEMS) {
    VPTR__CHECK_ERROR(checker, item->position,
                      "an initialiser of more than %d elements: fill the array from the host", MOST_ITEMS);
    return false;
  }
  if (index >= slots->room) {
    uint64_t room = index < 8 ? 16 : index * 2;
    vptr__expression **items = vptr__arena_allocate(checker->arena, room * sizeof *items);
    if (slots->count > 0)
      memcpy(items, slots->items, slots->count * sizeof *items);
    slots->items = items;
    slots->room = room;
  }
  slots->items[index] = item;
  if (index >= slots->count)
    slots->count = index + 1;
  return true;
}

static vptr__declaration *nth_field(const vptr__declaration *record, uint64_t index) {
  vptr__declaration *field = record->fields;
  while (field != NULL && index-- > 0)
    field = field->next;
  return field;
}

static vptr__type *element_type(const vptr__type *type, uint64_t index, const vptr__declaration *chosen) {
  if (type->kind == VPTR__TYPE_ARRAY)
    return type->base;
  return chosen != NULL ? chosen->type : nth_field(type->declaration, index)->type;
}

static uint64_t limit_of(const vptr__type *type) {
  if (type->kind == VPTR__TYPE_ARRAY)
    return type->count != 0 ? type->count : UINT64_MAX;
  uint64_t count = 0;
  for (const vptr__declaration *field = type->declaration->fields; field != NULL; field = field->next)
    count++;
  return count > 1 && (type->declaration->flags & VPTR__UNION) != 0 ? 1 : count;
}

/* ---- designators -------------------------------------------------------------------------------------------- */

static bool designate_field(vptr__checker *checker, const vptr__type *type, const vptr__expression *item,
                            uint64_t *index_out, vptr__declaration **chosen_out) {
  uint64_t index = 0;
  if (type->kind == VPTR__TYPE_RECORD)
    for (vptr__declaration *field = type->declaration->fields; field != NULL; field = field->next, index++)
      if (field->name == item->field_name) {
        bool is_union = (type->declaration->flags & VPTR__UNION) != 0;
        *chosen_out = is_union ? field : NULL;
        *index_out = is_union ? 0 : index;
        return true;
      }
  VPTR__CHECK_ERROR(checker, item->position, "'%s' has no member '%s' that could be initialised by its name",
                    VPTR__CHECK_TEXT(checker, type), item->field_name->text);
  return false;
}

static bool designate_element(vptr__checker *checker, const vptr__type *type, const vptr__expression *item,
                              uint64_t *index_out) {
  int64_t index = 0;
  if (type->kind != VPTR__TYPE_ARRAY) {
    VPTR__CHECK_ERROR(checker, item->position, "[index] = is for arrays, and this is '%s'",
                      VPTR__CHECK_TEXT(checker, type));
    return false;
  }
  if (!vptr__constant_integer(checker, item->designator, NULL, "an index of an initialiser", &index))
    return false;
  if (index < 0 || (uint64_t)index >= limit_of(type)) {
    VPTR__CHECK_ERROR(checker, item->position, "element %lld is outside of '%s'", (long long)index,
                      VPTR__CHECK_TEXT(checker, type));
    return false;
  }
  *index_out = (uint64_t)index;
  return true;
}

static bool is_designated(const vptr__expression *item) {
  return item->field_name != NULL || item->designator != NULL;
}

/* ---- lists -------------------------------------------------------------------------------------------------- */

static vptr__expression *pop_item(vptr__expression **cursor) {
  vptr__expression *item = *cursor;
  *cursor = item->next;
  item->next = NULL;
  return item;
}

/* A string that an array begins with; it gives the length to one that has none. */
static vptr__expression *fit_text(vptr__checker *checker, vptr__type *type, vptr__expression *text) {
  uint64_t length = (uint64_t)text->length + 1;
  if (type->count == 0) {
    type->count = length;
    type->is_incomplete = false;
  }
  if (length > type->count) {
    VPTR__CHECK_ERROR(checker, text->position,
                      "a string of %llu characters, its final zero included, does not fit into '%s'",
                      (unsigned long long)length, VPTR__CHECK_TEXT(checker, type));
    return vptr__expression_wrong(checker, text);
  }
  text->type = type;
  text->is_lvalue = false;
  return text;
}

/* The next element, of one item or, where its braces were left out, of several. */
static vptr__expression *fill_one(vptr__checker *checker, vptr__type *type, vptr__expression **cursor) {
  vptr__expression *item = *cursor;
  if (item->kind == VPTR__EXPRESSION_INIT_LIST)
    return from_list(checker, type, pop_item(cursor), "initialise");
  if (is_text(type, item))
    return fit_text(checker, type, pop_item(cursor));
  if (!is_aggregate(type))
    return vptr__convert_to(checker, pop_item(cursor), type, "initialise");
  vptr__expression *next = item->next;
  item->next = NULL;
  vptr__expression *checked = vptr__expression_check(checker, item);
  checked->next = next;
  *cursor = checked;
  if (vptr__expression_is_wrong(checker, checked) || vptr__type_same(checked->type, type, false))
    return vptr__convert_to(checker, pop_item(cursor), type, "initialise");
  return fill_aggregate(checker, type, cursor, false, checked->position);
}

static vptr__expression *finish_list(vptr__checker *checker, vptr__type *type, slot_list *slots,
                                     vptr__declaration *chosen, vptr__position position) {
  vptr__expression *made = vptr__expression_new(checker->unit, VPTR__EXPRESSION_INIT_LIST, position);
  vptr__expression **last = &made->arguments;
  made->type = type;
  if (type->kind == VPTR__TYPE_RECORD && (type->declaration->flags & VPTR__UNION) != 0 && slots->count > 0)
    made->declaration = chosen != NULL ? chosen : type->declaration->fields;
  for (uint64_t i = 0; i < slots->count; i++) {
    vptr__expression *item = slots->items[i];
    if (item == NULL)
      item = make_zero(checker, element_type(type, i, NULL), position);
    *last = item;
    last = &item->next;
  }
  return made;
}

/* CUDA's dim3 has a constructor, whose default is 1. */
static void fill_dim3(vptr__checker *checker, const vptr__type *type, slot_list *slots, vptr__position position) {
  if (!vptr__dim3_is(type))
    return;
  for (uint64_t i = 0, limit = limit_of(type); i < limit; i++) {
    if (i < slots->count && slots->items[i] != NULL)
      continue;
    vptr__expression *one = vptr__expression_new(checker->unit, VPTR__EXPRESSION_INTEGER, position);
    one->integer = 1;
    one->type = vptr__kind_basic(checker, VPTR__TYPE_INT);
    set_item(checker, slots, i, vptr__convert_cast(checker, one, element_type(type, i, NULL)));
  }
}

static vptr__expression *fill_aggregate(vptr__checker *checker, vptr__type *type, vptr__expression **cursor,
                                        bool is_braced, vptr__position position) {
  slot_list slots = { 0 };
  vptr__declaration *chosen = NULL;
  uint64_t limit = limit_of(type);
  vptr__arena_enter(checker->arena);
  for (uint64_t index = 0; *cursor != NULL; index++) {
    vptr__expression *item = *cursor;
    if (is_designated(item)) {
      if (!is_braced)
        break;
      if (!(item->field_name != NULL ? designate_field(checker, type, item, &index, &chosen)
                                     : designate_element(checker, type, item, &index)))
        break;
      item->field_name = NULL;
      item->designator = NULL;
    }
    if (index >= limit) {
      if (is_braced)
        VPTR__CHECK_ERROR(checker, item->position, "more initialisers than '%s' has %s",
                          VPTR__CHECK_TEXT(checker, type), type->kind == VPTR__TYPE_ARRAY ? "elements" : "members");
      break;
    }
    vptr__type *part = element_type(type, index, index == 0 ? chosen : NULL);
    if (!set_item(checker, &slots, index, fill_one(checker, part, cursor)))
      break;
  }
  fill_dim3(checker, type, &slots, position);
  if (type->kind == VPTR__TYPE_ARRAY && type->count == 0 && slots.count > 0) {
    type->count = slots.count;
    type->is_incomplete = false;
  }
  vptr__arena_leave(checker->arena);
  return finish_list(checker, type, &slots, chosen, position);
}

static vptr__expression *from_list(vptr__checker *checker, vptr__type *type, vptr__expression *list,
                                   const char *purpose) {
  vptr__expression *first = list->arguments;
  if (vptr__expression_is_wrong(checker, list))
    return list;
  if (is_aggregate(type)) {
    if (first != NULL && first->next == NULL && is_text(type, first))
      return fit_text(checker, type, first);
    if (type->kind == VPTR__TYPE_RECORD && first != NULL && first->next == NULL && !is_designated(first) &&
        first->kind != VPTR__EXPRESSION_INIT_LIST) {
      first = list->arguments = vptr__expression_check(checker, first);
      bool is_class = first->type->kind == VPTR__TYPE_RECORD && vptr__dim3_converts(first->type, type);
      if (is_class || vptr__type_same(first->type, type, false))
        return vptr__convert_to(checker, first, type, purpose);
    }
    return fill_aggregate(checker, type, &list->arguments, true, list->position);
  }
  if (first == NULL)
    return make_zero(checker, type, list->position);
  if (first->next == NULL && !is_designated(first))
    return vptr__convert_to(checker, first, type, purpose);
  VPTR__CHECK_ERROR(checker, list->position, "more than one value in braces for '%s'",
                    VPTR__CHECK_TEXT(checker, type));
  return vptr__expression_wrong(checker, list);
}

vptr__expression *vptr__initializer_check(vptr__checker *checker, vptr__type *type, vptr__expression *initializer,
                                          const char *purpose) {
  if (type->kind == VPTR__TYPE_REFERENCE) {
    if (initializer->kind == VPTR__EXPRESSION_INIT_LIST && initializer->arguments != NULL &&
        initializer->arguments->next == NULL)
      initializer = initializer->arguments;
    return vptr__convert_bind(checker, initializer, type, purpose);
  }
  if (initializer->type != NULL && initializer->kind == VPTR__EXPRESSION_INIT_LIST)
    return initializer; /* checked before */
  if (initializer->kind == VPTR__EXPRESSION_INIT_LIST)
    return from_list(checker, type, initializer, purpose);
  if (is_text(type, initializer))
    return fit_text(checker, type, initializer);
  if (type->kind == VPTR__TYPE_ARRAY) {
    VPTR__CHECK_ERROR(checker, initializer->position, "an array is initialised by values in braces");
    return vptr__expression_wrong(checker, initializer);
  }
  return vptr__convert_to(checker, initializer, type, purpose);
}

vptr__expression *vptr__initializer_construct(vptr__checker *checker, vptr__expression *construct) {
  vptr__type *type = construct->written_type;
  if (!vptr__layout_complete(checker, type, construct->position))
    return vptr__expression_wrong(checker, construct);
  if (type->kind == VPTR__TYPE_ARRAY || type->kind == VPTR__TYPE_REFERENCE || type->kind == VPTR__TYPE_AUTO) {
    VPTR__CHECK_ERROR(checker, construct->position, "a temporary of type '%s': declare a variable and use that",
                      VPTR__CHECK_TEXT(checker, type));
    return vptr__expression_wrong(checker, construct);
  }
  type = vptr__kind_unqualified(checker, type);
  vptr__expression *list = vptr__expression_new(checker->unit, VPTR__EXPRESSION_INIT_LIST, construct->position);
  list->arguments = construct->arguments;
  vptr__expression *value = from_list(checker, type, list, "initialise");
  if (value->kind != VPTR__EXPRESSION_INIT_LIST)
    return value;
  construct->arguments = value->arguments;
  construct->declaration = value->declaration;
  construct->type = value->type;
  return construct;
}
