// Textures and surfaces: the table is that of lib/vptr/mapper/texel_table.h, which has the bits of `how` too. A kernel
// gets those of the pieces that it uses, since drivers compile all that is there.
//: texel
struct vptr_texel_entry {
  ulong address, slice;
  uint generation, row, width, height, depth, how, element, levels;
  float border[4], bias, least, most;
  uint unused;
};
static __global const struct vptr_texel_entry *vptr_texel_find(__global const ulong *table, ulong handle, uint is_surface) {
  __global const struct vptr_texel_entry *entries = (__global const struct vptr_texel_entry *)table;
  uint index = (uint)handle, generation = (uint)(handle >> 32);
  if (generation == 0 || index >= entries[0].width / 2)
    return 0;
  entries += 2 * index + is_surface;
  return entries->generation == generation ? entries : 0;
}
//: texel_words
static void vptr_texel_words(uint4 v, uint *out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
  out[3] = v.w;
}
//: texel_element texel_words texel any
static uint4 vptr_texel_load(ulong address, uint how) {
  uint channels = how >> 2 & 3, bytes = how & 3, shift = 32 - (8u << bytes);
  uint4 v = (uint4)(0);
  if (bytes == 0) {
    __global const uchar *p = (__global const uchar *)address;
    v.x = p[0];
    if (channels > 0)
      v.y = p[1];
    if (channels > 1)
      v.z = p[2], v.w = p[3];
  } else if (bytes == 1) {
    __global const vptr_any_ushort *p = (__global const vptr_any_ushort *)address;
    v.x = p[0];
    if (channels > 0)
      v.y = p[1];
    if (channels > 1)
      v.z = p[2], v.w = p[3];
  } else {
    __global const vptr_any_uint *p = (__global const vptr_any_uint *)address;
    v.x = p[0];
    if (channels > 0)
      v.y = p[1];
    if (channels > 1)
      v.z = p[2], v.w = p[3];
  }
  return how & 16 ? as_uint4(as_int4(v << shift) >> shift) : v;
}
// Halves as floats, all four at once: vload_half() is long where it is inlined.
static float4 vptr_texel_halves(uint4 v) {
  uint4 rest = v & 0x7fffu;
  float4 f = as_float4(rest << 13) * 0x1p112f;
  return as_float4(((v & 0x8000u) << 16) | select(as_uint4(f), rest << 13 | 0x7f800000u, rest >= 0x7c00u));
}
// The power of 2.4 is the square times its fifth root, by Newton's steps: pow() is long to compile where it is inlined.
static float3 vptr_texel_linear_light(float3 c) {
  float3 base = (c + 0.055f) / 1.055f, square = base * base, root = as_float3(as_uint3(square) / 5u + 0x32cccccdu);
  for (int i = 0; i < 3; i++)
    root = (4.0f * root + square / (root * root * root * root)) / 5.0f;
  return select(square * root, c / 12.92f, c <= 0.04045f);
}
// What a texture that is read as floats has of an element's channels.
static float4 vptr_texel_floats(uint4 v, uint how) {
  if (how & 32)
    return (how & 3) == 2 ? as_float4(v) : vptr_texel_halves(v);
  float most = how & 16 ? ((how & 3) == 0 ? 127.0f : 32767.0f) : ((how & 3) == 0 ? 255.0f : 65535.0f);
  float4 f = how & 16 ? fmax(convert_float4(as_int4(v)) / most, -1.0f) : convert_float4(v) / most;
  if (how & 128)
    f.xyz = vptr_texel_linear_light(f.xyz);
  return f;
}
// One element, as 32 bits a channel; a coordinate below zero is the border.
static uint4 vptr_texture_element(const struct vptr_texel_entry *entry, uint how, int x, int y, int z) {
  bool floats = (how & 96) != 0;
  if (x < 0 || y < 0 || z < 0) {
    float4 border = (float4)(entry->border[0], entry->border[1], entry->border[2], entry->border[3]);
    if (floats)
      return as_uint4(border);
    return how & 16 ? as_uint4(convert_int4_sat(border)) : convert_uint4_sat(border);
  }
  ulong address = entry->address + (ulong)z * entry->slice + (ulong)y * entry->row + (ulong)x * entry->element;
  if ((how & 63) == 34) // one channel, a float
    return (uint4)(*(__global const vptr_any_uint *)address, 0, 0, 0);
  uint4 v = vptr_texel_load(address, how);
  return floats ? as_uint4(vptr_texel_floats(v, how)) : v;
}
//: texture_fetch texel_element
static void vptr_texture_fetch(__global const ulong *table, ulong handle, int x, uint *out) {
  __global const struct vptr_texel_entry *found = vptr_texel_find(table, handle, 0);
  uint4 v = (uint4)(0);
  if (found != 0 && x >= 0 && (uint)x < found->width) {
    struct vptr_texel_entry entry = *found;
    v = vptr_texture_element(&entry, entry.how, x, 0, 0);
  }
  vptr_texel_words(v, out);
}
// The element's number along an axis; -1: the border.
//: texture_axis
static int vptr_texture_bring_in(int i, int size, uint mode) {
  if (mode == 3)
    return i < 0 || i >= size ? -1 : i;
  if (mode == 0)
    return i < 0 ? size - 1 : i >= size ? 0 : i;
  return clamp(i, 0, size - 1);
}
// Below 2^23 by an integer: floor() is a function of some thirty instructions in PoCL.
static float vptr_texture_floor(float x) {
  float whole = (float)(int)x;
  return fabs(x) < 0x1p23f ? whole - (whole > x ? 1.0f : 0.0f) : x;
}
// The element at a coordinate; if `between`, the one before it and the one behind, and how far it is, in 256ths. What is
// beyond an end is brought close to it first. Modes: 0 wrap, 1 clamp, 2 mirror, 3 border.
static int vptr_texture_axis(float x, uint extent, uint how, uint mode, bool between, int *second, float *share) {
  int size = (int)extent;
  if (how & 512) {
    float whole = vptr_texture_floor(x);
    if (mode == 0)
      x -= whole;
    else if (mode == 2)
      x = whole - 2.0f * vptr_texture_floor(whole * 0.5f) != 0.0f ? 1.0f - (x - whole) : x - whole;
    x *= (float)size;
  }
  if (between)
    x -= 0.5f;
  x = fmin(fmax(x, -2.0f), (float)size + 1.0f);
  int i = (int)x - (x < 0.0f && (float)(int)x != x);
  if (!between) // what is rounded up to the end of what is repeated lies before it
    return vptr_texture_bring_in(mode == 0 ? min(i, size - 1) : i, size, mode);
  *second = vptr_texture_bring_in(i + 1, size, mode);
  *share = (float)(int)((x - (float)i) * 256.0f + 0.5f) * 0x1p-8f;
  return vptr_texture_bring_in(i, size, mode);
}
//: texture_read texture_axis texel_element
static uint4 vptr_texture_read(const struct vptr_texel_entry *entry, uint how, int axes, float x, float y, float z,
                               int layer) {
  bool linear = (how & 256) != 0;
  int x0, x1 = 0, y0 = 0, y1 = 0, z0 = layer, z1 = layer;
  float by_x = 0.0f, by_y = 0.0f, by_z = 0.0f;
  x0 = vptr_texture_axis(x, entry->width, how, how >> 10 & 3, linear, &x1, &by_x);
  if (axes > 1)
    y0 = vptr_texture_axis(y, entry->height, how, how >> 12 & 3, linear, &y1, &by_y);
  if (axes > 2)
    z0 = vptr_texture_axis(z, entry->depth, how, how >> 14 & 3, linear, &z1, &by_z);
  if (!linear)
    return vptr_texture_element(entry, how, x0, y0, z0);
  float4 sum = (float4)(0.0f);
  for (int corner = 0; corner < 1 << axes; corner++) {
    float part = (corner & 1 ? by_x : 1.0f - by_x) * (corner & 2 ? by_y : 1.0f - by_y) * (corner & 4 ? by_z : 1.0f - by_z);
    if (part != 0.0f)
      sum += part * as_float4(vptr_texture_element(entry, how, corner & 1 ? x1 : x0, corner & 2 ? y1 : y0,
                                                   corner & 4 ? z1 : z0));
  }
  return as_uint4(sum);
}
// So many coordinates: 1 to 3. Of several levels the first.
//: texture texture_read
static void vptr_texture(__global const ulong *table, ulong handle, int axes, float x, float y, float z, int layer, uint *out) {
  __global const struct vptr_texel_entry *found = vptr_texel_find(table, handle, 0);
  uint4 v = (uint4)(0);
  if (found != 0) {
    struct vptr_texel_entry entry = *found;
    v = vptr_texture_read(&entry, entry.how, axes, x, y, z, clamp(layer, 0, (int)entry.depth - 1));
  }
  vptr_texel_words(v, out);
}
// Levels lie one behind the other; a level between two is rounded, or both are read.
//: texture_level texture_read
static void vptr_texture_go_down(struct vptr_texel_entry *entry, int levels) {
  for (int i = 0; i < levels; i++) {
    entry->address += entry->slice * entry->depth;
    entry->width = max(entry->width >> 1, 1u);
    entry->height = max(entry->height >> 1, 1u);
    entry->depth = entry->how & 1 << 16 ? entry->depth : max(entry->depth >> 1, 1u);
    entry->row = entry->width * entry->element;
    entry->slice = (ulong)entry->row * entry->height;
  }
}
// Goes to the level that is asked for, and says how far it is to the next.
static float vptr_texture_go_to(struct vptr_texel_entry *entry, float level) {
  level = fmin(fmax(level + entry->bias, entry->least), fmin(entry->most, (float)(entry->levels - 1)));
  bool between = (entry->how & 1 << 17) != 0 && (entry->how & 96) != 0;
  int first = max((int)(between ? level : level + 0.5f), 0);
  vptr_texture_go_down(entry, first);
  return between ? (float)(int)((level - (float)first) * 256.0f + 0.5f) * 0x1p-8f : 0.0f;
}
static void vptr_texture_level(__global const ulong *table, ulong handle, int axes, float x, float y, float z, int layer,
                               float level, uint *out) {
  __global const struct vptr_texel_entry *found = vptr_texel_find(table, handle, 0);
  uint4 v = (uint4)(0);
  if (found != 0) {
    struct vptr_texel_entry entry = *found;
    float share = entry.levels > 1 ? vptr_texture_go_to(&entry, level) : 0.0f;
    layer = clamp(layer, 0, (int)entry.depth - 1);
    for (int pass = 0; pass < (share > 0.0f ? 2 : 1); pass++) { // one call, for the drivers' sake
      uint4 read = vptr_texture_read(&entry, entry.how, axes, x, y, z, layer);
      v = pass == 0 ? read : as_uint4((1.0f - share) * as_float4(v) + share * as_float4(read));
      if (share > 0.0f)
        vptr_texture_go_down(&entry, 1);
    }
  }
  vptr_texel_words(v, out);
}
// How many elements a step of 1 along each axis is, for those who have gradients.
//: texture_scale texel_words texel
static void vptr_texture_scale(__global const ulong *table, ulong handle, uint *out) {
  __global const struct vptr_texel_entry *entry = vptr_texel_find(table, handle, 0);
  float4 scale = (float4)(1.0f);
  if (entry != 0 && (entry->how & 512) != 0)
    scale = (float4)(entry->width, entry->height, entry->depth, 1.0f);
  vptr_texel_words(as_uint4(scale), out);
}
//: texture_cube texture_read
// The face of a cube that a direction meets, and where: coordinates from 0 to 1.
static int vptr_texture_face(float *x, float *y, float z) {
  float a = fabs(*x), b = fabs(*y), c = fabs(z), most, s, t;
  int face;
  if (a >= b && a >= c) {
    face = *x < 0.0f;
    most = a, s = face ? z : -z, t = -*y;
  } else if (b >= c) {
    face = 2 + (*y < 0.0f);
    most = b, s = *x, t = face == 3 ? -z : z;
  } else {
    face = 4 + (z < 0.0f);
    most = c, s = face == 5 ? -*x : *x, t = -*y;
  }
  *x = (s / most + 1.0f) * 0.5f;
  *y = (t / most + 1.0f) * 0.5f;
  return face;
}
static void vptr_texture_cube(__global const ulong *table, ulong handle, float x, float y, float z, int layer, uint *out) {
  __global const struct vptr_texel_entry *found = vptr_texel_find(table, handle, 0);
  uint4 v = (uint4)(0);
  if (found != 0) {
    struct vptr_texel_entry entry = *found;
    int face = vptr_texture_face(&x, &y, z);
    layer = 6 * clamp(layer, 0, (int)(entry.depth / 6) - 1) + face;
    v = vptr_texture_read(&entry, (entry.how & ~(15u << 10)) | 512 | 5 << 10, 2, x, y, 0.0f, layer);
  }
  vptr_texel_words(v, out);
}
//: texture_gather texture_axis texel_element
static uint4 vptr_texture_corners(const struct vptr_texel_entry *entry, uint how, float x, float y, int channel) {
  int x1, y1;
  float share;
  int x0 = vptr_texture_axis(x, entry->width, how, how >> 10 & 3, true, &x1, &share);
  int y0 = vptr_texture_axis(y, entry->height, how, how >> 12 & 3, true, &y1, &share);
  uint4 gathered = (uint4)(0);
  for (int corner = 0; corner < 4; corner++) { // from the lower left one on, as the mathematician turns
    uint4 v = vptr_texture_element(entry, how, corner == 1 || corner == 2 ? x1 : x0, corner < 2 ? y1 : y0, 0);
    uint word = channel == 0 ? v.x : channel == 1 ? v.y : channel == 2 ? v.z : v.w;
    if (corner == 0)
      gathered.x = word;
    else if (corner == 1)
      gathered.y = word;
    else if (corner == 2)
      gathered.z = word;
    else
      gathered.w = word;
  }
  return gathered;
}
static void vptr_texture_gather(__global const ulong *table, ulong handle, float x, float y, int channel, uint *out) {
  __global const struct vptr_texel_entry *found = vptr_texel_find(table, handle, 0);
  uint4 v = (uint4)(0);
  if (found != 0) {
    struct vptr_texel_entry entry = *found;
    v = vptr_texture_corners(&entry, entry.how, x, y, channel);
  }
  vptr_texel_words(v, out);
}
// An element of `bytes` at byte x of a row: read to `data`, or written from there. Modes: 0 zero, 1 clamp, 2 trap. Returns
// whether there is such a place, or the mode says what to do instead.
//: surface texel any
static int vptr_surface(__global const ulong *table, ulong handle, int writes, int bytes, int x, int y, int z, int mode,
                        uint *data) {
  __global const struct vptr_texel_entry *entry = vptr_texel_find(table, handle, 1);
  int row = entry != 0 ? (int)(entry->width * entry->element) : 0;
  bool inside = entry != 0 && x >= 0 && x <= row - bytes && y >= 0 && y < (int)entry->height && z >= 0 && z < (int)entry->depth;
  if (!writes)
    data[0] = data[1] = data[2] = data[3] = 0;
  if (!inside && (mode != 1 || entry == 0))
    return mode == 0;
  x = clamp(x, 0, row - bytes);
  ulong place = entry->address + (ulong)clamp(z, 0, (int)entry->depth - 1) * entry->slice +
                (ulong)clamp(y, 0, (int)entry->height - 1) * entry->row + (ulong)(x - x % bytes);
  if (bytes == 1) {
    __global uchar *p = (__global uchar *)place;
    if (writes)
      p[0] = (uchar)data[0];
    else
      data[0] = p[0];
  } else if (bytes == 2) {
    __global vptr_any_ushort *p = (__global vptr_any_ushort *)place;
    if (writes)
      p[0] = (ushort)data[0];
    else
      data[0] = p[0];
  } else {
    __global vptr_any_uint *p = (__global vptr_any_uint *)place;
    for (int i = 0; i < bytes / 4; i++)
      if (writes)
        p[i] = data[i];
      else
        data[i] = p[i];
  }
  return 1;
}
