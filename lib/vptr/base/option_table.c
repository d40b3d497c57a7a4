/* SPDX-License-Identifier: MIT */
/*
 * option_table - the table of the VPTR_* variables (option_table.h). After a change of a text: make update-environment.
 *
 * The one datum is the constant vptr__option_table, so there is no lock. Called by option.c alone, which reads the
 * table.
 */
#include "base/option_table.h"

// clang-format off
const vptr__option_entry vptr__option_table[VPTR__OPTION_COUNT] = {
  [VPTR__OPTION_VERBOSE] = {
    "VPTR_VERBOSE", VPTR__OPTION_LEVEL,
    "1: errors on stderr; 2: also decisions, and what vptr_map() and managed memory moved; 3: also what a program says "
    "by NVTX",
    "Each is a line. Decisions are such as the device that was chosen and the size of the reservation. What was "
    "moved is reported when a host accessor opens and closes, and when managed memory is freed.",
    "0" },
  [VPTR__OPTION_PLATFORM] = {
    "VPTR_PLATFORM", VPTR__OPTION_WORDS,
    "the OpenCL platform: a part of its name, its number, or \"fake\" for the fake device",
    NULL,
    "any" },
  [VPTR__OPTION_DEVICE] = {
    "VPTR_DEVICE", VPTR__OPTION_WORDS,
    "the device: a part of its name, or its number",
    NULL,
    "the first GPU, else the first there is" },
  [VPTR__OPTION_PARTITION] = {
    "VPTR_PARTITION", VPTR__OPTION_NUMBER,
    "parts that each device is cut into, to test programs for several devices",
    "Each part is a device then: a sub-device with a share of the compute units and all of the memory. A device that "
    "cannot be cut stays whole; the fake device comes that many times.",
    "1" },
  [VPTR__OPTION_STRIPE] = {
    "VPTR_STRIPE", VPTR__OPTION_WORDS,
    "devices that are one: all, their numbers as 0,1 or a part of their name; also all:64M",
    "Numbers count the devices that would be chosen. Memory is that of all: what takes 8M or more, or as many bytes as "
    "stand behind a colon, lies on all of them, a part on each, and is copied to and from all at once. A kernel runs "
    "on one of them, where most of its memory is; what else it takes is brought there first. A launch that says what "
    "it reaches, by vptr_cuda_launch_ranges(), may run on several. There are no images, textures, mapped memory, "
    "kernels that follow pointers in memory, PTX, or OpenCL objects for the program; VPTR_OVERSUBSCRIBE and "
    "VPTR_MIGRATE have no effect.",
    "none" },
  [VPTR__OPTION_RESERVE] = {
    "VPTR_RESERVE", VPTR__OPTION_BYTES,
    "addresses that a mapper reserves",
    "Rounded up to a power of two, and halved until the system grants it.",
    "a quarter of the largest power of two that is free in one piece, at most 16T; a thousandth of it from the ninth "
    "mapper on that exists at the same time" },
  [VPTR__OPTION_ADDRESSES] = {
    "VPTR_ADDRESSES", VPTR__OPTION_ADDRESS_WAYS,
    "what device pointers are: own (reserved from the system) or device (the device's addresses), also device:8G",
    "With `device` a pointer that lies in memory means the same to the device, so that kernels that nvcc compiled "
    "follow it. A mapper then takes all its memory from the device when it begins: so many bytes, or three quarters of "
    "what the device has; it gets half of that, and so on, where there is less. It needs a device that tells addresses "
    "at which the host has nothing, as NVIDIA's do; others keep their own, and a line on stderr says why. Freed "
    "addresses come back before the memory runs out, also those that were never to. VPTR_RESERVE has no effect then.",
    "own" },
  [VPTR__OPTION_QUARANTINE] = {
    "VPTR_QUARANTINE", VPTR__OPTION_BYTES,
    "freed memory that the default mapper holds back from reuse",
    "An address stays freed until this much was freed after it.",
    "0" },
  [VPTR__OPTION_IDLE_BYTES] = {
    "VPTR_IDLE_BYTES", VPTR__OPTION_BYTES,
    "freed buffers that a mapper may keep for reuse, and freed pinned memory in blocks from 1 MiB",
    NULL,
    "a sixteenth of the device's memory" },
  [VPTR__OPTION_FREE_WAITS] = {
    "VPTR_FREE_WAITS", VPTR__OPTION_FLAG,
    "cudaFree(), cudaFreeHost() and cudaFreeArray() wait for all work in flight on the device, as CUDA's do",
    "With 0 they return at once where that work may keep the memory. vptr_free() and cudaFreeAsync() do not wait for "
    "it either way.",
    "1" },
  [VPTR__OPTION_LEAKS] = {
    "VPTR_LEAKS", VPTR__OPTION_FLAG,
    "a table on stderr, when the process ends, of what was never freed",
    "It lists device memory, pinned and managed memory of the program; what the library has for itself is not in it.",
    "0" },
  [VPTR__OPTION_TRACE_ALLOC] = {
    "VPTR_TRACE_ALLOC", VPTR__OPTION_FLAG,
    "remember where each allocation was made, for messages and the table of leaks",
    NULL,
    "0" },
  [VPTR__OPTION_TRAP] = {
    "VPTR_TRAP", VPTR__OPTION_FLAG,
    "a report when the host dereferences a device pointer, or a kernel on a CPU a wild one",
    "It is written to stderr before the signal takes its course, and a handler that was there is called. Of the "
    "host's access it has the address, its allocation and the line of the program; of a kernel's the kernel, or "
    "those that may be it, the address, and the nearest allocation.",
    "0" },
  [VPTR__OPTION_EXACT] = {
    "VPTR_EXACT", VPTR__OPTION_FLAG,
    "each allocation is a buffer of its own, exactly as large as was asked for, and is never used again",
    "Tools that check an OpenCL program's accesses then see the bounds of each allocation. Every allocation costs a "
    "driver's call.",
    "0" },
  [VPTR__OPTION_CACHE] = {
    "VPTR_CACHE", VPTR__OPTION_WORDS,
    "the folder that keeps what was built of kernels; 0 or off: none",
    "A build may take a second. There is a file for each program: it names the text, the options, the device and the "
    "driver that it is for, and is made anew when it is damaged. The folder may be emptied at any time.",
    "$XDG_CACHE_HOME/vptr, else ~/.cache/vptr" },
  [VPTR__OPTION_MANAGED] = {
    "VPTR_MANAGED", VPTR__OPTION_WAYS,
    "where managed memory lies: place (the host's memory), faults (both sides have a copy) or auto",
    "With `place` kernels work on memory of the host's, which is copied nowhere; where device memory is not the "
    "host's, they read it across the bus each time. With `faults` host and device have memory of their own, and page "
    "faults tell what to copy.",
    "auto, which is place where device memory is the host's and there is one device, else faults" },
  [VPTR__OPTION_FAULTS] = {
    "VPTR_FAULTS", VPTR__OPTION_FAULT_WAYS,
    "how page faults of managed memory are caught: userfaultfd, mprotect or auto",
    "With `userfaultfd` threads of the library are told of them, and system calls work on such memory as on any "
    "other. It takes Linux 6.4 and one of these: the capability CAP_SYS_PTRACE, the setting "
    "vm.unprivileged_userfaultfd at 1, or a file /dev/userfaultfd that the process may open. With `mprotect` a "
    "handler of SIGSEGV is told of them, which passes on what is not its own: a system call on memory that the "
    "device has fails with EFAULT, and a thread that blocks the signal dies of a fault. A debugger that stops all "
    "threads and then reads memory that the device has waits for ever with userfaultfd; with mprotect it reads what "
    "the host had last.",
    "auto, which is the first of the two that works; that is tried once" },
  [VPTR__OPTION_ARGUMENTS] = {
    "VPTR_ARGUMENTS", VPTR__OPTION_ARGUMENT_WAYS,
    "parameters of translated kernels: each an argument, all as one, or auto",
    "It holds on devices that tell the addresses of their memory. With `each`, every parameter is an argument of the "
    "OpenCL kernel. With `one`, all are a struct; local memory stays apart. Kernels compute the same; where each "
    "argument costs the driver time, a launch takes less with one.",
    "auto, which is one on NVIDIA's devices, else each" },
  [VPTR__OPTION_THREADS] = {
    "VPTR_THREADS", VPTR__OPTION_THREAD_WAYS,
    "the threads of a block in kernels with barriers: items, loops or auto",
    "With `items`, each thread is a work-item of the driver's. With `loops`, one work-item runs a block, as loops over "
    "its threads between barriers; kernels that have no such form stay as they are. Kernels compute the same. Drivers "
    "of CPUs take much longer for work-items that wait at barriers.",
    "auto, which is loops on CPUs, else items" },
  [VPTR__OPTION_POISON] = {
    "VPTR_POISON", VPTR__OPTION_FLAG,
    "device memory that the process gets for the first time is filled with bytes of 255 instead of zeros",
    "Bytes of 255 are no floating-point number, and -1 as an integer: that finds what a program never set. Memory is "
    "zero otherwise, as it is in practice with CUDA; memory that the process freed before holds what it held.",
    "0" },
  [VPTR__OPTION_FAKE_BYTES] = {
    "VPTR_FAKE_BYTES", VPTR__OPTION_BYTES,
    "memory of the fake device",
    NULL,
    "64G" },
  [VPTR__OPTION_MIGRATE] = {
    "VPTR_MIGRATE", VPTR__OPTION_FLAG,
    "all of the program's device memory can go to another device while it runs, by vptr_migrate()",
    "It makes each command take some 100 ns more, and VPTR_ADDRESSES=device is ignored.",
    "0" },
  [VPTR__OPTION_OVERSUBSCRIBE] = {
    "VPTR_OVERSUBSCRIBE", VPTR__OPTION_FLAG,
    "device memory may be allocated beyond what the device has: what was not used for longest leaves it for the host",
    "It comes back, at the same address, when a copy, a fill or a kernel uses it. What leaves are buffers, of "
    "one allocation from 256 KiB on or of many small ones, that the program was never given, and in which no variable "
    "of a module lies. What one call uses must fit at once. It has no effect with VPTR_ADDRESSES=device.",
    "0" },
  [VPTR__OPTION_SPILL_DIR] = {
    "VPTR_SPILL_DIR", VPTR__OPTION_WORDS,
    "the folder for what left a device when the machine has no memory free for it",
    "The files in it have no names, and are gone when the process ends.",
    "none: it stays in the host's memory" },
  [VPTR__OPTION_DEVICE_BYTES] = {
    "VPTR_DEVICE_BYTES", VPTR__OPTION_BYTES,
    "a budget: how much memory the buffers made on a device may take together",
    "The device is one with so much memory then, for tests and where several processes share it, and every answer "
    "about its memory says so. It holds for each device, and cannot make one larger. Images that the driver keeps in a "
    "form of its own do not count on devices with memory apart from the host's.",
    "all that the device has" },
  [VPTR__OPTION_BUFFER_BYTES] = {
    "VPTR_BUFFER_BYTES", VPTR__OPTION_BYTES,
    "how many bytes one buffer of a device may have, where that is less than the device says",
    "A larger allocation consists of several buffers then. For tests.",
    "what the device takes" },
  [VPTR__OPTION_BUFFER_ROWS] = {
    "VPTR_BUFFER_ROWS", VPTR__OPTION_FLAG,
    "the buffers of one allocation lie one behind the other where the device's memory is the host's",
    "With 0 they lie anywhere, as on a device with memory of its own, and kernels look up what they reach. For tests.",
    "1" },
  [VPTR__OPTION_FINDS_BUFFERS] = {
    "VPTR_FINDS_BUFFERS", VPTR__OPTION_FLAG,
    "kernels that are compiled at run time have a form that looks up each access to global memory",
    "That is for allocations of several buffers which do not lie one behind the other on the device. With 1 it is for "
    "programs that NVRTC compiles, as if its option --finds-buffers were given, and for text in CUDA C that a module "
    "is loaded from. vptrcc has an option for all others.",
    "0" },
  [VPTR__OPTION_IPC] = {
    "VPTR_IPC", VPTR__OPTION_FLAG,
    "other processes can open memory of cudaMalloc() (cudaIpcGetMemHandle()), where it is the host's",
    "They are processes of the same user. Each allocation is a file in memory then, with windows of addresses and a "
    "descriptor of its own, and takes whole 2 MiB. On devices with memory of their own it has no effect, and "
    "cudaIpcGetMemHandle() says so.",
    "0" },
  [VPTR__OPTION_RECORD] = {
    "VPTR_RECORD", VPTR__OPTION_WORDS,
    "the file that launches of kernels are recorded in, each with the memory that it reaches, for vptr-replay",
    "A file that is there is overwritten. In the name, %p is the number of the process. Each launch that is recorded "
    "is waited for. What cannot be recorded runs, and a line on stderr says why it was left out.",
    "none: nothing is recorded" },
  [VPTR__OPTION_RECORD_RANGE] = {
    "VPTR_RECORD_RANGE", VPTR__OPTION_WORDS,
    "which launches VPTR_RECORD is for: a kernel's name, numbers such as 7, 3-5 or 3-, or both: saxpy:3-5",
    "Launches are counted from 0; with a name, those of that kernel.",
    "all" },
  [VPTR__OPTION_CHECKPOINT] = {
    "VPTR_CHECKPOINT", VPTR__OPTION_WORDS,
    "the file of the checkpoints that VPTR_CHECKPOINT_SIGNAL asks for, as of vptr_checkpoint()",
    NULL,
    "none" },
  [VPTR__OPTION_CHECKPOINT_SIGNAL] = {
    "VPTR_CHECKPOINT_SIGNAL", VPTR__OPTION_WORDS,
    "the signal that asks for a checkpoint, at the next synchronisation: a name such as USR1, or a number",
    "Taken where the program next waits for a device, a stream or a mapper. A handler that the signal has when the "
    "first mapper is made is called as well. What becomes of the checkpoint is told on stderr.",
    "none" },
  [VPTR__OPTION_CHAINS] = {
    "VPTR_CHAINS", VPTR__OPTION_FLAG,
    "kernels of a graph that have one block each, one behind the other, are built and launched as one",
    "It is done when a graph is uploaded, or was launched often. With 0 each is launched by itself. Kernels compute "
    "the same.",
    "1" },
  [VPTR__OPTION_TUNE] = {
    "VPTR_TUNE", VPTR__OPTION_FLAG,
    "the first large product by cuBLAS in float, and in double, finds out what CLBlast is quickest with there",
    "That takes half a minute each, or longer on a slow device. What was found is kept in the folder of VPTR_CACHE, "
    "and later processes, which need the variable no more, begin with it.",
    "0" },
  [VPTR__OPTION_SPECTRA] = {
    "VPTR_SPECTRA", VPTR__OPTION_SPECTRA_WAYS,
    "who reduces large matrices of cuSOLVER's for eigenvalues and singular values: host, device or auto",
    "With `host`, LAPACK has all of each. With `device`, a matrix of more than 384 columns is reduced on the device, "
    "in panels of the host's. Which is quicker is a matter of both.",
    "auto, which is host on CPUs, and device for more than 512 columns elsewhere" },
};
