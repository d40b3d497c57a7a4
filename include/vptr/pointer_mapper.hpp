/* SPDX-License-Identifier: MIT */
/*
 * pointer_mapper.hpp - virtual device pointers for C++ (11 and later), with the names of the SYCL vptr.
 *
 * Programs were ported to SYCL 1.2.1 by a header of ComputeCpp's SDK, whose PointerMapper gives numbers that stand for
 * SYCL buffers. This header has that interface on vptr.h, over OpenCL buffers, and forms that free by themselves beside
 * it. It is a header alone: link with libvptr (`pkg-config --cflags --libs vptr`). doc/porting.md says what differs.
 *
 *     vptr::PointerMapper mapper;
 *     float *a = static_cast<float *>(vptr::SYCLmalloc(100 * sizeof(float), mapper));
 *     mapper.get_access<vptr::access::mode::read_write>(a + 5, kernel, 0);         an argument of an OpenCL kernel
 *     clEnqueueNDRangeKernel(mapper.get_queue(), kernel, ...);
 *     float first = mapper.get_access<vptr::access::mode::read, vptr::access::target::host_buffer, float>(a)[0];
 *     vptr::SYCLfree(a, mapper);
 *
 * Errors are exceptions. An address that stands for no live allocation is an address_error, which is a
 * std::out_of_range; everything else that vptr refuses is an error, which is a std::runtime_error. Both have the status,
 * and what() is the sentence of vptr_last_error().
 *
 * Thread-safe as vptr.h is: a mapper may be used by any thread at any time; one object of the other classes by one
 * thread at a time. Sizes are bytes, unless the text says elements. Calls block as those of vptr.h that they name.
 */
#ifndef VPTR_POINTER_MAPPER_HPP
#define VPTR_POINTER_MAPPER_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <vptr/vptr.h>

namespace vptr {

/* ---- errors --------------------------------------------------------------------------------------------- */

/* What vptr refused, or OpenCL. */
class error : public std::runtime_error {
public:
  error(vptr_status status, const char *sentence, cl_int code = CL_SUCCESS)
      : std::runtime_error(sentence), status_(status), code_(code) {}
  vptr_status status() const noexcept { return status_; }
  cl_int cl_error() const noexcept { return code_; } /* OpenCL's code, if that is behind it */

private:
  vptr_status status_;
  cl_int code_;
};

/* An address that stands for no live allocation of the mapper, or not for the start of one where that is asked for. */
class address_error : public std::out_of_range {
public:
  address_error(vptr_status status, const char *sentence) : std::out_of_range(sentence), status_(status) {}
  vptr_status status() const noexcept { return status_; }

private:
  vptr_status status_;
};

namespace detail {

inline bool is_about_an_address(vptr_status status) noexcept {
  return status >= VPTR_ERROR_NULL_POINTER && status <= VPTR_ERROR_INTERIOR;
}

/* Throws if a call of vptr's failed. */
inline void require(vptr_status status) {
  if (status == VPTR_SUCCESS)
    return;
  if (is_about_an_address(status))
    throw address_error(status, vptr_last_error());
  throw error(status, vptr_last_error(), status == VPTR_ERROR_OPENCL ? vptr_last_cl_error() : CL_SUCCESS);
}

inline vptr_location resolve(vptr_mapper *mapper, const void *ptr, std::size_t need = 1) {
  vptr_location location;
  require(vptr_resolve(mapper, ptr, need, &location));
  return location;
}

/* What the copies of a host accessor share. */
struct mapping {
  explicit mapping(vptr_mapper *of) : mapper(of), host(nullptr), bytes(0) {}
  mapping(const mapping &) = delete;
  mapping &operator=(const mapping &) = delete;
  ~mapping() { (void)vptr_unmap(mapper, host); }

  void end() {
    require(vptr_unmap(mapper, host));
    host = nullptr;
    bytes = 0;
  }

