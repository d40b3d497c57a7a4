/* SPDX-License-Identifier: MIT */
/* images - textures and surfaces of each shape, as each kind of number. */
template <class T> __global__ void textures(T *out, cudaTextureObject_t t) {
  float2 d2 = {};
  float4 d4 = {};
  out[0] = tex1Dfetch<T>(t, 1);
  out[1] = tex1D<T>(t, 1.5f);
  out[2] = tex2D<T>(t, 1.5f, 2.5f);
  out[3] = tex3D<T>(t, 1.5f, 2.5f, 3.5f);
  out[4] = tex1DLayered<T>(t, 1.5f, 2);
  out[5] = tex2DLayered<T>(t, 1.5f, 2.5f, 3);
  out[6] = texCubemap<T>(t, 1.5f, 2.5f, 3.5f);
  out[7] = texCubemapLayered<T>(t, 1.5f, 2.5f, 3.5f, 4);
  out[8] = tex2DLod<T>(t, 1.5f, 2.5f, 1.0f);
  out[9] = tex2DGrad<T>(t, 1.5f, 2.5f, d2, d2);
  out[10] = tex3DGrad<T>(t, 1.5f, 2.5f, 3.5f, d4, d4);
  out[11] = tex2Dgather<T>(t, 1.5f, 2.5f, 2);
  tex2D(out + 12, t, 1.5f, 2.5f);
}

template <class T> __global__ void surfaces(T value, cudaSurfaceObject_t s) {
  surf1Dwrite(value, s, 0);
  surf2Dwrite(surf2Dread<T>(s, 0, 1), s, 0, 2);
  surf3Dwrite(surf3Dread<T>(s, 0, 1, 2, cudaBoundaryModeClamp), s, 0, 2, 3, cudaBoundaryModeZero);
  surf2DLayeredwrite(value, s, 0, 1, 2);
  surf1DLayeredwrite(value, s, 0, 1);
  surfCubemapwrite(value, s, 0, 1, 2);
  surf1Dread(&value, s, 4);
  surf1Dwrite(value, s, 8);
}

template <class T> void run() {
  textures<T><<<1, 1>>>(nullptr, 0);
  surfaces<T><<<1, 1>>>(T(), 0);
}

int main() {
  run<float>();
  run<float2>();
  run<float4>();
  run<int>();
  run<int4>();
  run<unsigned char>();
  run<uchar4>();
  run<short2>();
  run<ushort1>();
  run<signed char>();
  return 0;
}
