/* SPDX-License-Identifier: MIT */
/*
 * opencl_image - OpenCL images: making them, and commands that move their elements without waiting.
 *
 * Outside, an array of one-dimensional layers has its layers as slices, like every other; OpenCL puts them where rows
 * are elsewhere. Here, and nowhere else, the two are converted.
 *
 * Drivers do not all have all of OpenCL there. NVIDIA's (580) moves such layers from and to the host and to each
 * other, but between a buffer and them it refuses every region beyond the first layer, and so it does with several
 * layers between them and any other kind of image. PoCL (3.1) takes all of it. What is refused goes in steps:
 *
 *     buffer, layers of one row      through a two-dimensional image, whose rows are the layers: one command for it and
 *                                    the buffer, and one for each layer
 *     images of two kinds            slice by slice
 *
 * A device that refused the first once is not asked again. Each step waits for the one before, so that the event of
 * the last fails if any does.
 *
 * Like a buffer an image is committed when it is made, by writing its first element, so that a full device says so
 * then, and in the host's memory it is found at once (CL_MEM_ALLOC_HOST_PTR), since PoCL ends the process where it
 * finds none later. Its bytes are checked against the device's, but not counted with those of buffers: how many an
 * image takes is the driver's secret.
 *
 * Arrays of CUDA's are plain images (plain_image.h) where kernels take addresses. Few CPU devices have images of two
 * channels: such an image becomes a plain one, too.
 *
 * No locks: the queues are the driver's to guard, an image is its caller's, and what a device once refused is an atomic
 * of vptr__opencl (`detours_layers`). Called through the device's table (opencl.c) by cudart/image/image.c,
 * cudart/cuda/array_content.c, array_copy.c, proxy_copy.c, proxy_image.c, proxy_move.c, proxy_plan.c and
 * proxy_stock.c. Making an image waits for its first element; moves do not wait.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateSampler: its successor is missing before 2.0 */

#include "device/opencl.h"

#include "base/error.h"
#include "device/plain_image.h"

/* Origins and regions as OpenCL wants them. */
typedef struct image_rect {
  size_t origin[3], region[3];
} image_rect;

static image_rect rect_of(const vptr__image *image, const size_t origin[3], const size_t region[3]) {
  image_rect rect = { { origin[0], origin[1], origin[2] }, { region[0], region[1], region[2] } };
  if (image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
    rect.origin[1] = origin[2];
    rect.region[1] = region[2];
    rect.origin[2] = 0;
    rect.region[2] = 1;
  }
  return rect;
}

/* OpenCL takes a distance of slices only where there are any. Layers of one row have no other distance than that, and
 * drivers differ in where they look for it (PoCL where rows have theirs). */
static size_t row_of(const vptr__image *image, size_t row, size_t slice) {
  return image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
}

static size_t slice_of(const vptr__image *image, size_t slice) {
  switch (image->type) {
  case CL_MEM_OBJECT_IMAGE3D:
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return slice;
  default:
    return 0;
  }
}

/* ---- making --------------------------------------------------------------------------------------------- */

