# SPDX-License-Identifier: MIT
#
# nvtx-versions.awk - as cudart-versions.awk, for lib/nvtx: nvtxMarkA@@VPTR_NVTX_0 is also nvtxMarkA@libnvToolsExt.so.1.
BEGIN { print "VERSION { libnvToolsExt.so.1 { }; }" }

$2 == "T" && $3 ~ /^nvtx[A-Z]/ { printf "\"%s@libnvToolsExt.so.1\" = %s;\n", $3, $3 }