  vptr_mapper *mapper;
  void *host;
  std::size_t bytes;
};

} // namespace detail

/* ---- access --------------------------------------------------------------------------------------------- */

namespace access {

/* What is done with memory. The discard modes promise to write before reading: nothing is copied in. */
enum class mode {
  read = VPTR_ACCESS_READ,
  write = VPTR_ACCESS_WRITE,
  read_write = VPTR_ACCESS_READ_WRITE,
  discard_write = VPTR_ACCESS_DISCARD_WRITE,
  discard_read_write = VPTR_ACCESS_DISCARD_READ_WRITE
};

/* By whom: kernels, or the host. */
enum class target { global_buffer, host_buffer };

} // namespace access

typedef std::uint8_t buffer_data_type_t;

/* Memory of an allocation that the host reads and writes, until the last copy of the accessor ends. While one lives,
 * device work must not touch the allocation, and it cannot be freed (VPTR_ERROR_MAPPED). What was written is on the
 * device when the last copy has ended; release() says if that failed, a destructor cannot. */
template <typename T, access::mode Mode = access::mode::read_write> class host_accessor {
public:
  typedef typename std::conditional<Mode == access::mode::read, const T, T>::type value_type;

  /* Of all elements from ptr to the end of its allocation. Errors: those of vptr_map(). */
  host_accessor(vptr_mapper *mapper, const void *ptr) : mapping_(std::make_shared<detail::mapping>(mapper)) {
    vptr_location location = detail::resolve(mapper, ptr);
    char *first = static_cast<char *>(location.base) + location.offset;
    mapping_->bytes = location.size - location.offset;
    detail::require(vptr_map(mapper, first, mapping_->bytes, static_cast<vptr_access>(Mode), &mapping_->host));
  }

  value_type &operator[](std::size_t index) const { return get_pointer()[index]; }
  value_type *get_pointer() const noexcept { return static_cast<value_type *>(mapping_->host); }
  std::size_t get_count() const noexcept { return mapping_->bytes / sizeof(T); } /* elements */
  std::size_t get_size() const noexcept { return get_count() * sizeof(T); }
  value_type *begin() const noexcept { return get_pointer(); }
  value_type *end() const noexcept { return get_pointer() + get_count(); }

  /* Ends the access now, of this accessor and its copies: their pointer is nullptr then. Errors: those of vptr_unmap();
   * the access is still open then. */
  void release() { mapping_->end(); }

private:
  std::shared_ptr<detail::mapping> mapping_;
};

/* Where an address lies for OpenCL: a buffer, retained by the accessor and its copies, and an offset. */
template <typename T, access::mode Mode = access::mode::read_write> class device_accessor {
public:
  /* Errors: those of vptr_retain_buffer(). */
  device_accessor(vptr_mapper *mapper, const void *ptr) : mapper_(mapper), ptr_(ptr), offset_(0), count_(0) {
    vptr_location location = detail::resolve(mapper, ptr);
    cl_mem buffer = nullptr;
    detail::require(vptr_retain_buffer(mapper, ptr, &buffer, &offset_));
    buffer_.reset(buffer, clReleaseMemObject);
    count_ = (location.size - location.offset) / sizeof(T);
  }

  cl_mem get_buffer() const noexcept { return buffer_.get(); } /* of which the allocation is a part, or all */
  std::size_t get_offset() const noexcept { return offset_; }  /* of the address in it */
  std::size_t get_count() const noexcept { return count_; }    /* elements from the address to the allocation's end */

  /* Makes the address an argument of a kernel, `__global T *`; vptr_set_kernel_arg(). */
  void set_arg(cl_kernel kernel, cl_uint index) const {
    detail::require(vptr_set_kernel_arg(mapper_, kernel, index, ptr_));
  }

  /* The same as two arguments, buffer and offset, for devices that take no addresses; vptr_set_kernel_arg_pair(). */
  void set_arg_pair(cl_kernel kernel, cl_uint index) const {
    detail::require(vptr_set_kernel_arg_pair(mapper_, kernel, index, ptr_));
  }

private:
  vptr_mapper *mapper_;
  const void *ptr_;
  std::shared_ptr<std::remove_pointer<cl_mem>::type> buffer_;
  std::size_t offset_, count_;
};

/* The accessor of a target. */
template <typename T, access::mode Mode, access::target Target> struct accessor_of {
  typedef device_accessor<T, Mode> type;
};
template <typename T, access::mode Mode> struct accessor_of<T, Mode, access::target::host_buffer> {
  typedef host_accessor<T, Mode> type;
};
template <typename T, access::mode Mode = access::mode::read_write,
          access::target Target = access::target::global_buffer>
using accessor = typename accessor_of<T, Mode, Target>::type;

/* The OpenCL buffer whose first byte is that of an allocation. Copies share it, and it outlives the allocation. */
template <typename T = buffer_data_type_t> class buffer {
public:
  /* Errors: those of vptr_resolve(); UNSUPPORTED on the fake device, which has no OpenCL buffers. */
  buffer(vptr_mapper *mapper, const void *ptr) : mapper_(mapper), base_(nullptr), size_(0) {
    vptr_location location = detail::resolve(mapper, ptr);
    if (vptr_get_context(mapper) == nullptr)
      throw error(VPTR_ERROR_UNSUPPORTED, "vptr::buffer: the fake device has no OpenCL buffers");
    cl_mem memory = vptr_get_buffer(mapper, location.base);
    if (memory == nullptr)
      throw error(VPTR_ERROR_OPENCL, vptr_last_error(), vptr_last_cl_error());
    clRetainMemObject(memory);
    memory_.reset(memory, clReleaseMemObject);
    base_ = location.base;
    size_ = location.size;
  }

  cl_mem get() const noexcept { return memory_.get(); }
  std::size_t get_size() const noexcept { return size_; }
  std::size_t get_count() const noexcept { return size_ / sizeof(T); } /* elements */
  bool operator==(const buffer &other) const noexcept { return memory_ == other.memory_ || get() == other.get(); }
  bool operator!=(const buffer &other) const noexcept { return !(*this == other); }

  /* All of the allocation, for the host or for a kernel, as long as the allocation lives. */
  template <access::mode Mode = access::mode::read_write, access::target Target = access::target::host_buffer>
  accessor<T, Mode, Target> get_access() const {
    return accessor<T, Mode, Target>(mapper_, base_);
  }

private:
  vptr_mapper *mapper_;
  void *base_;
  std::size_t size_;
  std::shared_ptr<std::remove_pointer<cl_mem>::type> memory_;
};

/* ---- the mapper ----------------------------------------------------------------------------------------- */

/* Associates virtual device pointers with OpenCL buffers: a vptr_mapper with the SYCL vptr's names. */
class PointerMapper {
public:
  typedef std::uintptr_t base_ptr_t;

