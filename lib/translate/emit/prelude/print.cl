// What printf() has in CUDA and not in OpenCL: text in memory, widths and precisions that are arguments, addresses as the host
// writes them. Flags are bits: 1 '-', 2 '+', 4 ' ', 8 '#', 16 '0'; a width below 0 is '-' and its absolute value, a precision
// below 0 is none. Each has one call of the driver's, which a character comes by: drivers take their time with each, and
// PoCL 3.1 loses its buffer on the way to functions that are not inlined.
//: print_field
struct vptr_field {
  long left, length, end;
};
static __attribute__((always_inline)) struct vptr_field vptr_field_of(long length, uint flags, int width) {
  long size = width < 0 ? -(long)width : width, padding = size > length ? size - length : 0;
  struct vptr_field field = { (flags & 1) != 0 || width < 0 ? 0 : padding, length, length + padding };
  return field;
}
//: print_text print_field
static __attribute__((always_inline)) void vptr_print_text_@(__@ const char *text, uint flags, int width, int precision) {
  long length = 0;
  if (text == 0)
    length = precision < 0 || precision >= 6 ? 6 : 0;
  else
    while ((precision < 0 || length < precision) && text[length] != 0)
      length++;
  struct vptr_field field = vptr_field_of(length, flags, width);
  for (long i = 0; i < field.end; i++) {
    long at = i - field.left;
    printf("%c", at < 0 || at >= length ? ' ' : text == 0 ? (int)"(null)"[at] : (int)text[at]);
  }
}
//: print_character print_field
static __attribute__((always_inline)) void vptr_print_character(int character, uint flags, int width) {
  struct vptr_field field = vptr_field_of(1, flags, width);
  for (long i = 0; i < field.end; i++)
    printf("%c", i == field.left ? character : ' ');
}
//: print_digits print_field
static __attribute__((always_inline)) void vptr_print_digits(ulong value, int letter, int sign, uint flags, int width, int precision) {
  char digits[24], head[3];
  const uint base = letter == 'o' ? 8 : letter == 'u' ? 10 : 16;
  const int ten = letter == 'X' ? 'A' : 'a';
  long count = 0, begin = 0, zeros;
  for (ulong rest = value; rest != 0; rest /= base)
    digits[count++] = (char)(rest % base < 10 ? '0' + rest % base : ten + (rest % base - 10));
  if (sign != 0)
    head[begin++] = (char)sign;
  if ((flags & 8) != 0 && base == 16 && value != 0) {
    head[begin++] = '0';
    head[begin++] = (char)letter;
  }
  zeros = (precision < 0 ? 1 : precision) - count;
  if ((flags & 8) != 0 && base == 8 && zeros <= 0 && (value != 0 || precision == 0))
    zeros = 1;
  zeros = zeros < 0 ? 0 : zeros;
  if ((flags & 17) == 16 && precision < 0 && width > begin + zeros + count)
    zeros = width - begin - count;
  struct vptr_field field = vptr_field_of(begin + zeros + count, flags, width);
  for (long i = 0; i < field.end; i++) {
    long at = i - field.left;
    int character = ' ';
    if (at >= 0 && at < field.length)
      character = at < begin ? head[at] : at < begin + zeros ? '0' : digits[field.length - 1 - at];
    printf("%c", character);
  }
}
//: print_signed print_digits
static __attribute__((always_inline)) void vptr_print_signed(long value, uint flags, int width, int precision) {
  const int sign = value < 0 ? '-' : (flags & 2) != 0 ? '+' : (flags & 4) != 0 ? ' ' : 0;
  vptr_print_digits(value < 0 ? 0 - (ulong)value : (ulong)value, 'u', sign, flags, width, precision);
}
//: print_address print_field
static __attribute__((always_inline)) void vptr_print_address(ulong address, uint flags, int width) {
  long digits = 0;
  while (digits < 16 && address >> 4 * digits != 0)
    digits++;
  struct vptr_field field = vptr_field_of(address == 0 ? 5 : digits + 2, flags, width);
  for (long i = 0; i < field.end; i++) {
    long at = i - field.left;
    int character = ' ';
    if (at >= 0 && at < field.length)
      character = address == 0 ? "(nil)"[at] : at < 2 ? "0x"[at] : "0123456789abcdef"[address >> 4 * (digits + 1 - at) & 15];
    printf("%c", character);
  }
}
