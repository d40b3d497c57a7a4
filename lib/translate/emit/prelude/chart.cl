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
static __global const ulong *vptr_chart_entry(__global const ulong *entries, ulong count, ulong p) {
  ulong low = 0, high = count;
  while (low < high) {
    ulong middle = (low + high) / 2;
    if (entries[3 * middle] <= p)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? entries + 3 * low - 3 : 0;
}
static ulong vptr_in(const struct vptr_chart *chart, ulong p) {
  ulong window = (p - chart->base) >> chart->shift;
  if (window < chart->windows)
    return p + chart->table[6 + window];
  __global const ulong *host = vptr_chart_entry(chart->table + 6 + chart->windows, chart->table[3], p);
  return host != 0 && p - host[0] <= host[1] ? p + host[2] : p;
}
static ulong vptr_out(const struct vptr_chart *chart, ulong p) {
  __global const ulong *hosts = chart->table + 6 + chart->windows + 3 * chart->table[3];
  __global const ulong *host = vptr_chart_entry(hosts, chart->table[4], p);
  if (host != 0 && p - host[0] < host[1])
    return p + host[2];
  __global const ulong *buffer = vptr_chart_entry(hosts + 3 * chart->table[4], chart->table[5], p);
  if (buffer != 0 && p == buffer[0])
    return p + buffer[2];
  if (host != 0 && p - host[0] == host[1])
    return p + host[2];
  return buffer != 0 && p - buffer[0] <= buffer[1] ? p + buffer[2] : p;
}
