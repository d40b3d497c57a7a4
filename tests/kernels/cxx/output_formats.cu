/* SPDX-License-Identifier: MIT */
/* output_formats - formats of printf() that are known only when the kernel runs (../formats.h), and by templates. */
#include "check.h"

#include "../formats.h"

#include <cstring>

template <class... T> __device__ int write(const char *format, T... values) {
  return printf(format, values...);
}

template <class T> struct named {
  static __device__ const char *format() { return sizeof(T) == 8 ? "wide %ld\n" : "narrow %d\n"; }
};

__global__ void by_templates(int *counts) {
  counts[0] = write("%d %d %s\n", 1, 2, "three");
  counts[1] = write(named<long>::format(), 5l) + write(named<int>::format(), 6);
}

static int wrong, counts[2];

static void compare() {
  wrong = formats_differ();
}

static void print_by_templates() {
  items<int, 2> counted;
  by_templates<<<1, 1>>>(counted.device);
  counted.fetch();
  counts[0] = counted[0], counts[1] = counted[1];
}

/* A program of this folder prints what is wrong, and nothing else. */
int main() {
  static char text[8192];
  captured(compare, text, sizeof text);
  EXPECT(wrong == 0);
  if (wrong != 0)
    fputs(text, stderr);
  captured(print_by_templates, text, sizeof text);
  EXPECT(strcmp(text, "1 2 three\nwide 5\nnarrow 6\n") == 0);
  EXPECT(counts[0] == 3);
  EXPECT(counts[1] == 2);
  return result();
}
