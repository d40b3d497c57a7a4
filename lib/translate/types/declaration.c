/* SPDX-License-Identifier: MIT */
/*
 * declaration - variables, functions and assertions, each checked once, when something reaches it.
 */
#include "translate/types/check.h"

enum { IN_MEMORY = VPTR__DEVICE | VPTR__CONSTANT | VPTR__MANAGED | VPTR__SHARED | VPTR__BUILT_IN };

bool vptr__declaration_is_host(const vptr__declaration *variable) {
  return variable->kind == VPTR__DECLARATION_VARIABLE && (variable->flags & VPTR__AT_NAMESPACE) != 0 &&
         (variable->flags & IN_MEMORY) == 0;
}

bool vptr__declaration_is_known(const vptr__declaration *variable) {
  if (variable->kind != VPTR__DECLARATION_VARIABLE || variable->initializer == NULL ||
      variable->initializer->type == NULL || variable->checked != VPTR__CHECK_DONE ||
      (variable->flags & VPTR__EXTERN) != 0)
    return false;
  if ((variable->flags & (VPTR__CONSTEXPR | VPTR__TABLE)) != 0)
    return true;
  bool is_number = vptr__type_is_arithmetic(variable->type) ||
                   variable->type->kind == VPTR__TYPE_ENUM; /* floating too: CUDA's rule */
  return is_number && (variable->type->qualifiers & VPTR__CHECK_CV) == VPTR__CONST;
}

/* Nobody can change it, so the device's copy never differs from the host's. */
bool vptr__declaration_promote(vptr__declaration *variable) {
  if ((variable->flags & VPTR__TABLE) == 0)
    return false;
  variable->flags |= VPTR__DEVICE;
  return true;
}

/* ---- auto --------------------------------------------------------------------------------------------------- */

static bool has_auto(const vptr__type *type) {
  while (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE)
    type = type->base;
  return type->kind == VPTR__TYPE_AUTO;
}

static bool fill_auto(vptr__checker *checker, vptr__type *pattern, vptr__type *from) {
  for (; pattern->kind == VPTR__TYPE_POINTER; pattern = pattern->base, from = from->base)
    if (from->kind != VPTR__TYPE_POINTER)
      return false;
  unsigned qualifiers = pattern->qualifiers;
  *pattern = *vptr__type_again(checker->unit, from);
  pattern->qualifiers |= qualifiers;
  return true;
}

static bool deduce_auto(vptr__checker *checker, vptr__declaration *variable) {
  vptr__expression *from = variable->initializer;
  if (from != NULL && from->kind == VPTR__EXPRESSION_INIT_LIST && from->arguments != NULL &&
      from->arguments->next == NULL)
    from = from->arguments;
  if (from == NULL || from->kind == VPTR__EXPRESSION_INIT_LIST) {
    VPTR__CHECK_ERROR(checker, variable->position, "'auto' needs one value to deduce the type from");
    return false;
  }
  from = vptr__expression_check(checker, from);
  vptr__type *pattern = variable->type;
  if (pattern->kind == VPTR__TYPE_REFERENCE)
    pattern = pattern->base;
  else
    from = vptr__convert_value(checker, from);
  variable->initializer = from;
  if (vptr__expression_is_wrong(checker, from))
    return false;
  if (from->type->kind != VPTR__TYPE_VOID && fill_auto(checker, pattern, from->type))
    return true;
  VPTR__CHECK_ERROR(checker, variable->position, "'auto' cannot be deduced from a value of type '%s'",
                    VPTR__CHECK_TEXT(checker, from->type));
  return false;
}

/* ---- variables ---------------------------------------------------------------------------------------------- */

static bool refuse_declaration(vptr__checker *checker, const vptr__declaration *variable, const char *what) {
  VPTR__CHECK_ERROR(checker, variable->position, "'%s' %s", variable->name != NULL ? variable->name->text : "it",
                    what);
  return false;
}

static bool is_const(const vptr__declaration *variable) {
  return (vptr__kind_qualifiers(variable->type) & VPTR__CONST) != 0 || (variable->flags & VPTR__CONSTEXPR) != 0;
}

