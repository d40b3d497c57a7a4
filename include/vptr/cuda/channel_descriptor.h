/* SPDX-License-Identifier: MIT */
/*
 * channel_descriptor - in C++, the channels of a type: cudaCreateChannelDesc<float4>().
 *
 * The specialisations are CUDA's: 8-, 16- and 32-bit integers and float, one, two and four of them. A type that can be
 * no element of an array has the kind cudaChannelFormatKindNone.
 */
#ifndef VPTR_CUDA_CHANNEL_DESCRIPTOR_H
#define VPTR_CUDA_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus

namespace vptr_cuda_channel {

/* The kind of one channel; a template's value, so that each type is a line. */
template <class T> struct kind { static const cudaChannelFormatKind value = cudaChannelFormatKindNone; };
template <> struct kind<char> {
  static const cudaChannelFormatKind value =
      static_cast<char>(-1) < 0 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned;
};
template <> struct kind<signed char> { static const cudaChannelFormatKind value = cudaChannelFormatKindSigned; };
template <> struct kind<short> { static const cudaChannelFormatKind value = cudaChannelFormatKindSigned; };
template <> struct kind<int> { static const cudaChannelFormatKind value = cudaChannelFormatKindSigned; };
template <> struct kind<unsigned char> { static const cudaChannelFormatKind value = cudaChannelFormatKindUnsigned; };
template <> struct kind<unsigned short> { static const cudaChannelFormatKind value = cudaChannelFormatKindUnsigned; };
template <> struct kind<unsigned int> { static const cudaChannelFormatKind value = cudaChannelFormatKindUnsigned; };
template <> struct kind<float> { static const cudaChannelFormatKind value = cudaChannelFormatKindFloat; };

/* The channel's type and their number. */
template <class T> struct shape { typedef T channel; enum { count = 1 }; };
template <> struct shape<char1> { typedef signed char channel; enum { count = 1 }; };
template <> struct shape<char2> { typedef signed char channel; enum { count = 2 }; };
template <> struct shape<char4> { typedef signed char channel; enum { count = 4 }; };
template <> struct shape<uchar1> { typedef unsigned char channel; enum { count = 1 }; };
template <> struct shape<uchar2> { typedef unsigned char channel; enum { count = 2 }; };
template <> struct shape<uchar4> { typedef unsigned char channel; enum { count = 4 }; };
template <> struct shape<short1> { typedef short channel; enum { count = 1 }; };
template <> struct shape<short2> { typedef short channel; enum { count = 2 }; };
template <> struct shape<short4> { typedef short channel; enum { count = 4 }; };
template <> struct shape<ushort1> { typedef unsigned short channel; enum { count = 1 }; };
template <> struct shape<ushort2> { typedef unsigned short channel; enum { count = 2 }; };
template <> struct shape<ushort4> { typedef unsigned short channel; enum { count = 4 }; };
template <> struct shape<int1> { typedef int channel; enum { count = 1 }; };
template <> struct shape<int2> { typedef int channel; enum { count = 2 }; };
template <> struct shape<int4> { typedef int channel; enum { count = 4 }; };
template <> struct shape<uint1> { typedef unsigned int channel; enum { count = 1 }; };
template <> struct shape<uint2> { typedef unsigned int channel; enum { count = 2 }; };
template <> struct shape<uint4> { typedef unsigned int channel; enum { count = 4 }; };
template <> struct shape<float1> { typedef float channel; enum { count = 1 }; };
template <> struct shape<float2> { typedef float channel; enum { count = 2 }; };
template <> struct shape<float4> { typedef float channel; enum { count = 4 }; };

}  /* namespace vptr_cuda_channel */

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef typename vptr_cuda_channel::shape<T>::channel channel;
  const int count = vptr_cuda_channel::shape<T>::count;
  const cudaChannelFormatKind kind = vptr_cuda_channel::kind<channel>::value;
  const int bits = kind == cudaChannelFormatKindNone ? 0 : static_cast<int>(8 * sizeof(channel));
  return ::cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind);
}

#endif

#endif
