# The standard headers that most files include, compiled once for each library instead of once for each file.
# ccache keeps such objects only when it may overlook the time stamps inside.
function(tilewalk_precompile target)
  _tilewalk_precompiled_options(${target})
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <ranges> <span> <string>
    <string_view> <variant> <vector> <fmt/format.h>)
endfunction()

# The same, with the headers that were compiled for another target of the same flags.
function(tilewalk_reuse_precompiled target other)
  target_precompile_headers(${target} REUSE_FROM ${other})
  _tilewalk_precompiled_options(${target})
endfunction()

function(_tilewalk_precompiled_options target)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms on std::string, as -Wrestrict's: a precompiled header is no system header to GCC 12.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overread -Wno-stringop-overflow)
  endif()
endfunction()

# Compiles the target's files six, or as many as said, at a time, so that what they all include is read and instantiated
# once for each batch. Small batches are quick to build again after a change, large ones the first time.
# What a file keeps to itself (anonymous namespaces) must then be named apart from its neighbours'. Files that say the
# same things by the same names on purpose, such as the schedules, stay alone. With TILEWALK_UNITY off every file is
# compiled by itself, which shows missing includes; the debugger's preset has it off.
function(tilewalk_unity target)
  if(TILEWALK_UNITY)
    set(batch 6)
    if(ARGC GREATER 1)
      set(batch ${ARGV1})
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()

function(tilewalk_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
