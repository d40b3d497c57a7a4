/* SPDX-License-Identifier: MIT */
/* arrays - see arrays.h. */
#include "arrays.h"

#include <string.h>

#include "mapper/mapper.h"
#include "support/support.h"

#define must(call) ck_assert_int_eq(call, cudaSuccess)

enum { MOST_BYTES = 4 << 20, PITCH = 256, ROWS = 20 };

const arrays_shape arrays_shapes[] = {
  { { 100, 0, 0 }, cudaArrayDefault, 32, 1 },
  { { 333, 217, 0 }, cudaArraySurfaceLoadStore, 32, 1 }, /* of two chunks */
  { { 17, 9, 5 }, cudaArrayDefault, 16, 1 },
  { { 70, 0, 3 }, cudaArrayLayered, 32, 1 },
  { { 31, 7, 4 }, cudaArrayLayered, 8, 1 },
  { { 8, 8, 6 }, cudaArrayCubemap, 32, 1 },
  { { 700, 300, 0 }, cudaArrayDefault, 32, 4 }, /* of many chunks */
};

_Static_assert(sizeof arrays_shapes / sizeof arrays_shapes[0] == ARRAYS_COUNT, "as the header says");

struct arrays_all arrays_all;
vptr_mapper *arrays_mapper;

static unsigned char bytes[MOST_BYTES], seen[MOST_BYTES];

/* ---- content --------------------------------------------------------------------------------------------- */

static size_t at_least_one(size_t n) {
  return n > 0 ? n : 1;
}

static struct cudaMemcpy3DParms arrays_copy(const arrays_shape *of) {
  struct cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  copy.extent =
      (struct cudaExtent){ of->extent.width, at_least_one(of->extent.height), at_least_one(of->extent.depth) };
  return copy;
}

static size_t row_of(const arrays_shape *of) {
  return of->extent.width * (size_t)(of->bits / 8 * of->channels);
}

static struct cudaPitchedPtr arrays_host_rows(const arrays_shape *of, unsigned char *host) {
  return (struct cudaPitchedPtr){ host, row_of(of), row_of(of), at_least_one(of->extent.height) };
}

static size_t size_of(const arrays_shape *of) {
  return row_of(of) * at_least_one(of->extent.height) * at_least_one(of->extent.depth);
}

/* The first half is zero, so that chunks of it are. */
static void fill_bytes(size_t size, unsigned seed) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = i < size / 2 ? 0 : (unsigned char)((i * 2654435761u >> 7) + seed);
}

void arrays_write(cudaArray_t array, const arrays_shape *of, unsigned seed) {
  struct cudaMemcpy3DParms copy = arrays_copy(of);
  fill_bytes(size_of(of), seed);
  copy.srcPtr = arrays_host_rows(of, bytes);
  copy.dstArray = array;
  copy.kind = cudaMemcpyHostToDevice;
  must(cudaMemcpy3D(&copy));
}

static void expect_array(cudaArray_t array, const arrays_shape *of, unsigned seed) {
  struct cudaMemcpy3DParms copy = arrays_copy(of);
  struct cudaChannelFormatDesc desc;
  struct cudaExtent extent;
  unsigned flags;
  copy.dstPtr = arrays_host_rows(of, seen);
  copy.srcArray = array;
  copy.kind = cudaMemcpyDeviceToHost;
  must(cudaMemcpy3D(&copy));
  fill_bytes(size_of(of), seed);
  ck_assert(memcmp(bytes, seen, size_of(of)) == 0);
  must(cudaArrayGetInfo(&desc, &extent, &flags, array));
  ck_assert_int_eq(desc.x, of->bits);
  ck_assert_int_eq(desc.w, of->channels == 4 ? of->bits : 0);
  ck_assert(extent.width == of->extent.width && extent.height == of->extent.height &&
            extent.depth == of->extent.depth);
  ck_assert_uint_eq(flags, of->flags);
}

struct cudaChannelFormatDesc arrays_format(const arrays_shape *of) {
  const int more = of->channels == 4 ? of->bits : 0;
  return (struct cudaChannelFormatDesc){ of->bits, more, more, more, cudaChannelFormatKindUnsigned };
}

void arrays_make_one(int i) {
  const struct cudaChannelFormatDesc desc = arrays_format(&arrays_shapes[i]);
  must(cudaMalloc3DArray(&arrays_all.arrays[i], &desc, arrays_shapes[i].extent, arrays_shapes[i].flags));
  arrays_write(arrays_all.arrays[i], &arrays_shapes[i], (unsigned)i);
}

/* ---- mipmapped arrays ------------------------------------------------------------------------------------ */

