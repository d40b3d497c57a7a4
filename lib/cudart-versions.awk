# SPDX-License-Identifier: MIT
#
# cudart-versions.awk - from what nm says of lib/cudart/cuda's objects to a linker script that gives each CUDA function its
# names in NVIDIA's libraries too, beside ours: cudaMalloc@@VPTR_CUDART_0 is also cudaMalloc@libcudart.so.12 and .13.
# doc/decisions/2026-11-21-cuda-binaries.md says why so.
#
# Some names mean two things: until CUDA 12, cudaGetDeviceProperties wrote the structure of CUDA 11, and objects of
# CUDA 12 call cudaGetDeviceProperties_v2. And a location was an ordinal in CUDA 12, and edges of graphs had no data, but
# for the names with _v2.
# Objects compiled for 13 never ask for 12's version.
BEGIN {
  print "VERSION { libcudart.so.12 { }; libcudart.so.13 { }; }"
  elsewhere["cudaGetDeviceProperties@libcudart.so.12"] = "vptr__cuda_get_device_properties_11"
  elsewhere["cudaMemAdvise@libcudart.so.12"] = "vptr__cuda_mem_advise_12"
  elsewhere["cudaMemPrefetchAsync@libcudart.so.12"] = "vptr__cuda_mem_prefetch_async_12"
  elsewhere["cudaMemPrefetchAsync_ptsz@libcudart.so.12"] = "vptr__cuda_mem_prefetch_async_12_ptsz"
  elsewhere["cudaGraphAddDependencies@libcudart.so.12"] = "vptr__cuda_graph_add_dependencies_12"
  elsewhere["cudaGraphRemoveDependencies@libcudart.so.12"] = "vptr__cuda_graph_remove_dependencies_12"
  elsewhere["cudaGraphGetEdges@libcudart.so.12"] = "vptr__cuda_graph_get_edges_12"
  elsewhere["cudaGraphNodeGetDependencies@libcudart.so.12"] = "vptr__cuda_graph_node_get_dependencies_12"
  elsewhere["cudaGraphNodeGetDependentNodes@libcudart.so.12"] = "vptr__cuda_graph_node_get_dependent_nodes_12"
  elsewhere["cudaGraphAddNode@libcudart.so.12"] = "vptr__cuda_graph_add_node_12"
  elsewhere["cudaStreamGetCaptureInfo@libcudart.so.12"] = "vptr__cuda_stream_get_capture_info_12"
  elsewhere["cudaStreamGetCaptureInfo_ptsz@libcudart.so.12"] = "vptr__cuda_stream_get_capture_info_12_ptsz"
  elsewhere["cudaStreamUpdateCaptureDependencies@libcudart.so.12"] = "vptr__cuda_stream_update_capture_dependencies_12"
  elsewhere["cudaStreamUpdateCaptureDependencies_ptsz@libcudart.so.12"] = "vptr__cuda_stream_update_capture_dependencies_12_ptsz"
}

function alias(name, library,    versioned) {
  versioned = name "@" library
  printf "\"%s\" = %s;\n", versioned, (versioned in elsewhere) ? elsewhere[versioned] : name
}

$2 == "T" && $3 ~ /^(__)?cuda[A-Z]/ {
  alias($3, "libcudart.so.12")
  alias($3, "libcudart.so.13")
}
