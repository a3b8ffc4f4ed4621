# Writes texts and assembly into a C++ source:
#
#   cmake -DCODE=FOLDER -DCOMPILER=TEXT -DOUTPUT=FILE -P embed.cmake -- FILE.ptx ...
cmake_minimum_required(VERSION 3.22)

set(source "#include \"devices/code_texts.hpp\"\n\n#include <array>\n\nnamespace streamgage::engine {\n\n")

# Appends a definition whose value is the text of a file.
function(define name file)
  file(READ ${CODE}/${file} text)
  set(source "${source}const std::string_view ${name} =\n    R\"text(${text})text\";\n" PARENT_SCOPE)
endfunction()

define(kOpenClWords opencl.h)
define(kCudaWords cuda.h)
define(kStreamText stream.h)
define(kFillText fill.h)
define(kChaseText chase.h)
define(kBulkText bulk.h)

set(files "")
set(behind OFF)
foreach(number RANGE 1 ${CMAKE_ARGC})
  set(argument "${CMAKE_ARGV${number}}")
  if(behind AND argument)
    list(APPEND files ${argument})
  elseif(argument STREQUAL "--")
    set(behind ON)
  endif()
endforeach()

list(LENGTH files count)
string(APPEND source "\nnamespace {\n\nconst std::array<Assembly, ${count}> kPtx{{\n")
foreach(file IN LISTS files)
  get_filename_component(module ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND source "{\"${module}\", R\"text(${text})text\"},\n")
endforeach()
string(APPEND source "}};\n\n}  // namespace\n\n"
  "std::span<const Assembly> embedded_ptx() { return kPtx; }\n\n"
  "std::string_view ptx_compiler() { return \"${COMPILER}\"; }\n\n"
  "}  // namespace streamgage::engine\n")
file(WRITE ${OUTPUT} "${source}")
