// Reals with a width or a precision that is an argument: OpenCL's printf() wants both in its format. The number is taken
// apart into all its decimal digits, 9 in a word, 36 words in front of the point and 121 behind it, and rounded to
// nearest, to even where two are as near, as the host's printf() does.
//: print_real print_field
#define VPTR_WORDS 157
#define VPTR_POINT 324
struct vptr_decimal {
  uint words[VPTR_WORDS];
};
static uint vptr_ten_to(int power) {
  uint result = 1;
  for (; power > 0; power--)
    result *= 10;
  return result;
}
static int vptr_digit(const struct vptr_decimal *it, int at) {
  return at < VPTR_WORDS * 9 ? (int)(it->words[at / 9] / vptr_ten_to(8 - at % 9) % 10) : 0;
}
// mantissa, of 53 bits, times two to that power.
static void vptr_decimal_of(struct vptr_decimal *it, ulong mantissa, int power) {
  int first = 34, end = 36;
  for (int i = 0; i < VPTR_WORDS; i++)
    it->words[i] = 0;
  it->words[35] = (uint)(mantissa % 1000000000);
  it->words[34] = (uint)(mantissa / 1000000000);
  while (power > 0) {
    const int by = power < 29 ? power : 29;
    ulong carry = 0;
    for (int i = end - 1; i >= first; i--) {
      const ulong word = ((ulong)it->words[i] << by) + carry;
      it->words[i] = (uint)(word % 1000000000);
      carry = word / 1000000000;
    }
    if (carry != 0)
      it->words[--first] = (uint)carry;
    power -= by;
  }
  while (power < 0) {
    const int by = power > -9 ? -power : 9;
    uint rest = 0;
    for (int i = first; i < end; i++) {
      const ulong word = it->words[i] + (ulong)rest * 1000000000;
      it->words[i] = (uint)(word >> by);
      rest = (uint)word & ((1u << by) - 1);
    }
    if (rest != 0)
      it->words[end++] = rest * (1000000000u >> by);
    while (first < end && it->words[first] == 0)
      first++;
    power += by;
  }
}
// To so many digits, from the first of all on.
static void vptr_decimal_round(struct vptr_decimal *it, long digits) {
  if (digits >= VPTR_WORDS * 9)
    return;
  const int keep = (int)digits, word = keep / 9, next = vptr_digit(it, keep);
  uint unit = vptr_ten_to(9 - keep % 9), rest = it->words[word] % (unit / 10);
  for (int i = word + 1; i < VPTR_WORDS; i++) {
    rest |= it->words[i];
    it->words[i] = 0;
  }
  const bool is_up = next > 5 || (next == 5 && (rest != 0 || (vptr_digit(it, keep - 1) & 1) != 0));
  it->words[word] -= it->words[word] % unit;
  if (!is_up)
    return;
  int at = word;
  it->words[at] += unit;
  while (it->words[at] >= 1000000000) {
    it->words[at] -= 1000000000;
    it->words[--at]++;
  }
}
// Of zero, the one in front of the point.
static int vptr_decimal_first(const struct vptr_decimal *it) {
  int at = 0;
  while (at < VPTR_WORDS && it->words[at] == 0)
    at++;
  if (at == VPTR_WORDS)
    return VPTR_POINT - 1;
  for (at *= 9; vptr_digit(it, at) == 0; at++)
    ;
  return at;
}
// What is printed: sign and head, digits from `first` on, `before` of them in front of the point, and the tail.
struct vptr_real {
  struct vptr_decimal decimal;
  ulong mantissa;
  long fraction;
  int letter, first, before, head_length, tail_length;
  bool is_hexadecimal, has_point;
  char head[3], tail[6];
};
static void vptr_real_power(struct vptr_real *it, int letter, int power, int least) {
  const int size = power < 0 ? -power : power;
  int digits = size > 999 ? 4 : size > 99 ? 3 : size > 9 ? 2 : 1;
  digits = digits < least ? least : digits;
  it->tail[0] = (char)letter;
  it->tail[1] = power < 0 ? '-' : '+';
  for (int i = 0, rest = size; i < digits; i++, rest /= 10)
    it->tail[1 + digits - i] = (char)('0' + rest % 10);
  it->tail_length = 2 + digits;
}
static void vptr_real_fixed(struct vptr_real *it, long precision) {
  const int first = vptr_decimal_first(&it->decimal);
  it->first = first < VPTR_POINT ? first : VPTR_POINT - 1;
  it->before = VPTR_POINT - it->first;
  it->fraction = precision;
}
static void vptr_real_scientific(struct vptr_real *it, long precision, int letter) {
  it->first = vptr_decimal_first(&it->decimal);
  it->before = 1;
  it->fraction = precision;
  vptr_real_power(it, letter, VPTR_POINT - 1 - it->first, 2);
}
static void vptr_real_general(struct vptr_real *it, long precision, int letter, bool keeps_zeros) {
  precision = precision == 0 ? 1 : precision;
  vptr_decimal_round(&it->decimal, vptr_decimal_first(&it->decimal) + precision);
  const int power = VPTR_POINT - 1 - vptr_decimal_first(&it->decimal);
  if (power < -4 || power >= precision)
    vptr_real_scientific(it, precision - 1, letter == 'g' ? 'e' : 'E');
  else
    vptr_real_fixed(it, precision - 1 - power);
  if (keeps_zeros)
    return;
  const long most = VPTR_WORDS * 9 - it->first - it->before;
  it->fraction = it->fraction > most ? most : it->fraction;
  while (it->fraction > 0 && vptr_digit(&it->decimal, it->first + it->before + (int)it->fraction - 1) == 0)
    it->fraction--;
}
static void vptr_real_hexadecimal(struct vptr_real *it, ulong mantissa, int power, int precision, int letter) {
  vptr_real_power(it, letter == 'a' ? 'p' : 'P', mantissa == 0 ? 0 : power + 52, 1);
  if (precision >= 0 && precision < 13) {
    const int gone = 4 * (13 - precision);
    const ulong unit = 1ul << gone, rest = mantissa & (unit - 1);
    mantissa -= rest;
    if (rest > unit / 2 || (rest == unit / 2 && (mantissa & unit) != 0))
      mantissa += unit;
  }
  it->fraction = precision;
  if (precision < 0)
    for (it->fraction = 13; it->fraction > 0 && (mantissa >> (52 - 4 * it->fraction) & 15) == 0;)
      it->fraction--;
  it->is_hexadecimal = true;
  it->before = 1;
  it->head[it->head_length++] = '0';
  it->head[it->head_length++] = letter == 'a' ? 'x' : 'X';
  it->mantissa = mantissa;
}
static int vptr_real_digit(const struct vptr_real *it, long at) {
  if (!it->is_hexadecimal)
    return at < VPTR_WORDS * 9 ? '0' + vptr_digit(&it->decimal, it->first + (int)at) : '0';
  const int digit = at > 13 ? 0 : (int)(it->mantissa >> (52 - 4 * at) & 15);
  return digit < 10 ? '0' + digit : (it->letter == 'a' ? 'a' : 'A') + digit - 10;
}
// is_special: a zero mantissa is an infinity, any other no number.
static void vptr_real_of(struct vptr_real *it, ulong mantissa, int power, bool is_special, int letter, bool is_full,
                         int precision) {
  const long digits = precision < 0 ? 6 : precision;
  it->mantissa = mantissa;
  it->letter = letter;
  it->fraction = it->first = it->before = it->tail_length = 0;
  it->is_hexadecimal = false;
  if (is_special) {
    for (int i = 0; i < 3; i++)
      it->tail[it->tail_length++] = (mantissa == 0 ? "inf" : "nan")[i] - (letter < 'a' ? 32 : 0);
  } else if (letter == 'a' || letter == 'A') {
    vptr_real_hexadecimal(it, mantissa, power, precision, letter);
  } else {
    vptr_decimal_of(&it->decimal, mantissa, power);
    if (letter == 'f' || letter == 'F') {
      vptr_decimal_round(&it->decimal, VPTR_POINT + digits);
      vptr_real_fixed(it, digits);
    } else if (letter == 'e' || letter == 'E') {
      vptr_decimal_round(&it->decimal, vptr_decimal_first(&it->decimal) + 1 + digits);
      vptr_real_scientific(it, digits, letter);
    } else {
      vptr_real_general(it, digits, letter, is_full);
    }
  }
  it->has_point = !is_special && (it->fraction > 0 || is_full);
}
static __attribute__((always_inline)) void vptr_print_real(ulong mantissa, int power, bool is_negative,
                                                           bool is_special, int letter, uint flags, int width,
                                                           int precision) {
  struct vptr_real it;
  const int sign = is_negative ? '-' : (flags & 2) != 0 ? '+' : (flags & 4) != 0 ? ' ' : 0;
  it.head_length = sign != 0;
  it.head[0] = (char)sign;
  vptr_real_of(&it, mantissa, power, is_special, letter, (flags & 8) != 0, precision);
  long length = it.head_length + it.before + it.has_point + it.fraction + it.tail_length, zeros = 0;
  if ((flags & 17) == 16 && !is_special && width > length)
    zeros = width - length;
  struct vptr_field field = vptr_field_of(length + zeros, flags, width);
  for (long i = 0; i < field.end; i++) {
    long at = i - field.left - it.head_length;
    int character = ' ';
    if (i >= field.left && i < field.left + it.head_length)
      character = it.head[i - field.left];
    else if (at >= 0 && (at -= zeros) < 0)
      character = '0';
    else if (at >= 0 && at < it.before)
      character = vptr_real_digit(&it, at);
    else if (at >= 0 && it.has_point && at == it.before)
      character = '.';
    else if (at >= 0 && (at -= it.has_point) < it.before + it.fraction)
      character = vptr_real_digit(&it, at);
    else if (at >= 0 && (at -= it.before + it.fraction) < it.tail_length)
      character = it.tail[at];
    printf("%c", character);
  }
}
//: print_real_float print_real
static __attribute__((always_inline)) void vptr_print_real_float(float value, int letter, uint flags, int width,
                                                                 int precision) {
  const uint bits = as_uint(value);
  int power = (int)(bits >> 23 & 255);
  ulong mantissa = bits & 0x7fffff;
  const bool is_special = power == 255;
  if (power != 0 && !is_special)
    mantissa |= 0x800000;
  power = (power == 0 ? 1 : power) - 150;
  for (; mantissa != 0 && mantissa >> 52 == 0; power--)
    mantissa <<= 1;
  vptr_print_real(mantissa, power, bits >> 31 != 0, is_special, letter, flags, width, precision);
}
//: print_real_double print_real
static __attribute__((always_inline)) void vptr_print_real_double(double value, int letter, uint flags, int width,
                                                                  int precision) {
  const ulong bits = as_ulong(value);
  const int power = (int)(bits >> 52 & 2047);
  ulong mantissa = bits & 0xffffffffffffful;
  const bool is_special = power == 2047;
  if (power != 0 && !is_special)
    mantissa |= 1ul << 52;
  vptr_print_real(mantissa, (power == 0 ? 1 : power) - 1075, bits >> 63 != 0, is_special, letter, flags, width,
                  precision);
}