static bool check_without_initializer(vptr__checker *checker, vptr__declaration *variable) {
  bool is_elsewhere = (variable->flags & (VPTR__EXTERN | VPTR__SHARED | VPTR__CONSTANT)) != 0;
  if (variable->type->kind == VPTR__TYPE_REFERENCE)
    return refuse_declaration(checker, variable, "is a reference: it needs an initialiser");
  if (is_const(variable) && !is_elsewhere && variable->type->kind != VPTR__TYPE_RECORD)
    return refuse_declaration(checker, variable, "is const: it needs an initialiser");
  const vptr__type *type = variable->type;
  bool is_dim3 =
      type->kind == VPTR__TYPE_RECORD && type->declaration->name == vptr__source_intern(checker->source, "dim3", 4);
  if (is_dim3 && !is_elsewhere) { /* its constructor fills it */
    variable->initializer = vptr__expression_new(checker->unit, VPTR__EXPRESSION_INIT_LIST, variable->position);
    variable->initializer = vptr__initializer_check(checker, variable->type, variable->initializer, "initialise");
  }
  return true;
}

static bool check_initializer(vptr__checker *checker, vptr__declaration *variable) {
  if (variable->initializer == NULL)
    return check_without_initializer(checker, variable);
  if ((variable->flags & VPTR__SHARED) != 0)
    return refuse_declaration(
        checker, variable,
        "is __shared__: it cannot have an initialiser; let one thread write it, and __syncthreads()");
  variable->initializer = vptr__initializer_check(checker, variable->type, variable->initializer, "initialise");
  if (vptr__expression_is_wrong(checker, variable->initializer))
    return false;
  bool is_list = variable->initializer->kind == VPTR__EXPRESSION_CONSTRUCT && !variable->initializer->is_lvalue;
  if (is_list && variable->type->kind == VPTR__TYPE_RECORD)
    variable->initializer->kind = VPTR__EXPRESSION_INIT_LIST; /* T x = T{...} and T x(...) are T x = {...} */
  return true;
}

/* A pointer is left out: what it points to is the host's. */
static bool is_table(const vptr__declaration *variable) {
  const unsigned elsewhere = VPTR__EXTERN | VPTR__MEMBER;
  return vptr__declaration_is_host(variable) && (variable->flags & elsewhere) == 0 &&
         variable->type->kind != VPTR__TYPE_POINTER && is_const(variable) &&
         (vptr__kind_qualifiers(variable->type) & VPTR__VOLATILE) == 0 &&
         vptr__bytes_of(variable->type, variable->initializer, NULL);
}

static bool is_constant(const vptr__declaration *variable, bool is_module) {
  return is_module ? vptr__types_initial_bytes(variable, NULL, NULL, NULL)
                   : vptr__bytes_of(variable->type, variable->initializer, NULL);
}

static bool check_constant(vptr__checker *checker, vptr__declaration *variable) {
  vptr__constant value;
  bool is_module = (variable->flags & VPTR__AT_NAMESPACE) != 0 && (variable->flags & IN_MEMORY) != 0;
  bool must = is_module || (variable->flags & VPTR__CONSTEXPR) != 0;
  if (variable->initializer == NULL || variable->type->kind == VPTR__TYPE_REFERENCE)
    return true;
  if (must && !is_constant(variable, is_module)) {
    VPTR__CHECK_ERROR(
        checker, variable->initializer->position,
        is_module ? "'%s' is a variable of the device: its initialiser must be a constant; set others from the host"
                  : "'%s' is constexpr: its initialiser must be a constant",
        variable->name->text);
    return false;
  }
  if (is_table(variable))
    variable->flags |= VPTR__TABLE;
  if (is_const(variable) && vptr__type_is_integer(variable->type) &&
      variable->initializer->kind != VPTR__EXPRESSION_INIT_LIST &&
      vptr__constant_evaluate(variable->initializer, NULL, &value)) {
    variable->value = value.integer;
    variable->has_value = true;
  }
  return true;
}

