/* SPDX-License-Identifier: MIT */
/*
 * program - building a module, or one kernel of it, for a device, and making kernel objects of its functions.
 *
 * Built when a device first needs it: found on disk if the same text was built by the same driver before
 * (base/binary.h), else compiled, and kept. part.c says whether a kernel is built alone. A kernel that has two forms
 * for blocks of two kinds (alone= in image.h) gets that which the launch needs, and another program when one needs the
 * other: both would take the driver's compiler up to a third longer. But a module that is built whole has both. The
 * locks, of rank ARRAY, are `building` of each vptr__module for programs with all its functions, and of each
 * vptr__function for those with it alone (state.h): threads that want the same wait for one build, and what is not the
 * same is built at once, as far as the driver does that (PoCL 3.1 has a lock of its own in each context). The lists of
 * programs and kernels, whose records are made and freed here, are in the same two structures, and atomic; they only
 * grow while a module is loaded, newest first, and are read without a lock. What a kernel's arguments were set to is
 * launch.c's to change, under the kernel's own lock.
 *
 * Called by module/launch.c, module/cut.c, module/chain.c, module/lease.c, cudart/cuda/function.c and
 * driver/function.c, which get a kernel, and by module/module.c, which releases what was built. The first call for a
 * device blocks while its driver compiles, some seconds at worst; it fails with the driver's log.
 */
#include "module/state.h"

#include "base/error.h"
#include "base/hot.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "device/program_kept.h"

#include <stdio.h>
#include <string.h>

/* ---- options -------------------------------------------------------------------------------------------- */

enum { OPTIONS_ROOM = 448 };

/* Windows of fewer addresses have more numbers than prelude/reach.cl remembers them by. */
static const size_t LEAST_WINDOW = (size_t)1 << 25;

static void write_apart(const vptr__program *program, char *options, size_t room) {
  vptr_stats stats = { .struct_size = sizeof stats };
  options[0] = '\0';
  if (!(program->forms & VPTR__FORMS_APART))
    return;
  vptr_get_stats(program->mapper, &stats);
  if (stats.window_bytes >= LEAST_WINDOW)
    snprintf(options, room, " -DVPTR_APART=1 -DVPTR_WINDOW=%d", __builtin_ctzll(stats.window_bytes));
  else
    snprintf(options, room, " -DVPTR_APART=1");
}

static void write_options(const vptr__program *program, const vptr__module_image *image, char *options) {
  const vptr__device *device = program->mapper->device;
  const uint32_t *grid = program->grid;
  char pieces[128] = "", registers[40] = "", apart[48];
  const bool is_divided = device->joint != NULL && device->max_global == UINT64_MAX;
  if (grid[0] != 0 && is_divided)
    snprintf(pieces, sizeof pieces,
             " -DVPTR_GRID_X=%uu -DVPTR_GRID_Y=%uu -DVPTR_GRID_Z=%uu -DVPTR_PIECE=get_local_size(%u)", grid[0],
             grid[1], grid[2], vptr__cut_axis(grid) - 1);
  else if (grid[0] != 0)
    snprintf(pieces, sizeof pieces, " -DVPTR_GRID_X=%uu -DVPTR_GRID_Y=%uu -DVPTR_GRID_Z=%uu -DVPTR_PIECE=%lluul",
             grid[0], grid[1], grid[2], (unsigned long long)vptr__cut_most(device));
  if (program->registers != 0)
    snprintf(registers, sizeof registers, " -cl-nv-maxrregcount=%u", program->registers);
  write_apart(program, apart, sizeof apart);
  snprintf(options, OPTIONS_ROOM,
           "-w -cl-std=CL1.2 -DVPTR_ADDRESSES=%d -DVPTR_PACKED=%d -DVPTR_PARAMETER_LIMIT=%zu -DVPTR_PTX=%u "
           "-DVPTR_MEETS=%d -DVPTR_LOOPS=%d -DVPTR_FORMS=%u%s%s%s%s%s",
           program->has_addresses, program->packs, device->parameter_bytes, device->ptx, device->quirk.loses_threads,
           device->tuning.loops_over_threads, program->forms & VPTR__FORMS_BOTH, apart,
           device->rounds_division && !image->fast_math ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
           image->fast_math ? " -cl-fast-relaxed-math" : "", registers, pieces);
}

/* ---- building ------------------------------------------------------------------------------------------- */

