# The plain kernels, compiled once for each level of the instruction set that a user's compiler
# would use with -march=native; the engine picks the best that the processor has.
# Each level and element type is an object of its own, so that what the compiler made of the loops
# can be read from it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(STREAMGAGE_PLAIN_LEVELS x86-64-v4 x86-64-v3 x86-64)
else()
  set(STREAMGAGE_PLAIN_LEVELS baseline)
endif()

add_library(streamgage_plain STATIC)
set(plain_table "")
set(plain_objects "")
foreach(level IN LISTS STREAMGAGE_PLAIN_LEVELS)
  string(REPLACE "-" "_" level_name ${level})
  set(flags -O3 -fopenmp-simd)
  if(NOT level STREQUAL "baseline")
    list(APPEND flags -march=${level})
  endif()
  foreach(element double float)
    set(prefix plain_${level_name}_${element}_)
    add_library(${prefix}object OBJECT kernels/plain/plain.c)
    target_compile_definitions(${prefix}object PRIVATE
      STREAMGAGE_ELEMENT=${element} STREAMGAGE_PREFIX=${prefix})
    target_compile_options(${prefix}object PRIVATE ${flags})
    target_link_libraries(${prefix}object PRIVATE streamgage_options)
    target_include_directories(${prefix}object PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_sources(streamgage_plain PRIVATE $<TARGET_OBJECTS:${prefix}object>)
    list(APPEND plain_objects $<TARGET_OBJECTS:${prefix}object>)
  endforeach()
  string(REPLACE ";" " " flags_text "${flags}")
  string(APPEND plain_table "STREAMGAGE_PLAIN_LEVEL(${level_name}, \"${level}\", \"${flags_text}\")\n")
endforeach()
set_target_properties(streamgage_plain PROPERTIES LINKER_LANGUAGE C)
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/plain_levels.inc CONTENT "${plain_table}")
target_include_directories(streamgage_plain INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/generated)

# What the loops call, from their object code: see read_calls.cmake.
set(read_calls ${CMAKE_CURRENT_LIST_DIR}/read_calls.cmake)
set(plain_calls ${CMAKE_CURRENT_BINARY_DIR}/generated/plain_calls.inc)
add_custom_command(
  OUTPUT ${plain_calls}
  COMMAND ${CMAKE_COMMAND} "-DOBJDUMP=${CMAKE_OBJDUMP}" -DPREFIX=plain_ "-DOUTPUT=${plain_calls}"
    -P ${read_calls} -- ${plain_objects}
  DEPENDS ${read_calls} ${plain_objects}
  COMMENT "Reading what the plain kernels call"
  COMMAND_EXPAND_LISTS VERBATIM)
# Nothing is known before the first build, but what includes the file can be read by clang-tidy.
if(NOT EXISTS ${plain_calls})
  file(WRITE ${plain_calls} "")
endif()
if(STREAMGAGE_TESTS AND CMAKE_OBJDUMP)
  add_library(calls_probe OBJECT kernels/plain/read_calls_test.c)
  target_compile_options(calls_probe PRIVATE -O2 -fno-lto)
  target_link_libraries(calls_probe PRIVATE streamgage_options)
  target_include_directories(calls_probe PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  add_test(NAME ReadCalls.FindsCallsAndJumpsAndNothingElse
    COMMAND ${CMAKE_COMMAND} "-DOBJDUMP=${CMAKE_OBJDUMP}" "-DOBJECT=$<TARGET_OBJECTS:calls_probe>"
      -P ${CMAKE_CURRENT_LIST_DIR}/read_calls_test.cmake)
endif()
target_compile_definitions(streamgage_plain INTERFACE
  STREAMGAGE_PLAIN_COMPILER="${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
