# The libraries of the engine for another processor, for which the system has no packages of them.
# Their headers are the same for every processor; they are linked to from a folder of their own,
# because beside them lie those of this machine's C library.
set(headers ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${headers})
foreach(library hwy nlohmann fmt CLI tl)
  find_path(STREAMGAGE_INCLUDE_${library} ${library} PATHS /usr/include
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${STREAMGAGE_INCLUDE_${library}}/${library} ${headers}/${library} SYMBOLIC)
endforeach()
foreach(target streamgage_highway nlohmann_json::nlohmann_json fmt::fmt CLI11::CLI11 tl::expected)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE ${headers})
endforeach()
add_library(streamgage_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt.cpp)
target_include_directories(streamgage_fmt SYSTEM PRIVATE ${headers})
target_link_libraries(fmt::fmt INTERFACE streamgage_fmt)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
find_package(OpenMP REQUIRED)        # comes with the compiler
if(STREAMGAGE_HWLOC)
  message(FATAL_ERROR "there is no hwloc for another processor: give -DSTREAMGAGE_HWLOC=OFF")
endif()
if(STREAMGAGE_TESTS)
  set(INSTALL_GTEST OFF)
  add_subdirectory(/usr/src/googletest ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
endif()
