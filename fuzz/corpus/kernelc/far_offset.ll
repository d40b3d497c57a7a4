; An offset of a pointer whose negation is no 64-bit integer, and one that is that only modulo 2^64.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @k(ptr %to, ptr %from) {
  %a = getelementptr i8, ptr %from, i64 -9223372036854775808
  %b = getelementptr [512 x i8], ptr %from, i64 -9223372036854775807, i64 3
  %c = load i32, ptr %a, align 4
  %d = load i8, ptr %b, align 1
  %e = zext i8 %d to i32
  %f = add i32 %c, %e
  store i32 %f, ptr %to, align 4
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
