# Makes PTX for sm_70 one for sm_90:
#
#   cmake -DFILE=FILE.ptx -P for_sm_90.cmake
cmake_minimum_required(VERSION 3.22)
file(READ ${FILE} text)
string(REPLACE ".version 6.0\n.target sm_70\n" ".version 8.0\n.target sm_90\n" newer "${text}")
if(newer STREQUAL text)
  message(FATAL_ERROR "no PTX 6.0 for sm_70: ${FILE}")
endif()
file(WRITE ${FILE} "${newer}")