static vptr_status build_text(vptr__program *program, const vptr__program_source *source) {
  return vptr__program_build_kept(program->mapper->device, source, &program->program);
}

/* ---- PTX ------------------------------------------------------------------------------------------------ */

static vptr_status check_ptx(const vptr__program *program) {
  const vptr__device *device = program->mapper->device;
  if (device->ptx == 0)
    return vptr__error(VPTR_ERROR_UNSUPPORTED,
                       "the module is PTX of NVIDIA's compiler, which %s does not take; rebuild it with vptrcc",
                       device->name);
  if (!program->has_addresses || program->grid[0] != 0)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "the module is PTX of NVIDIA's compiler, and %s %s", device->name,
                       program->has_addresses ? "counts no further than a part of the grid" : "tells no addresses");
  return VPTR_SUCCESS;
}

/* The size of dynamic shared memory, into the text. */
static void write_size(const vptr__program *program, char *text) {
  static const char mark[] = VPTR__IMAGE_DYNAMIC_NAME "[";
  char digits[VPTR__IMAGE_DYNAMIC_DIGITS + 1];
  char *at = strstr(text, mark);
  if (at == NULL || strlen(at + sizeof mark - 1) < VPTR__IMAGE_DYNAMIC_DIGITS)
    return;
  snprintf(digits, sizeof digits, "%*zu", (int)VPTR__IMAGE_DYNAMIC_DIGITS, program->shared);
  memcpy(at + sizeof mark - 1, digits, VPTR__IMAGE_DYNAMIC_DIGITS);
}

static vptr_status build_ptx(vptr__program *program, const vptr__module_image *image) {
  const char *text = vptr__part_skip_lines(image);
  vptr__program_source source = { .text = text, .is_ptx = true, .options = "" };
  char *part = NULL;
  source.length = image->length - (size_t)(text - image->text);
  vptr_status status = check_ptx(program);
  if (status == VPTR_SUCCESS && image->variable_count > 0) {
    program->told = vptr__memory_calloc(image->variable_count, sizeof *program->told);
    if (program->told == NULL)
      return vptr__error_host_memory(image->variable_count * sizeof *program->told);
  }
  if (status == VPTR_SUCCESS && program->function != NULL) {
    status = vptr__part_cut(&program->function, 1, &part, &source.length);
    source.text = part;
    source.kernel = program->function->image->name;
  }
  if (status == VPTR_SUCCESS && part != NULL)
    write_size(program, part);
  if (status == VPTR_SUCCESS)
    status = build_text(program, &source);
  vptr__memory_free(part);
  return status;
}

/* ---- programs ------------------------------------------------------------------------------------------- */

static vptr_status build_program(vptr__program *program, const vptr__module_image *image) {
  vptr__device *device = program->mapper->device;
  char options[OPTIONS_ROOM], *part = NULL;
  vptr_status status = device->ops->memory.takes_addresses(device, &program->has_addresses);
  if (status != VPTR_SUCCESS)
    return status;
  if (program->has_addresses)
    program->view = vptr__address_view_of(program->mapper);
  if (image->is_ptx)
    return build_ptx(program, image);
  program->packs = program->has_addresses && device->tuning.packs_arguments;
  write_options(program, image, options);
  vptr__program_source source = { .text = image->text, .length = image->length, .options = options };
  if (program->function != NULL) {
    status = vptr__part_cut(&program->function, 1, &part, &source.length);
    source.text = part;
    source.kernel = program->function->image->name;
  }
  if (status == VPTR_SUCCESS)
    status = build_text(program, &source);
  vptr__memory_free(part);
  return status;
}

/* Whether what was built has these forms. Pointers mean something else to the one that looks up each access. */
static bool has_forms(const vptr__program *program, unsigned forms) {
  return (forms & ~program->forms) == 0 && ((forms ^ program->forms) & VPTR__FORMS_APART) == 0;
}

static vptr__program *find_program(const vptr__program *like, vptr__module *module) {
  vptr__program *program = atomic_load_explicit(&module->programs, memory_order_acquire);
  while (program != NULL && (program->function != like->function || program->registers != like->registers ||
                             !has_forms(program, like->forms) || program->shared != like->shared ||
                             !vptr__program_is_for(program, like->mapper, like->grid)))
    program = program->next;
  return program;
}

