# Dear ImGui 1.90 or newer with its GLFW and OpenGL 3 backends, the FreeType font builder and the std::string helpers:
# target imgui::imgui. Taken from, in this order: the source folder IMGUI_SOURCE_DIR; the system's package; the source
# that scripts/setup.sh leaves in .cache/imgui where the system's package is too old (Debian 12).
# Headers are included by their bare names: <imgui.h>, <imgui_impl_glfw.h>, <imgui_freetype.h>, <imgui_stdlib.h>.
# Like the Debian package, the source is built without IMGUI_ENABLE_FREETYPE: the program asks for FreeType when it
# makes its font atlas, so that both behave alike.

set(IMGUI_SOURCE_DIR "" CACHE PATH "Dear ImGui's source folder, 1.90 or newer; empty: the system's package or .cache/imgui")
set(_imgui_minimum 19000)

# Sets `number` to IMGUI_VERSION_NUM (19010 for 1.90.1) and `name` to IMGUI_VERSION of a header; 0 if unreadable.
function(tilewalk_imgui_version header number name)
  set(found 0)
  set(words "unknown")
  if(EXISTS ${header})
    file(STRINGS ${header} lines REGEX "^#define[ \t]+IMGUI_VERSION(_NUM)?[ \t]")
    foreach(line IN LISTS lines)
      if(line MATCHES "IMGUI_VERSION_NUM[ \t]+([0-9]+)")
        set(found ${CMAKE_MATCH_1})
      elseif(line MATCHES "IMGUI_VERSION[ \t]+\"([^\"]*)\"")
        set(words ${CMAKE_MATCH_1})
      endif()
    endforeach()
  endif()
  set(${number} ${found} PARENT_SCOPE)
  set(${name} ${words} PARENT_SCOPE)
endfunction()

# Look at the system's package: complete only with both backends' headers and the library.
find_path(IMGUI_SYSTEM_INCLUDE imgui.h PATH_SUFFIXES imgui)
find_library(IMGUI_SYSTEM_LIBRARY imgui)
mark_as_advanced(IMGUI_SYSTEM_INCLUDE IMGUI_SYSTEM_LIBRARY)
set(_imgui_system 0)
if(IMGUI_SYSTEM_INCLUDE AND IMGUI_SYSTEM_LIBRARY AND EXISTS ${IMGUI_SYSTEM_INCLUDE}/backends/imgui_impl_glfw.h
   AND EXISTS ${IMGUI_SYSTEM_INCLUDE}/backends/imgui_impl_opengl3.h)
  tilewalk_imgui_version(${IMGUI_SYSTEM_INCLUDE}/imgui.h _imgui_system _imgui_system_name)
endif()

# Choose.
set(_imgui_source "")
if(IMGUI_SOURCE_DIR)
  set(_imgui_source ${IMGUI_SOURCE_DIR})
elseif(_imgui_system LESS _imgui_minimum AND EXISTS ${CMAKE_SOURCE_DIR}/.cache/imgui/imgui.h)
  set(_imgui_source ${CMAKE_SOURCE_DIR}/.cache/imgui)
elseif(_imgui_system LESS _imgui_minimum AND _imgui_system GREATER 0)
  message(FATAL_ERROR "Dear ImGui 1.90 or newer is needed; this system has ${_imgui_system_name}. Run scripts/setup.sh, "
                      "or give a newer source folder: -DIMGUI_SOURCE_DIR=/path/to/imgui")
elseif(_imgui_system LESS _imgui_minimum)
  message(FATAL_ERROR "Dear ImGui 1.90 or newer with its GLFW and OpenGL 3 backends was not found. Run scripts/setup.sh, "
                      "or give a source folder: -DIMGUI_SOURCE_DIR=/path/to/imgui")
endif()

find_package(glfw3 3.3 REQUIRED)
find_package(Freetype REQUIRED)

if(_imgui_source)
  set(_imgui_files imgui.cpp imgui_demo.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp
    backends/imgui_impl_glfw.cpp backends/imgui_impl_opengl3.cpp
    misc/cpp/imgui_stdlib.cpp misc/freetype/imgui_freetype.cpp)
  foreach(_file IN ITEMS imgui.h LISTS _imgui_files)
    if(NOT EXISTS ${_imgui_source}/${_file})
      message(FATAL_ERROR "${_imgui_source} is not a whole Dear ImGui source folder: ${_file} is missing. "
                          "Remove it and run scripts/setup.sh, or set IMGUI_SOURCE_DIR to another.")
    endif()
  endforeach()
  tilewalk_imgui_version(${_imgui_source}/imgui.h _imgui_number _imgui_name)
  if(_imgui_number LESS _imgui_minimum)
    message(FATAL_ERROR "Dear ImGui 1.90 or newer is needed; ${_imgui_source} holds ${_imgui_name}.")
  endif()
  list(TRANSFORM _imgui_files PREPEND ${_imgui_source}/)
  add_library(tilewalk_imgui STATIC ${_imgui_files})
  target_include_directories(tilewalk_imgui SYSTEM PUBLIC ${_imgui_source} ${_imgui_source}/backends
    ${_imgui_source}/misc/cpp ${_imgui_source}/misc/freetype)
  target_link_libraries(tilewalk_imgui PUBLIC glfw Freetype::Freetype ${CMAKE_DL_LIBS})
  add_library(imgui::imgui ALIAS tilewalk_imgui)
  message(STATUS "Dear ImGui ${_imgui_name} from source: ${_imgui_source}")
else()
  # The package's library is static and leaves stb_truetype and stb_rect_pack to Debian's libstb.
  find_library(IMGUI_STB_LIBRARY stb)
  mark_as_advanced(IMGUI_STB_LIBRARY)
  add_library(imgui::imgui UNKNOWN IMPORTED GLOBAL)
  set_target_properties(imgui::imgui PROPERTIES IMPORTED_LOCATION ${IMGUI_SYSTEM_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES "${IMGUI_SYSTEM_INCLUDE};${IMGUI_SYSTEM_INCLUDE}/backends")
  target_link_libraries(imgui::imgui INTERFACE glfw Freetype::Freetype ${CMAKE_DL_LIBS})
  if(IMGUI_STB_LIBRARY)
    target_link_libraries(imgui::imgui INTERFACE ${IMGUI_STB_LIBRARY})
  endif()
  message(STATUS "Dear ImGui ${_imgui_system_name} from the system: ${IMGUI_SYSTEM_LIBRARY}")
endif()
