; A struct in shared memory, of which LLVM makes a variable of each member: more than the module had.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%twelve = type { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 }

@shared = internal addrspace(3) global %twelve undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

define void @k(ptr %to) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is.first = icmp eq i32 %thread, 0
  br i1 %is.first, label %first, label %all
first:
  %from0 = getelementptr i32, ptr %to, i64 0
  %in0 = load i32, ptr %from0, align 4
  store i32 %in0, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 0), align 4
  %from1 = getelementptr i32, ptr %to, i64 1
  %in1 = load i32, ptr %from1, align 4
  store i32 %in1, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 1), align 4
  %from2 = getelementptr i32, ptr %to, i64 2
  %in2 = load i32, ptr %from2, align 4
  store i32 %in2, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 2), align 4
  %from3 = getelementptr i32, ptr %to, i64 3
  %in3 = load i32, ptr %from3, align 4
  store i32 %in3, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 3), align 4
  %from4 = getelementptr i32, ptr %to, i64 4
  %in4 = load i32, ptr %from4, align 4
  store i32 %in4, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 4), align 4
  %from5 = getelementptr i32, ptr %to, i64 5
  %in5 = load i32, ptr %from5, align 4
  store i32 %in5, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 5), align 4
  %from6 = getelementptr i32, ptr %to, i64 6
  %in6 = load i32, ptr %from6, align 4
  store i32 %in6, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 6), align 4
  %from7 = getelementptr i32, ptr %to, i64 7
  %in7 = load i32, ptr %from7, align 4
  store i32 %in7, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 7), align 4
  %from8 = getelementptr i32, ptr %to, i64 8
  %in8 = load i32, ptr %from8, align 4
  store i32 %in8, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 8), align 4
  %from9 = getelementptr i32, ptr %to, i64 9
  %in9 = load i32, ptr %from9, align 4
  store i32 %in9, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 9), align 4
  %from10 = getelementptr i32, ptr %to, i64 10
  %in10 = load i32, ptr %from10, align 4
  store i32 %in10, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 10), align 4
  %from11 = getelementptr i32, ptr %to, i64 11
  %in11 = load i32, ptr %from11, align 4
  store i32 %in11, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 11), align 4
  br label %all
all:
  call void @llvm.nvvm.barrier0()
  %s0 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 0), align 4
  %sum0 = add i32 %thread, %s0
  %s1 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 1), align 4
  %sum1 = add i32 %sum0, %s1
  %s2 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 2), align 4
  %sum2 = add i32 %sum1, %s2
  %s3 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 3), align 4
  %sum3 = add i32 %sum2, %s3
  %s4 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 4), align 4
  %sum4 = add i32 %sum3, %s4
  %s5 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 5), align 4
  %sum5 = add i32 %sum4, %s5
  %s6 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 6), align 4
  %sum6 = add i32 %sum5, %s6
  %s7 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 7), align 4
  %sum7 = add i32 %sum6, %s7
  %s8 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 8), align 4
  %sum8 = add i32 %sum7, %s8
  %s9 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 9), align 4
  %sum9 = add i32 %sum8, %s9
  %s10 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 10), align 4
  %sum10 = add i32 %sum9, %s10
  %s11 = load i32, ptr addrspace(3) getelementptr inbounds (%twelve, ptr addrspace(3) @shared, i32 0, i32 11), align 4
  %sum11 = add i32 %sum10, %s11
  %own = getelementptr i32, ptr %to, i32 %thread
  store i32 %sum11, ptr %own, align 4
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
