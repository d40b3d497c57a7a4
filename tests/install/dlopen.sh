#!/bin/sh
# SPDX-License-Identifier: MIT
# dlopen - each library, and a shared object with kernels, loads into a process that was started without it: Python's
# ctypes; also when 500 others with thread storage are there, which leave nothing of what is set aside for late comers.
. "$srcdir/tests/install/stage.sh"
python=$(command -v /usr/bin/python3 || command -v python3) || { echo 'left out: no python3 here'; exit 77; }
libraries=$stage$VPTR_TEST_LIBDIR
PATH=$(dirname "$(find "$stage" -name vptrcc -path '*/bin/*' | head -n 1)"):$PATH
export PATH

kernels=
if [ -n "$CXX" ]; then
  kernels=$PWD/libplugin.so
  vptrcc --shared -Xcompiler -fPIC -o "$kernels" "$programs/plugin.cu" || exit 1
fi

mkdir others
echo 'static __thread int mine[4]; int mine_of(int i); int mine_of(int i) { return ++mine[i]; }' >other.c
$CC -shared -fPIC other.c -o others/late.so && $CC -shared -fPIC -ftls-model=initial-exec other.c -o others/early.so || exit 1
# The loader tells libraries apart by their files.
for i in $(seq 250); do
  cp others/late.so "others/late-$i.so" && cp others/early.so "others/early-$i.so" || exit 1
done

cat >load.py <<'EOF'
import ctypes, glob, os, sys

which, folder, kernels, others = sys.argv[1:]
held = []
if others:
    refused = 0
    for other in sorted(glob.glob(f"{others}/*-*.so")):
        try:
            held.append(ctypes.CDLL(other))
            held[-1].mine_of(3)
        except OSError:
            refused += 1
    assert 0 < refused < 250 and len(held) > 250, (refused, len(held))

library = ctypes.CDLL(kernels if which == "kernels" else f"{folder}/{which}.so")

def no_error(what, code):
    if code != 0:
        sys.exit(f"{what}: {code}")

def use_vptr(vptr):
    vptr.vptr_status_string.restype = ctypes.c_char_p
    vptr.vptr_last_error.restype = ctypes.c_char_p
    vptr.vptr_get_offset.restype = ctypes.c_ssize_t

    def must(status):
        if status != 0:
            sys.exit(f"{vptr.vptr_status_string(status).decode()}: {vptr.vptr_last_error().decode()}")

    memory = ctypes.c_void_p()
    back = ctypes.create_string_buffer(7)
    must(vptr.vptr_malloc(None, ctypes.c_size_t(100), ctypes.byref(memory)))
    must(vptr.vptr_memcpy(None, memory, b"python!", ctypes.c_size_t(7)))
    must(vptr.vptr_memcpy(None, back, memory, ctypes.c_size_t(7)))
    assert back.raw == b"python!", back.raw
    assert vptr.vptr_get_offset(None, ctypes.c_void_p(memory.value + 5)) == 5
    must(vptr.vptr_free(None, memory))

def use_cudart(cuda):
    for size in (1, 5000, 100000, 3000000):
        pinned, device = ctypes.c_void_p(), ctypes.c_void_p()
        no_error("cudaMallocHost", cuda.cudaMallocHost(ctypes.byref(pinned), ctypes.c_size_t(size)))
        no_error("cudaMalloc", cuda.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(size)))
        ctypes.memset(pinned, 7, size)
        no_error("cudaMemcpy", cuda.cudaMemcpy(device, pinned, ctypes.c_size_t(size), 1))
        no_error("cudaFreeHost", cuda.cudaFreeHost(pinned))
        no_error("cudaFree", cuda.cudaFree(device))

def use_nvrtc(nvrtc):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    text = b'extern "C" __global__ void k(int *a) { a[0] = 1; }'
    no_error("create", nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"k.cu", 0, None, None))
    no_error("compile", nvrtc.nvrtcCompileProgram(program, 0, None))
    no_error("size", nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    assert size.value > 50, size.value
    no_error("destroy", nvrtc.nvrtcDestroyProgram(ctypes.byref(program)))

def use_cuda(driver):
    no_error("cuInit", driver.cuInit(0))
    context, address = ctypes.c_void_p(), ctypes.c_uint64()
    no_error("cuDevicePrimaryCtxRetain", driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    no_error("cuCtxSetCurrent", driver.cuCtxSetCurrent(context))
    no_error("cuMemAlloc", driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(100)))
    no_error("cuMemFree", driver.cuMemFree_v2(address))

def use_kernels(plugin):
    if os.environ["VPTR_PLATFORM"] != "fake":
        no_error("the kernel", plugin.plugin_run(1000))

{ "libvptr": use_vptr, "libvptr-cudart": use_cudart, "libvptr-nvrtc": use_nvrtc, "libvptr-cuda": use_cuda,
  "kernels": use_kernels }[which](library)
EOF
for others in '' "$PWD/others"; do
  for library in libvptr libvptr-cudart libvptr-nvrtc libvptr-cuda ${kernels:+kernels}; do
    on_each_device "$python" load.py "$library" "$libraries" "$kernels" "$others" ||
      { echo "^ $library${others:+ after 500 others}"; exit 1; }
  done
done