  /* An address, as a number. */
  struct virtual_pointer_t {
    base_ptr_t m_contents;

    virtual_pointer_t(const void *ptr) : m_contents(reinterpret_cast<base_ptr_t>(ptr)) {}
    virtual_pointer_t(base_ptr_t number) : m_contents(number) {}
    operator void *() const { return reinterpret_cast<void *>(m_contents); }
    operator base_ptr_t() const { return m_contents; }
    virtual_pointer_t operator+(std::size_t bytes) const { return virtual_pointer_t(m_contents + bytes); }
    bool operator==(virtual_pointer_t other) const { return m_contents == other.m_contents; }
    bool operator!=(virtual_pointer_t other) const { return m_contents != other.m_contents; }
    bool operator<(virtual_pointer_t other) const { return m_contents < other.m_contents; }
    bool operator>(virtual_pointer_t other) const { return m_contents > other.m_contents; }
  };

  /* On the device that VPTR_PLATFORM and VPTR_DEVICE select. Blocks while the driver starts. Errors: those of
   * vptr_mapper_create(). */
  PointerMapper() : mapper_(nullptr), is_owner_(true) { create(nullptr); }

  /* The same; every allocation is aligned as `base` is, to 4,096 bytes at most. Where addresses begin is vptr's choice:
   * the SYCL vptr begins at base. Errors also: std::invalid_argument if base is 0. */
  explicit PointerMapper(base_ptr_t base) : mapper_(nullptr), is_owner_(true) {
    if (base == 0)
      throw std::invalid_argument("vptr::PointerMapper: the base address is 0, which is the null pointer's: give 4096");
    vptr_config config = VPTR_CONFIG_INIT;
    base_ptr_t alignment = base & (~base + 1);
    config.alignment = alignment < 4096 ? static_cast<std::size_t>(alignment) : 4096;
    create(&config);
  }

