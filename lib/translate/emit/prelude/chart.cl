// Pointers in memory, which are the host's addresses: what they mean to the device, and back. The table is that of
// lib/mapper/chart.h.
//: chart
struct vptr_chart {
  __global const ulong *table;
  ulong base, shift, windows;
};
static struct vptr_chart vptr_chart_of(__global const ulong *table) {
  struct vptr_chart chart = { table, table[0], table[1], table[2] };
  return chart;
}
static int vptr_chart_find(__global const ulong *entries, ulong count, ulong *p) {
  ulong low = 0, high = count;
  while (low < high) {
    ulong middle = (low + high) / 2;
    if (entries[3 * middle] <= *p)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || *p - entries[3 * low - 3] > entries[3 * low - 2])
    return 0;
  *p += entries[3 * low - 1];
  return 1;
}
static ulong vptr_in(const struct vptr_chart *chart, ulong p) {
  ulong window = (p - chart->base) >> chart->shift;
  if (window < chart->windows)
    return p + chart->table[6 + window];
  vptr_chart_find(chart->table + 6 + chart->windows, chart->table[3], &p);
  return p;
}
static ulong vptr_out(const struct vptr_chart *chart, ulong p) {
  __global const ulong *hosts = chart->table + 6 + chart->windows + 3 * chart->table[3];
  if (!vptr_chart_find(hosts, chart->table[4], &p))
    vptr_chart_find(hosts + 3 * chart->table[4], chart->table[5], &p);
  return p;
}
