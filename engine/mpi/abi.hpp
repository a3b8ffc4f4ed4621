// The binary interfaces of MPI: what differs from one library to another in the functions that
// ranks need. The constants are those of the libraries' own mpi.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace streamgage::engine {

// MPICH 3.1 and later and what keeps to its ABI (www.mpich.org/abi): Intel MPI, MVAPICH, Cray
// MPICH.
struct MpichAbi {
  using Handle = int;
  struct Status {
    int count_low;
    int count_high_and_cancelled;
    int source;
    int tag;
    int error;
  };
  static constexpr int kThreadFunneled = 1;
  static constexpr int kAnySource = -2;
  static constexpr Handle kWorld = 0x44000000;
  static constexpr Handle kByte = 0x4c00010d;
};

// Open MPI from 1.7 on. Its handles are addresses of objects in the library.
struct OpenMpiAbi {
  using Handle = std::uintptr_t;
  struct Status {
    int source;
    int tag;
    int error;
    int cancelled;
    std::size_t bytes;
  };
  static constexpr int kThreadFunneled = 1;
  static constexpr int kAnySource = -1;
  static constexpr const char* kWorld = "ompi_mpi_comm_world";
  static constexpr const char* kByte = "ompi_mpi_byte";
};

// The standard ABI: chapter 20 and appendix A of MPI 5.0. Its handles have the size of
// pointers.
struct StandardAbi {
  using Handle = std::uintptr_t;
  struct Status {
    int source;
    int tag;
    int error;
    std::array<int, 5> internal;
  };
  static constexpr int kVersion = 1;
  static constexpr int kThreadFunneled = 1024;
  static constexpr int kAnySource = -1;
  static constexpr Handle kWorld = 0x101;
  static constexpr Handle kByte = 0x247;
};

}  // namespace streamgage::engine