static cl_image_desc desc_of(const vptr__image *image) {
  cl_image_desc desc = { .image_type = image->type, .image_width = image->extent[0] };
  if (image->type != CL_MEM_OBJECT_IMAGE1D && image->type != CL_MEM_OBJECT_IMAGE1D_ARRAY &&
      image->type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
    desc.image_height = image->extent[1];
  if (image->type == CL_MEM_OBJECT_IMAGE3D)
    desc.image_depth = image->extent[2];
  if (image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY || image->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
    desc.image_array_size = image->extent[2];
  if (image->buffer != NULL) {
    desc.buffer = image->buffer;
    desc.image_row_pitch = image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? 0 : image->row;
  }
  return desc;
}

/* Bytes of all elements; false if they are more than a size_t can say. */
static bool bytes_of(const vptr__image *image, size_t *bytes_out) {
  size_t bytes = image->element;
  for (int i = 0; i < 3; i++)
    if (__builtin_mul_overflow(bytes, image->extent[i], &bytes))
      return false;
  *bytes_out = bytes;
  return true;
}

static vptr_status refuse_image(const vptr__device *device, const vptr__image *image, cl_int code, size_t bytes) {
  const size_t *extent = image->extent;
  switch (code) {
  case CL_IMAGE_FORMAT_NOT_SUPPORTED:
  case CL_INVALID_IMAGE_FORMAT_DESCRIPTOR:
    return vptr__error(
        VPTR_ERROR_UNSUPPORTED,
        "%s has no images of channel order 0x%x and type 0x%x in this shape; four channels, or 32 bits "
        "each, may do",
        device->name, (unsigned)image->format.image_channel_order, (unsigned)image->format.image_channel_data_type);
  case CL_INVALID_MEM_OBJECT: /* an image over a sub-buffer, on PoCL */
  case CL_INVALID_OPERATION:
  case CL_INVALID_IMAGE_DESCRIPTOR:
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s has no images of this kind (0x%x, %zux%zux%zu%s)", device->name,
                       (unsigned)image->type, extent[0], extent[1], extent[2],
                       image->buffer != NULL ? ", over a buffer" : "");
  case CL_INVALID_IMAGE_SIZE:
    return vptr__error(VPTR_ERROR_INVALID_SIZE,
                       "%s takes no image of %zux%zux%zu elements; see clinfo for its limits", device->name,
                       extent[0], extent[1], extent[2]);
  default:
    return vptr__device_refuse(device, code, bytes);
  }
}

/* Drivers tell that an image is too large by different codes, so the question is asked before. */
static bool over_buffer_fits(const vptr__device *device, const vptr__image *image) {
  size_t most = 0;
  cl_uint pitch = 0;
  if (image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    return clGetDeviceInfo(device->cl_device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof most, &most, NULL) ==
               CL_SUCCESS &&
           image->extent[0] <= most;
  return clGetDeviceInfo(device->cl_device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof pitch, &pitch, NULL) ==
             CL_SUCCESS &&
         pitch > 0 && image->row % (pitch * image->element) == 0;
}

static cl_int commit_image(vptr__opencl *opencl, cl_mem image) {
  const unsigned char element[16] = { 0 };
  const size_t origin[3] = { 0, 0, 0 }, region[3] = { 1, 1, 1 };
  return clEnqueueWriteImage(opencl->service, image, CL_TRUE, origin, region, 0, 0, element, 0, NULL, NULL);
}

static cl_int create_image(const vptr__device *device, const vptr__image *image, cl_mem *memory_out) {
  const cl_image_desc desc = desc_of(image);
  cl_mem_flags flags = image->buffer != NULL ? 0 : CL_MEM_READ_WRITE;
  if (image->buffer == NULL && device->host_unified)
    flags |= CL_MEM_ALLOC_HOST_PTR;
  cl_int code;
  *memory_out = clCreateImage(device->cl_context, flags, &image->format, &desc, NULL, &code);
  return code;
}

/* Two channels are the one format of CUDA's that OpenCL does not ask of every device; PoCL says that the kind of
 * image is not there, of which it has others. */
static bool may_be_plain(const vptr__image *image, cl_int code) {
  bool is_refused = code == CL_IMAGE_FORMAT_NOT_SUPPORTED || code == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR ||
                    code == CL_INVALID_IMAGE_DESCRIPTOR || code == CL_INVALID_OPERATION;
  return is_refused && image->buffer == NULL && image->format.image_channel_order == CL_RG;
}

vptr_status vptr__opencl_image_create(vptr__device *device, vptr__image *image) {
  size_t bytes;
  if (!bytes_of(image, &bytes))
    return refuse_image(device, image, CL_INVALID_IMAGE_SIZE, 0);
  vptr_status status = image->buffer == NULL ? vptr__device_check_size(device, bytes) : VPTR_SUCCESS;
  if (status != VPTR_SUCCESS)
    return status;
  if (image->buffer != NULL && !over_buffer_fits(device, image))
    return refuse_image(device, image, CL_INVALID_OPERATION, bytes);
  if (image->plain)
    return device->ops->memory.create(device, bytes, &image->memory);
  cl_mem memory;
  cl_int code = create_image(device, image, &memory);
  image->plain = may_be_plain(image, code);
  if (image->plain)
    return device->ops->memory.create(device, bytes, &image->memory);
  if (code != CL_SUCCESS)
    return refuse_image(device, image, code, bytes);
  code = image->buffer == NULL ? commit_image(vptr__opencl_of(device), memory) : CL_SUCCESS;
  if (code != CL_SUCCESS) {
    clReleaseMemObject(memory);
    return refuse_image(device, image, code, bytes);
  }
  image->memory = memory;
  return VPTR_SUCCESS;
}

vptr_status vptr__opencl_sampler_create(vptr__device *device, const vptr__sampler *what, cl_sampler *sampler_out) {
  cl_int code;
  cl_sampler sampler = clCreateSampler(device->cl_context, what->normalized ? CL_TRUE : CL_FALSE, what->addressing,
                                       what->filter, &code);
  if (code == CL_INVALID_OPERATION)
    return vptr__error(VPTR_ERROR_UNSUPPORTED, "%s has no images, and so no samplers", device->name);
  if (code != CL_SUCCESS)
    return vptr__error_cl(code, "making a sampler on %s", device->name);
  *sampler_out = sampler;
  return VPTR_SUCCESS;
}

void vptr__opencl_sampler_release(vptr__device *device, cl_sampler sampler) {
  (void)device;
  clReleaseSampler(sampler);
}

/* ---- steps ---------------------------------------------------------------------------------------------- */

/* A command's event takes the place of the one that it waited for. */
static cl_int step_on(cl_int code, cl_event next, cl_event *last) {
  if (code != CL_SUCCESS)
    return code;
  if (*last != NULL)
    clReleaseEvent(*last);
  *last = next;
  return CL_SUCCESS;
}

static cl_uint wait_count_of(const cl_event *last) {
  return *last != NULL ? 1 : 0;
}

static const cl_event *wait_list_of(const cl_event *last) {
  return *last != NULL ? last : NULL;
}

static cl_int copy_behind(cl_command_queue queue, const vptr__image *from, const size_t from_origin[3],
                          const vptr__image *to, const size_t to_origin[3], const size_t region[3], cl_event *last) {
  const image_rect source = rect_of(from, from_origin, region), target = rect_of(to, to_origin, region);
  cl_event next = NULL;
  cl_int code = clEnqueueCopyImage(queue, from->memory, to->memory, source.origin, target.origin, source.region,
                                   wait_count_of(last), wait_list_of(last), &next);
  return step_on(code, next, last);
}

static cl_int copy_slices(cl_command_queue queue, const vptr__image *from, const size_t from_origin[3],
                          const vptr__image *to, const size_t to_origin[3], const size_t region[3], cl_event *last) {
  const size_t slice[3] = { region[0], region[1], 1 };
  cl_int code = CL_SUCCESS;
  for (size_t z = 0; z < region[2] && code == CL_SUCCESS; z++) {
    const size_t from_at[3] = { from_origin[0], from_origin[1], from_origin[2] + z };
    const size_t to_at[3] = { to_origin[0], to_origin[1], to_origin[2] + z };
    code = copy_behind(queue, from, from_at, to, to_at, slice, last);
  }
  return code;
}

/* Where a buffer lies beside an image, and which way the elements go. */
typedef struct packed_copy {
  cl_mem buffer;
  size_t offset;
  bool to_image;
} packed_copy;

static cl_int pack_behind(cl_command_queue queue, const packed_copy *packed, const vptr__image *image,
                          const size_t origin[3], const size_t region[3], cl_event *last) {
  const image_rect rect = rect_of(image, origin, region);
  cl_event next = NULL;
  cl_int code;
  if (packed->to_image)
    code = clEnqueueCopyBufferToImage(queue, packed->buffer, image->memory, packed->offset, rect.origin, rect.region,
                                      wait_count_of(last), wait_list_of(last), &next);
  else
    code = clEnqueueCopyImageToBuffer(queue, image->memory, packed->buffer, rect.origin, rect.region, packed->offset,
                                      wait_count_of(last), wait_list_of(last), &next);
  return step_on(code, next, last);
}

/* Between the layers of a region and the rows of an image that has as many. */
static cl_int flatten_layers(cl_command_queue queue, const vptr__image *layers, const size_t origin[3],
                             const vptr__image *flat, bool to_layers, const size_t region[3], cl_event *last) {
  const size_t line[3] = { region[0], 1, 1 };
  cl_int code = CL_SUCCESS;
  for (size_t z = 0; z < region[2] && code == CL_SUCCESS; z++) {
    const size_t row[3] = { 0, z, 0 }, layer[3] = { origin[0], 0, origin[2] + z };
    code = to_layers ? copy_behind(queue, flat, row, layers, layer, line, last)
                     : copy_behind(queue, layers, layer, flat, row, line, last);
  }
  return code;
}

/* The driver keeps the image in between until the commands are done with it. */
static cl_int pack_by_detour(vptr__device *device, cl_command_queue queue, const packed_copy *packed,
                             const vptr__image *layers, const size_t origin[3], const size_t region[3],
                             cl_event *last) {
  const size_t start[3] = { 0, 0, 0 }, rows[3] = { region[0], region[2], 1 };
  vptr__image flat = { .type = CL_MEM_OBJECT_IMAGE2D, .format = layers->format, .element = layers->element };
  flat.extent[0] = rows[0];
  flat.extent[1] = rows[1];
  flat.extent[2] = 1;
  cl_int code = create_image(device, &flat, &flat.memory);
  if (code != CL_SUCCESS)
    return code;
  if (packed->to_image)
    code = pack_behind(queue, packed, &flat, start, rows, last);
  if (code == CL_SUCCESS)
    code = flatten_layers(queue, layers, origin, &flat, packed->to_image, region, last);
  if (code == CL_SUCCESS && !packed->to_image)
    code = pack_behind(queue, packed, &flat, start, rows, last);
  clReleaseMemObject(flat.memory);
  return code;
}

static cl_int pack_region(vptr__device *device, cl_command_queue queue, const packed_copy *packed,
                          const vptr__image *image, const size_t origin[3], const size_t region[3], cl_event *last) {
  atomic_bool *detours = &vptr__opencl_of(device)->detours_layers;
  bool is_layers = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  cl_int code = CL_INVALID_VALUE;
  if (!is_layers || !atomic_load(detours))
    code = pack_behind(queue, packed, image, origin, region, last);
  if (code != CL_INVALID_VALUE || !is_layers)
    return code;
  code = pack_by_detour(device, queue, packed, image, origin, region, last);
  if (code == CL_SUCCESS)
    atomic_store(detours, true);
  return code;
}

/* ---- moving --------------------------------------------------------------------------------------------- */

static vptr_status image_status(cl_int code, const char *what, const size_t region[3]) {
  return code == CL_SUCCESS ? VPTR_SUCCESS
                            : vptr__error_cl(code, "queueing a %s of %zux%zux%zu elements of an image", what,
                                             region[0], region[1], region[2]);
}

vptr_status vptr__opencl_enqueue_image_write(vptr__device *device, cl_command_queue queue, const vptr__image *to,
                                             const size_t origin[3], const size_t region[3], const void *from,
                                             size_t from_row, size_t from_slice, cl_event *event_out) {
  if (to->plain)
    return vptr__plain_image_write(device, queue, to, origin, region, from, from_row, from_slice, event_out);
  const image_rect rect = rect_of(to, origin, region);
  cl_int code =
      clEnqueueWriteImage(queue, to->memory, CL_FALSE, rect.origin, rect.region, row_of(to, from_row, from_slice),
                          slice_of(to, from_slice), from, 0, NULL, event_out);
  return image_status(code, "write", region);
}

vptr_status vptr__opencl_enqueue_image_read(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                            const size_t origin[3], const size_t region[3], void *to, size_t to_row,
                                            size_t to_slice, cl_event *event_out) {
  if (from->plain)
    return vptr__plain_image_read(device, queue, from, origin, region, to, to_row, to_slice, event_out);
  const image_rect rect = rect_of(from, origin, region);
  cl_int code = clEnqueueReadImage(queue, from->memory, CL_FALSE, rect.origin, rect.region,
                                   row_of(from, to_row, to_slice), slice_of(from, to_slice), to, 0, NULL, event_out);
  return image_status(code, "read", region);
}

/* The event of the last step is handed out, or let go of. */
static vptr_status answer_last(cl_int code, cl_event last, const char *what, const size_t region[3],
                               cl_event *event_out) {
  if (code == CL_SUCCESS && event_out != NULL)
    *event_out = last;
  else if (last != NULL)
    clReleaseEvent(last);
  return image_status(code, what, region);
}

/* Layers of one row and others take a region in two ways, and a driver that does not refuse may mean a third. */
vptr_status vptr__opencl_enqueue_image_copy(vptr__device *device, cl_command_queue queue, const vptr__image *from,
                                            const size_t from_origin[3], const vptr__image *to,
                                            const size_t to_origin[3], const size_t region[3], cl_event *event_out) {
  if (to->plain)
    return vptr__plain_image_copy(device, queue, from, from_origin, to, to_origin, region, event_out);
  cl_event last = NULL;
  cl_int code = CL_INVALID_VALUE;
  bool differ = (from->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) != (to->type == CL_MEM_OBJECT_IMAGE1D_ARRAY);
  if (!differ)
    code = copy_behind(queue, from, from_origin, to, to_origin, region, &last);
  if (code == CL_INVALID_VALUE && (differ || region[2] > 1))
    code = copy_slices(queue, from, from_origin, to, to_origin, region, &last);
  return answer_last(code, last, "copy", region, event_out);
}

vptr_status vptr__opencl_enqueue_image_from_buffer(vptr__device *device, cl_command_queue queue, cl_mem from,
                                                   size_t offset, const vptr__image *to, const size_t origin[3],
                                                   const size_t region[3], cl_event *event_out) {
  if (to->plain)
    return vptr__plain_image_from_buffer(device, queue, from, offset, to, origin, region, event_out);
  const packed_copy packed = { from, offset, true };
  cl_event last = NULL;
  cl_int code = pack_region(device, queue, &packed, to, origin, region, &last);
  return answer_last(code, last, "copy from a buffer", region, event_out);
}

vptr_status vptr__opencl_enqueue_image_to_buffer(vptr__device *device, cl_command_queue queue,
                                                 const vptr__image *from, const size_t origin[3],
                                                 const size_t region[3], cl_mem to, size_t offset,
                                                 cl_event *event_out) {
  if (from->plain)
    return vptr__plain_image_to_buffer(device, queue, from, origin, region, to, offset, event_out);
  const packed_copy packed = { to, offset, false };
  cl_event last = NULL;
  cl_int code = pack_region(device, queue, &packed, from, origin, region, &last);
  return answer_last(code, last, "copy to a buffer", region, event_out);
}
