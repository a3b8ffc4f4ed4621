; ModuleID = 'k.cl'
source_filename = "k.cl"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64"

; Function Attrs: convergent nofree norecurse nounwind uwtable
define dso_local spir_kernel void @k(<8 x float>* noalias nocapture noundef writeonly %0, <8 x float>* noalias nocapture noundef readonly %1, <8 x float>* noalias nocapture noundef readonly %2, <8 x float>* noalias nocapture noundef readnone %3, float noundef %4, i64 noundef %5, i64 noundef %6, i32 noundef %7) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !8 !kernel_arg_type_qual !9 {
  %9 = tail call i64 @_Z14get_local_sizej(i32 noundef 0) #3
  %10 = shl i64 %9, 2
  %11 = tail call i64 @_Z14get_num_groupsj(i32 noundef 0) #3
  %12 = mul i64 %11, %10
  %13 = tail call i64 @_Z12get_group_idj(i32 noundef 0) #3
  %14 = mul i64 %13, %10
  %15 = add i64 %14, %5
  %16 = add i64 %6, %5
  %17 = icmp eq i32 %7, 0
  br i1 %17, label %26, label %18

18:                                               ; preds = %8
  %19 = icmp ult i64 %15, %16
  %20 = insertelement <8 x float> poison, float %4, i64 0
  %21 = shufflevector <8 x float> %20, <8 x float> poison, <8 x i32> zeroinitializer
  %22 = shl i64 %9, 1
  %23 = mul i64 %9, 3
  br label %24

24:                                               ; preds = %18, %27
  %25 = phi i32 [ 0, %18 ], [ %28, %27 ]
  br i1 %19, label %30, label %27

26:                                               ; preds = %27, %8
  ret void

27:                                               ; preds = %79, %24
  %28 = add nuw i32 %25, 1
  %29 = icmp eq i32 %28, %7
  br i1 %29, label %26, label %24

30:                                               ; preds = %24, %79
  %31 = phi i64 [ %80, %79 ], [ %15, %24 ]
  %32 = tail call i64 @_Z12get_local_idj(i32 noundef 0) #3
  %33 = add i64 %32, %31
  %34 = add i64 %31, %10
  %35 = icmp ugt i64 %34, %16
  br i1 %35, label %64, label %36

36:                                               ; preds = %30
  %37 = getelementptr inbounds <8 x float>, <8 x float>* %1, i64 %33
  %38 = load <8 x float>, <8 x float>* %37, align 32, !tbaa !10, !nontemporal !13
  %39 = getelementptr inbounds <8 x float>, <8 x float>* %2, i64 %33
  %40 = load <8 x float>, <8 x float>* %39, align 32, !tbaa !10, !nontemporal !13
  %41 = add i64 %9, %33
  %42 = getelementptr inbounds <8 x float>, <8 x float>* %1, i64 %41
  %43 = load <8 x float>, <8 x float>* %42, align 32, !tbaa !10, !nontemporal !13
  %44 = getelementptr inbounds <8 x float>, <8 x float>* %2, i64 %41
  %45 = load <8 x float>, <8 x float>* %44, align 32, !tbaa !10, !nontemporal !13
  %46 = add i64 %22, %33
  %47 = getelementptr inbounds <8 x float>, <8 x float>* %1, i64 %46
  %48 = load <8 x float>, <8 x float>* %47, align 32, !tbaa !10, !nontemporal !13
  %49 = getelementptr inbounds <8 x float>, <8 x float>* %2, i64 %46
  %50 = load <8 x float>, <8 x float>* %49, align 32, !tbaa !10, !nontemporal !13
  %51 = add i64 %23, %33
  %52 = getelementptr inbounds <8 x float>, <8 x float>* %1, i64 %51
  %53 = load <8 x float>, <8 x float>* %52, align 32, !tbaa !10, !nontemporal !13
  %54 = getelementptr inbounds <8 x float>, <8 x float>* %2, i64 %51
  %55 = load <8 x float>, <8 x float>* %54, align 32, !tbaa !10, !nontemporal !13
  %56 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %21, <8 x float> %40, <8 x float> %38)
  %57 = getelementptr inbounds <8 x float>, <8 x float>* %0, i64 %33
  store <8 x float> %56, <8 x float>* %57, align 32, !tbaa !10, !nontemporal !13
  %58 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %21, <8 x float> %45, <8 x float> %43)
  %59 = getelementptr inbounds <8 x float>, <8 x float>* %0, i64 %41
  store <8 x float> %58, <8 x float>* %59, align 32, !tbaa !10, !nontemporal !13
  %60 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %21, <8 x float> %50, <8 x float> %48)
  %61 = getelementptr inbounds <8 x float>, <8 x float>* %0, i64 %46
  store <8 x float> %60, <8 x float>* %61, align 32, !tbaa !10, !nontemporal !13
  %62 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %21, <8 x float> %55, <8 x float> %53)
  %63 = getelementptr inbounds <8 x float>, <8 x float>* %0, i64 %51
  store <8 x float> %62, <8 x float>* %63, align 32, !tbaa !10, !nontemporal !13
  br label %79