/* Others add theirs at the same time. */
static void add_program(vptr__module *module, vptr__program *program) {
  program->next = atomic_load(&module->programs);
  while (!atomic_compare_exchange_weak(&module->programs, &program->next, program))
    ;
}

/* Under the lock of what is to be in it. */
static vptr_status get_program(vptr__module *module, const vptr__program *like, vptr__program **program_out) {
  vptr__program *program = find_program(like, module);
  if (program == NULL) {
    program = vptr__memory_calloc(1, sizeof *program);
    if (program == NULL)
      return vptr__error_host_memory(sizeof *program);
    *program = *like;
    vptr_status status = build_program(program, module->image);
    if (status != VPTR_SUCCESS) {
      vptr__memory_free(program->told);
      vptr__memory_free(program);
      return status;
    }
    add_program(module, program);
  }
  *program_out = program;
  return VPTR_SUCCESS;
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

static uint32_t bytes_of_parameters(const vptr__image_kernel *image) {
  uint32_t bytes = (image->parameter_bytes + 7) / 8 * 8;
  return bytes + 8 * image->hidden_count;
}

/* Of the struct that a kernel's parameters are in; 0: in none. The text decides by the same numbers. */
static uint32_t bytes_packed(const vptr__program *program, const vptr__image_kernel *image) {
  uint32_t bytes = (image->packed_end + image->packed_align - 1) / image->packed_align * image->packed_align;
  uint32_t others = 0;
  for (uint32_t i = image->param_count; i < image->param_count + image->hidden_count; i++)
    others += vptr__image_is_separate(&image->params[i]);
  bool fits = bytes + 8 * others <= program->mapper->device->parameter_bytes;
  return (program->packs || image->is_always_packed) && image->packs && fits ? bytes : 0;
}

static bool has_gaps(const vptr__kernel *kernel, const vptr__image_kernel *image) {
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < image->param_count + image->hidden_count; i++)
    if (!vptr__image_is_separate(&image->params[i]))
      bytes += image->params[i].size;
  return bytes < kernel->packed_bytes;
}

/* PTX has one form: each parameter is an argument. */
static vptr_status choose_form(vptr__kernel *kernel, const vptr__image_kernel *image) {
  const vptr__device *device = kernel->mapper->device;
  if (kernel->is_ptx && image->parameter_bytes > device->parameter_bytes)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "kernel %s has %u bytes of parameters, and %s takes %zu from PTX",
                       image->name, image->parameter_bytes, device->name, device->parameter_bytes);
  if (kernel->is_ptx)
    return VPTR_SUCCESS;
  kernel->is_spilled = bytes_of_parameters(image) > device->parameter_bytes;
  kernel->packed_bytes = kernel->is_spilled ? 0 : bytes_packed(kernel->program, image);
  kernel->has_gaps = has_gaps(kernel, image);
  return VPTR_SUCCESS;
}

static bool runs_loops(const vptr__device *device, const vptr__image_kernel *image) {
  return image->has_loops && device->tuning.loops_over_threads;
}

/* What a launch asks of a kernel, counted once. */
static void count_pointers(vptr__kernel *kernel, const vptr__image_kernel *image) {
  const vptr__device *device = kernel->mapper->device;
  kernel->runs_loops = runs_loops(device, image);
  kernel->runs_threads = (image->runs_threads && device->ptx == 0) || kernel->runs_loops;
  for (uint32_t i = 0; i < image->param_count + image->hidden_count; i++) {
    const vptr__image_param *param = &image->params[i];
    kernel->pointers += param->kind != VPTR__PARAM_VALUE && !vptr__image_is_separate(param);
    kernel->prints |= param->kind == VPTR__PARAM_PRINTS && image->prints;
    kernel->may_assert |= param->kind == VPTR__PARAM_STATUS && (kernel->runs_threads || !param->is_of_block);
  }
  kernel->is_followed = kernel->may_assert || image->prints;
}

static void free_kernel(vptr__kernel *kernel) {
  vptr__device *device = kernel->mapper->device;
  if (kernel->kernel != NULL)
    device->ops->kernel.release(device, kernel->kernel);
  vptr__lock_fini(&kernel->lock);
  vptr__memory_free(kernel->memory);
  vptr__memory_free(kernel->packed);
  vptr__memory_free(kernel);
}

