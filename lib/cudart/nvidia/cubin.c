/* SPDX-License-Identifier: MIT */
/*
 * cubin - making a module of machine code of nvcc's, an ELF file (cubin.h).
 *
 *     .symtab               kernels are functions whose st_other has 0x10
 *     .nv.info.KERNEL       records: u8 form, u8 what, u16 bytes that follow (form 4) or a value; 0x17 is a parameter:
 *                           u32, u16 number, u16 offset, u32 with the size in its last 14 bits; 0x05: most threads
 *                           along x, y and z
 *     .nv.shared.KERNEL     its size is that of static shared memory
 *     e_flags               bits 8 to 15: 90 for sm_90 (CUDA 13); before, bits 0 to 7
 *
 * What there is was learned from what nvcc 13 writes. Variables are the program's own, as the driver makes them:
 * nothing tells of them here, so the host does not reach them. Nor can such a kernel have dynamic shared memory. Which
 * parameters are pointers is told by nothing, so every word of 8 bytes may be one.
 *
 * Nothing in the file is believed: each place is held against its size. No data but a constant, no locks; the module
 * that is made is the caller's. Called by cudart/cuda/foreign.c, and by cudart/cuda/binary.c for the kind of a text.
 * Fails without host memory.
 */
#include "nvidia/cubin.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 512, LARGEST_END = 32 << 10 };

static const char first_lines[] = "//vptr-module 1\n//vptr text language=cubin\n";

typedef struct cubin {
  const unsigned char *bytes;
  size_t size;
  Elf64_Ehdr header;
  const char *names; /* of sections */
  size_t names_size;
} cubin;

/* Bytes of the file. */
typedef struct part {
  const unsigned char *bytes;
  size_t size;
} part;

static vptr_status refuse_cubin(const char *what) {
  return vptr__error(VPTR_ERROR_INVALID_ARGUMENT, "the machine code (a cubin) is damaged: %s", what);
}

/* ---- sections ------------------------------------------------------------------------------------------- */

static bool has_place(const cubin *it, uint64_t offset, uint64_t size) {
  return offset <= it->size && size <= it->size - offset;
}

static Elf64_Shdr section_at(const cubin *it, unsigned index) {
  Elf64_Shdr section;
  memcpy(&section, it->bytes + it->header.e_shoff + index * sizeof section, sizeof section);
  return section;
}

static part part_of(const cubin *it, const Elf64_Shdr *section) {
  bool is_there = section->sh_type != SHT_NOBITS && has_place(it, section->sh_offset, section->sh_size);
  return is_there ? (part){ it->bytes + section->sh_offset, (size_t)section->sh_size } : (part){ NULL, 0 };
}

/* A text that ends inside of its part; "" for one that does not. */
static const char *text_at(const char *texts, size_t size, uint64_t offset) {
  if (offset >= size || memchr(texts + offset, 0, size - (size_t)offset) == NULL)
    return "";
  return texts + offset;
}

/* The section of that name, and of a kernel's if that is not NULL. */
static bool find_section(const cubin *it, const char *prefix, const char *kernel, Elf64_Shdr *section_out) {
  size_t length = strlen(prefix);
  for (unsigned i = 0; i < it->header.e_shnum; i++) {
    Elf64_Shdr section = section_at(it, i);
    const char *name = text_at(it->names, it->names_size, section.sh_name);
    if (strncmp(name, prefix, length) == 0 && strcmp(name + length, kernel) == 0) {
      *section_out = section;
      return true;
    }
  }
  return false;
}

/* How long a file is whose size nobody said. */
static size_t size_by_headers(const unsigned char *bytes) {
  Elf64_Ehdr header;
  memcpy(&header, bytes, sizeof header);
  uint64_t end = header.e_shoff + (uint64_t)header.e_shnum * sizeof(Elf64_Shdr);
  for (unsigned i = 0; i < header.e_shnum; i++) {
    Elf64_Shdr section;
    memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS)
      end = vptr__larger(end, section.sh_offset + section.sh_size);
  }
  return (size_t)vptr__larger(end, header.e_phoff + (uint64_t)header.e_phnum * header.e_phentsize);
}

static vptr_status open_cubin(const void *bytes, size_t size, cubin *cubin_out) {
  cubin it = { .bytes = bytes, .size = size };
  if (size < sizeof it.header || memcmp(bytes, ELFMAG, SELFMAG) != 0)
    return refuse_cubin("it does not begin as an ELF file");
  memcpy(&it.header, bytes, sizeof it.header);
  if (it.header.e_ident[EI_CLASS] != ELFCLASS64 || it.header.e_machine != EM_CUDA ||
      it.header.e_shentsize != sizeof(Elf64_Shdr))
    return refuse_cubin("it is none of CUDA's");
  if (size == SIZE_MAX)
    it.size = size_by_headers(bytes);
  if (!has_place(&it, it.header.e_shoff, it.header.e_shnum * sizeof(Elf64_Shdr)) ||
      it.header.e_shstrndx >= it.header.e_shnum)
    return refuse_cubin("its sections lie outside of it");
  Elf64_Shdr names = section_at(&it, it.header.e_shstrndx);
  part texts = part_of(&it, &names);
  it.names = (const char *)texts.bytes;
  it.names_size = texts.size;
  *cubin_out = it;
  return VPTR_SUCCESS;
}

