// SPDX-License-Identifier: MIT
// picture - see picture.h. Light spans four decades, so that colours are by its inverse hyperbolic sine, as astronomers
// develop theirs; and the brightest has a glow. The file's data is stored, not compressed, which takes no library.
#include "picture.h"

#include "model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>

namespace {

typedef std::vector<float> plane;

const float colours[TINTS][3] = {
  { 1.00f, 0.78f, 0.50f },                          // both galaxies' centres
  { 1.00f, 0.70f, 0.40f }, { 0.70f, 0.82f, 1.00f }, // the inner discs
  { 1.00f, 0.40f, 0.44f }, { 0.34f, 0.57f, 1.00f }, // the outer discs
};

// The share of all light with which a pixel begins to be seen.
const double FAINT = 7.5e-8;

// ---- development ------------------------------------------------------------------------------------------------

plane gather(const std::vector<unsigned> &light, int channel) {
  plane result(WIDTH * HEIGHT);
  for (std::size_t i = 0; i < result.size(); i++)
    for (int tint = 0; tint < TINTS; tint++)
      result[i] += static_cast<float>(light[i * TINTS + static_cast<std::size_t>(tint)]) * colours[tint][channel];
  return result;
}

// Three running means come near to a Gaussian.
void blur_line(float *line, int count, int stride, int reach) {
  std::vector<float> copy(static_cast<std::size_t>(count));
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 0; i < count; i++)
      copy[static_cast<std::size_t>(i)] = line[i * stride];
    double sum = 0; // a float's rounding would be seen for the rest of the line
    for (int i = -reach; i < count; i++) {
      sum += i + reach < count ? static_cast<double>(copy[static_cast<std::size_t>(i + reach)]) : 0;
      sum -= i - reach > 0 ? static_cast<double>(copy[static_cast<std::size_t>(i - reach - 1)]) : 0;
      if (i >= 0)
        line[i * stride] = static_cast<float>(std::max(sum, 0.0) / (2 * reach + 1));
    }
  }
}

plane blurred(plane light, int reach) {
  for (int y = 0; y < HEIGHT; y++)
    blur_line(&light[static_cast<std::size_t>(y * WIDTH)], WIDTH, 1, reach);
  for (int x = 0; x < WIDTH; x++)
    blur_line(&light[static_cast<std::size_t>(x)], HEIGHT, WIDTH, reach);
  return light;
}

void add_glow(plane &light) {
  plane near = blurred(light, 2), far = blurred(light, 14), veil = blurred(light, 60);
  for (std::size_t i = 0; i < light.size(); i++)
    light[i] = 0.55f * light[i] + 0.3f * near[i] + 0.1f * far[i] + 0.05f * veil[i];
}

// The brightness of a pixel is stretched, and its colour kept; the brightest go to white.
void develop(const plane (&light)[3], float unit, std::vector<unsigned char> &pixels) {
  const float background[3] = { 5, 6, 13 };
  for (std::size_t i = 0; i < light[0].size(); i++) {
    float most = std::max(std::max(light[0][i], light[1][i]), light[2][i]) / unit;
    float stretched = std::asinh(most) / 8.5f, white = std::min(std::max(stretched - 0.75f, 0.0f) * 1.6f, 0.9f);
    for (int c = 0; c < 3; c++) {
      float share = most > 0 ? light[c][i] / unit / most : 0;
      float value = std::min((share + (1 - share) * white) * std::pow(stretched, 0.9f), 1.0f);
      pixels[3 * i + static_cast<std::size_t>(c)] =
          static_cast<unsigned char>(background[c] + (255 - background[c]) * value);
    }
  }
}

// ---- PNG --------------------------------------------------------------------------------------------------------

typedef std::vector<unsigned char> bytes;

void append_number(bytes &out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<unsigned char>(number >> shift));
}

std::uint32_t crc32(const unsigned char *data, std::size_t count) {
  std::uint32_t crc = 0xffffffffu;
  for (std::size_t i = 0; i < count; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

std::uint32_t adler32(const bytes &data) {
  std::uint32_t low = 1, high = 0;
  for (unsigned char byte : data) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  return high << 16 | low;
}

void append_chunk(bytes &out, const char *type, const bytes &data) {
  append_number(out, static_cast<std::uint32_t>(data.size()));
  std::size_t begin = out.size();
  out.insert(out.end(), type, type + 4);
  out.insert(out.end(), data.begin(), data.end());
  append_number(out, crc32(&out[begin], out.size() - begin));
}

// A zlib stream of blocks that are stored: their length, its complement, the bytes.
bytes stored(const bytes &data) {
  bytes out = { 0x78, 0x01 };
  for (std::size_t done = 0; done < data.size();) {
    std::size_t length = std::min<std::size_t>(data.size() - done, 65535);
    out.push_back(done + length == data.size());
    for (std::size_t word : { length, ~length })
      for (int shift = 0; shift < 16; shift += 8)
        out.push_back(static_cast<unsigned char>(word >> shift));
    out.insert(out.end(), data.begin() + static_cast<std::ptrdiff_t>(done),
               data.begin() + static_cast<std::ptrdiff_t>(done + length));
    done += length;
  }
  append_number(out, adler32(data));
  return out;
}

bytes png(const bytes &pixels) {
  bytes rows, head, out = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  for (int y = 0; y < HEIGHT; y++) {
    rows.push_back(0); // no filter
    rows.insert(rows.end(), pixels.begin() + 3 * WIDTH * y, pixels.begin() + 3 * WIDTH * (y + 1));
  }
  append_number(head, WIDTH);
  append_number(head, HEIGHT);
  const unsigned char rest[] = { 8, 2, 0, 0, 0 }; // 8 bits; red, green and blue
  head.insert(head.end(), rest, rest + sizeof rest);
  append_chunk(out, "IHDR", head);
  append_chunk(out, "IDAT", stored(rows));
  append_chunk(out, "IEND", bytes());
  return out;
}

} // namespace

bool picture_write(const std::string &path, const std::vector<unsigned> &light) {
  plane planes[3];
  for (int c = 0; c < 3; c++) {
    planes[c] = gather(light, c);
    add_glow(planes[c]);
  }
  bytes pixels(3 * WIDTH * HEIGHT);
  develop(planes, static_cast<float>(FAINT * std::accumulate(light.begin(), light.end(), 1.0)), pixels);
  bytes out = png(pixels);
  FILE *file = std::fopen(path.c_str(), "wb");
  if (file == NULL)
    return false;
  bool written = std::fwrite(out.data(), 1, out.size(), file) == out.size();
  return std::fclose(file) == 0 && written;
}
