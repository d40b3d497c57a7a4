; A function that calls itself, and whose address lies in a table besides.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(1) constant [1 x ptr] [ptr @walk]

define internal i32 @walk(i32 %n) {
  %a = icmp slt i32 %n, 2
  br i1 %a, label %end, label %more
more:
  %b = sub i32 %n, 1
  %c = call i32 @walk(i32 %b)
  %d = mul i32 %c, %n
  %e = sub i32 %n, 2
  %f = call i32 @walk(i32 %e)
  %g = add i32 %d, %f
  ret i32 %g
end:
  ret i32 1
}

define void @k(ptr %to) {
  %a = load i32, ptr %to, align 4
  %b = call i32 @walk(i32 %a)
  store i32 %b, ptr %to, align 4
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
