# Which instruction sets the vector kernels are compiled for; targets.inc names them.

# SSSE3 and SSE4 would add nothing to SSE2 here, nor the others to AVX-512 and SVE.
set(left_out "HWY_SSSE3|HWY_SSE4|HWY_AVX3_DL|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128")
# On Arm, NEON takes the place that the fallback (see vector16.hpp) has elsewhere.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  string(APPEND left_out "|HWY_SCALAR|HWY_EMU128")
endif()
target_compile_definitions(streamgage_core PRIVATE HWY_COMPILE_ALL_ATTAINABLE
  "HWY_DISABLED_TARGETS=(${left_out})")
target_link_libraries(streamgage_core PRIVATE streamgage_highway)

set(vector_sources "")
foreach(name claiming reducing regular rvv streaming vector_kernels)
  list(APPEND vector_sources kernels/vector/${name}.cpp)
endforeach()
streamgage_timed(${vector_sources})

# RISC-V's vectors need a compiler that knows their intrinsics; gcc does not before 14. Its object
# holds nothing that other processors run: see rvv.cpp.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "riscv64")
  find_program(STREAMGAGE_RVV_COMPILER NAMES clang++-19 clang++-18 clang++-17 clang++-16
    DOC "A clang++ of at least 16, for RISC-V's vectors")
  if(STREAMGAGE_RVV_COMPILER)
    set(rvv_source ${CMAKE_CURRENT_SOURCE_DIR}/kernels/vector/rvv.cpp)
    set(rvv_object ${CMAKE_CURRENT_BINARY_DIR}/rvv.o)
    add_custom_command(OUTPUT ${rvv_object} DEPENDS ${rvv_source} DEPFILE ${rvv_object}.d
      COMMAND ${STREAMGAGE_RVV_COMPILER} --target=riscv64-linux-gnu -march=rv64gcv -std=c++20 -O2
        -Wall -Wextra -Wshadow $<$<BOOL:${STREAMGAGE_WERROR}>:-Werror>
        -I ${contract} -I ${CMAKE_CURRENT_SOURCE_DIR} -I ${PROJECT_SOURCE_DIR}/library
        "-isystem$<JOIN:$<TARGET_PROPERTY:streamgage_highway,INTERFACE_SYSTEM_INCLUDE_DIRECTORIES>,;-isystem>"
        -MD -MF ${rvv_object}.d -c ${rvv_source} -o ${rvv_object}
      COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(streamgage_core PRIVATE ${rvv_object})
    target_compile_definitions(streamgage_core PRIVATE STREAMGAGE_WITH_RVV)
  else()
    message(WARNING "no clang++ of at least 16: the kernels for RISC-V's vectors are left out")
  endif()
endif()

# Checks of undefined behaviour in hundreds of loops take minutes and gigabytes to compile; accesses
# outside the arrays are what can go wrong there, and these stay checked.
if(STREAMGAGE_SANITIZE)
  set_property(SOURCE ${vector_sources} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=undefined)
endif()
