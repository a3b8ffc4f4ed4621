/* What CUDA's own headers give, for clang, which compiles CUDA C++ to PTX without them. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(items, groups) __attribute__((launch_bounds(items, groups)))
#define ITEM_NUMBER __nvvm_read_ptx_sreg_tid_x()
#define ITEMS_OF_GROUP __nvvm_read_ptx_sreg_ntid_x()
#define GROUP_NUMBER __nvvm_read_ptx_sreg_ctaid_x()
#define GROUPS_OF_GRID __nvvm_read_ptx_sreg_nctaid_x()
