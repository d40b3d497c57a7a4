/* SPDX-License-Identifier: MIT */
/*
 * image - reading a module's lines into one allocation (image.h).
 *
 * Two passes over the same lines: the first counts, the second writes into the one allocation that the counts call for.
 * The text comes from a file or a caller, so nothing in it is believed: every number is checked, every name must be
 * there, and what a later line needs of an earlier one (a parameter its kernel, a hidden one its variable) is looked
 * up. The OpenCL C behind the lines is not looked at here: part.c may cut it, and the driver's compiler reads it.
 *
 * A vptr__module_image is made and freed here. It is its module's, and does not change once it is read: there is no
 * lock, and no static data but a constant. Called by module.c alone, when a module is loaded and freed. It does not
 * block. It fails without host memory; for text that is no module, with a message of what it begins with; and for a
 * wrong line, with a message that has the line and its number.
 */
#include "module/image.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "module/image_line.h"

#include <string.h>

static const char first_line[] = "//vptr-module 1";

enum { MOST_PARAMETERS = 4096, LARGEST_PARAMETER = 1 << 20 /* also of all together */ };

typedef struct reading {
  vptr__module_image *image; /* with arrays in the second pass; else NULL */
  uint32_t kernels, variables, addresses, expressions, parameters, pointers;
  size_t bytes; /* of decoded texts and initial values */
  vptr__image_param *param_pool;
  vptr__image_address *address_pool;
  uint32_t *pointer_pool;
  char *byte_pool;
  uint32_t last_address;      /* the variable that has the last one */
  vptr__image_kernel *kernel; /* the last one */
} reading;

static bool is_alignment(uint64_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}

/* A name, percent-decoded, in the byte pool; *name_out is NULL in the first pass. False if it is missing or
 * malformed. */
static bool read_encoded_name(reading *reading, const vptr__image_line *at, const char *key, const char **name_out) {
  const char *value;
  const char *end = vptr__image_line_find(at, key, &value);
  *name_out = NULL;
  if (end == NULL || value == end)
    return false;
  char *to = reading->image != NULL ? reading->byte_pool : NULL;
  size_t length = 0;
  for (; value < end; value++, length++) {
    char c = *value;
    if (c == '%') {
      if (end - value < 3 || vptr__image_hex_value(value[1]) < 0 || vptr__image_hex_value(value[2]) < 0)
        return false;
      c = (char)(vptr__image_hex_value(value[1]) * 16 + vptr__image_hex_value(value[2]));
      value += 2;
    }
    if (c == 0)
      return false;
    if (to != NULL)
      to[length] = c;
  }
  reading->bytes += length + 1;
  if (to != NULL) {
    to[length] = 0;
    *name_out = to;
    reading->byte_pool += length + 1;
  }
  return true;
}

/* ---- lines ---------------------------------------------------------------------------------------------- */