  /* With a context, a device, a queue, or a base address of the program's: vptr.h. */
  explicit PointerMapper(const vptr_config &config) : mapper_(nullptr), is_owner_(true) { create(&config); }

  /* A mapper that is the program's, and stays so; NULL: the default mapper, which the CUDA runtime's device 0 has too. */
  struct borrowed_t {};
  PointerMapper(borrowed_t, vptr_mapper *mapper) : mapper_(mapper), is_owner_(false) {}

  PointerMapper(const PointerMapper &) = delete;
  PointerMapper &operator=(const PointerMapper &) = delete;

  /* Waits for the work in flight, then frees all that a mapper of its own holds. */
  ~PointerMapper() {
    if (is_owner_)
      (void)vptr_mapper_destroy(mapper_);
  }

  /* The mapper for vptr.h's calls, its context, and the queue that kernels belong on. Borrowed. */
  vptr_mapper *native() const noexcept { return mapper_; }
  cl_context get_context() const { return vptr_get_context(mapper_); }
  cl_command_queue get_queue() const { return vptr_get_queue(mapper_); }

  static bool is_nullptr(virtual_pointer_t ptr) noexcept { return ptr.m_contents == 0; }

  /* Whether an address lies in a live allocation. */
  bool contains(virtual_pointer_t ptr) const {
    vptr_location location;
    return vptr_resolve(mapper_, ptr, 1, &location) == VPTR_SUCCESS;
  }

  /* The buffer of an address's allocation, from the allocation's start on. Errors: address_error. */
  template <typename T = buffer_data_type_t> buffer<T> get_buffer(virtual_pointer_t ptr) const {
    return buffer<T>(mapper_, ptr);
  }

  /* Bytes, or elements, from the start of the allocation to the address. Errors: address_error. */
  std::ptrdiff_t get_offset(virtual_pointer_t ptr) const {
    return static_cast<std::ptrdiff_t>(detail::resolve(mapper_, ptr).offset);
  }
  template <typename T> std::size_t get_element_offset(virtual_pointer_t ptr) const {
    return detail::resolve(mapper_, ptr).offset / sizeof(T);
  }

  /* All of an address's allocation, from its start on, as with the SYCL vptr. Errors: address_error, error. */
  template <access::mode Mode = access::mode::read_write, access::target Target = access::target::global_buffer,
            typename T = buffer_data_type_t>
  accessor<T, Mode, Target> get_access(virtual_pointer_t ptr) const {
    return accessor<T, Mode, Target>(mapper_, detail::resolve(mapper_, ptr).base);
  }

  /* The address itself as a kernel's argument, which is what a command group's handler is for in SYCL. */
  template <access::mode Mode = access::mode::read_write, typename T = buffer_data_type_t>
  device_accessor<T, Mode> get_access(virtual_pointer_t ptr, cl_kernel kernel, cl_uint index) const {
    device_accessor<T, Mode> made(mapper_, ptr);
    made.set_arg(kernel, index);
    return made;
  }

  /* Gives an existing buffer of the mapper's context an address; it is retained until remove_pointer(). */
  virtual_pointer_t add_pointer(cl_mem memory) {
    void *ptr = nullptr;
    detail::require(vptr_attach(mapper_, memory, &ptr));
    return virtual_pointer_t(ptr);
  }
  template <typename T> virtual_pointer_t add_pointer(const buffer<T> &memory) { return add_pointer(memory.get()); }

  /* Ends the allocation that begins at ptr; nullptr: nothing to do. With ReUse false its addresses are never issued
   * again. Errors: address_error, also for an address inside an allocation; error if the host has access to it. */
  template <bool ReUse = true> void remove_pointer(virtual_pointer_t ptr) {
    detail::require(ReUse ? vptr_free(mapper_, ptr) : vptr_free_no_reuse(mapper_, ptr));
  }

  /* Ends all allocations. Errors: error if the host has access to one. */
  void clear() { detail::require(vptr_clear(mapper_)); }