static bool check_place(vptr__checker *checker, vptr__declaration *variable) {
  bool is_dynamic = (variable->flags & VPTR__SHARED) != 0 && (variable->flags & VPTR__EXTERN) != 0;
  if (variable->type->kind == VPTR__TYPE_REFERENCE && (variable->flags & IN_MEMORY) != 0)
    return refuse_declaration(checker, variable, "is a reference: variables of the device cannot be; use a pointer");
  if (variable->type->kind == VPTR__TYPE_ARRAY && variable->type->is_incomplete && !is_dynamic &&
      !((variable->flags & VPTR__EXTERN) != 0 && (variable->flags & VPTR__AT_NAMESPACE) != 0))
    return refuse_declaration(checker, variable, "is an array without a length: give it one, or an initialiser");
  bool is_local = (variable->flags & VPTR__AT_NAMESPACE) == 0;
  if (is_local && (variable->flags & (VPTR__CONSTANT | VPTR__MANAGED | VPTR__DEVICE)) != 0)
    return refuse_declaration(checker, variable, "is a variable of the device: declare it outside of functions");
  if (is_local && (variable->flags & VPTR__STATIC) != 0 && (variable->flags & VPTR__SHARED) == 0 &&
      !is_const(variable))
    return refuse_declaration(checker, variable,
                              "is static in a function: declare a __device__ variable outside of it");
  if (!vptr__layout_align(checker, variable, vptr__type_alignment(variable->type), &variable->alignment))
    return false;
  variable->size = vptr__type_size(variable->type);
  return true;
}

static bool check_variable(vptr__checker *checker, vptr__declaration *variable) {
  if (has_auto(variable->type) && !deduce_auto(checker, variable))
    return false;
  bool is_reference = variable->type->kind == VPTR__TYPE_REFERENCE;
  if (!(is_reference ? vptr__layout_resolve : vptr__layout_complete)(checker, variable->type, variable->position))
    return false;
  if ((variable->flags & VPTR__CONSTEXPR) != 0 && !is_reference)
    variable->type =
        vptr__kind_requalified(checker, variable->type, vptr__kind_qualifiers(variable->type) | VPTR__CONST);
  return check_initializer(checker, variable) && check_place(checker, variable) && check_constant(checker, variable);
}

bool vptr__declaration_variable(vptr__checker *checker, vptr__declaration *variable) {
  if (variable->checked != VPTR__CHECK_NEW)
    return variable->type != checker->wrong;
  variable->checked = VPTR__CHECK_UNDER_WAY;
  bool is_good = check_variable(checker, variable);
  variable->checked = VPTR__CHECK_DONE;
  if (!is_good)
    variable->type = checker->wrong;
  return is_good;
}

/* ---- other declarations in bodies --------------------------------------------------------------------------- */

void vptr__declaration_assert(vptr__checker *checker, vptr__declaration *declaration) {
  int64_t value = 0;
  vptr__type *type = vptr__kind_basic(checker, VPTR__TYPE_BOOL);
  if (!vptr__constant_integer(checker, declaration->initializer, type, "a static_assert", &value) || value != 0)
    return;
  VPTR__CHECK_ERROR(checker, declaration->position, "static_assert does not hold%s%s",
                    declaration->message != NULL ? ": " : "",
                    declaration->message != NULL ? declaration->message : "");
}

void vptr__declaration_check(vptr__checker *checker, vptr__declaration *declaration) {
  if (declaration->kind == VPTR__DECLARATION_VARIABLE)
    vptr__declaration_variable(checker, declaration);
  else if (declaration->kind == VPTR__DECLARATION_STATIC_ASSERT)
    vptr__declaration_assert(checker, declaration);
  else if (declaration->kind == VPTR__DECLARATION_FUNCTION)
    vptr__declaration_link(checker, declaration);
}

/* ---- functions ---------------------------------------------------------------------------------------------- */

static void merge_defaults(const vptr__declaration *before, vptr__declaration *function) {
  const vptr__declaration *had = before->type->parameters;
  for (vptr__declaration *parameter = function->type->parameters; parameter != NULL && had != NULL;
       parameter = parameter->next, had = had->next)
    if (parameter->initializer == NULL)
      parameter->initializer = had->initializer;
}