static arrays_shape shape_of_level(int level) {
  return (arrays_shape){ { 64 >> level, 32 >> level, 0 }, cudaArraySurfaceLoadStore, 32, 1 };
}

static bool tells_addresses(void) {
  bool takes = false;
  support_succeed(arrays_mapper->device->ops->memory.takes_addresses(arrays_mapper->device, &takes));
  return takes;
}

static void make_mipmap(void) {
  const arrays_shape first = shape_of_level(0);
  const struct cudaChannelFormatDesc desc = arrays_format(&first);
  must(cudaMallocMipmappedArray(&arrays_all.mipmap, &desc, first.extent, LEVELS, first.flags));
  for (int i = 0; i < LEVELS; i++) {
    const arrays_shape of = shape_of_level(i);
    must(cudaGetMipmappedArrayLevel(&arrays_all.levels[i], arrays_all.mipmap, (unsigned)i));
    arrays_write(arrays_all.levels[i], &of, 50 + (unsigned)i);
  }
}

static void expect_mipmap(void) {
  for (int i = 0; i < LEVELS; i++) {
    const arrays_shape of = shape_of_level(i);
    cudaArray_t level;
    must(cudaGetMipmappedArrayLevel(&level, arrays_all.mipmap, (unsigned)i));
    ck_assert_ptr_eq(level, arrays_all.levels[i]);
    expect_array(level, &of, 50 + (unsigned)i);
  }
}

/* ---- objects --------------------------------------------------------------------------------------------- */

static struct cudaTextureDesc how(void) {
  struct cudaTextureDesc desc;
  memset(&desc, 0, sizeof desc);
  desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeClamp;
  desc.borderColor[1] = 0.25f;
  desc.maxMipmapLevelClamp = 2;
  return desc;
}

static struct cudaResourceDesc over_array(cudaArray_t array) {
  struct cudaResourceDesc desc;
  memset(&desc, 0, sizeof desc);
  desc.resType = cudaResourceTypeArray;
  desc.res.array.array = array;
  return desc;
}

static struct cudaResourceDesc over_mipmap(void) {
  struct cudaResourceDesc desc = over_array(NULL);
  desc.resType = cudaResourceTypeMipmappedArray;
  desc.res.mipmap.mipmap = arrays_all.mipmap;
  return desc;
}

static struct cudaResourceDesc over_memory(void) {
  struct cudaResourceDesc desc = over_array(NULL);
  desc.resType = cudaResourceTypeLinear;
  desc.res.linear.devPtr = arrays_all.memory;
  desc.res.linear.desc = arrays_format(&arrays_shapes[0]);
  desc.res.linear.sizeInBytes = PITCH * ROWS;
  return desc;
}

static struct cudaResourceDesc over_rows(void) {
  struct cudaResourceDesc desc = over_array(NULL);
  desc.resType = cudaResourceTypePitch2D;
  desc.res.pitch2D.devPtr = arrays_all.memory;
  desc.res.pitch2D.desc = arrays_format(&arrays_shapes[0]);
  desc.res.pitch2D.width = 50;
  desc.res.pitch2D.height = ROWS;
  desc.res.pitch2D.pitchInBytes = PITCH;
  return desc;
}

static void make_texture(cudaTextureObject_t *texture, struct cudaResourceDesc resource) {
  const struct cudaTextureDesc desc = how();
  must(cudaCreateTextureObject(texture, &resource, &desc, NULL));
}

static void make_objects(void) {
  const struct cudaResourceDesc surface = over_array(arrays_all.arrays[1]);
  must(cudaMalloc((void **)&arrays_all.memory, PITCH * ROWS));
  must(cudaMemset(arrays_all.memory, 9, PITCH * ROWS));
  make_texture(&arrays_all.of_array, over_array(arrays_all.arrays[1]));
  make_texture(&arrays_all.of_memory, over_memory());
  make_texture(&arrays_all.of_rows, over_rows());
  if (arrays_all.mipmap != NULL)
    make_texture(&arrays_all.of_mipmap, over_mipmap());
  must(cudaCreateSurfaceObject(&arrays_all.surface, &surface));
}

static void expect_texture(cudaTextureObject_t texture, struct cudaResourceDesc expected) {
  const struct cudaTextureDesc of = how();
  struct cudaResourceDesc resource;
  struct cudaTextureDesc desc;
  memset(&resource, 0, sizeof resource);
  must(cudaGetTextureObjectResourceDesc(&resource, texture));
  ck_assert(memcmp(&resource, &expected, 64) == 0);
  must(cudaGetTextureObjectTextureDesc(&desc, texture));
  ck_assert(memcmp(&desc, &of, sizeof desc) == 0);
}

