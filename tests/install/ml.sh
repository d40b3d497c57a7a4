#!/bin/sh
# SPDX-License-Identifier: MIT
# ml - a program for NVML: built by a makefile that knows CUDA_HOME alone, by pkg-config, in C++; one that opens
# libnvidia-ml.so.1 by ctypes, as Python's bindings do; and a machine without devices.
. "$srcdir/tests/install/stage.sh"

CUDA_HOME=$stage$VPTR_TEST_LIBDIR/vptr/cuda
tests=$(cd "$programs/../ml" && pwd)
[ -e "$CUDA_HOME/libnvidia-ml.so" ] || { echo 'left out: no shared libraries in this build'; exit 77; }

$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_ml.c" -I"$CUDA_HOME/include" -L"$CUDA_HOME/lib64" -lnvidia-ml -lcudart -o conform_ml &&
  on_each_device ./conform_ml || exit 1
# shellcheck disable=SC2046
$CC -D_GNU_SOURCE -I"$tests/.." "$tests/conform_ml.c" $(flags --cflags --libs vptr-ml vptr-cudart) -o conform_ml &&
  on_each_device ./conform_ml || exit 1
if [ -n "$CXX" ]; then
  printf '#include <nvml.h>\nint main() { return nvmlInit() != NVML_SUCCESS || nvmlShutdown() != NVML_SUCCESS; }\n' >cxx.cpp
  # shellcheck disable=SC2046
  $CXX cxx.cpp $(flags --cflags --libs vptr-ml) -o cxx && on_each_device ./cxx || exit 1
fi

# Without a device a program hears that there is no driver, or none if it asked for that.
cat >none.c <<'EOC'
#include <nvml.h>
int main(void) {
  unsigned int count = 7;
  if (nvmlInit() != NVML_ERROR_DRIVER_NOT_LOADED || nvmlDeviceGetCount(&count) != NVML_ERROR_UNINITIALIZED)
    return 1;
  if (nvmlInitWithFlags(NVML_INIT_FLAG_NO_GPUS) != NVML_SUCCESS || nvmlDeviceGetCount(&count) != NVML_SUCCESS)
    return 2;
  return count != 0 || nvmlShutdown() != NVML_SUCCESS;
}
EOC
# shellcheck disable=SC2046
$CC none.c $(flags --cflags --libs vptr-ml) -o none && VPTR_PLATFORM='no such platform' ./none ||
  { echo '^ without a device'; exit 1; }

python=$(command -v /usr/bin/python3 || command -v python3) || { echo 'left out in part: no python3 here'; exit 0; }
cat >monitor.py <<'EOP'
import ctypes, os
from ctypes import byref, c_char, c_int, c_uint, c_ulonglong, c_void_p, create_string_buffer

library = ctypes.CDLL("libnvidia-ml.so.1")

class Memory(ctypes.Structure):
    _fields_ = [("total", c_ulonglong), ("free", c_ulonglong), ("used", c_ulonglong)]

class Utilization(ctypes.Structure):
    _fields_ = [("gpu", c_uint), ("memory", c_uint)]

class Process(ctypes.Structure):
    _fields_ = [("pid", c_uint), ("memory", c_ulonglong), ("instance", c_uint), ("part", c_uint)]

class Pci(ctypes.Structure):
    _fields_ = [("legacy", c_char * 16), ("domain", c_uint), ("bus", c_uint), ("device", c_uint), ("id", c_uint),
                ("subsystem", c_uint), ("busId", c_char * 32)]

def call(name, *arguments, gives=(0,)):
    code = getattr(library, name)(*arguments)
    assert code in gives, (name, code)
    return code

def text(name, *arguments, size=96):
    buffer = create_string_buffer(size)
    call(name, *arguments, buffer, c_uint(size))
    return buffer.value.decode()

# gpustat and nvitop: the table of a machine; what is not told they show as N/A.
library.nvmlErrorString.restype = ctypes.c_char_p
call("nvmlInit_v2")
count = c_uint()
call("nvmlDeviceGetCount_v2", byref(count))
assert count.value >= 1
driver, version = text("nvmlSystemGetDriverVersion"), c_int()
call("nvmlSystemGetCudaDriverVersion_v2", byref(version))
assert driver and version.value >= 12000
for index in range(count.value):
    device, memory, pci = c_void_p(), Memory(), Pci()
    call("nvmlDeviceGetHandleByIndex_v2", c_uint(index), byref(device))
    name, uuid = text("nvmlDeviceGetName", device), text("nvmlDeviceGetUUID", device)
    call("nvmlDeviceGetMemoryInfo", device, byref(memory))
    call("nvmlDeviceGetPciInfo_v3", device, byref(pci))
    assert name and uuid.startswith("GPU-") and len(uuid) == 40 and len(pci.busId) == 16, (name, uuid, pci.busId)
    assert memory.total > 0 and memory.used + memory.free == memory.total
    value = c_uint()
    for sensor in ("nvmlDeviceGetFanSpeed", "nvmlDeviceGetPowerUsage", "nvmlDeviceGetEnforcedPowerLimit",
                   "nvmlDeviceGetPerformanceState"):
        assert library.nvmlErrorString(call(sensor, device, byref(value), gives=(3,))) == b"Not Supported"
    call("nvmlDeviceGetTemperature", device, c_int(0), byref(value), gives=(3,))
    call("nvmlDeviceGetUtilizationRates", device, byref(Utilization()), gives=(3,))
    # what lists of processes ask: first how many, with no room
    processes = c_uint(0)
    call("nvmlDeviceGetComputeRunningProcesses_v3", device, byref(processes), None, gives=(0, 7))
    call("nvmlDeviceGetGraphicsRunningProcesses_v3", device, byref(processes), None, gives=(3,))
    # nvtop, and PyTorch's device_count() by NVML: handles by UUID and place
    again = c_void_p()
    call("nvmlDeviceGetHandleByUUID", uuid.encode(), byref(again))
    assert again.value == device.value
    call("nvmlDeviceGetHandleByPciBusId_v2", pci.busId, byref(again))
    assert again.value == device.value
    major, minor = c_int(), c_int()
    call("nvmlDeviceGetCudaComputeCapability", device, byref(major), byref(minor))
    assert major.value >= 3
    call("nvmlDeviceGetMaxClockInfo", device, c_int(0), byref(value))
    energy = c_ulonglong() # CodeCarbon: falls back to the power of the processor
    call("nvmlDeviceGetTotalEnergyConsumption", device, byref(energy), gives=(3,))

# Once the process computes, it is in the list with what it holds.
cuda = ctypes.CDLL("libcudart.so.13") if os.path.exists(os.environ["CUDA_FOLDER"] + "/libcudart.so.13") else None
if cuda:
    block, room, process = c_void_p(), c_uint(1), Process()
    assert cuda.cudaMalloc(byref(block), ctypes.c_size_t(1 << 20)) == 0
    call("nvmlDeviceGetHandleByIndex_v2", c_uint(0), byref(device))
    call("nvmlDeviceGetComputeRunningProcesses_v3", device, byref(room), byref(process))
    assert room.value == 1 and process.pid == os.getpid() and process.memory >= 1 << 20
call("nvmlShutdown")
call("nvmlDeviceGetCount_v2", byref(count), gives=(1,))
EOP
CUDA_FOLDER=$CUDA_HOME
export CUDA_FOLDER
LD_LIBRARY_PATH=$CUDA_HOME:$LD_LIBRARY_PATH on_each_device "$python" monitor.py || { echo '^ by ctypes'; exit 1; }
