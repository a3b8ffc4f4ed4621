# libstreamgage-pin.so, which `streamgage pin` preloads into other programs: C and libc alone. The
# front looks for it next to the engine, in lib/ next to that folder, and in its own package.
file(GLOB pin_sources CONFIGURE_DEPENDS pin/*.c)
add_library(streamgage-pin MODULE ${pin_sources})
set_target_properties(streamgage-pin PROPERTIES
  C_VISIBILITY_PRESET hidden UNITY_BUILD OFF
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
target_compile_options(streamgage-pin PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
if(STREAMGAGE_WERROR)
  target_compile_options(streamgage-pin PRIVATE -Werror)
endif()
target_link_libraries(streamgage-pin PRIVATE ${CMAKE_DL_LIBS} pthread
  $<$<BOOL:${STREAMGAGE_PORTABLE}>:streamgage_old_glibc>)

if(SKBUILD)
  install(TARGETS streamgage-pin DESTINATION streamgage)
else()
  install(TARGETS streamgage-pin DESTINATION lib)
endif()