static size_t most_threads(const vptr__device *device, const vptr__kernel *kernel, const vptr__image_kernel *image) {
  size_t most = kernel->limits.group < device->max_group ? kernel->limits.group : device->max_group;
  return image->max_threads > 0 && image->max_threads < most ? image->max_threads : most;
}

static vptr_status make_memory(vptr__kernel *kernel, const vptr__image_kernel *image) {
  size_t most = 2 * ((size_t)image->param_count + image->hidden_count) + 1;
  kernel->memory = vptr__memory_calloc(most, sizeof *kernel->memory);
  if (kernel->packed_bytes > 0)
    kernel->packed = vptr__memory_calloc(kernel->packed_bytes, 1);
  bool has_all = kernel->memory != NULL && (kernel->packed_bytes == 0 || kernel->packed != NULL);
  return has_all ? VPTR_SUCCESS : vptr__error_host_memory(most * sizeof *kernel->memory + kernel->packed_bytes);
}

static vptr_status make_kernel(const vptr__program *program, const vptr__image_kernel *image, bool is_ptx,
                               vptr__kernel **kernel_out) {
  vptr__device *device = program->mapper->device;
  vptr__kernel *kernel = vptr__memory_calloc(1, sizeof *kernel);
  if (kernel == NULL)
    return vptr__error_host_memory(sizeof *kernel);
  vptr__lock_init(&kernel->lock, VPTR__RANK_MAPPING);
  kernel->program = program;
  kernel->mapper = program->mapper;
  kernel->is_ptx = is_ptx;
  count_pointers(kernel, image);
  vptr_status status = choose_form(kernel, image);
  if (status == VPTR_SUCCESS)
    status = make_memory(kernel, image);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.create(device, program->program, image->entry, &kernel->kernel);
  if (status == VPTR_SUCCESS)
    status = device->ops->kernel.limits(device, kernel->kernel, &kernel->limits);
  if (status == VPTR_SUCCESS) {
    kernel->stack_threads = vptr__stack_threads(device, image);
    if (kernel->limits.group > kernel->stack_threads)
      kernel->limits.group = kernel->stack_threads;
    kernel->most_threads = most_threads(device, kernel, image);
  }
  if (status != VPTR_SUCCESS) {
    free_kernel(kernel);
    return status;
  }
  *kernel_out = kernel;
  return VPTR_SUCCESS;
}

static vptr__kernel *find_kernel(vptr__function *function, const vptr_mapper *mapper, const uint32_t grid[3],
                                 unsigned forms, size_t shared) {
  vptr__kernel *kernel = atomic_load_explicit(&function->kernels, memory_order_acquire);
  while (kernel != NULL && (!has_forms(kernel->program, forms) || kernel->program->shared != shared ||
                            !vptr__program_is_for(kernel->program, mapper, grid)))
    kernel = kernel->next;
  return kernel;
}

static void add_kernel(vptr__function *function, vptr__kernel *kernel) {
  kernel->next = atomic_load(&function->kernels);
  while (!atomic_compare_exchange_weak(&function->kernels, &kernel->next, kernel))
    ;
}

/* Under the same lock. */
static vptr_status get_kernel(vptr__function *function, const vptr__program *like, vptr__kernel **kernel_out) {
  vptr__program *program = NULL;
  vptr__kernel *kernel = find_kernel(function, like->mapper, like->grid, like->forms, like->shared);
  if (kernel == NULL) {
    vptr_status status = get_program(function->module, like, &program);
    if (status == VPTR_SUCCESS)
      status = make_kernel(program, function->image, function->module->image->is_ptx, &kernel);
    if (status != VPTR_SUCCESS)
      return status;
    add_kernel(function, kernel);
  }
  *kernel_out = kernel;
  return VPTR_SUCCESS;
}

/* What CUDA's compiler does for __launch_bounds__ and OpenCL's does not: a thread gets no more registers than leave
 * enough for all threads of the block. 0: as many as the driver likes. */
static uint32_t registers_for_bounds(const vptr__device *device, const vptr__image_kernel *image) {
  enum { WARP = 32, UNIT = 8, MOST = 255 };
  size_t threads = vptr__align_up(vptr__smaller(image->max_threads, device->max_group), WARP);
  uint32_t registers = threads > 0 ? device->registers / (uint32_t)threads / UNIT * UNIT : 0;
  return registers < MOST ? registers : 0;
}

