# Writes texts, PTX and machine code into a C++ source:
#
#   cmake -DCODE=FOLDER -DCOMPILER=TEXT -DOUTPUT=FILE -P embed.cmake -- FILE.ptx ... FILE.amd ...
cmake_minimum_required(VERSION 3.22)

set(source "#include \"devices/code_texts.hpp\"\n\n#include <cstddef>\n#include <vector>\n\nnamespace streamgage::engine {\n\n")

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

# PTX is text; machine code is taken as it is, by the assembler, and lies between two names.
set(ptx "")
set(amd "")
set(binary "")
foreach(file IN LISTS files)
  get_filename_component(module ${file} NAME_WE)
  if(file MATCHES "\\.ptx$")
    file(READ ${file} text)
    string(APPEND ptx "    {\"${module}\", R\"text(${text})text\"},\n")
  else()
    string(APPEND binary
      "asm(R\"(.pushsection .rodata,\"a\",%progbits\n.balign 16\n.globl ${module}_code\n"
      ".hidden ${module}_code\n${module}_code:\n.incbin \"${file}\"\n.globl ${module}_end\n"
      ".hidden ${module}_end\n${module}_end:\n.popsection)\");\n"
      "extern \"C\" __attribute__((visibility(\"hidden\"))) const char ${module}_code[], ${module}_end[];\n")
    string(APPEND amd "    {\"${module}\", {${module}_code, "
      "static_cast<std::size_t>(${module}_end - ${module}_code)}},\n")
  endif()
endforeach()
if(NOT ptx AND NOT amd)
  set(COMPILER "")
endif()
string(APPEND source "\n${binary}\n"
  "std::span<const Assembly> embedded_ptx() {\n  static const std::vector<Assembly> all{\n${ptx}  };\n"
  "  return all;\n}\n\n"
  "std::span<const Assembly> embedded_amdgcn() {\n  static const std::vector<Assembly> all{\n${amd}  };\n"
  "  return all;\n}\n\n"
  "std::string_view embedded_compiler() { return \"${COMPILER}\"; }\n\n"
  "}  // namespace streamgage::engine\n")
file(WRITE ${OUTPUT} "${source}")