static void link_function(vptr__checker *checker, vptr__declaration *function) {
  if (function->body != NULL)
    function->definition = function;
  for (vptr__declaration *before = function->previous; before != NULL; before = before->previous) {
    if (before->kind != VPTR__DECLARATION_FUNCTION || before->type == NULL ||
        !vptr__layout_resolve(checker, before->type, before->position) ||
        !vptr__layout_resolve(checker, function->type, function->position) ||
        !vptr__compare_parameters(before, function))
      continue;
    if (function->body != NULL && before->body != NULL && before->position != function->position) {
      vptr__place place = vptr__source_place(checker->source, before->position);
      VPTR__CHECK_ERROR(checker, function->position, "'%s' is defined already, at %s:%u", function->name->text,
                        place.file, place.line);
      return;
    }
    merge_defaults(before, function);
    before->flags |= VPTR__REPEATED;
    function->flags |= VPTR__REPEATED;
    unsigned spread = (before->flags | function->flags) & (VPTR__DEVICE | VPTR__CONSTEXPR | VPTR__GLOBAL);
    before->flags |= spread;
    function->flags |= spread;
    if (function->body != NULL)
      before->definition = function;
    else if (function->definition == NULL)
      function->definition = before->definition;
  }
}

void vptr__declaration_link(vptr__checker *checker, vptr__declaration *declaration) {
  if (declaration->type == NULL)
    return;
  if (declaration->kind == VPTR__DECLARATION_FUNCTION && declaration->type->kind == VPTR__TYPE_FUNCTION) {
    if (declaration->previous != NULL || declaration->body != NULL)
      link_function(checker, declaration);
    return;
  }
  if (declaration->kind != VPTR__DECLARATION_VARIABLE)
    return;
  bool defines = (declaration->flags & VPTR__EXTERN) == 0 || declaration->initializer != NULL;
  for (vptr__declaration *before = declaration->previous; before != NULL; before = before->previous) {
    if (defines)
      before->definition = declaration;
    else if (declaration->definition == NULL)
      declaration->definition = before->definition != NULL ? before->definition : before;
  }
}

bool vptr__declaration_report_held(vptr__checker *checker, vptr__declaration *function) {
  if (function == NULL || function->held == NULL)
    return false;
  if (function->checked == VPTR__CHECK_NEW)
    vptr__source_report_held(checker->source, function->held);
  function->checked = VPTR__CHECK_DONE;
  return true;
}

static bool is_c_function(const vptr__declaration *declaration, const vptr__name *name) {
  return declaration->kind == VPTR__DECLARATION_FUNCTION && declaration->name == name &&
         (declaration->flags & VPTR__EXTERN_C) && declaration->body != NULL && declaration->type != NULL;
}

/* extern "C": all namespaces have one function of a name between them. */
static void find_definition(vptr__checker *checker, vptr__declaration *function) {
  vptr__declaration *other = checker->unit->declarations;
  while (other != NULL && !is_c_function(other, function->name))
    other = other->next;
  if (other != NULL && vptr__layout_resolve(checker, other->type, other->position) &&
      vptr__layout_resolve(checker, function->type, function->position) && vptr__compare_parameters(other, function))
    function->definition = other;
}

void vptr__declaration_use(vptr__checker *checker, vptr__declaration *function, vptr__position position) {
  if (function->definition == NULL && (function->flags & VPTR__EXTERN_C))
    find_definition(checker, function);
  vptr__declaration *definition = function->definition;
  if (vptr__declaration_report_held(checker, function) || vptr__declaration_report_held(checker, definition))
    return;
  if (definition == NULL && checker->unit->is_part && (function->flags & VPTR__DEVICE) != 0)
    return;
  if (definition == NULL) {
    vptr__place place = vptr__source_place(checker->source, function->position);
    bool is_device = (function->flags & VPTR__DEVICE) != 0;
    VPTR__CHECK_ERROR(checker, position, "'%s' is declared at %s:%u%s", function->name->text, place.file, place.line,
                      is_device ? ", but not defined: define it in this file"
                                : " for the host: mark it __host__ __device__");
    return;
  }
  definition->flags |= VPTR__USED;
  if (checker->body.function != NULL) {
    vptr__check_call *made = VPTR__ARENA_NEW(checker->arena, vptr__check_call);
    *made = (vptr__check_call){ definition, position, checker->body.function->calls };
    checker->body.function->calls = made;
  }
  if (definition->checked != VPTR__CHECK_NEW)
    return;
  if ((definition->flags & VPTR__CONSTEXPR) != 0 || definition->type->base->kind == VPTR__TYPE_AUTO) {
    vptr__declaration_function(checker, definition); /* what it gives is needed now */
    return;
  }
  vptr__check_pending *made = VPTR__ARENA_NEW(checker->arena, vptr__check_pending);
  made->function = definition;
  *checker->pending_last = made;
  checker->pending_last = &made->next;
}