static unsigned arch_of(const cubin *it) {
  enum { SINCE = 8 };
  unsigned flags = it->header.e_flags;
  return 10 * (it->header.e_ident[EI_ABIVERSION] >= SINCE ? flags >> 8 & 255 : flags & 255);
}

static vptr_status check_arch(const cubin *it, unsigned ptx) {
  unsigned arch = arch_of(it);
  if (arch / 100 == ptx / 100 && arch <= ptx)
    return VPTR_SUCCESS;
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "the machine code is for sm_%u, and the device is sm_%u: compile with PTX, -arch=compute_%u",
                     arch / 10, ptx / 10, ptx / 10);
}

/* ---- a kernel's parameters ------------------------------------------------------------------------------ */

typedef struct parameter {
  uint32_t number, offset, size;
} parameter;

typedef struct info {
  parameter params[MOST_PARAMS];
  unsigned count;
  uint32_t max_threads;
} info;

static uint32_t number_at(const unsigned char *at) {
  uint32_t number;
  memcpy(&number, at, sizeof number);
  return number;
}

static bool add_parameter(info *it, const unsigned char *at) {
  parameter found = { number_at(at + 4) & 0xffff, number_at(at + 4) >> 16, number_at(at + 8) >> 18 };
  if (it->count == MOST_PARAMS || found.size == 0 || found.offset + found.size > LARGEST_END)
    return false;
  it->params[it->count++] = found;
  return true;
}

static void note_threads(info *it, const unsigned char *at) {
  uint64_t product = 1;
  for (int axis = 0; axis < 3; axis++)
    product *= vptr__smaller(number_at(at + 4 * axis), UINT16_MAX);
  it->max_threads = (uint32_t)vptr__smaller(product, UINT32_MAX);
}

static bool read_info(part records, info *it) {
  enum { SIZED = 4, PARAMETER = 0x17, MOST_THREADS = 0x05, NEEDED_THREADS = 0x10 };
  const unsigned char *at = records.bytes, *end = at + records.size;
  it->count = it->max_threads = 0;
  while (end - at >= 4) {
    uint16_t length;
    memcpy(&length, at + 2, sizeof length);
    const unsigned char form = at[0], what = at[1];
    at += 4;
    if (form != SIZED)
      continue;
    if (length > end - at)
      return false;
    if (what == PARAMETER && (length < 12 || !add_parameter(it, at)))
      return false;
    if ((what == MOST_THREADS || what == NEEDED_THREADS) && length >= 12)
      note_threads(it, at);
    at += length;
  }
  return true;
}

static int compare_parameters(const void *a, const void *b) {
  const parameter *first = a, *second = b;
  return (first->number > second->number) - (first->number < second->number);
}

/* The largest alignment with which it comes to lie at its offset; 0: none does. */
static uint32_t alignment_of(const parameter *param, uint32_t end) {
  for (uint32_t align = 16; align > 0; align /= 2)
    if (vptr__align_up(end, align) == param->offset && (align <= 8 || param->size % align == 0))
      return align;
  return 0;
}

static bool write_params(info *it, FILE *out) {
  uint32_t end = 0;
  qsort(it->params, it->count, sizeof *it->params, compare_parameters);
  for (unsigned i = 0; i < it->count; i++) {
    const parameter *param = &it->params[i];
    uint32_t align = alignment_of(param, end);
    if (param->number != i || align == 0)
      return false;
    fprintf(out, "//vptr param size=%u align=%u kind=value", param->size, align);
    for (uint32_t word = 0; param->offset % 8 == 0 && word + 8 <= param->size; word += 8)
      fprintf(out, "%s%u", word == 0 ? " words=" : ",", word);
    fputc('\n', out);
    end = param->offset + param->size;
  }
  return true;
}

/* ---- the module ----------------------------------------------------------------------------------------- */

static bool write_kernel(const cubin *it, const char *name, bool prints, info *room, FILE *out) {
  Elf64_Shdr section;
  uint64_t shared = find_section(it, ".nv.shared.", name, &section) ? section.sh_size : 0;
  part records = find_section(it, ".nv.info.", name, &section) ? part_of(it, &section) : (part){ NULL, 0 };
  if (strpbrk(name, " %\n") != NULL || records.bytes == NULL || !read_info(records, room))
    return false;
  fprintf(out, "//vptr kernel name=%s lowered=%s entry=%s shared=%u max_threads=%u arch=%u%s\n", name, name, name,
          (unsigned)vptr__smaller(shared, UINT32_MAX), room->max_threads, arch_of(it), prints ? " prints=1" : "");
  return write_params(room, out);
}