static vptr_status refuse_kernel(const vptr__image_kernel *image) {
  return vptr__error(VPTR_ERROR_UNSUPPORTED,
                     "kernel %s was compiled by NVIDIA's compiler and %s; rebuild it with vptrcc", image->name,
                     image->refused);
}

/* PTX says itself how many registers a thread may have, and what is built of it again is a kernel alone: a variable
 * that stays in the program is one for as many kernels as can be. */
static void choose_part(const vptr__function *function, vptr__program *like) {
  bool is_alone;
  if (function->module->image->is_ptx) {
    is_alone = like->shared > 0;
  } else {
    like->registers = registers_for_bounds(like->mapper->device, function->image);
    is_alone = vptr__part_is_better(function, like->mapper, like->grid, &like->price) || like->registers != 0;
  }
  like->function = is_alone ? function : NULL;
  if (!is_alone && function->module->image->kernel_count > 1)
    like->forms |= VPTR__FORMS_BOTH;
}

/* By the text's own rules (translate/emit/prelude/thread.cl). */
VPTR__HOT vptr__forms vptr__forms_for(const vptr__function *function, const vptr__device *device,
                                      const uint32_t block[3]) {
  enum { SHORT = 8, WARP = 32 };
  const vptr__image_alone alone = function->image->alone;
  if (alone == VPTR__ALONE_UNSAID || !device->tuning.loops_over_threads)
    return VPTR__FORMS_BOTH;
  bool goes_alone = alone == VPTR__ALONE_SHORT ? block[0] < SHORT : block[0] % WARP != 0 && block[1] * block[2] != 1;
  return goes_alone ? VPTR__FORMS_ALONE : VPTR__FORMS_LOOPS;
}

/* Threads that choose differently, since one sees what another has just built, each build what they chose. */
vptr_status vptr__kernel_get(vptr__function *function, vptr_mapper *mapper, const uint32_t grid[3], vptr__forms forms,
                             size_t shared, vptr__kernel **kernel_out) {
  vptr__kernel *kernel = find_kernel(function, mapper, grid, forms, shared);
  if (kernel != NULL) {
    *kernel_out = kernel;
    return VPTR_SUCCESS;
  }
  vptr__leaving_look();
  if (function->image->refused != NULL)
    return refuse_kernel(function->image);
  vptr__program like = { .mapper = mapper,
                         .generation = mapper->device->generation,
                         .grid = { grid[0], grid[1], grid[2] },
                         .forms = forms,
                         .shared = shared };
  choose_part(function, &like);
  vptr__lock *building = like.function != NULL ? &function->building : &function->module->building;
  vptr__lock_take(building);
  vptr_status status = get_kernel(function, &like, kernel_out);
  vptr__lock_give(building);
  return status;
}

/* Work in flight keeps what it uses; but it is over by now, so that a module's end is an end. */
void vptr__module_release_built(vptr__module *module) {
  for (uint32_t i = 0; i < module->image->kernel_count; i++) {
    vptr__kernel *kernel = atomic_load(&module->functions[i].kernels);
    while (kernel != NULL) {
      vptr__kernel *next = kernel->next;
      free_kernel(kernel);
      kernel = next;
    }
  }
  vptr__program *program = atomic_load(&module->programs);
  while (program != NULL) {
    vptr__program *next = program->next;
    vptr__device *device = program->mapper->device;
    device->ops->kernel.program_release(device, program->program);
    vptr__memory_free(program->told);
    vptr__memory_free(program);
    program = next;
  }
}

vptr_status vptr__function_limits(vptr__function *function, vptr_mapper *mapper, vptr__kernel_limits *limits_out) {
  const uint32_t whole[3] = { 0, 0, 0 };
  vptr__kernel *kernel;
  const vptr__forms usual = vptr__forms_for(function, mapper->device, (const uint32_t[3]){ 32, 1, 1 });
  vptr_status status = vptr__kernel_get(function, mapper, whole, usual, 0, &kernel);
  if (status == VPTR_SUCCESS)
    *limits_out = kernel->limits;
  return status;
}

bool vptr__function_is_built(const vptr__function *function, const vptr_mapper *mapper) {
  const vptr__kernel *kernel = atomic_load(&function->kernels);
  while (kernel != NULL && kernel->mapper != mapper)
    kernel = kernel->next;
  return kernel != NULL;
}