static void check_kernel(vptr__checker *checker, vptr__declaration *kernel) {
  if (kernel->type->base->kind != VPTR__TYPE_VOID)
    refuse_declaration(checker, kernel, "is a kernel: it must return void, and write its results to memory");
  if (kernel->type->is_variadic)
    refuse_declaration(checker, kernel, "is a kernel: its parameters must be fixed, not '...'");
  for (const vptr__declaration *parameter = kernel->type->parameters; parameter != NULL; parameter = parameter->next)
    if (parameter->type->kind == VPTR__TYPE_REFERENCE)
      refuse_declaration(checker, parameter,
                         "is a parameter of a kernel, and cannot be a reference: pass it by value, or a pointer");
  for (int i = 0; i < 2; i++) {
    int64_t value = 0;
    if (kernel->launch_bounds[i] == NULL ||
        !vptr__constant_integer(checker, kernel->launch_bounds[i], NULL, "a launch bound", &value))
      continue;
    if (value < 0)
      VPTR__CHECK_ERROR(checker, kernel->launch_bounds[i]->position, "a launch bound cannot be negative");
    kernel->bounds[i] = (uint64_t)value;
  }
}

static bool leads_to_function(const vptr__type *type) {
  while (type->kind == VPTR__TYPE_POINTER || type->kind == VPTR__TYPE_REFERENCE || type->kind == VPTR__TYPE_ARRAY)
    type = type->base;
  return type->kind == VPTR__TYPE_FUNCTION;
}

static bool check_parameter(vptr__checker *checker, vptr__declaration *parameter) {
  parameter->checked = VPTR__CHECK_DONE;
  bool is_reference = parameter->type->kind == VPTR__TYPE_REFERENCE;
  if (has_auto(parameter->type))
    return refuse_declaration(checker, parameter, "is 'auto': write the parameter's type");
  if (leads_to_function(parameter->type))
    return refuse_declaration(checker, parameter,
                              "is a function pointer, and these are not supported: call the function by its name");
  if (!(is_reference ? vptr__layout_resolve : vptr__layout_complete)(checker, parameter->type, parameter->position))
    return false;
  parameter->size = is_reference ? 8 : vptr__type_size(parameter->type);
  parameter->alignment = is_reference ? 8 : vptr__type_alignment(parameter->type);
  return true;
}

static bool check_signature(vptr__checker *checker, vptr__declaration *function) {
  bool is_good = vptr__layout_resolve(checker, function->type, function->position);
  for (vptr__declaration *parameter = function->type->parameters; parameter != NULL; parameter = parameter->next)
    is_good = check_parameter(checker, parameter) && is_good;
  if (function->type->is_variadic && (function->flags & VPTR__GLOBAL) == 0)
    is_good = refuse_declaration(checker, function, "takes '...', which device functions cannot: write overloads");
  if ((function->flags & VPTR__GLOBAL) != 0)
    check_kernel(checker, function);
  return is_good;
}

void vptr__declaration_function(vptr__checker *checker, vptr__declaration *function) {
  if (function->checked != VPTR__CHECK_NEW || function->body == NULL)
    return;
  vptr__check_body around = checker->body;
  checker->body = (vptr__check_body){ .function = function };
  function->checked = VPTR__CHECK_UNDER_WAY;
  vptr__arena_enter(checker->arena);
  if (check_signature(checker, function))
    vptr__statement_check_body(checker, function);
  if (function->type->base->kind == VPTR__TYPE_AUTO)
    *function->type->base = *vptr__kind_basic(checker, VPTR__TYPE_VOID);
  vptr__arena_leave(checker->arena);
  function->checked = VPTR__CHECK_DONE;
  checker->body = around;
}
