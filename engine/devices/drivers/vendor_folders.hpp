// Where vendors put their libraries: folders that the system's loader often does not know.
#pragma once

#include <string>
#include <vector>

namespace streamgage::engine {

// Of NVIDIA's driver: in a container of Google's Kubernetes Engine, in WSL 2, and on NixOS.
std::vector<std::string> folders_of_nvidia_driver();

// Of CUDA's toolkit: by CUDA_HOME and CUDA_PATH, at its usual place, and in the packages of the
// Python or Conda environment in use (nvidia-cuda-nvrtc; PyTorch brings it).
std::vector<std::string> folders_of_cuda_toolkit();

// Of ROCm: by ROCM_PATH, and at its usual place, which its installation leaves to the administrator
// to tell the loader.
std::vector<std::string> folders_of_rocm();

}  // namespace streamgage::engine
