/* SPDX-License-Identifier: MIT */
/*
 * part - a kernel cut out of its module's text, and whether it is built alone or with all others.
 *
 * The translator marks what belongs to which kernels (translate/emit/section.c):
 *
 *     //vptr module's lines
 *     types, prelude               | every kernel's
 *     //vptr-for 0,3-5             |
 *     a function                   | of kernels 0, 3, 4 and 5
 *     //vptr-for *                 |
 *     another                      | of all
 *
 * A part is what is every kernel's and what is one's, in the text's order. A section whose mark cannot be read counts
 * as every kernel's, and a text without marks, of older versions or by hand, is built whole.
 *
 * Which is cheaper depends on how many kernels a program will reach, which nobody knows. What a build costs grows with
 * the text, and each has a price of its own besides. So kernels are built one by one, until that has cost as much as
 * all at once would have; then all are built at once, if that costs less than the rest one by one. So nobody pays more
 * than about twice the better of the two. Small modules are built whole: there is nothing to be gained. Costs are
 * counted in bytes, not in seconds, so that every process decides alike and finds on disk what another has built.
 *
 * No data but constants, and no locks: the list vptr__module.programs, which is atomic and only grows, is read without
 * one. A text that is cut out is the caller's. Called by program.c, and by chain.c and chain_text.c, where parts of
 * several kernels are joined. Fails without host memory.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* In bytes of text, measured on PoCL 3.1. A build takes 0.09 s besides what it takes for each kernel, which is as long
 * as 3,000 bytes of small kernels take. Modules below 16,000 bytes, which are about eight small kernels, are built
 * whole. */
enum { PRICE_OF_BUILD = 3000, SMALL_MODULE = 16000 };

static const char mark[] = "//vptr-for ";
static const char line_mark[] = "//vptr";

/* ---- sections ------------------------------------------------------------------------------------------- */

/* From one mark to the next. */
typedef struct section {
  const char *begin, *end;
  const char *list, *list_end; /* of kernels; NULL: before the first mark */
} section;

static const char *find_mark(const char *from, const char *end) {
  const size_t length = sizeof mark - 1;
  while (from < end && (size_t)(end - from) >= length) {
    if (memcmp(from, mark, length) == 0)
      return from;
    const char *newline = memchr(from, '\n', (size_t)(end - from));
    from = newline != NULL ? newline + 1 : end;
  }
  return NULL;
}

const char *vptr__part_skip_lines(const vptr__module_image *image) {
  const char *at = image->text, *end = image->text + image->length;
  while ((size_t)(end - at) >= sizeof line_mark && memcmp(at, line_mark, sizeof line_mark - 1) == 0 &&
         find_mark(at, at + sizeof mark - 1) == NULL) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    at = newline != NULL ? newline + 1 : end;
  }
  return at;
}

static section first_section(const vptr__module_image *image) {
  const char *begin = vptr__part_skip_lines(image), *end = image->text + image->length;
  const char *stop = find_mark(begin, end);
  return (section){ .begin = begin, .end = stop != NULL ? stop : end };
}

static bool next_section(const vptr__module_image *image, section *at) {
  const char *end = image->text + image->length;
  if (at->end == end)
    return false;
  const char *line = at->end, *newline = memchr(line, '\n', (size_t)(end - line));
  at->list = line + sizeof mark - 1;
  at->list_end = newline != NULL ? newline : end;
  at->begin = newline != NULL ? newline + 1 : end;
  const char *stop = find_mark(at->begin, end);
  at->end = stop != NULL ? stop : end;
  return true;
}

static bool read_index(const char **at, const char *end, uint32_t *index_out) {
  const char *begin = *at;
  uint64_t index = 0;
  for (; *at < end && **at >= '0' && **at <= '9' && index <= UINT32_MAX; (*at)++)
    index = 10 * index + (uint64_t)(**at - '0');
  *index_out = (uint32_t)index;
  return *at > begin && index <= UINT32_MAX;
}

/* How many kernels a section belongs to, and whether `kernel` is one. False: it is every kernel's, or its mark cannot
 * be read. */
