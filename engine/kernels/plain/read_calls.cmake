# Lists which functions the functions of object files call, as lines for a C source:
#
#   cmake -DOBJDUMP=PROGRAM -DPREFIX=plain_ -DOUTPUT=FILE -P read_calls.cmake -- OBJECT ...
#
#   STREAMGAGE_CALLS(plain_copy, "memcpy")     calls memcpy; several names are parted by spaces
#   STREAMGAGE_CALLS(plain_triad, "")          calls nothing
#
# for every function whose name begins with PREFIX. A function that is not listed is unknown: there
# was no objdump, it does not read this kind of object, or the object holds no machine code because
# that is made when the program is linked.
cmake_minimum_required(VERSION 3.22)

# Sets `name` to the library function that a symbol stands for, or to "" where it is none: what a
# compiler adds of its own to check, count or harden the code is no call of the loop.
function(library_function symbol)
  string(REGEX REPLACE "[-+]0x[0-9a-f]+$" "" symbol "${symbol}")
  string(REGEX REPLACE "@.*$" "" symbol "${symbol}")
  # Sanitizers put their own in the place of some functions.
  string(REGEX REPLACE "^__[a-z]+san_(mem(cpy|move|set))$" "\\1" symbol "${symbol}")
  if(symbol MATCHES "^[^A-Za-z_]|^__([a-z]+san|sanitizer|stack_chk|gcov|llvm|x86|cyg)_|^_*mcount$|^__fentry__$|^_GLOBAL_OFFSET_TABLE_$")
    set(symbol "")
  endif()
  set(name "${symbol}" PARENT_SCOPE)
endfunction()

# Appends the lines for one object to `lines`.
function(read_object object)
  # A call, a jump in place of one, or the loading of an address: what leads out of the object has a
  # relocation with the name of where it leads to, on every processor.
  execute_process(COMMAND ${OBJDUMP} -dr ${object}
    OUTPUT_VARIABLE text ERROR_VARIABLE complaint RESULT_VARIABLE status)
  if(NOT status STREQUAL "0")
    return()
  endif()
  string(REGEX MATCHALL "[0-9a-f]+ <[^<>\n]+>:|[ \t]R_[A-Z0-9_]+[ \t]+[^ \t\r\n]+" marks "${text}")
  set(functions "")
  foreach(mark IN LISTS marks)
    if(mark MATCHES "<(.+)>:$")
      # copy.cold, copy.part.0: parts of copy that the compiler put elsewhere.
      string(REGEX REPLACE "\\..*$" "" function "${CMAKE_MATCH_1}")
      list(APPEND functions "${function}")
    elseif(mark MATCHES "[ \t]([^ \t]+)$")
      library_function("${CMAKE_MATCH_1}")
      if(name)
        list(APPEND "calls_of_${function}" "${name}")
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES functions)
  foreach(function IN LISTS functions)
    if(function MATCHES "^${PREFIX}")
      set(calls "${calls_of_${function}}")
      list(REMOVE_DUPLICATES calls)
      list(REMOVE_ITEM calls ${functions})
      list(SORT calls)
      list(JOIN calls " " calls)
      string(APPEND lines "STREAMGAGE_CALLS(${function}, \"${calls}\")\n")
    endif()
  endforeach()
  set(lines "${lines}" PARENT_SCOPE)
endfunction()

set(lines "")
set(behind_dashes OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(number RANGE ${last})
  if(behind_dashes AND OBJDUMP)
    read_object("${CMAKE_ARGV${number}}")
  elseif(CMAKE_ARGV${number} STREQUAL "--")
    set(behind_dashes ON)
  endif()
endforeach()
file(WRITE ${OUTPUT} "${lines}")
