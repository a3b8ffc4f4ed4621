# Reads the object of read_calls_test.c, and files that hold nothing to read:
#
#   cmake -DOBJDUMP=PROGRAM -DOBJECT=FILE -P read_calls_test.cmake
cmake_minimum_required(VERSION 3.22)

function(expect expected program)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/read_calls_test.inc)
  execute_process(
    COMMAND ${CMAKE_COMMAND} "-DOBJDUMP=${program}" -DPREFIX=probe_ "-DOUTPUT=${output}"
      -P ${CMAKE_CURRENT_LIST_DIR}/read_calls.cmake -- ${ARGN}
    RESULT_VARIABLE status)
  file(READ ${output} found)
  file(REMOVE ${output})
  if(NOT status STREQUAL "0" OR NOT found STREQUAL expected)
    message(FATAL_ERROR "status ${status}, read from ${ARGN}:\n${found}expected:\n${expected}")
  endif()
endfunction()

set(calls
"STREAMGAGE_CALLS(probe_call, \"memcpy\")
STREAMGAGE_CALLS(probe_jump, \"memcpy\")
STREAMGAGE_CALLS(probe_both, \"memcpy memset\")
STREAMGAGE_CALLS(probe_nothing, \"\")
STREAMGAGE_CALLS(probe_neighbour, \"\")
")
expect("${calls}" "${OBJDUMP}" ${OBJECT})
expect("${calls}" "${OBJDUMP}" ${CMAKE_CURRENT_LIST_FILE} ${OBJECT})
expect("" "${OBJDUMP}" ${CMAKE_CURRENT_LIST_FILE})
expect("" "CMAKE_OBJDUMP-NOTFOUND" ${OBJECT})
expect("" "no-such-program" ${OBJECT})
