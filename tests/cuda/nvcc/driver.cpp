/* SPDX-License-Identifier: MIT */
/* driver - PTX text and fat binaries by the driver's interface: driver FOLDER, where kernels.ptx, kernels.fatbin and
 * plain.fatbin lie. */
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(condition)                                                                                             \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      std::printf("%s:%d: %s is false\n", __FILE__, __LINE__, #condition);                                           \
      std::exit(1);                                                                                                  \
    }                                                                                                                \
  } while (0)

#define GOES(call)                                                                                                   \
  do {                                                                                                               \
    CUresult result = (call);                                                                                        \
    const char *name = "?";                                                                                          \
    cuGetErrorName(result, &name);                                                                                   \
    if (result != CUDA_SUCCESS) {                                                                                    \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name);                                               \
      std::exit(1);                                                                                                  \
    }                                                                                                                \
  } while (0)

static std::string read_file(const std::string &path) {
  FILE *file = std::fopen(path.c_str(), "rb");
  CHECK(file != nullptr);
  std::string text;
  for (int c; (c = std::fgetc(file)) != EOF;)
    text += (char)c;
  std::fclose(file);
  return text;
}

static void use_module(CUmodule module, int offset) {
  enum { N = 256 };
  CUfunction add, sum;
  CUdeviceptr values, out, address;
  size_t size;
  int n = N, by = 10, total;
  std::vector<int> host(N, 1);
  GOES(cuModuleGetFunction(&add, module, "add_offset"));
  GOES(cuModuleGetFunction(&sum, module, "sum"));
  GOES(cuModuleGetGlobal(&address, &size, module, "offset"));
  CHECK(size == sizeof(int));
  GOES(cuMemcpyDtoH(&total, address, sizeof total));
  CHECK(total == 4);
  GOES(cuMemcpyHtoD(address, &offset, sizeof offset));
  GOES(cuMemAlloc(&values, N * sizeof(int)));
  GOES(cuMemAlloc(&out, sizeof(int)));
  GOES(cuMemcpyHtoD(values, host.data(), N * sizeof(int)));
  void *arguments[] = { &values, &n, &by }, *more[] = { &values, &out };
  GOES(cuLaunchKernel(add, N / 64, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  GOES(cuLaunchKernel(sum, 1, 1, 1, N, 1, 1, N * sizeof(int), nullptr, more, nullptr));
  GOES(cuMemcpyDtoH(&total, out, sizeof total));
  CHECK(total == N * (1 + by + offset));
  GOES(cuMemFree(values));
  GOES(cuMemFree(out));
  GOES(cuModuleUnload(module));
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  const std::string folder = argv[1], ptx = read_file(folder + "/kernels.ptx");
  const std::string fat = read_file(folder + "/kernels.fatbin");
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUlinkState link;
  void *image;
  size_t size;
  GOES(cuInit(0));
  GOES(cuDeviceGet(&device, 0));
  GOES(cuDevicePrimaryCtxRetain(&context, device));
  GOES(cuCtxSetCurrent(context));
  GOES(cuModuleLoadData(&module, ptx.c_str()));
  use_module(module, 7);
  GOES(cuModuleLoadData(&module, fat.data()));
  use_module(module, 8);
  GOES(cuModuleLoad(&module, (folder + "/plain.fatbin").c_str()));
  use_module(module, 9);
  GOES(cuModuleLoad(&module, (folder + "/kernels.ptx").c_str()));
  use_module(module, 10);
  GOES(cuLinkCreate(0, nullptr, nullptr, &link));
  GOES(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char *>(ptx.c_str()), ptx.size() + 1, "kernels", 0, nullptr,
                     nullptr));
  GOES(cuLinkComplete(link, &image, &size));
  GOES(cuModuleLoadData(&module, image));
  GOES(cuLinkDestroy(link));
  use_module(module, 11);
  CHECK(cuModuleLoadData(&module, ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k( {") != CUDA_SUCCESS);
  return 0;
}
