/* What HIP's own headers give, for clang, which compiles HIP C++ without them. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(items, waves) \
  __attribute__((amdgpu_flat_work_group_size(1, items), amdgpu_waves_per_eu(waves)))
#define ITEM_NUMBER __builtin_amdgcn_workitem_id_x()
#define ITEMS_OF_GROUP __builtin_amdgcn_workgroup_size_x()
#define GROUP_NUMBER __builtin_amdgcn_workgroup_id_x()
#define GROUPS_OF_GRID (__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x())
#define __syncthreads()                                                                 \
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(), \
   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
