# Installs the library with what CMake (find_package) and pkg-config need to find it.
include(CMakePackageConfigHelpers)

foreach(header ${public_headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES streamgage/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/streamgage/${folder})
endforeach()
# For kernels in Fortran, which compile the module themselves.
install(FILES ${generated}/streamgage/version.h streamgage/streamgage_kernel.f90
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/streamgage)

# Apart, so that a project in C need not have what the other one depends on.
install(TARGETS streamgage_library EXPORT streamgage-cpp)
install(TARGETS streamgage_c EXPORT streamgage-c)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/streamgage)
foreach(part cpp c)
  install(EXPORT streamgage-${part} NAMESPACE streamgage:: DESTINATION ${package})
endforeach()
configure_package_config_file(streamgage-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/streamgage-config.cmake INSTALL_DESTINATION ${package})
# Below 1.0 a minor version may change anything.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/streamgage-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/streamgage-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/streamgage-config-version.cmake DESTINATION ${package})

# The folder can be moved as a whole.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up ${up})
set(hwloc_required "")
if(STREAMGAGE_HWLOC)
  set(hwloc_required ", hwloc >= 2.5")
endif()
foreach(name streamgage streamgage-cpp)
  configure_file(${name}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
