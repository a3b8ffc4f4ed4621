# The engine's part of what front and engine exchange, as C++ made from the front's declarations; see
# generate.py. Written when the build is configured, which is done again where a declaration changes.
set(contract ${CMAKE_CURRENT_BINARY_DIR}/generated)
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/generate.py ${contract}
  OUTPUT_VARIABLE contract_declarations OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" contract_declarations "${contract_declarations}")
file(GLOB contract_generator ${CMAKE_CURRENT_LIST_DIR}/*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${contract_declarations} ${contract_generator})
file(GLOB contract_sources ${contract}/contract/*.cpp)
