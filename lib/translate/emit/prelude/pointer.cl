// A pointer in memory that is stepped and looked at: what it was.
//: pointer_step
static ulong vptr_pointer_step_@(volatile @ ulong *at, ulong by) {
  ulong before = *at;
  *at = before + by;
  return before;
}