/* Of what a device lacks, in words for messages; NULL: a word that is not known. */
static const char *words_of_refusal(const vptr__image_line *at) {
  static const struct {
    const char *word, *words;
  } known[] = { { "textures", "reads textures or surfaces by NVIDIA's own handles" },
                { "grid", "waits for its whole grid" },
                { "dynamic", "asks for the size of its dynamic shared memory" } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (vptr__image_line_has(at, "refused", known[i].word))
      return known[i].words;
  return NULL;
}

static vptr_status read_kernel(reading *reading, const vptr__image_line *at) {
  enum { USUAL_ARCH = 700, MOST_ARCH = 99999 };
  vptr__image_kernel kernel = { .name = NULL };
  uint64_t shared, threads, blocks, own, loops, arch;
  if (!read_encoded_name(reading, at, "name", &kernel.name) ||
      !read_encoded_name(reading, at, "lowered", &kernel.lowered) ||
      !read_encoded_name(reading, at, "entry", &kernel.entry))
    return vptr__image_line_refuse(at, "a kernel needs name=, lowered= and entry=");
  if (!vptr__image_line_decimal(at, "shared", 0, UINT32_MAX, &shared) ||
      !vptr__image_line_decimal(at, "max_threads", 0, UINT32_MAX, &threads) ||
      !vptr__image_line_decimal(at, "min_blocks", 0, UINT32_MAX, &blocks) ||
      !vptr__image_line_decimal(at, "private", 0, UINT64_MAX, &own) ||
      !vptr__image_line_decimal(at, "loops", 0, UINT64_MAX, &loops) ||
      !vptr__image_line_decimal(at, "arch", USUAL_ARCH, MOST_ARCH, &arch))
    return vptr__image_line_refuse(at, "a number is none");
  kernel.shared = (uint32_t)shared;
  kernel.max_threads = (uint32_t)threads;
  kernel.min_blocks = (uint32_t)blocks;
  kernel.private_bytes = own;
  kernel.loops_bytes = loops;
  kernel.arch = (uint32_t)arch;
  kernel.alone = vptr__image_line_has(at, "alone", "short")   ? VPTR__ALONE_SHORT
                 : vptr__image_line_has(at, "alone", "split") ? VPTR__ALONE_SPLIT
                                                              : VPTR__ALONE_UNSAID;
  kernel.is_always_packed = vptr__image_line_has(at, "packed", "always");
  kernel.packs = kernel.is_always_packed || vptr__image_line_has(at, "packed", "1");
  kernel.packed_align = 1;
  kernel.prints = vptr__image_line_has(at, "prints", "1");
  kernel.refused = words_of_refusal(at);
  if (reading->image != NULL) {
    kernel.params = reading->param_pool;
    reading->kernel = &reading->image->kernels[reading->kernels];
    *reading->kernel = kernel;
    vptr__name_add(&reading->image->kernel_names, kernel.lowered, reading->kernels);
    vptr__name_add(&reading->image->kernel_names, kernel.name, reading->kernels);
    vptr__name_add(&reading->image->kernel_names, kernel.entry, reading->kernels);
    reading->image->fast_math = reading->image->fast_math || vptr__image_line_has(at, "fast", "1");
  }
  reading->kernels++;
  return VPTR_SUCCESS;
}

/* The list "0,16" of offsets in a value of size bytes. */
static vptr_status read_pointers(reading *reading, const vptr__image_line *at, vptr__image_param *param) {
  const char *value;
  const char *end = vptr__image_line_find(at, "pointers", &value);
  if (end == NULL) {
    end = vptr__image_line_find(at, "words", &value);
    param->are_words = end != NULL;
  }
  param->pointers = reading->pointer_pool;
  while (end != NULL && value < end) {
    const char *stop = value;
    uint64_t offset = 0;
    for (; stop < end && *stop >= '0' && *stop <= '9' && offset <= LARGEST_PARAMETER; stop++)
      offset = offset * 10 + (uint64_t)(*stop - '0');
    if (stop == value || offset > param->size || param->size - offset < 8 || offset % 8 != 0)
      return vptr__image_line_refuse(at, "pointers= or words= names an offset that is not in the value");
    if (reading->image != NULL) {
      param->pointers[param->pointer_count] = (uint32_t)offset;
      reading->pointer_pool++;
    }
    param->pointer_count++;
    reading->pointers++;
    value = stop + (stop < end && *stop == ',');
    if (stop < end && *stop != ',')
      return vptr__image_line_refuse(at, "pointers= or words= is no list");
  }
  return VPTR_SUCCESS;
}

static vptr_status add_param(reading *reading, const vptr__image_line *at, vptr__image_param *param, bool is_hidden) {
  vptr__image_kernel *kernel = reading->kernel;
  reading->parameters++;
  if (reading->image == NULL)
    return VPTR_SUCCESS;
  if (kernel == NULL || (!is_hidden && kernel->hidden_count > 0) ||
      kernel->param_count + kernel->hidden_count >= MOST_PARAMETERS)
    return vptr__image_line_refuse(at, "no kernel is above it, hidden ones do not come last, or there are too many");
  if (!vptr__image_is_separate(param)) {
    param->offset = (uint32_t)vptr__align_up(kernel->packed_end, param->align);
    kernel->packed_end = param->offset + param->size;
    kernel->packed_align = param->align > kernel->packed_align ? param->align : kernel->packed_align;
  }
  if (!is_hidden) {
    if (kernel->packed_end > LARGEST_PARAMETER)
      return vptr__image_line_refuse(at, "all parameters together have more than 1 MiB");
    kernel->parameter_bytes = kernel->packed_end;
    kernel->param_count++;
  } else {
    kernel->hidden_count++;
    kernel->has_table |= param->kind == VPTR__PARAM_TRANSLATION;
    kernel->follows_pointers |= param->kind == VPTR__PARAM_TRANSLATION && !param->is_for_windows;
    kernel->reads_texels |= param->kind == VPTR__PARAM_TEXELS;
    kernel->runs_threads |= param->kind == VPTR__PARAM_BLOCK && !param->is_of_loops;
    kernel->has_loops |= param->is_of_loops;
    kernel->runs_blocks |= param->kind == VPTR__PARAM_BLOCKS;
    kernel->has_shared |= param->kind == VPTR__PARAM_SHARED;
    kernel->meets_blocks |= param->kind == VPTR__PARAM_GRID;
    kernel->launches |=
        param->kind == VPTR__PARAM_VARIABLE && reading->image->variables[param->variable].is_child_room;
  }
  *reading->param_pool++ = *param;
  return VPTR_SUCCESS;
}

static vptr_status read_param(reading *reading, const vptr__image_line *at) {
  vptr__image_param param = { .kind = VPTR__PARAM_VALUE };
  uint64_t size, align;
  if (!vptr__image_line_decimal(at, "size", 0, LARGEST_PARAMETER, &size) ||
      !vptr__image_line_decimal(at, "align", 1, 4096, &align) || size == 0 || !is_alignment(align))
    return vptr__image_line_refuse(at, "a parameter needs size= and align=, a power of two");
  param.size = (uint32_t)size;
  param.align = (uint32_t)align;
  if (vptr__image_line_has(at, "kind", "pointer"))
    param.kind = VPTR__PARAM_POINTER;
  else if (!vptr__image_line_has(at, "kind", "value"))
    return vptr__image_line_refuse(at, "kind= is neither value nor pointer");
  if (param.kind == VPTR__PARAM_POINTER && param.size != 8)
    return vptr__image_line_refuse(at, "a pointer has 8 bytes");
  param.is_read_only = param.kind == VPTR__PARAM_POINTER && vptr__image_line_has(at, "access", "read");
  vptr_status status = read_pointers(reading, at, &param);
  return status == VPTR_SUCCESS ? add_param(reading, at, &param, false) : status;
}

/* The table has other names too, one of which may be what another variable is lowered to. */
static bool find_lowered(const vptr__module_image *image, const char *lowered, uint32_t *index_out) {
  uint32_t index;
  if (!vptr__name_find(&image->variable_names, lowered, &index))
    return false;
  while (index < image->variable_count && strcmp(image->variables[index].lowered, lowered) != 0)
    index++;
  *index_out = index;
  return index < image->variable_count;
}

static vptr_status read_hidden(reading *reading, const vptr__image_line *at) {
  vptr__image_param param = { .size = 8, .align = 8 };
  if (vptr__image_line_has(at, "kind", "shared")) {
    param.kind = VPTR__PARAM_SHARED;
  } else if (vptr__image_line_has(at, "kind", "status")) {
    param.kind = VPTR__PARAM_STATUS;
    param.is_of_block = vptr__image_line_has(at, "of", "block");
  } else if (vptr__image_line_has(at, "kind", "prints")) {
    param.kind = VPTR__PARAM_PRINTS;
  } else if (vptr__image_line_has(at, "kind", "translation")) {
    param.kind = VPTR__PARAM_TRANSLATION;
  } else if (vptr__image_line_has(at, "kind", "windows")) {
    param.kind = VPTR__PARAM_TRANSLATION;
    param.is_for_windows = true;
  } else if (vptr__image_line_has(at, "kind", "texels")) {
    param.kind = VPTR__PARAM_TEXELS;
  } else if (vptr__image_line_has(at, "kind", "block")) {
    param.kind = VPTR__PARAM_BLOCK;
    param.is_of_loops = vptr__image_line_has(at, "of", "loops");
  } else if (vptr__image_line_has(at, "kind", "blocks")) {
    param.kind = VPTR__PARAM_BLOCKS;
    param.is_of_loops = true;
  } else if (vptr__image_line_has(at, "kind", "grid")) {
    param.kind = VPTR__PARAM_GRID;
  } else if (vptr__image_line_has(at, "kind", "variable")) {
    const char *wanted;
    param.kind = VPTR__PARAM_VARIABLE;
    if (!read_encoded_name(reading, at, "name", &wanted))
      return vptr__image_line_refuse(at, "a variable needs name=");
    if (reading->image != NULL && !find_lowered(reading->image, wanted, &param.variable))
      return vptr__image_line_refuse(at, "no variable of that name is above it");
  } else {
    return vptr__image_line_refuse(at,
                                   "kind= is none of variable, shared, status, prints, translation, windows, texels, "
                                   "block, blocks and grid");
  }
  return add_param(reading, at, &param, true);
}

static vptr_status read_initial(reading *reading, const vptr__image_line *at, vptr__image_variable *variable) {
  const char *value;
  const char *end = vptr__image_line_find(at, "initial", &value);
  if (end == NULL)
    return VPTR_SUCCESS;
  if ((uint64_t)(end - value) != 2 * variable->size)
    return vptr__image_line_refuse(at, "initial= has not two digits for each byte");
  unsigned char *to = reading->image != NULL ? (unsigned char *)reading->byte_pool : NULL;
  for (uint64_t i = 0; i < variable->size; i++, value += 2) {
    if (vptr__image_hex_value(value[0]) < 0 || vptr__image_hex_value(value[1]) < 0)
      return vptr__image_line_refuse(at, "initial= is not hexadecimal");
    if (to != NULL)
      to[i] = (unsigned char)(vptr__image_hex_value(value[0]) * 16 + vptr__image_hex_value(value[1]));
  }
  reading->bytes += variable->size;
  variable->initial = to;
  reading->byte_pool += to != NULL ? variable->size : 0;
  return VPTR_SUCCESS;
}

static vptr_status read_variable(reading *reading, const vptr__image_line *at) {
  vptr__image_variable variable = { .name = NULL };
  if (!read_encoded_name(reading, at, "name", &variable.name) ||
      !read_encoded_name(reading, at, "lowered", &variable.lowered))
    return vptr__image_line_refuse(at, "a variable needs name= and lowered=");
  if (!vptr__image_line_decimal(at, "size", 0, PTRDIFF_MAX, &variable.size) ||
      !vptr__image_line_decimal(at, "align", 1, 4096, &variable.align) || variable.size == 0 ||
      !is_alignment(variable.align))
    return vptr__image_line_refuse(at, "a variable needs size= and align=, a power of two");
  if (vptr__image_line_has(at, "kind", "constant"))
    variable.kind = VPTR__VARIABLE_CONSTANT;
  else if (vptr__image_line_has(at, "kind", "managed"))
    variable.kind = VPTR__VARIABLE_MANAGED;
  else if (!vptr__image_line_has(at, "kind", "device"))
    return vptr__image_line_refuse(at, "kind= is none of device, constant and managed");
  variable.is_extern = vptr__image_line_has(at, "extern", "1");
  variable.is_texture = vptr__image_line_has(at, "reference", "texture");
  variable.is_surface = vptr__image_line_has(at, "reference", "surface");
  variable.reads_floats = vptr__image_line_has(at, "reads", "floats");
  variable.is_child_room = variable.is_extern && vptr__image_line_has(at, "lowered", "vptr_children");
  variable.is_heap = variable.is_extern && vptr__image_line_has(at, "lowered", "vptr_heap");
  variable.is_locks = variable.is_extern && vptr__image_line_has(at, "lowered", "vptr_locks");
  vptr_status status = read_initial(reading, at, &variable);
  if (status != VPTR_SUCCESS)
    return status;
  if (reading->image != NULL) {
    reading->image->variables[reading->variables] = variable;
    reading->image->variable_count = reading->variables + 1;
    vptr__name_add(&reading->image->variable_names, variable.lowered, reading->variables);
    vptr__name_add(&reading->image->variable_names, variable.name, reading->variables);
  }
  reading->variables++;
  return VPTR_SUCCESS;
}

static vptr_status add_address(reading *reading, const vptr__image_line *at, const char *variable, const char *of,
                               vptr__image_address address) {
  uint32_t index;
  vptr__module_image *image = reading->image;
  if (!find_lowered(image, variable, &index) || !find_lowered(image, of, &address.of))
    return vptr__image_line_refuse(at, "no variable of that name is above it");
  vptr__image_variable *in = &image->variables[index];
  const vptr__image_variable *to = &image->variables[address.of];
  if (index < reading->last_address)
    return vptr__image_line_refuse(at, "addresses are not in the order of their variables");
  if (in->is_extern || in->kind == VPTR__VARIABLE_MANAGED || to->kind == VPTR__VARIABLE_MANAGED)
    return vptr__image_line_refuse(at, "an address is of a managed variable, or is in one or in one that is extern");
  if (address.at > in->size || in->size - address.at < 8 || (!to->is_extern && address.plus > to->size))
    return vptr__image_line_refuse(at, "at= or plus= is not in the variable");
  if (in->address_count++ == 0)
    in->addresses = reading->address_pool;
  *reading->address_pool++ = address;
  reading->last_address = index;
  return VPTR_SUCCESS;
}

static vptr_status read_address(reading *reading, const vptr__image_line *at) {
  const char *variable, *of;
  vptr__image_address address = { 0 };
  if (!read_encoded_name(reading, at, "variable", &variable) || !read_encoded_name(reading, at, "of", &of))
    return vptr__image_line_refuse(at, "an address needs variable= and of=");
  if (!vptr__image_line_decimal(at, "at", 0, PTRDIFF_MAX, &address.at) ||
      !vptr__image_line_decimal(at, "plus", 0, PTRDIFF_MAX, &address.plus))
    return vptr__image_line_refuse(at, "a number is none");
  reading->addresses++;
  return reading->image != NULL ? add_address(reading, at, variable, of, address) : VPTR_SUCCESS;
}

static vptr_status read_expression(reading *reading, const vptr__image_line *at) {
  vptr__image_expression expression;
  if (!read_encoded_name(reading, at, "name", &expression.name) ||
      !read_encoded_name(reading, at, "lowered", &expression.lowered))
    return vptr__image_line_refuse(at, "an expression needs name= and lowered=");
  if (reading->image != NULL)
    reading->image->expressions[reading->expressions] = expression;
  reading->expressions++;
  return VPTR_SUCCESS;
}

static vptr_status read_text(reading *reading, const vptr__image_line *at) {
  bool is_code = vptr__image_line_has(at, "language", "cubin");
  if (!is_code && !vptr__image_line_has(at, "language", "ptx"))
    return vptr__image_line_refuse(at, "a text in a language that this version does not know");
  if (reading->image != NULL) {
    reading->image->is_ptx = true;
    reading->image->is_code = is_code;
  }
  return VPTR_SUCCESS;
}

/* Variables come before the kernels that need them. */
static vptr_status read_line(reading *reading, const vptr__image_line *at) {
  static const struct {
    const char *word;
    vptr_status (*read)(struct reading *reading, const vptr__image_line *at);
  } words[] = { { "kernel", read_kernel },        { "param", read_param },     { "hidden", read_hidden },
                { "variable", read_variable },    { "address", read_address }, { "text", read_text },
                { "expression", read_expression } };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (vptr__image_line_is(at, words[i].word))
      return words[i].read(reading, at);
  return vptr__image_line_refuse(at, "a word that this version does not know");
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static vptr_status read_all(reading *reading, const char *text, size_t length) {
  const char *at = text + strlen(first_line) + 1, *end = text + length;
  vptr__image_line here = { .number = 1 };
  vptr_status status = VPTR_SUCCESS;
  while (status == VPTR_SUCCESS && vptr__image_line_next(&at, end, &here))
    status = read_line(reading, &here);
  return status;
}

/* The parts of the one allocation, one behind the other; the larger alignments first. */
static vptr__module_image *lay_out(reading *counted, const char *text, size_t length) {
  size_t kernels = counted->kernels * sizeof(vptr__image_kernel);
  size_t variables = counted->variables * sizeof(vptr__image_variable);
  size_t expressions = counted->expressions * sizeof(vptr__image_expression);
  size_t addresses = counted->addresses * sizeof(vptr__image_address);
  size_t parameters = counted->parameters * sizeof(vptr__image_param);
  size_t pointers = counted->pointers * sizeof(uint32_t);
  size_t kernel_places = vptr__name_places(3 * (size_t)counted->kernels);
  size_t variable_places = vptr__name_places(2 * (size_t)counted->variables);
  size_t places = (kernel_places + variable_places) * sizeof(vptr__name_place);
  size_t fixed =
      sizeof(vptr__module_image) + kernels + variables + addresses + expressions + places + parameters + pointers;
  vptr__module_image *image = vptr__memory_calloc(1, fixed + counted->bytes + length + 1);
  if (image == NULL)
    return NULL;
  char *at = (char *)(image + 1);
  image->kernels = (vptr__image_kernel *)(void *)at;
  image->variables = (vptr__image_variable *)(void *)(at += kernels);
  image->addresses = (vptr__image_address *)(void *)(at += variables);
  image->expressions = (vptr__image_expression *)(void *)(at += addresses);
  vptr__name_place *names = (vptr__name_place *)(void *)(at += expressions);
  image->kernel_names = (vptr__name_table){ names, kernel_places };
  image->variable_names = (vptr__name_table){ names + kernel_places, variable_places };
  vptr__image_param *param_pool = (vptr__image_param *)(void *)(at += places);
  uint32_t *pointer_pool = (uint32_t *)(void *)(at += parameters);
  at += pointers;
  char *copy = at + counted->bytes;
  memcpy(copy, text, length);
  image->text = copy;
  image->length = length;
  image->kernel_count = counted->kernels;
  image->address_count = counted->addresses;
  image->expression_count = counted->expressions;
  *counted = (reading){ .image = image,
                        .param_pool = param_pool,
                        .address_pool = image->addresses,
                        .pointer_pool = pointer_pool,
                        .byte_pool = at };
  return image;
}

vptr_status vptr__module_image_parse(const char *text, size_t length, vptr__module_image **image_out) {
  const size_t head = sizeof first_line - 1;
  if (text == NULL || length <= head || memcmp(text, first_line, head) != 0 || text[head] != '\n')
    return vptr__error(VPTR_ERROR_INVALID_ARGUMENT,
                       "this is no module: it begins with \"%.*s\" and not with \"%s\"; translate CUDA first",
                       text == NULL ? 0 : (int)(length < 40 ? length : 40), text == NULL ? "" : text, first_line);
  reading reading = { .image = NULL };
  vptr_status status = read_all(&reading, text, length);
  if (status != VPTR_SUCCESS)
    return status;
  vptr__module_image *image = lay_out(&reading, text, length);
  if (image == NULL)
    return vptr__error_host_memory(length);
  status = read_all(&reading, image->text, length);
  if (status != VPTR_SUCCESS) {
    vptr__memory_free(image);
    return status;
  }
  *image_out = image;
  return VPTR_SUCCESS;
}

void vptr__module_image_free(vptr__module_image *image) {
  vptr__memory_free(image);
}
