# Drivers for tests, under the names of the real ones: see gpu_driver.cpp. The tests find them by their
# own RPATH, which comes before all other places; as DT_RPATH also where a sanitizer stands between
# dlopen and its caller.
set(driver_probes ${CMAKE_CURRENT_BINARY_DIR}/driver_probes)
function(add_driver_probe output source)
  string(MAKE_C_IDENTIFIER ${output} name)
  add_library(${name} MODULE devices/probes/${source}.cpp)
  set_target_properties(${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${driver_probes} PREFIX "" SUFFIX "" OUTPUT_NAME ${output}
    UNITY_BUILD OFF)
  target_include_directories(${name} PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/library)
  target_link_libraries(${name} PRIVATE
    nlohmann_json::nlohmann_json tl::expected ${CMAKE_DL_LIBS})
  target_compile_options(${name} PRIVATE -Wall -Wextra ${ARGN})
  target_compile_definitions(${name} PRIVATE
    STREAMGAGE_TEST_COMPILER="${CMAKE_CXX_COMPILER}"
    STREAMGAGE_TEST_PROBES="${CMAKE_CURRENT_SOURCE_DIR}/devices/probes")
  add_dependencies(engine_tests ${name})
endfunction()
set(as_hip -include ${CMAKE_CURRENT_LIST_DIR}/hip_names.h)
add_driver_probe(libcuda.so.1 gpu_driver)
add_driver_probe(libnvrtc.so gpu_compiler)
add_driver_probe(libnvidia-ml.so.1 nvml)
add_driver_probe(libamdhip64.so gpu_driver ${as_hip})
add_driver_probe(libhiprtc.so gpu_compiler ${as_hip})
set_target_properties(engine_tests PROPERTIES BUILD_RPATH ${driver_probes})
target_link_options(engine_tests PRIVATE LINKER:--disable-new-dtags)