  /* The number of live allocations. */
  std::size_t count() const { return vptr_count(mapper_); }

private:
  void create(const vptr_config *config) { detail::require(vptr_mapper_create(config, &mapper_)); }

  vptr_mapper *mapper_;
  bool is_owner_;
};

/* size bytes of device memory; nullptr if size is 0. Errors: error. */
inline void *SYCLmalloc(std::size_t size, PointerMapper &mapper) {
  void *ptr = nullptr;
  detail::require(vptr_malloc(mapper.native(), size, &ptr));
  return ptr;
}

/* PointerMapper::remove_pointer() and clear(). */
template <bool ReUse = true> void SYCLfree(void *ptr, PointerMapper &mapper) {
  mapper.remove_pointer<ReUse>(ptr);
}
inline void SYCLfreeAll(PointerMapper &mapper) {
  mapper.clear();
}

/* ---- memory that frees itself --------------------------------------------------------------------------- */

/* Device memory for `size()` elements, freed with its owner. The mapper must live longer. Host accessors must have ended
 * before: memory that the host has access to is not freed, and a destructor cannot say so. */
template <typename T> class device_memory {
  static_assert(std::is_trivially_copyable<T>::value, "elements are copied between host and device as bytes");

public:
  device_memory() noexcept : mapper_(nullptr), ptr_(nullptr), count_(0) {}

  /* Contents are undefined. Errors: error. */
  device_memory(std::size_t count, PointerMapper &mapper) : mapper_(mapper.native()), ptr_(nullptr), count_(count) {
    if (count > SIZE_MAX / sizeof(T))
      throw error(VPTR_ERROR_INVALID_SIZE, ("vptr::device_memory: " + std::to_string(count) + " elements of " +
                                            std::to_string(sizeof(T)) + " bytes are more than a size_t holds").c_str());
    detail::require(vptr_malloc(mapper_, count * sizeof(T), &ptr_));
  }
  device_memory(device_memory &&other) noexcept : device_memory() { swap(other); }
  device_memory &operator=(device_memory &&other) noexcept {
    device_memory(std::move(other)).swap(*this);
    return *this;
  }
  device_memory(const device_memory &) = delete;
  device_memory &operator=(const device_memory &) = delete;
  ~device_memory() { (void)vptr_free(mapper_, ptr_); }

  T *get() const noexcept { return static_cast<T *>(ptr_); } /* an address that nobody may read */
  std::size_t size() const noexcept { return count_; }
  explicit operator bool() const noexcept { return ptr_ != nullptr; }

  /* The memory is the caller's to free from now on. */
  T *release() noexcept {
    T *released = get();
    ptr_ = nullptr;
    count_ = 0;
    return released;
  }
  void swap(device_memory &other) noexcept {
    std::swap(mapper_, other.mapper_);
    std::swap(ptr_, other.ptr_);
    std::swap(count_, other.count_);
  }

  /* Copies of count elements, from element `first` of this memory on; they block. Errors: address_error if that leaves
   * the memory, error. */
  void copy_from(const T *host, std::size_t count, std::size_t first = 0) {
    check_range(count, first);
    if (count > 0)
      detail::require(vptr_memcpy(mapper_, get() + first, host, count * sizeof(T)));
  }
  void copy_to(T *host, std::size_t count, std::size_t first = 0) const {
    check_range(count, first);
    if (count > 0)
      detail::require(vptr_memcpy(mapper_, host, get() + first, count * sizeof(T)));
  }

  /* All of it for the host. Errors: those of host_accessor. */
  template <access::mode Mode = access::mode::read_write> host_accessor<T, Mode> map() const {
    return host_accessor<T, Mode>(mapper_, ptr_);
  }

private:
  void check_range(std::size_t count, std::size_t first) const {
    if (first > count_ || count > count_ - first)
      throw address_error(VPTR_ERROR_OUT_OF_BOUNDS, ("vptr::device_memory: " + std::to_string(count) +
                                                     " elements from " + std::to_string(first) + " on leave the " +
                                                     std::to_string(count_) + " that there are").c_str());
  }

  vptr_mapper *mapper_;
  void *ptr_;
  std::size_t count_;
};

} // namespace vptr

#endif