64:                                               ; preds = %30, %76
  %65 = phi i64 [ %77, %76 ], [ 0, %30 ]
  %66 = mul i64 %9, %65
  %67 = add i64 %66, %33
  %68 = icmp ult i64 %67, %16
  br i1 %68, label %69, label %76

69:                                               ; preds = %64
  %70 = getelementptr inbounds <8 x float>, <8 x float>* %1, i64 %67
  %71 = load <8 x float>, <8 x float>* %70, align 32, !tbaa !10, !nontemporal !13
  %72 = getelementptr inbounds <8 x float>, <8 x float>* %2, i64 %67
  %73 = load <8 x float>, <8 x float>* %72, align 32, !tbaa !10, !nontemporal !13
  %74 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %21, <8 x float> %73, <8 x float> %71)
  %75 = getelementptr inbounds <8 x float>, <8 x float>* %0, i64 %67
  store <8 x float> %74, <8 x float>* %75, align 32, !tbaa !10, !nontemporal !13
  br label %76

76:                                               ; preds = %64, %69
  %77 = add nuw nsw i64 %65, 1
  %78 = icmp eq i64 %77, 4
  br i1 %78, label %79, label %64, !llvm.loop !14

79:                                               ; preds = %76, %36
  %80 = add i64 %31, %12
  %81 = icmp ult i64 %80, %16
  br i1 %81, label %30, label %27
}

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare dso_local i64 @_Z14get_local_sizej(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare dso_local i64 @_Z14get_num_groupsj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare dso_local i64 @_Z12get_group_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: convergent mustprogress nofree nounwind readnone willreturn
declare dso_local i64 @_Z12get_local_idj(i32 noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nofree nosync nounwind readnone speculatable willreturn
declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>) #2

attributes #0 = { convergent nofree norecurse nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" "uniform-work-group-size"="true" }
attributes #1 = { convergent mustprogress nofree nounwind readnone willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nofree nosync nounwind readnone speculatable willreturn }
attributes #3 = { convergent nounwind readnone willreturn }

!llvm.module.flags = !{!0, !1, !2}
!opencl.ocl.version = !{!3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"uwtable", i32 1}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{i32 1, i32 2}
!4 = !{!"Debian clang version 14.0.6"}
!5 = !{i32 1, i32 1, i32 1, i32 1, i32 0, i32 0, i32 0, i32 0}
!6 = !{!"none", !"none", !"none", !"none", !"none", !"none", !"none", !"none"}
!7 = !{!"float8*", !"float8*", !"float8*", !"float8*", !"float", !"ulong", !"ulong", !"uint"}
!8 = !{!"float __attribute__((ext_vector_type(8)))*", !"float __attribute__((ext_vector_type(8)))*", !"float __attribute__((ext_vector_type(8)))*", !"float __attribute__((ext_vector_type(8)))*", !"float", !"ulong", !"ulong", !"uint"}
!9 = !{!"restrict", !"restrict const", !"restrict const", !"restrict const", !"", !"", !"", !""}
!10 = !{!11, !11, i64 0}
!11 = !{!"omnipotent char", !12, i64 0}
!12 = !{!"Simple C/C++ TBAA"}
!13 = !{i32 1}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.unroll.count", i32 1}
