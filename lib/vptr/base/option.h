/* SPDX-License-Identifier: MIT */
/*
 * option - the VPTR_* environment variables, read in one place.
 *
 * The table in option_table.c is the only list of them; README and vptr(7) are made from it. The environment is read
 * once, on first use; an unknown VPTR_ name or a malformed value is reported once on stderr and then ignored
 * (VPTR_TEST_* names belong to the tests, VPTR_CLANG to vptrcc). Thread-safe without a lock: pthread_once() guards the
 * reading, and values are constant afterwards. Used by folders of lib/vptr and lib/cudart, and by cublas/tuning.c.
 */
#ifndef VPTR_BASE_OPTION_H
#define VPTR_BASE_OPTION_H

#include <stdbool.h>
#include <stdint.h>

#include <vptr/vptr.h>

typedef enum vptr__option {
  VPTR__OPTION_VERBOSE,      /* number 0..3: errors, also decisions, also what NVTX says, on stderr */
  VPTR__OPTION_PLATFORM,     /* text: part of a platform's name, or its ordinal, or "fake" */
  VPTR__OPTION_DEVICE,       /* text: part of a device's name, or its ordinal */
  VPTR__OPTION_PARTITION,    /* number 1..64: parts that each device is cut into */
  VPTR__OPTION_STRIPE,       /* text: devices that are one, and from which size on buffers lie on all */
  VPTR__OPTION_RESERVE,      /* bytes of addresses a mapper reserves */
  VPTR__OPTION_ADDRESSES,    /* number: a vptr__addresses, or how many bytes of the device's */
  VPTR__OPTION_QUARANTINE,   /* bytes of freed memory that the default mapper holds back */
  VPTR__OPTION_IDLE_BYTES,   /* bytes of freed buffers a mapper may cache */
  VPTR__OPTION_FREE_WAITS,   /* flag, on by default: CUDA's frees wait for work in flight */
  VPTR__OPTION_LEAKS,        /* flag: table of live allocations at exit */
  VPTR__OPTION_TRACE_ALLOC,  /* flag: remember where each allocation was made */
  VPTR__OPTION_TRAP,         /* flag: report on a host dereference, and on a kernel that crashes */
  VPTR__OPTION_EXACT,        /* flag: each allocation is a buffer of its own size */
  VPTR__OPTION_CACHE,        /* text: folder of built kernels, or 0 or off */
  VPTR__OPTION_MANAGED,      /* number: a vptr__managed_choice */
  VPTR__OPTION_FAULTS,       /* number: a vptr__faults */
  VPTR__OPTION_ARGUMENTS,    /* number: a vptr__arguments */
  VPTR__OPTION_THREADS,      /* number: a vptr__threads_choice */
  VPTR__OPTION_POISON,       /* flag: fresh device memory is not zero */
  VPTR__OPTION_FAKE_BYTES,   /* bytes of memory of the fake device */
  VPTR__OPTION_MIGRATE,       /* flag: mappers can go to another device */
  VPTR__OPTION_OVERSUBSCRIBE, /* flag: allocations leave a full device */
  VPTR__OPTION_SPILL_DIR,    /* text: folder of what left a device when host memory is full */
  VPTR__OPTION_DEVICE_BYTES, /* bytes of buffers that a device may have at once */
  VPTR__OPTION_BUFFER_BYTES, /* bytes that one buffer of a device may have */
  VPTR__OPTION_BUFFER_ROWS,  /* flag, on by default: buffers of one allocation lie in a row where they can */
  VPTR__OPTION_FINDS_BUFFERS, /* flag: kernels that are compiled at run time find buffers that lie apart */
  VPTR__OPTION_IPC,          /* flag: allocations that other processes may open */
  VPTR__OPTION_RECORD,       /* text: the file that launches are recorded in */
  VPTR__OPTION_RECORD_RANGE, /* text: which launches are */
  VPTR__OPTION_CHECKPOINT,   /* text: the file of checkpoints that a signal asks for */
  VPTR__OPTION_CHECKPOINT_SIGNAL, /* text: which signal does */
  VPTR__OPTION_CHAINS,       /* flag, on by default: small kernels of a graph may be one launch */
  VPTR__OPTION_TUNE,         /* flag: cuBLAS finds out which parameters CLBlast's products are quickest with */
  VPTR__OPTION_SPECTRA,      /* number: a vptr__spectra_choice */
  VPTR__OPTION_COUNT
} vptr__option;

/* VPTR_ADDRESSES: the library's own, or the device's, of memory that is a share of its; what is larger is bytes. */
typedef enum vptr__addresses { VPTR__ADDRESSES_OWN, VPTR__ADDRESSES_DEVICE } vptr__addresses;

/* The least bytes that VPTR_ADDRESSES takes. */
#define VPTR__ADDRESSES_LEAST ((uint64_t)64 << 20)

/* VPTR_MANAGED: how managed memory is kept, see mapper/managed_mode.h. */
typedef enum vptr__managed_choice { VPTR__CHOICE_AUTO, VPTR__CHOICE_PLACE, VPTR__CHOICE_FAULTS } vptr__managed_choice;
/* VPTR_FAULTS: how managed memory hears of page faults. */
typedef enum vptr__faults { VPTR__FAULTS_AUTO, VPTR__FAULTS_USERFAULTFD, VPTR__FAULTS_MPROTECT } vptr__faults;

/* VPTR_ARGUMENTS: how translated kernels get their parameters where pointers are addresses. */
typedef enum vptr__arguments { VPTR__ARGUMENTS_AUTO, VPTR__ARGUMENTS_EACH, VPTR__ARGUMENTS_ONE } vptr__arguments;

/* VPTR_THREADS: who runs the threads of a block. */
typedef enum vptr__threads_choice { VPTR__THREADS_AUTO, VPTR__THREADS_ITEMS, VPTR__THREADS_LOOPS } vptr__threads_choice;

/* VPTR_SPECTRA: who reduces large matrices of cuSOLVER's for eigenvalues and singular values. */
typedef enum vptr__spectra_choice { VPTR__SPECTRA_AUTO, VPTR__SPECTRA_HOST, VPTR__SPECTRA_DEVICE } vptr__spectra_choice;

/* True if the variable is set to 1, yes or on; false for 0, no and off, and where it is unset or malformed. */
VPTR_API bool vptr__option_flag(vptr__option option);

/* The number, 1 and 0 for flags, or fallback where the variable is unset or malformed. Byte sizes take K, M, G and
 * T. */
VPTR_API uint64_t vptr__option_number(vptr__option option, uint64_t fallback);

/* The text, up to 255 bytes, or NULL where the variable is unset or empty. Valid until the process ends. */
VPTR_API const char *vptr__option_text(vptr__option option);

/* Reads a byte size such as "64" or "3G": digits, then nothing or one of K, M, G and T (powers of 1024). Returns
 * false, and leaves bytes_out alone, where text is anything else ("1.5G", "3g", "") or does not fit 64 bits. */
bool vptr__option_parse_bytes(const char *text, uint64_t *bytes_out);

/* For those who list them: the i-th variable's name, or NULL behind the last. */
const char *vptr__option_name(int i);

/* For tests: reads the environment again. Not thread-safe. */
void vptr__option_reload(void);

#endif
