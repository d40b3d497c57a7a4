/* SPDX-License-Identifier: MIT */
/*
 * graph - cuGraphCreate() and its kin: graphs, their nodes and edges, copies, pictures, user objects.
 *
 * All are the runtime's by other names: a CUgraph is a cudaGraph_t. CUDA 12 has some without edge data, under the names
 * without a version. No state, no locks. Called by programs, directly or by the table in entry.c. Nothing here waits.
 */

#include "driver/context.h"
#include "driver/graph_variant.h"
#include "driver/result.h"

#include <vptr/cuda/cuda_runtime_api.h>

_Static_assert(sizeof(CUgraphNodeType) == sizeof(enum cudaGraphNodeType), "the runtime's, by another name");

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphCreate(phGraph, flags)) : result;
}

CUresult cuGraphDestroy(CUgraph hGraph) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphDestroy(hGraph)) : result;
}

CUresult cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphClone(phGraphClone, originalGraph)) : result;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphNodeFindInClone(phNode, hOriginalNode, hClonedGraph))
                                : result;
}

/* The picture's words are CUDA's structures' in neither interface. */
CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags) {
  CUresult result = vptr__driver_begun();
  flags &= ~(unsigned)CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES;
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphDebugDotPrint(hGraph, path, flags)) : result;
}

/* ---- nodes and edges --------------------------------------------------------------------------------------------- */

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphGetNodes(hGraph, nodes, numNodes)) : result;
}

CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphGetRootNodes(hGraph, rootNodes, numRootNodes))
                                : result;
}

CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphNodeGetType(hNode, (void *)type)) : result;
}

CUresult cuGraphDestroyNode(CUgraphNode hNode) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphDestroyNode(hNode)) : result;
}

CUresult cuGraphGetEdges_v2(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edgeData,
                            size_t *numEdges) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphGetEdges(hGraph, from, to, (void *)edgeData, numEdges))
                                : result;
}

CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to, size_t *numEdges) {
  return cuGraphGetEdges_v2(hGraph, from, to, NULL, numEdges);
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode hNode, CUgraphNode *dependencies, CUgraphEdgeData *edgeData,
                                       size_t *numDependencies) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphNodeGetDependencies(hNode, dependencies,
                                                                                   (void *)edgeData, numDependencies))
                                : result;
}

CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies, size_t *numDependencies) {
  return cuGraphNodeGetDependencies_v2(hNode, dependencies, NULL, numDependencies);
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode hNode, CUgraphNode *dependentNodes, CUgraphEdgeData *edgeData,
                                         size_t *numDependentNodes) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphNodeGetDependentNodes(
                                      hNode, dependentNodes, (void *)edgeData, numDependentNodes))
                                : result;
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes, size_t *numDependentNodes) {
  return cuGraphNodeGetDependentNodes_v2(hNode, dependentNodes, NULL, numDependentNodes);
}

CUresult cuGraphAddDependencies_v2(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *edgeData, size_t numDependencies) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphAddDependencies(
                                      hGraph, from, to, (const void *)edgeData, numDependencies))
                                : result;
}

CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t numDependencies) {
  return cuGraphAddDependencies_v2(hGraph, from, to, NULL, numDependencies);
}

CUresult cuGraphRemoveDependencies_v2(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *edgeData, size_t numDependencies) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphRemoveDependencies(
                                      hGraph, from, to, (const void *)edgeData, numDependencies))
                                : result;
}

CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t numDependencies) {
  return cuGraphRemoveDependencies_v2(hGraph, from, to, NULL, numDependencies);
}

/* ---- user objects ------------------------------------------------------------------------------------------------ */

CUresult cuUserObjectCreate(CUuserObject *object_out, void *ptr, CUhostFn destroy, unsigned int initialRefcount,
                            unsigned int flags) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS
             ? vptr__driver_result(cudaUserObjectCreate(object_out, ptr, destroy, initialRefcount, flags))
             : result;
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaUserObjectRetain(object, count)) : result;
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaUserObjectRelease(object, count)) : result;
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphRetainUserObject(graph, object, count, flags))
                                : result;
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
  CUresult result = vptr__driver_begun();
  return result == CUDA_SUCCESS ? vptr__driver_result(cudaGraphReleaseUserObject(graph, object, count)) : result;
}
