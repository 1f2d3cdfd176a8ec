# The OpenGL 3.3 core loader, target glad::glad, written by the `glad` program when the build is configured.
# No network: --reproducible takes the specification that comes with glad. No extensions are asked for.

find_program(GLAD glad)
if(NOT GLAD)
  message(FATAL_ERROR "The program glad was not found. Install the package python3-glad (scripts/setup.sh does).")
endif()

set(_glad_dir ${CMAKE_BINARY_DIR}/glad)
set(_glad_command ${GLAD} --reproducible --quiet --api gl:core=3.3 --extensions= --out-path ${_glad_dir} c --loader)

# The stamp holds the command that wrote the loader, so that it is written again only when the command changes.
set(_glad_written "")
if(EXISTS ${_glad_dir}/stamp AND EXISTS ${_glad_dir}/src/gl.c AND EXISTS ${_glad_dir}/include/glad/gl.h)
  file(READ ${_glad_dir}/stamp _glad_written)
endif()
if(NOT _glad_written STREQUAL "${_glad_command}")
  file(REMOVE_RECURSE ${_glad_dir})
  execute_process(COMMAND ${_glad_command} RESULT_VARIABLE _glad_failed OUTPUT_QUIET ERROR_VARIABLE _glad_error)
  if(_glad_failed OR NOT EXISTS ${_glad_dir}/src/gl.c)
    message(FATAL_ERROR "glad could not write the OpenGL loader (glad 2 is needed):\n${_glad_error}")
  endif()
  file(WRITE ${_glad_dir}/stamp "${_glad_command}")
endif()

add_library(tilewalk_glad STATIC ${_glad_dir}/src/gl.c)
target_include_directories(tilewalk_glad SYSTEM PUBLIC ${_glad_dir}/include)
target_link_libraries(tilewalk_glad PUBLIC ${CMAKE_DL_LIBS})
add_library(glad::glad ALIAS tilewalk_glad)