/* Kernels find it by its handle, as large as what it is of. */
static void expect_entry(uint64_t handle, bool is_surface, uint32_t width, uint32_t height) {
  const vptr__texel_table *texels = &arrays_mapper->texel_table;
  const uint32_t slot = 2 * (uint32_t)handle + is_surface;
  if (!tells_addresses())
    return;
  ck_assert_uint_lt(slot, texels->count);
  const vptr__texel_entry *entry = &texels->entries[slot];
  ck_assert_uint_eq(entry->generation, handle >> 32);
  ck_assert_uint_ne(entry->address, 0);
  ck_assert_uint_eq(entry->width, width);
  ck_assert_uint_eq(entry->height, height);
}

static void expect_entries(void) {
  expect_entry(arrays_all.of_array, false, (uint32_t)arrays_shapes[1].extent.width,
               (uint32_t)arrays_shapes[1].extent.height);
  expect_entry(arrays_all.of_memory, false, PITCH * ROWS / 4, 1);
  expect_entry(arrays_all.of_rows, false, 50, ROWS);
  expect_entry(arrays_all.of_mipmap, false, (uint32_t)shape_of_level(0).extent.width,
               (uint32_t)shape_of_level(0).extent.height);
  expect_entry(arrays_all.surface, true, (uint32_t)arrays_shapes[1].extent.width,
               (uint32_t)arrays_shapes[1].extent.height);
}

static void expect_objects(void) {
  struct cudaResourceDesc resource;
  unsigned char last = 0;
  expect_entries();
  expect_texture(arrays_all.of_array, over_array(arrays_all.arrays[1]));
  expect_texture(arrays_all.of_memory, over_memory());
  expect_texture(arrays_all.of_rows, over_rows());
  if (arrays_all.mipmap != NULL)
    expect_texture(arrays_all.of_mipmap, over_mipmap());
  must(cudaGetSurfaceObjectResourceDesc(&resource, arrays_all.surface));
  ck_assert_ptr_eq(resource.res.array.array, arrays_all.arrays[1]);
  must(cudaMemcpy(&last, arrays_all.memory + PITCH * ROWS - 1, 1, cudaMemcpyDeviceToHost));
  ck_assert_uint_eq(last, 9);
}

/* ---- all of it ------------------------------------------------------------------------------------------- */

void arrays_make(bool with_large) {
  memset(&arrays_all, 0, sizeof arrays_all);
  for (int i = 0; i < (with_large ? ARRAYS_COUNT : ARRAYS_LARGE); i++)
    arrays_make_one(i);
  if (tells_addresses())
    make_mipmap();
  make_objects();
}

void arrays_expect(void) {
  for (int i = 0; i < ARRAYS_COUNT; i++)
    if (arrays_all.arrays[i] != NULL)
      expect_array(arrays_all.arrays[i], &arrays_shapes[i], (unsigned)i);
  if (arrays_all.mipmap != NULL)
    expect_mipmap();
  expect_objects();
}

/* Handles are none any more. */
void arrays_release(void) {
  struct cudaExtent extent;
  must(cudaDestroyTextureObject(arrays_all.of_array));
  must(cudaDestroyTextureObject(arrays_all.of_memory));
  must(cudaDestroyTextureObject(arrays_all.of_rows));
  must(cudaDestroyTextureObject(arrays_all.of_mipmap));
  must(cudaDestroySurfaceObject(arrays_all.surface));
  for (int i = 0; i < ARRAYS_COUNT; i++)
    must(cudaFreeArray(arrays_all.arrays[i]));
  must(cudaFreeMipmappedArray(arrays_all.mipmap));
  must(cudaFree(arrays_all.memory));
  ck_assert_int_ne(cudaArrayGetInfo(NULL, &extent, NULL, arrays_all.arrays[0]), cudaSuccess);
  ck_assert_int_ne(cudaDestroySurfaceObject(arrays_all.surface), cudaSuccess);
}

/* Little of it: a call fails in every position. */
void arrays_make_some(void) {
  memset(&arrays_all, 0, sizeof arrays_all);
  arrays_make_one(1);
  arrays_make_one(2);
  if (tells_addresses())
    make_mipmap();
  make_objects();
}

/* What was in the memory before is another content. */
void arrays_spoil(void) {
  arrays_make(true);
  for (int i = 0; i < ARRAYS_COUNT; i++) {
    struct cudaMemcpy3DParms copy = arrays_copy(&arrays_shapes[i]);
    memset(bytes, 0xee, sizeof bytes);
    copy.srcPtr = arrays_host_rows(&arrays_shapes[i], bytes);
    copy.dstArray = arrays_all.arrays[i];
    copy.kind = cudaMemcpyHostToDevice;
    must(cudaMemcpy3D(&copy));
  }
  arrays_release();
}
