; The largest alignment that LLVM has, which is no number of 32 bits.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @k(ptr %to, ptr %from) {
  %a = load i8, ptr %from, align 4294967296
  store i8 %a, ptr %to, align 4294967296
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
