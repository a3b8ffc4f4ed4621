# The kernels of devices as texts in the engine, and as what clang makes of them: PTX for NVIDIA's GPUs,
# machine code for AMD's. A build without a clang for these leaves them out; the engine then needs
# NVIDIA's NVRTC or AMD's hipRTC when it runs.
set(code ${CMAKE_CURRENT_SOURCE_DIR}/devices/code)
file(GLOB code_texts CONFIGURE_DEPENDS ${code}/*.h)
set(device_code ${CMAKE_CURRENT_BINARY_DIR}/generated/device_code.cpp)
set(ptx_folder ${CMAKE_CURRENT_BINARY_DIR}/ptx)
file(MAKE_DIRECTORY ${ptx_folder})

find_program(STREAMGAGE_PTX_COMPILER
  NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14
  DOC "A clang++ with the target NVPTX, for the kernels of NVIDIA's GPUs")
set(ptx_compiler "")
if(STREAMGAGE_PTX_COMPILER)
  execute_process(COMMAND ${STREAMGAGE_PTX_COMPILER} --print-targets
    OUTPUT_VARIABLE ptx_targets ERROR_QUIET)
  execute_process(COMMAND ${STREAMGAGE_PTX_COMPILER} -dumpversion
    OUTPUT_VARIABLE ptx_version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(ptx_targets MATCHES "nvptx64")
    set(ptx_compiler "clang ${ptx_version}")
  endif()
endif()
if(ptx_compiler)
  message(STATUS "The kernels of NVIDIA's GPUs: PTX by ${ptx_compiler}")
else()
  message(STATUS "The kernels of NVIDIA's GPUs: left to NVRTC, as there is no clang for NVPTX")
endif()

# Compute capability 7.0 is the floor, and PTX 6.0 the first that has it. What a toolkit that happens
# to be there would ask for is newer.
set(ptx_flags -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-path=${ptx_folder}
  -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx60 -std=c++17 -O2 -S
  -Wno-unknown-cuda-version -I ${code} -include ${code}/clang.h)
set(ptx_files "")

# Bulk copies are written as PTX in the source, so that a clang will do that knows no GPU which has
# them; only the lines that say for which GPU it is are not its own. Nothing else is compiled for
# newer GPUs: clang writes the same PTX for sm_70 and sm_86, and the driver makes machine code of it
# for the GPU that is there. Loads of 32 bytes (sm_100, PTX 8.8) are more than an ordinary clang knows.
set(for_sm_90 ${CMAKE_CURRENT_LIST_DIR}/for_sm_90.cmake)

# AMD's GPUs that get machine code, if this clang knows them and finds a linker for them (lld). A file has the code for all of them in the form in which HIP takes it (a bundle), and picks
# what is for the GPU that is there; hipRTC compiles for others. Each of them makes the engine 0.8 MB
# larger, so that older and rarer ones are not here.
set(amd_gpus gfx908 gfx90a gfx942 gfx1030 gfx1100)
set(amd_flags -x hip --cuda-device-only -nogpuinc -nogpulib -std=c++17 -O2 -c -I ${code}
  -include ${code}/amdgcn.h)
set(amd_files "")
set(amd_targets "")
if(STREAMGAGE_PTX_COMPILER)
  foreach(gpu IN LISTS amd_gpus)
    execute_process(COMMAND ${STREAMGAGE_PTX_COMPILER} ${amd_flags} --offload-arch=${gpu}
        -DMODULE=streamgage_chase "-DSOURCE=\"chase.h\"" -o ${ptx_folder}/${gpu}.try ${code}/module.h
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      list(APPEND amd_targets ${gpu})
    endif()
  endforeach()
endif()
string(REPLACE ";" ", " amd_names "${amd_targets}")
if(amd_targets)
  message(STATUS "The kernels of AMD's GPUs: machine code for ${amd_names}")
  list(TRANSFORM amd_targets PREPEND --offload-arch=)
else()
  message(STATUS "The kernels of AMD's GPUs: left to hipRTC, as there is no clang with lld for them")
endif()

# As add_ptx().
function(add_amd module)
  if(NOT amd_targets)
    return()
  endif()
  set(file ${ptx_folder}/${module}.amd)
  add_custom_command(OUTPUT ${file} DEPENDS ${code_texts}
    COMMAND ${STREAMGAGE_PTX_COMPILER} ${amd_flags} ${amd_targets} -DMODULE=${module} ${ARGN}
      -o ${file} ${code}/module.h
    COMMENT "Writing ${module}.amd" VERBATIM)
  set(amd_files ${amd_files} ${file} PARENT_SCOPE)
endfunction()

# MODULE is the beginning of the kernels' names; see code/module.h.
function(add_ptx module)
  if(NOT ptx_compiler)
    return()
  endif()
  set(file ${ptx_folder}/${module}.ptx)
  set(retarget "")
  if("-DRING=1" IN_LIST ARGN)
    set(retarget COMMAND ${CMAKE_COMMAND} -DFILE=${file} -P ${for_sm_90})
  endif()
  add_custom_command(OUTPUT ${file} DEPENDS ${code_texts} ${for_sm_90}
    COMMAND ${STREAMGAGE_PTX_COMPILER} ${ptx_flags} -DMODULE=${module} ${ARGN}
      -o ${file} ${code}/module.h
    ${retarget}
    COMMENT "Writing ${module}.ptx" VERBATIM)
  set(ptx_files ${ptx_files} ${file} PARENT_SCOPE)
endfunction()

if(ptx_compiler OR amd_targets)
  # The rows of the catalogue, such as {KernelId::kCopy, "copy", "a = b", kB, true, 0},
  file(STRINGS kernels/catalogue.hpp rows REGEX "^    {KernelId::k")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS kernels/catalogue.hpp)
  foreach(row IN LISTS rows)
    if(NOT row MATCHES "\"([a-z]+)\", \"[as] [+]?= ([^\"]+)\", ([0-9kABCD |]+), (true|false),")
      message(FATAL_ERROR "no row of the catalogue of kernels: ${row}")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(formula ${CMAKE_MATCH_2})
    set(reads ${CMAKE_MATCH_3})
    set(reduces 1)
    if(CMAKE_MATCH_4 STREQUAL "true")
      set(reduces 0)
    endif()
    foreach(operand "kA=1" "kB=2" "kC=4" "kD=8")
      string(REPLACE "=" ";" operand ${operand})
      list(GET operand 0 word)
      list(GET operand 1 bit)
      string(REPLACE ${word} ${bit} reads ${reads})
    endforeach()
    math(EXPR reads "${reads}")
    foreach(type_lanes "double 4 2" "float 8 4")
      separate_arguments(type_lanes)
      list(POP_FRONT type_lanes type most least)
      set(kernel -DT=${type} -DLANES_OF_16_BYTES=${least} "-DFORMULA=${formula}" -DREADS=${reads}
        -DREDUCES=${reduces})
      add_ptx(streamgage_${name}_${type} ${kernel} -DMOST_LANES=${most})
      add_amd(streamgage_${name}_${type} ${kernel} -DMOST_LANES=${least})
      if(reads)
        add_ptx(streamgage_ring_${name}_${type} ${kernel} -DRING=1)
      endif()
    endforeach()
  endforeach()
  foreach(type double float)
    add_ptx(streamgage_fill_${type} -DT=${type} "-DSOURCE=\"fill.h\"")
    add_amd(streamgage_fill_${type} -DT=${type} "-DSOURCE=\"fill.h\"")
  endforeach()
  add_ptx(streamgage_chase "-DSOURCE=\"chase.h\"")
  add_amd(streamgage_chase "-DSOURCE=\"chase.h\"")
endif()

set(embed ${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
add_custom_command(OUTPUT ${device_code} DEPENDS ${embed} ${code_texts} ${ptx_files} ${amd_files}
  COMMAND ${CMAKE_COMMAND} -DCODE=${code} "-DCOMPILER=clang ${ptx_version}" -DOUTPUT=${device_code}
    -P ${embed} -- ${ptx_files} ${amd_files}
  COMMENT "Embedding the kernels of devices" VERBATIM)
# Nothing is known before the first build, but clang-tidy can read the file. It is older than all that
# it is made from.
if(NOT EXISTS ${device_code})
  file(WRITE ${device_code} "")
  execute_process(COMMAND touch -d @0 ${device_code})
endif()
set(STREAMGAGE_WITH_AMDGCN 0)
if(amd_files)
  set(STREAMGAGE_WITH_AMDGCN 1)
endif()
set(STREAMGAGE_WITH_PTX 0)
if(ptx_files)
  set(STREAMGAGE_WITH_PTX 1)
endif()
set_source_files_properties(${device_code} PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS "${amd_files}")
