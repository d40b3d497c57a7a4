/* SPDX-License-Identifier: MIT */
/* language_text - characters and strings on the device: literals, tables of strings, parsing, numbers as text. */
#include "check.h"

__host__ __device__ int length(const char *text) {
  int count = 0;
  while (text[count])
    count++;
  return count;
}
__host__ __device__ int parsed(const char *text) {
  int value = 0, sign = 1;
  while (*text == ' ')
    text++;
  if (*text == '-')
    sign = -1, text++;
  for (; *text >= '0' && *text <= '9'; text++)
    value = value * 10 + (*text - '0');
  return value * sign;
}
__device__ const char *const names[] = { "zero", "one", "-217", "  99 red balloons" };

__global__ void write(char *out, int *numbers, const char *given) {
  int i = (int)threadIdx.x;
  char digits[12];
  int count = 0;
  for (int n = i * i * 37 + 5; n > 0; n /= 10)
    digits[count++] = (char)('0' + n % 10);
  char *line = out + i * 16;
  for (int k = 0; k < count; k++)
    line[k] = digits[count - 1 - k];
  line[count] = '\0';
  numbers[i] = parsed(line) * 10 + length(names[i % 4]) + parsed(names[i % 4]) + parsed(given) + (given[0] == 'x');
}

int main() {
  items<char, 512> text;
  items<int, 32> numbers;
  items<char, 8> given;
  strcpy(given.host, "-45x");
  given.send();
  write<<<1, 32>>>(text.device, numbers.device, given.device);
  text.fetch();
  numbers.fetch();
  const int extra[] = { 4, 4, 4 - 217, 17 + 99 };
  EXPECT_EACH(32, atoi(text.host + i * 16) == i * i * 37 + 5);
  EXPECT_EACH(32, numbers[i] == (i * i * 37 + 5) * 10 + extra[i % 4] - 45 + (i % 4 == 1 ? -1 : 0));
  return result();
}
