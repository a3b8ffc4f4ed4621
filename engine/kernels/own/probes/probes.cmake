# Users' kernels, right and wrong, as a compiler would have made them: shared objects in a
# folder of their own.
set(own_probes ${CMAKE_CURRENT_BINARY_DIR}/own_probes)
function(add_own_probe name source)
  add_library(own_${name} MODULE kernels/own/probes/${source})
  set_target_properties(own_${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${own_probes} PREFIX "" OUTPUT_NAME ${name})
  target_include_directories(own_${name} PRIVATE ${PROJECT_SOURCE_DIR}/library)
  target_compile_options(own_${name} PRIVATE -Wall -Wextra -Wpedantic)
  target_compile_definitions(own_${name} PRIVATE ${ARGN})
  add_dependencies(engine_tests own_${name})
endfunction()

add_own_probe(triad triad.c)
add_own_probe(stencil stencil.c)
add_own_probe(counts counts.c)
add_own_probe(throws throws.cpp)
foreach(defect IN ITEMS UNDECLARED BEFORE BEHIND LATE_BEHIND RANGE THIRD CRASH ABORT
    WRITES_READ NEVER_READS NEVER_WRITES DIVISION READS_WRITTEN WRONG RANDOM)
  string(TOLOWER ${defect} name)
  add_own_probe(${name} triad.c ${defect})
endforeach()
target_compile_definitions(engine_tests PRIVATE STREAMGAGE_OWN_PROBES="${own_probes}")
