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

# gcc 12 breaks on its own arm_sve.h behind a precompiled header.
file(GLOB vector_sources CONFIGURE_DEPENDS kernels/vector/*.cpp)
set_source_files_properties(${vector_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

# Checks of undefined behaviour in hundreds of loops take minutes and gigabytes to compile; accesses
# outside the arrays are what can go wrong there, and these stay checked.
if(STREAMGAGE_SANITIZE)
  set_source_files_properties(${vector_sources} PROPERTIES COMPILE_OPTIONS -fno-sanitize=undefined)
endif()
