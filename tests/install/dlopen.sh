#!/bin/sh
# SPDX-License-Identifier: MIT
# dlopen - libvptr.so loads into a process that was started without it: Python's ctypes.
. "$srcdir/tests/install/stage.sh"
python=$(command -v /usr/bin/python3 || command -v python3) || { echo 'left out: no python3 here'; exit 77; }

cat >load.py <<'EOF'
import ctypes, sys

vptr = ctypes.CDLL(sys.argv[1])
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
EOF
on_each_device "$python" load.py "$stage$VPTR_TEST_LIBDIR/libvptr.so"
