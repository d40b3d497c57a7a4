# SPDX-License-Identifier: MIT
#
# nvrtc-versions.awk - as cudart-versions.awk, for lib/nvrtc: nvrtcVersion@@VPTR_NVRTC_0 is also
# nvrtcVersion@libnvrtc.so.12 and .13.
BEGIN { print "VERSION { libnvrtc.so.12 { }; libnvrtc.so.13 { }; }" }

$2 == "T" && $3 ~ /^nvrtc[A-Z]/ {
  printf "\"%s@libnvrtc.so.12\" = %s;\n", $3, $3
  printf "\"%s@libnvrtc.so.13\" = %s;\n", $3, $3
}
