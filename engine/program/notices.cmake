# The notices of what is compiled or linked into the programs, as the file NOTICES and as a text in the
# engine: the project's own licence, then for each library its name, licence and address. Below is what
# its package of Debian says, or where there is none, what its header says before the first line of code.
#
# The same libraries, with their versions where Debian's packages tell them, are in engine.cdx.json: a bill
# of materials in CycloneDX's format, which wheels carry (PEP 770). It names no time and no number of its
# own, so that two builds of the same sources have the same one.
set(notices ${PROJECT_BINARY_DIR}/NOTICES)
set(notices_source ${CMAKE_CURRENT_BINARY_DIR}/generated/notices.cpp)

set(bill_of_materials ${PROJECT_BINARY_DIR}/engine.cdx.json)

set(notices_text "")
set(bill "{\"bomFormat\": \"CycloneDX\", \"specVersion\": \"1.6\", \"version\": 1,
  \"metadata\": {\"component\": {\"type\": \"application\", \"name\": \"streamgage-engine\",
    \"version\": \"${PROJECT_VERSION}\", \"licenses\": [{\"license\": {\"id\": \"BSD-3-Clause\"}}]}},
  \"components\": []}")
# The licences whose text Debian keeps once for all packages.
set(common_licences "")

# A version is empty where it is unknown.
function(add_to_bill name version licence address)
  set(component "{\"type\": \"library\", \"name\": \"${name}\", \"licenses\": [{\"expression\":
    \"${licence}\"}], \"externalReferences\": [{\"type\": \"website\", \"url\": \"${address}\"}]}")
  if(version)
    string(JSON component SET "${component}" version "\"${version}\"")
  endif()
  string(JSON number LENGTH "${bill}" components)
  string(JSON bill SET "${bill}" components ${number} "${component}")
  set(bill "${bill}" PARENT_SCOPE)
endfunction()

function(add_notice name licence address package header)
  string(APPEND notices_text "\n${name} (${licence})\n${address}\n\n")
  set(copyright /usr/share/doc/${package}/copyright)
  if(EXISTS ${copyright})
    file(READ ${copyright} text)
    list(APPEND common_licences ${licence})
  else()
    find_file(STREAMGAGE_HEADER_OF_${package} ${header} REQUIRED
      HINTS ${HWLOC_INCLUDE_DIRS} ${HWY_INCLUDE_DIRS} /usr/include NO_CMAKE_FIND_ROOT_PATH)
    mark_as_advanced(STREAMGAGE_HEADER_OF_${package})
    file(READ ${STREAMGAGE_HEADER_OF_${package}} text)
    string(REGEX MATCH "^[^#]*" text "${text}")
  endif()
  string(APPEND notices_text "${text}\n")
  set(version "")
  find_program(STREAMGAGE_DPKG_QUERY dpkg-query)
  mark_as_advanced(STREAMGAGE_DPKG_QUERY)
  if(STREAMGAGE_DPKG_QUERY)
    execute_process(COMMAND ${STREAMGAGE_DPKG_QUERY} -W -f=\${Version}\n ${package}
      OUTPUT_VARIABLE version ERROR_QUIET)
    string(REGEX MATCH "^[^\n]*" version "${version}")
  endif()
  add_to_bill("${name}" "${version}" ${licence} ${address})
  set(bill "${bill}" PARENT_SCOPE)
  set(notices_text "${notices_text}" PARENT_SCOPE)
  set(common_licences "${common_licences}" PARENT_SCOPE)
endfunction()

add_notice(CLI11 BSD-3-Clause https://github.com/CLIUtils/CLI11 libcli11-dev CLI/CLI.hpp)
add_notice(fmt MIT https://github.com/fmtlib/fmt libfmt-dev fmt/format.h)
add_notice(Highway Apache-2.0 https://github.com/google/highway libhwy-dev hwy/highway.h)
add_notice("JSON for Modern C++" MIT https://github.com/nlohmann/json nlohmann-json3-dev
  nlohmann/json.hpp)
add_notice(tl-expected CC0-1.0 https://github.com/TartanLlama/expected libexpected-dev tl/expected.hpp)
if(STREAMGAGE_HWLOC)
  add_notice(hwloc BSD-3-Clause https://www.open-mpi.org/projects/hwloc libhwloc-dev hwloc.h)
endif()
if(STREAMGAGE_PORTABLE OR STREAMGAGE_STATIC)
  string(APPEND notices_text "\nlibstdc++, libgcc and libgomp of GCC "
    "(GPL-3.0-or-later WITH GCC-exception-3.1)\nhttps://gcc.gnu.org\n")
  add_to_bill("libstdc++, libgcc and libgomp of GCC" ${CMAKE_CXX_COMPILER_VERSION}
    "GPL-3.0-or-later WITH GCC-exception-3.1" https://gcc.gnu.org)
endif()
if(STREAMGAGE_STATIC)
  string(APPEND notices_text
    "\nthe GNU C Library (LGPL-2.1-or-later)\nhttps://sourceware.org/glibc\n")
  add_to_bill("the GNU C Library" "" LGPL-2.1-or-later https://sourceware.org/glibc)
endif()
list(REMOVE_DUPLICATES common_licences)
foreach(licence IN LISTS common_licences)
  if(EXISTS /usr/share/common-licenses/${licence})
    file(READ /usr/share/common-licenses/${licence} text)
    string(APPEND notices_text "\n/usr/share/common-licenses/${licence}\n\n${text}\n")
  endif()
endforeach()

file(READ ${PROJECT_SOURCE_DIR}/LICENSE own_licence)
set(notices_text "${own_licence}\nThe programs contain or load these, each with its notice:\n${notices_text}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/LICENSE)
file(WRITE ${bill_of_materials} "${bill}\n")
file(WRITE ${notices}.new "${notices_text}")
configure_file(${notices}.new ${notices} COPYONLY)
file(WRITE ${notices_source}.new
  "#include \"program/notices.hpp\"\n\nnamespace streamgage::engine {\n\n"
  "const std::string_view kNotices = R\"notices(${notices_text})notices\";\n\n"
  "}  // namespace streamgage::engine\n")
configure_file(${notices_source}.new ${notices_source} COPYONLY)
