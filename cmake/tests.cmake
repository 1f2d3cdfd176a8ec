# Test programs: doctest, one shared main(), one CTest test for each source file.
find_package(doctest REQUIRED)
find_package(fmt REQUIRED)

# The tests' own code is built to be ready soon, not to be fast: checks are slow to optimize, most of all under the
# sanitizers. The code they test keeps its flags.
set(_test_options $<IF:$<BOOL:${TILEWALK_SANITIZE}>,-O0,$<$<CONFIG:Release>:-O1>>)

add_library(tilewalk_test_main OBJECT ${CMAKE_SOURCE_DIR}/tests/main.cpp)
target_link_libraries(tilewalk_test_main PUBLIC doctest::doctest)

# Only lends its precompiled headers. main.cpp cannot: doctest writes its main() when it is first included.
file(WRITE ${CMAKE_BINARY_DIR}/test_headers.cpp "")
add_library(tilewalk_test_headers OBJECT ${CMAKE_BINARY_DIR}/test_headers.cpp)
target_link_libraries(tilewalk_test_headers PUBLIC doctest::doctest fmt::fmt)
target_compile_options(tilewalk_test_headers PRIVATE ${_test_options})
tilewalk_precompile(tilewalk_test_headers)
target_precompile_headers(tilewalk_test_headers PRIVATE <doctest/doctest.h>)

# Builds every test program that carries the label `asan`, and nothing else.
add_custom_target(asan_tests)

# tilewalk_test(core_tests SOURCES io/test_npy.cpp ... LIBRARIES tilewalk_core LABELS asan [LONG test_l2.cpp ...]
#               [TIMEOUT 120])
# Builds one program from the sources, which are relative to the calling folder, and registers each of them as the CTest
# test "<folder>/<file>". Several are compiled at a time (cmake/precompiled.cmake), so each keeps to a namespace of its
# own, tilewalk::<file>. Sources named again after LONG are not run with sanitizers, nor are cases of the test suite
# "sweep": they hold many figures, sizes or themes against code that shorter ones run through. Labels that mean
# something to ./test:
#   asan     is also built and run with AddressSanitizer and UndefinedBehaviorSanitizer
#   display  needs an X display with OpenGL 3.3; ./test brings one (Xvfb and Mesa). One such test runs at a time:
#            windows that open and close beside a window cover and uncover it, and it draws again
#   gpu      needs an NVIDIA GPU; leaves with code 77 where there is none, which counts as skipped
function(tilewalk_test name)
  cmake_parse_arguments(TEST "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS;LONG" ${ARGN})
  if(NOT TEST_SOURCES OR TEST_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tilewalk_test(${name}): SOURCES is missing, or unknown words: ${TEST_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 900)  # with sanitizers, on a busy machine
  endif()
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE tilewalk_options tilewalk_test_main fmt::fmt ${TEST_LIBRARIES})
  target_compile_definitions(${name} PRIVATE TILEWALK_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE ${_test_options})
  tilewalk_reuse_precompiled(${name} tilewalk_test_headers)
  tilewalk_unity(${name} 12)
  if(EMSCRIPTEN)  # a program for node, which sees this machine's files
    target_link_options(${name} PRIVATE -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1
                        -sSTACK_SIZE=8388608)
  endif()
  if("asan" IN_LIST TEST_LABELS)
    add_dependencies(asan_tests ${name})
  endif()
  foreach(source IN LISTS TEST_SOURCES)
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    get_filename_component(file ${source} NAME_WE)
    if(NOT file MATCHES "^test_" OR (TILEWALK_SANITIZE AND source IN_LIST TEST_LONG))
      continue()  # a helper, or too long
    endif()
    string(REGEX REPLACE "\\.[a-z]+$" "" test ${path})
    add_test(NAME ${test} COMMAND ${name} "--source-file=*tests/${path}" $<$<BOOL:${TILEWALK_SANITIZE}>:--test-suite-exclude=sweep>)
    # A file in which no test case was found must not pass for one that passed.
    set_tests_properties(${test} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${TEST_TIMEOUT} SKIP_RETURN_CODE 77
      FAIL_REGULAR_EXPRESSION "test cases: +0 ")
    if("display" IN_LIST TEST_LABELS)
      set_tests_properties(${test} PROPERTIES RESOURCE_LOCK display)
    endif()
  endforeach()
endfunction()
