# A program that runs wherever glibc 2.28 or newer is, and finds everything else inside itself. What
# is compiled is the same as in a native build; it is linked otherwise:
#
#   - against libraries that look like glibc 2.28 (glibc_stubs.py);
#   - with libstdc++, libgcc, libgomp, fmt and hwloc as archives. Other OpenMP runtimes cannot take
#     libgomp's place then. Users' kernels find its functions in the program.
set(portable ${CMAKE_CURRENT_LIST_DIR})
set(portable_libraries ${PROJECT_BINARY_DIR}/portable)
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND ${Python_EXECUTABLE} ${portable}/glibc_stubs.py ${CMAKE_C_COMPILER} ${portable_libraries}
  COMMAND_ERROR_IS_FATAL ANY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${portable}/glibc_stubs.py ${portable}/program_start.c ${portable}/since_glibc_2_28.c)

# The C library alone: for what other programs load.
add_library(streamgage_old_glibc INTERFACE)
target_link_options(streamgage_old_glibc INTERFACE -L${portable_libraries})

add_library(streamgage_portable INTERFACE)
target_link_options(streamgage_portable INTERFACE
  -static-libstdc++ -static-libgcc
  LINKER:--gc-sections LINKER:--wrap=__libc_start_main
  LINKER:--export-dynamic-symbol=omp_* LINKER:--export-dynamic-symbol=GOMP_*)
target_link_libraries(streamgage_portable INTERFACE streamgage_old_glibc
  # The functions of these are in libc since glibc 2.34; an older one must load them.
  -Wl,--push-state,--no-as-needed,-lpthread,-ldl,-lrt,--pop-state)

# Has a target give an archive where it gives a library, and leaves what it gives to compilers.
function(link_archive target archive)
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${archive}")
endfunction()

find_library(STREAMGAGE_GOMP_ARCHIVE libgomp.a REQUIRED
  HINTS ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
link_archive(OpenMP::OpenMP_CXX
  -Wl,--whole-archive,${STREAMGAGE_GOMP_ARCHIVE},--no-whole-archive)

if(NOT CMAKE_CROSSCOMPILING)
  add_library(streamgage_fmt STATIC ${PROJECT_SOURCE_DIR}/cross/fmt.cpp)
  target_include_directories(streamgage_fmt PUBLIC
    $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(streamgage_fmt PUBLIC
    $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  set(STREAMGAGE_FMT streamgage_fmt)
endif()
if(STREAMGAGE_HWLOC)
  # Plugins would bring a second hwloc along, and udev only names devices.
  find_library(STREAMGAGE_HWLOC_ARCHIVE libhwloc.a HINTS ${HWLOC_LIBRARY_DIRS} REQUIRED)
  set(hwloc_without_plugins ${portable_libraries}/libhwloc.a)
  add_custom_command(OUTPUT ${hwloc_without_plugins}
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym dlopen=streamgage_no_plugin
      ${STREAMGAGE_HWLOC_ARCHIVE} ${hwloc_without_plugins}
    DEPENDS ${STREAMGAGE_HWLOC_ARCHIVE} VERBATIM)
  add_custom_target(streamgage_hwloc_archive DEPENDS ${hwloc_without_plugins})
  add_library(streamgage_inside_hwloc STATIC ${portable}/inside_hwloc.c)
  add_dependencies(streamgage_inside_hwloc streamgage_hwloc_archive)
  link_archive(PkgConfig::HWLOC "${hwloc_without_plugins};streamgage_inside_hwloc")
endif()