typedef struct symbols {
  part entries;
  const char *names;
  size_t names_size;
} symbols;

static bool find_symbols(const cubin *it, symbols *symbols_out) {
  Elf64_Shdr section;
  if (!find_section(it, ".symtab", "", &section) || section.sh_link >= it->header.e_shnum)
    return false;
  Elf64_Shdr names = section_at(it, section.sh_link);
  part texts = part_of(it, &names);
  *symbols_out = (symbols){ part_of(it, &section), (const char *)texts.bytes, texts.size };
  return symbols_out->entries.bytes != NULL && texts.bytes != NULL;
}

static Elf64_Sym symbol_at(const symbols *it, size_t index) {
  Elf64_Sym symbol;
  memcpy(&symbol, it->entries.bytes + index * sizeof symbol, sizeof symbol);
  return symbol;
}

static bool has_symbol(const symbols *it, const char *name) {
  for (size_t i = 0; i < it->entries.size / sizeof(Elf64_Sym); i++)
    if (strcmp(text_at(it->names, it->names_size, symbol_at(it, i).st_name), name) == 0)
      return true;
  return false;
}

/* The function of libcudadevrt by which a kernel launches one: it waits for a part of NVIDIA's runtime that is not
 * here, and would return without a launch. */
static vptr_status check_launches(const symbols *all) {
  if (!has_symbol(all, "__cudaCDP2LaunchDeviceV2") && !has_symbol(all, "cudaLaunchDeviceV2") &&
      !has_symbol(all, "cudaLaunchDevice"))
    return VPTR_SUCCESS;
  return vptr__error(
      VPTR_ERROR_UNSUPPORTED,
      "its kernels launch kernels, which machine code does by NVIDIA's own runtime alone: compile with vptrcc");
}

static vptr_status write_kernels(const cubin *it, info *room, FILE *out) {
  enum { ENTRY = 0x10 };
  symbols all;
  if (!find_symbols(it, &all))
    return refuse_cubin("it has no symbols");
  vptr_status status = check_launches(&all);
  if (status != VPTR_SUCCESS)
    return status;
  bool prints = has_symbol(&all, "vprintf");
  for (size_t i = 0; i < all.entries.size / sizeof(Elf64_Sym); i++) {
    Elf64_Sym symbol = symbol_at(&all, i);
    const char *name = text_at(all.names, all.names_size, symbol.st_name);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || (symbol.st_other & ENTRY) == 0)
      continue;
    if (!write_kernel(it, name, prints, room, out))
      return refuse_cubin("what it says of a kernel cannot be read");
  }
  return VPTR_SUCCESS;
}

static vptr_status write_lines(const cubin *it, char **lines_out, size_t *length_out) {
  FILE *out = open_memstream(lines_out, length_out);
  info *room = vptr__memory_calloc(1, sizeof *room);
  vptr_status status = VPTR_SUCCESS;
  if (out == NULL || room == NULL)
    status = vptr__error_host_memory(sizeof *room);
  if (status == VPTR_SUCCESS) {
    fputs(first_lines, out);
    status = write_kernels(it, room, out);
  }
  bool has_failed = out != NULL && ferror(out) != 0;
  has_failed |= out != NULL && fclose(out) != 0;
  vptr__memory_free(room);
  return status == VPTR_SUCCESS && has_failed ? vptr__error_host_memory(it->size) : status;
}

static vptr_status join_parts(const cubin *it, const char *lines, size_t length, char **module_out,
                              size_t *length_out) {
  char *module = vptr__memory_calloc(length + it->size + 1, 1);
  if (module == NULL)
    return vptr__error_host_memory(length + it->size + 1);
  memcpy(module, lines, length);
  memcpy(module + length, it->bytes, it->size);
  *module_out = module;
  *length_out = length + it->size;
  return VPTR_SUCCESS;
}

vptr_status vptr__cubin_translate(const void *bytes, size_t size, unsigned ptx, char **module_out,
                                  size_t *length_out) {
  cubin it;
  char *lines = NULL;
  size_t length = 0;
  vptr_status status = open_cubin(bytes, size, &it);
  if (status == VPTR_SUCCESS)
    status = check_arch(&it, ptx);
  if (status == VPTR_SUCCESS)
    status = write_lines(&it, &lines, &length);
  if (status == VPTR_SUCCESS)
    status = join_parts(&it, lines, length, module_out, length_out);
  free(lines);
  return status;
}

bool vptr__cubin_is_text_of(const char *module) {
  return strncmp(module, first_lines, sizeof first_lines - 1) == 0;
}