static bool read_list(const section *at, uint32_t kernel, uint32_t *count_out, bool *is_of_it_out) {
  const char *p = at->list;
  *count_out = 0;
  *is_of_it_out = false;
  while (p != NULL && p < at->list_end) {
    uint32_t begin, last;
    if (!read_index(&p, at->list_end, &begin))
      return false;
    last = begin;
    if (p < at->list_end && *p == '-' && (p++, !read_index(&p, at->list_end, &last)))
      return false;
    if (last < begin || (p < at->list_end && *p++ != ','))
      return false;
    *count_out += last - begin + 1;
    *is_of_it_out |= begin <= kernel && kernel <= last;
  }
  return p != NULL && *count_out > 0;
}

static uint32_t index_of(const vptr__function *function) {
  return (uint32_t)(function - function->module->functions);
}

static bool is_needed(const section *at, const vptr__function *const *functions, size_t function_count) {
  uint32_t count;
  bool is_of_it = false;
  for (size_t i = 0; i < function_count && !is_of_it; i++)
    if (!read_list(at, index_of(functions[i]), &count, &is_of_it))
      return true;
  return is_of_it;
}

/* ---- cutting -------------------------------------------------------------------------------------------- */

vptr_status vptr__part_cut(const vptr__function *const *functions, size_t count, char **text_out,
                           size_t *length_out) {
  const vptr__module_image *image = functions[0]->module->image;
  char *text = vptr__memory_calloc(image->length + 1, 1);
  size_t length = 0;
  if (text == NULL)
    return vptr__error_host_memory(image->length + 1);
  section at = first_section(image);
  do {
    if (is_needed(&at, functions, count)) {
      memcpy(text + length, at.begin, (size_t)(at.end - at.begin));
      length += (size_t)(at.end - at.begin);
    }
  } while (next_section(image, &at));
  *text_out = text;
  *length_out = length;
  return VPTR_SUCCESS;
}

/* ---- choosing ------------------------------------------------------------------------------------------- */

/* The bytes of sections that do not belong to every kernel. */
typedef struct part_sums {
  uint64_t whole; /* each once */
  uint64_t alone; /* as often as kernels need them */
  uint64_t own;   /* of the kernel that was asked for */
} part_sums;

static part_sums sum_up(const vptr__function *function) {
  const vptr__module_image *image = function->module->image;
  part_sums sums = { 0 };
  for (section at = first_section(image); next_section(image, &at);) {
    uint64_t bytes = (uint64_t)(at.end - at.begin);
    uint32_t count;
    bool is_of_it;
    if (!read_list(&at, index_of(function), &count, &is_of_it))
      continue;
    sums.whole += bytes;
    sums.alone += bytes * count;
    sums.own += is_of_it ? bytes : 0;
  }
  return sums;
}

uint64_t vptr__part_own_bytes(const vptr__function *function) {
  const vptr__module_image *image = function->module->image;
  const part_sums sums = sum_up(function);
  return sums.own > 0 ? sums.own : (uint64_t)(image->text + image->length - vptr__part_skip_lines(image));
}

bool vptr__program_is_for(const vptr__program *program, const vptr_mapper *mapper, const uint32_t grid[3]) {
  return program->mapper == mapper && program->generation == mapper->device->generation &&
         memcmp(program->grid, grid, sizeof program->grid) == 0;
}

bool vptr__part_is_better(const vptr__function *function, const vptr_mapper *mapper, const uint32_t grid[3],
                          uint64_t *price_out) {
  const vptr__module *module = function->module;
  if (module->image->kernel_count < 2)
    return false;
  const part_sums sums = sum_up(function);
  if (sums.whole < SMALL_MODULE)
    return false;
  uint64_t spent = 0;
  const vptr__program *each = atomic_load_explicit(&module->programs, memory_order_acquire);
  for (; each != NULL; each = each->next)
    if (vptr__program_is_for(each, mapper, grid)) {
      if (each->function == NULL)
        return false;
      spent += each->price;
    }
  uint64_t whole = PRICE_OF_BUILD + sums.whole;
  uint64_t all_alone = module->image->kernel_count * (uint64_t)PRICE_OF_BUILD + sums.alone;
  uint64_t rest = all_alone > spent ? all_alone - spent : 0;
  *price_out = PRICE_OF_BUILD + sums.own;
  return spent + *price_out <= whole || rest <= whole;
}
