#!/bin/sh
# SPDX-License-Identifier: MIT
# ml - doc/ml-coverage.md is what its table makes, and the table is what nvml.h declares and libvptr-ml.so exports.
# Where NVIDIA's header is installed (CUDA_HOME), the table has all of its functions, our prototypes are its, our
# structures and enumerators have its values; and the conformance program compiles against it.
library=ml noun=NVML prefix=nvml
# shellcheck source=tests/project/library.sh
. "$srcdir/tests/project/library.sh"
include='#include <nvml.h>'

check_document
check_declared "$("$SED" -nE 's/^VPTR_CUDA_API .*[ *](nvml[A-Za-z0-9_]*)\(.*/\1/p' "$ours/nvml.h" | sort)"
check_exports '^nvml[A-Z][A-Za-z0-9]*(_v[23])?@@VPTR_ML_[0-9]+$'

# Structures as C's bindings for Python lay them out: what programs hand over that were compiled against no header.
sizes=$("$SED" -nE 's/^\} (nvml[A-Za-z0-9_]*_t)[;,].*/sizeof(\1)/p' "$ours/nvml.h")
echo "$sizes" | values "$ours" sizes "$include" >"$work/sizes"
for line in 'nvmlPciInfo_t) 68' 'nvmlMemory_t) 24' 'nvmlMemory_v2_t) 40' 'nvmlProcessInfo_v1_t) 16' \
  'nvmlProcessInfo_v2_t) 24' 'nvmlUtilization_t) 8' 'nvmlDeviceAttributes_t) 40' 'nvmlBAR1Memory_t) 24' \
  'nvmlProcessUtilizationSample_t) 32'; do
  grep -qxF "sizeof($line" "$work/sizes" || { echo "not so: sizeof($line"; status=1; }
done

need_theirs nvml.h
check_values "$sizes
$(enumerators 'NVML_[A-Z0-9_]+ = ' nvml.h)" "$include"
check_prototypes "#define NVML_NO_UNVERSIONED_FUNC_DEFS
$include" 60
check_rows "$(their_functions)"
check_programs
exit $status
