// SPDX-License-Identifier: MIT
//
// pointer_mapper - vptr/pointer_mapper.hpp: what the SYCL vptr's own tests ask of its interface (the case that frees an
// address inside an allocation is refused here), errors, and what frees itself. Kernels run where there is OpenCL.
#include <vptr/pointer_mapper.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

// As a ported program has it.
namespace cl {
namespace sycl {
namespace codeplay = ::vptr;
namespace access = ::vptr::access;
} // namespace sycl
} // namespace cl

using namespace cl::sycl::codeplay;
using mode = cl::sycl::access::mode;
using target = cl::sycl::access::target;

static int checks, failures;

#define EXPECT(condition)                                                                                             \
  (checks++, (condition) ? (void)0                                                                                    \
                         : (void)(failures++, std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

// What a statement throws: a status, or VPTR_SUCCESS if nothing.
template <typename Function> static vptr_status thrown_by(Function function) {
  try {
    function();
  } catch (const address_error &caught) {
    EXPECT(std::strlen(caught.what()) > 10);
    return caught.status();
  } catch (const error &caught) {
    EXPECT(std::strlen(caught.what()) > 10);
    return caught.status();
  }
  return VPTR_SUCCESS;
}

template <typename T> static T *allocate(std::size_t count, PointerMapper &mapper) {
  return static_cast<T *>(SYCLmalloc(count * sizeof(T), mapper));
}

// ---- kernels ---------------------------------------------------------------------------------------------------

static const char source[] = "__kernel void store_float(__global float *at, float value) { *at = value; }\n"
                             "__kernel void store_two(__global int *a, __global int *b) { *a = 1; *b = 2; }\n";

static cl_kernel make_kernel(const PointerMapper &mapper, const char *name) {
  const char *text = source;
  cl_program program = clCreateProgramWithSource(mapper.get_context(), 1, &text, nullptr, nullptr);
  EXPECT(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, name, nullptr);
  clReleaseProgram(program);
  EXPECT(kernel != nullptr);
  return kernel;
}

static void run_once(const PointerMapper &mapper, cl_kernel kernel) {
  const std::size_t one = 1;
  EXPECT(clEnqueueNDRangeKernel(mapper.get_queue(), kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr) ==
         CL_SUCCESS);
}

static bool has_kernels(const PointerMapper &mapper) {
  return mapper.get_context() != nullptr;
}

static void store_float(const PointerMapper &mapper, float *at, float value) {
  cl_kernel kernel = make_kernel(mapper, "store_float");
  mapper.get_access<mode::write>(at, kernel, 0);
  clSetKernelArg(kernel, 1, sizeof value, &value);
  run_once(mapper, kernel);
  clReleaseKernel(kernel);
}

// ---- pointer_mapper: basic, two buffers, reuse, no reuse, existing buffers, many ------------------------------------

static void one_allocation() {
  PointerMapper mapper;
  EXPECT(mapper.count() == 0);
  float *ptr = allocate<float>(100, mapper);
  EXPECT(ptr != nullptr && !PointerMapper::is_nullptr(ptr) && PointerMapper::is_nullptr(nullptr));
  EXPECT(mapper.count() == 1);
  if (has_kernels(mapper)) {
    auto buffer = mapper.get_buffer(ptr);
    EXPECT(buffer.get() != nullptr && buffer.get_size() == 100 * sizeof(float));
    store_float(mapper, ptr, 1.0f);
    EXPECT(mapper.get_buffer<float>(ptr).get_access<mode::read>()[0] == 1.0f);
  }
  SYCLfree(ptr, mapper);
  EXPECT(mapper.count() == 0);
  EXPECT(SYCLmalloc(0, mapper) == nullptr);
}

static void two_allocations() {
  PointerMapper mapper;
  int *a = allocate<int>(100, mapper), *b = allocate<int>(10, mapper);
  EXPECT(a != nullptr && b != nullptr && mapper.count() == 2);
  if (has_kernels(mapper)) {
    EXPECT(mapper.get_buffer(a) == mapper.get_buffer(a + 7) && mapper.get_buffer(a) != mapper.get_buffer(b));
    cl_kernel kernel = make_kernel(mapper, "store_two");
    mapper.get_access(a, kernel, 0);
    mapper.get_access(b, kernel, 1);
    run_once(mapper, kernel);
    clReleaseKernel(kernel);
    EXPECT((mapper.get_access<mode::read_write, target::host_buffer, int>(a)[0] == 1));
    EXPECT((mapper.get_access<mode::read_write, target::host_buffer, int>(b)[0] == 2));
  }
  EXPECT(mapper.count() == 2);
  SYCLfree(a, mapper);
  EXPECT(mapper.count() == 1);
  SYCLfree(b, mapper);
  EXPECT(mapper.count() == 0);
}

static void addresses_are_issued_again_unless_they_are_withheld() {
  PointerMapper mapper;
  int *first = allocate<int>(100, mapper), *between = allocate<int>(10, mapper), *last = allocate<int>(100, mapper);
  SYCLfree(between, mapper);
  EXPECT(mapper.count() == 2);
  int *again = allocate<int>(10, mapper);
  EXPECT(again == between && mapper.count() == 3);
  SYCLfree<false>(again, mapper);
  EXPECT(mapper.count() == 2);
  for (int i = 0; i < 100; i++)
    EXPECT(allocate<int>(10, mapper) != between);
  EXPECT(!mapper.contains(between) && mapper.contains(first) && mapper.contains(last));
  SYCLfreeAll(mapper);
  EXPECT(mapper.count() == 0);
}

static void existing_buffers_have_addresses() {
  PointerMapper mapper;
  if (!has_kernels(mapper))
    return;
  cl_mem large = clCreateBuffer(mapper.get_context(), CL_MEM_READ_WRITE, 400, nullptr, nullptr);
  int *initial = static_cast<int *>(static_cast<void *>(mapper.add_pointer(large)));
  clReleaseMemObject(large);
  int *own = allocate<int>(100, mapper);
  EXPECT(initial != nullptr && own != nullptr && mapper.count() == 2);
  void *same = mapper.add_pointer(mapper.get_buffer(own));
  EXPECT(same != own && mapper.count() == 3);
  mapper.get_access<mode::write, target::host_buffer, int>(own)[3] = 17;
  EXPECT((mapper.get_access<mode::read, target::host_buffer, int>(same)[3] == 17));
  EXPECT(mapper.get_access(initial + 5).get_buffer() == large);
  mapper.remove_pointer(initial);
  mapper.remove_pointer<false>(same);
  SYCLfree(own, mapper);
  EXPECT(mapper.count() == 0);
}

static void many_come_and_go() {
  PointerMapper mapper;
  std::mt19937 random(7);
  std::vector<void *> live;
  for (int i = 0; i < 512; i++)
    live.push_back(SYCLmalloc((1 + random() % 1251) * sizeof(int), mapper));
  EXPECT(mapper.count() == live.size());
  for (int i = 0; i < 200; i++) {
    std::swap(live[random() % live.size()], live.back());
    SYCLfree(live.back(), mapper);
    live.pop_back();
    EXPECT(mapper.count() == live.size());
  }
  std::sort(live.begin(), live.end());
  EXPECT(std::unique(live.begin(), live.end()) == live.end());
  mapper.clear();
  EXPECT(mapper.count() == 0);
}

// ---- offset: a pointer inside, a matrix -------------------------------------------------------------------------

static void an_address_inside_has_an_offset() {
  PointerMapper mapper;
  float *ptr = allocate<float>(100, mapper), *inside = ptr + 3;
  EXPECT(mapper.get_offset(inside) == 3 * sizeof(float) && mapper.get_element_offset<float>(inside) == 3);
  EXPECT(mapper.get_offset(ptr) == 0);
  if (has_kernels(mapper)) {
    store_float(mapper, inside, 2.0f);
    EXPECT(mapper.get_buffer<float>(inside).get_access<mode::read>()[3] == 2.0f);
  }
  EXPECT(thrown_by([&] { SYCLfree(inside, mapper); }) == VPTR_ERROR_INTERIOR);
  EXPECT(mapper.count() == 1);
  SYCLfree(ptr, mapper);
  EXPECT(mapper.count() == 0);
}

static void a_matrix_is_walked_by_address() {
  const std::size_t size = 8;
  PointerMapper mapper;
  float *matrix = allocate<float>(size * size, mapper), *at = matrix;
  for (std::size_t i = 0; i < size * size; i++, at++) {
    EXPECT(mapper.get_offset(at) == static_cast<std::ptrdiff_t>(i * sizeof(float)));
    if (has_kernels(mapper))
      store_float(mapper, at, static_cast<float>(i));
  }
  auto host = mapper.get_access<mode::read, target::host_buffer, float>(matrix + 5);
  EXPECT(host.get_size() == size * size * sizeof(float) && host.end() - host.begin() == 64);
  for (std::size_t i = 0; has_kernels(mapper) && i < size * size; i++)
    EXPECT(host[i] == static_cast<float>(i));
}

// ---- space: counts in every order of frees, sizes that change, fragments ------------------------------------------

static void counts_follow(std::size_t (*size_of)(std::size_t), bool is_reverse) {
  const std::size_t most = 2000;
  PointerMapper mapper;
  std::vector<void *> live(most);
  for (std::size_t i = 0; i < most; i++) {
    live[i] = SYCLmalloc(size_of(i), mapper);
    EXPECT(mapper.count() == i + 1);
  }
  if (is_reverse)
    std::reverse(live.begin(), live.end());
  for (std::size_t i = 0; i < most; i++) {
    SYCLfree(live[i], mapper);
    EXPECT(mapper.count() == most - 1 - i);
  }
}

static void a_few_live_while_sizes_change(std::size_t (*size_of)(std::size_t)) {
  const std::size_t few = 5, most = 2000;
  PointerMapper mapper;
  std::vector<void *> live;
  vptr_stats stats = {};
  stats.struct_size = sizeof stats;
  for (std::size_t i = 0; i < most; i++) {
    if (i >= few)
      SYCLfree(live[i - few], mapper);
    live.push_back(SYCLmalloc(size_of(i), mapper));
    EXPECT(mapper.count() == std::min(i + 1, few));
  }
  EXPECT(vptr_get_stats(mapper.native(), &stats) == VPTR_SUCCESS && stats.buffer_bytes < 16 << 20);
}

static void freed_places_are_used_again() {
  PointerMapper mapper;
  void *ptr[] = { SYCLmalloc(400, mapper), SYCLmalloc(200, mapper), SYCLmalloc(200, mapper), SYCLmalloc(400, mapper) };
  SYCLfree(ptr[1], mapper);
  EXPECT(!mapper.contains(ptr[1]));
  void *half = SYCLmalloc(100, mapper);
  EXPECT(half == ptr[1] && mapper.contains(static_cast<char *>(half) + 99));
  EXPECT(!mapper.contains(static_cast<char *>(half) + 100)); // what is left of the place
  SYCLfree(ptr[2], mapper);
  SYCLfree(half, mapper);
  void *one = SYCLmalloc(200, mapper), *two = SYCLmalloc(200, mapper);
  EXPECT(std::min(one, two) == ptr[1] && std::max(one, two) == ptr[2]);
  EXPECT(vptr_check(mapper.native()) == VPTR_SUCCESS);
}

static void space() {
  counts_follow([](std::size_t) { return std::size_t(400); }, false);
  counts_follow([](std::size_t) { return std::size_t(400); }, true);
  a_few_live_while_sizes_change([](std::size_t) { return std::size_t(8000); });
  a_few_live_while_sizes_change([](std::size_t i) { return (2000 - i) * 4; });
  a_few_live_while_sizes_change([](std::size_t i) { return (1 + i) * 4; });
}

// ---- accessors -------------------------------------------------------------------------------------------------

static void copies_of_an_accessor_share_the_access() {
  PointerMapper mapper;
  float *ptr = allocate<float>(100, mapper);
  {
    auto host = mapper.get_access<mode::discard_write, target::host_buffer, float>(ptr);
    auto copy = host;
    for (float &each : copy)
      each = 3.0f;
    EXPECT(copy.get_count() == 100 && copy.get_pointer() == host.get_pointer());
    EXPECT(thrown_by([&] { SYCLfree(ptr, mapper); }) == VPTR_ERROR_MAPPED);
    EXPECT(thrown_by([&] { mapper.clear(); }) == VPTR_ERROR_MAPPED);
    host.release();
    host.release();
    EXPECT(copy.get_pointer() == nullptr && copy.get_count() == 0);
    auto next = mapper.get_access<mode::read, target::host_buffer, float>(ptr); // perhaps where the first was
    host_accessor<float, mode::read> last(mapper.native(), ptr + 99);
    EXPECT(next[99] == 3.0f && last[0] == 3.0f && last.get_count() == 1);
  }
  SYCLfree(ptr, mapper);
  EXPECT(mapper.count() == 0);
}

static void a_buffer_outlives_its_allocation() {
  PointerMapper mapper;
  int *ptr = allocate<int>(100000, mapper);
  if (!has_kernels(mapper)) {
    EXPECT(thrown_by([&] { mapper.get_buffer(ptr); }) == VPTR_ERROR_UNSUPPORTED);
    return;
  }
  auto buffer = mapper.get_buffer<int>(ptr);
  auto device = mapper.get_access<mode::read, target::global_buffer, int>(ptr + 9);
  EXPECT(device.get_count() == 100000 && buffer.get_count() == 100000);
  SYCLfree(ptr, mapper);
  std::size_t size = 0;
  EXPECT(clGetMemObjectInfo(buffer.get(), CL_MEM_SIZE, sizeof size, &size, nullptr) == CL_SUCCESS && size >= 400000);
  EXPECT(clGetMemObjectInfo(device.get_buffer(), CL_MEM_SIZE, sizeof size, &size, nullptr) == CL_SUCCESS);
  EXPECT(thrown_by([&] { buffer.get_access(); }) == VPTR_ERROR_FREED);
}

// ---- errors, life ------------------------------------------------------------------------------------------------

static void wrong_addresses_are_out_of_range() {
  PointerMapper mapper, other;
  int on_host = 0, *ptr = allocate<int>(10, mapper), *theirs = allocate<int>(10, other);
  EXPECT(thrown_by([&] { mapper.get_offset(nullptr); }) == VPTR_ERROR_NULL_POINTER);
  EXPECT(thrown_by([&] { mapper.get_offset(&on_host); }) == VPTR_ERROR_UNKNOWN_ADDRESS);
  EXPECT(thrown_by([&] { mapper.get_access(theirs); }) == VPTR_ERROR_OTHER_MAPPER);
  EXPECT(thrown_by([&] { mapper.get_access(ptr + 10); }) == VPTR_ERROR_PAST_END);
  mapper.remove_pointer(nullptr);
  SYCLfree(ptr, mapper);
  EXPECT(thrown_by([&] { SYCLfree(ptr, mapper); }) == VPTR_ERROR_FREED);
  EXPECT(thrown_by([&] { SYCLmalloc(SIZE_MAX / 2, mapper); }) == VPTR_ERROR_INVALID_SIZE);
  try {
    mapper.get_buffer(ptr);
    EXPECT(!"freed memory has a buffer");
  } catch (const std::out_of_range &) {
    checks++;
  }
}

static void bases_and_borrowed_mappers() {
  PointerMapper page(4096), odd(0x123400);
  EXPECT(reinterpret_cast<std::uintptr_t>(SYCLmalloc(1, page)) % 4096 == 0);
  EXPECT(reinterpret_cast<std::uintptr_t>(SYCLmalloc(1, odd)) % 1024 == 0);
  bool is_refused = false;
  try {
    PointerMapper none(PointerMapper::base_ptr_t(0));
  } catch (const std::invalid_argument &) {
    is_refused = true;
  }
  EXPECT(is_refused);
  vptr_config config = VPTR_CONFIG_INIT;
  config.alignment = 3;
  EXPECT(thrown_by([&] { PointerMapper refused(config); }) == VPTR_ERROR_INVALID_ARGUMENT);
  void *kept = nullptr;
  {
    PointerMapper shared(PointerMapper::borrowed_t(), nullptr);
    kept = SYCLmalloc(100, shared);
  }
  EXPECT(vptr_free(nullptr, kept) == VPTR_SUCCESS);
}

static void memory_frees_itself() {
  PointerMapper mapper;
  {
    device_memory<double> first(50, mapper), none, empty(0, mapper);
    std::vector<double> values(50), back(50);
    for (std::size_t i = 0; i < 50; i++)
      values[i] = static_cast<double>(i);
    first.copy_from(values.data(), 50);
    empty.copy_from(values.data(), 0);
    first.copy_from(values.data(), 2, 48);
    device_memory<double> moved(std::move(first));
    EXPECT(!first && !none && !empty && moved && moved.size() == 50 && mapper.count() == 1);
    none = std::move(moved);
    none.copy_to(back.data(), 50);
    EXPECT(back[47] == 47 && back[48] == 0 && back[49] == 1);
    none.map<mode::write>()[0] = -1.0;
    EXPECT(none.map<mode::read>()[0] == -1.0);
    EXPECT(thrown_by([&] { none.copy_to(back.data(), 2, 49); }) == VPTR_ERROR_OUT_OF_BOUNDS);
    EXPECT(thrown_by([&] { device_memory<double>(SIZE_MAX / 2, mapper); }) == VPTR_ERROR_INVALID_SIZE);
    EXPECT(mapper.count() == 1);
    std::unique_ptr<PointerMapper> brief(new PointerMapper);
    device_memory<double> released(5, *brief);
    EXPECT(vptr_free(brief->native(), released.release()) == VPTR_SUCCESS);
  }
  EXPECT(mapper.count() == 0);
}

static void threads_share_a_mapper() {
  PointerMapper mapper;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&mapper, t] {
      for (int i = 0; i < 300; i++) {
        device_memory<int> mine(100, mapper);
        mine.map<mode::discard_write>()[0] = t;
        if (mine.map<mode::read>()[0] != t || mapper.get_offset(mine.get() + 7) != 28)
          std::abort();
      }
    });
  for (std::thread &each : threads)
    each.join();
  EXPECT(mapper.count() == 0);
}

int main() {
  one_allocation();
  two_allocations();
  addresses_are_issued_again_unless_they_are_withheld();
  existing_buffers_have_addresses();
  many_come_and_go();
  an_address_inside_has_an_offset();
  a_matrix_is_walked_by_address();
  space();
  freed_places_are_used_again();
  copies_of_an_accessor_share_the_access();
  a_buffer_outlives_its_allocation();
  wrong_addresses_are_out_of_range();
  bases_and_borrowed_mappers();
  memory_frees_itself();
  threads_share_a_mapper();
  std::printf("pointer_mapper: %d checks, %d failed\n", checks, failures);
  return failures != 0;
}
