#include "devices/drivers/gpu_interface.hpp"

#include <fmt/format.h>

#include "devices/drivers/forbidden_file.hpp"
#include "devices/drivers/gpu_compiler.hpp"

namespace streamgage::engine::gpu {

// The numbers are those of cuda.h; of cuEventElapsedTime it says "a resolution of around 0.5
// microseconds".
const Driver kCuda{
    "cuda",
    "CUDA",
    "NVIDIA",
    "CUDA C++",
    {"CUDA_VISIBLE_DEVICES"},
    "libnvrtc.so of CUDA's toolkit",
    "NVRTC",
    {1, 13, 16, 18, 20, 32, 36, 37, 38, 75, 76},
    0,
    32,
    0.5e-6,
    "PTX",
    "PTX of sm_70",
    "compiled",
    embedded_ptx,
    load_cuda,
    [](int number) { return fmt::format("CUDA {}.{}", number / 1000, number % 1000 / 10); },
    nvrtc_version,
    compile_by_nvrtc,
    [] {
      return forbidden_file({"/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm"});
    },
};

// The numbers are those of hip_runtime_api.h since ROCm 5. The clock and the width of the memory
// are not asked for: how many transfers a clock has differs between these GPUs (two with HBM2,
// sixteen with GDDR6), so that they give no peak. Whether error correction is on is not asked for
// either: ROCm's runtime always answers that it is off (rocdevice.cpp of ROCm/clr), also of an
// MI300X, whose memory has it. It refuses launches of 2^32 work-items (hip_module.cpp of ROCm/clr:
// gridDim x blockDim). Its documentation says of events "a resolution of 1 us". Eight vectors of 32
// bytes of each of four arrays would take all registers of a work-item.
const Driver kHip{
    "hip",
    "HIP",
    "AMD",
    "HIP C++",
    // "GPU isolation techniques" of ROCm's documentation has all of them; Slurm sets the second.
    {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"},
    "libhiprtc.so of ROCm",
    "hipRTC",
    {56, 5, 63, 16, 6, -1, -1, -1, 19, 23, 61},
    0xffff'ffff,
    16,
    1e-6,
    "machine code",
    "machine code",
    "loaded",
    embedded_amdgcn,
    load_hip,
    [](int number) {
      return fmt::format("HIP {}.{}.{}", number / 10'000'000, number / 100'000 % 100,
                         number % 100'000);
    },
    hiprtc_version,
    compile_by_hiprtc,
    [] {
      return forbidden_file({"/dev/kfd", "/dev/dri/renderD128"});
    },
};

}  // namespace streamgage::engine::gpu
