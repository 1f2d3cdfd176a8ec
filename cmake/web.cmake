# Libraries that are part of the program in a browser, in place of the system's: built from the sources that
# scripts/setup-web.sh leaves in .cache/web/source, or headers alone. What find_package() is asked for here is theirs.

set(_web ${CMAKE_SOURCE_DIR}/.cache/web/source)
if(NOT EXISTS ${_web}/imgui/imgui.h)
  message(FATAL_ERROR "${_web} does not hold the sources that a browser's build needs. Run scripts/setup-web.sh.")
endif()

# `cpack` in the build folder zips the site that was built; it builds nothing itself.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# Exceptions, and setjmp in C, are the engine's own; everything that is linked must agree.
add_compile_options(-fwasm-exceptions -sSUPPORT_LONGJMP=wasm)
add_link_options(-fwasm-exceptions -sSUPPORT_LONGJMP=wasm)
# The standard library has no std::from_chars of a double.
set(TILEWALK_READ_DOUBLE _fast_float)
# Neither threads nor processes.
set(TILEWALK_BACKGROUND _turns)
set(TILEWALK_NO_PROCESSES _none)
# A visitor fetches the largest data file when it is asked for.
set(TILEWALK_LARGE_FILE _brought)

# Headers of the system that need no library: linked by name, so that the others (libc's) are not seen.
set(_headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${_headers})
foreach(_name nlohmann toml++ CLI stb fast_float doctest)
  if(NOT EXISTS /usr/include/${_name})
    message(FATAL_ERROR "The headers ${_name} were not found in /usr/include. Run scripts/setup-web.sh.")
  endif()
  file(CREATE_LINK /usr/include/${_name} ${_headers}/${_name} SYMBOLIC)
endforeach()

# tilewalk_web_library(NAME ALIAS [SOURCES...] [INCLUDE...] [DEFINE...] [PRIVATE...]): a library, its folders of headers.
function(tilewalk_web_library package alias)
  cmake_parse_arguments(L "" "" "SOURCES;INCLUDE;DEFINE;PRIVATE" ${ARGN})
  set(name web_${package})
  if(L_SOURCES)
    add_library(${name} STATIC ${L_SOURCES})
    target_include_directories(${name} SYSTEM PUBLIC ${L_INCLUDE})
    target_compile_definitions(${name} PUBLIC ${L_DEFINE} PRIVATE ${L_PRIVATE})
    target_compile_options(${name} PRIVATE -w)
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} SYSTEM INTERFACE ${L_INCLUDE})
    target_compile_definitions(${name} INTERFACE ${L_DEFINE})
  endif()
  add_library(${alias} ALIAS ${name})
  file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/${package}-config.cmake "set(${package}_FOUND TRUE)\n")
endfunction()

tilewalk_web_library(nlohmann_json nlohmann_json::nlohmann_json INCLUDE ${_headers})
tilewalk_web_library(tomlplusplus tomlplusplus::tomlplusplus INCLUDE ${_headers} DEFINE TOML_HEADER_ONLY=1)
tilewalk_web_library(cli11 CLI11::CLI11 INCLUDE ${_headers})
tilewalk_web_library(doctest doctest::doctest INCLUDE ${_headers})
tilewalk_web_library(threads Threads::Threads)
tilewalk_web_library(fmt fmt::fmt SOURCES ${_web}/fmtlib/src/format.cc ${_web}/fmtlib/src/os.cc
  INCLUDE ${_web}/fmtlib/include)
tilewalk_web_library(md4c md4c::md4c SOURCES ${_web}/md4c/src/md4c.c INCLUDE ${_web}/md4c/src PRIVATE MD4C_USE_UTF8)

# FreeType as far as its rasterizer for outlines of TrueType and OpenType goes, without PNG, bzip2, zlib of its own.
set(_ft ${_web}/freetype)
file(WRITE ${CMAKE_BINARY_DIR}/freetype/freetype/config/ftmodule.h
  "FT_USE_MODULE(FT_Driver_ClassRec, tt_driver_class)\n"
  "FT_USE_MODULE(FT_Driver_ClassRec, cff_driver_class)\n"
  "FT_USE_MODULE(FT_Module_Class, psaux_module_class)\n"
  "FT_USE_MODULE(FT_Module_Class, psnames_module_class)\n"
  "FT_USE_MODULE(FT_Module_Class, pshinter_module_class)\n"
  "FT_USE_MODULE(FT_Module_Class, sfnt_module_class)\n"
  "FT_USE_MODULE(FT_Module_Class, autofit_module_class)\n"
  "FT_USE_MODULE(FT_Renderer_Class, ft_smooth_renderer_class)\n")
tilewalk_web_library(freetype Freetype::Freetype
  SOURCES ${_ft}/src/base/ftbase.c ${_ft}/src/base/ftinit.c ${_ft}/src/base/ftsystem.c ${_ft}/src/base/ftdebug.c
    ${_ft}/src/base/ftglyph.c ${_ft}/src/base/ftbitmap.c ${_ft}/src/base/ftmm.c ${_ft}/src/base/ftbbox.c
    ${_ft}/src/base/ftsynth.c ${_ft}/src/base/ftstroke.c ${_ft}/src/gzip/ftgzip.c
    ${_ft}/src/truetype/truetype.c ${_ft}/src/cff/cff.c ${_ft}/src/psaux/psaux.c ${_ft}/src/psnames/psnames.c
    ${_ft}/src/pshinter/pshinter.c ${_ft}/src/sfnt/sfnt.c ${_ft}/src/autofit/autofit.c ${_ft}/src/smooth/smooth.c
  INCLUDE ${CMAKE_BINARY_DIR}/freetype ${_ft}/include PRIVATE FT2_BUILD_LIBRARY)
target_include_directories(web_freetype BEFORE PUBLIC ${CMAKE_BINARY_DIR}/freetype)

set(_gif ${_web}/giflib)
tilewalk_web_library(gif tilewalk_giflib SOURCES ${_gif}/egif_lib.c ${_gif}/gifalloc.c ${_gif}/gif_hash.c
  ${_gif}/gif_err.c ${_gif}/dgif_lib.c ${_gif}/openbsd-reallocarray.c ${_gif}/quantize.c INCLUDE ${_gif})

# Dear ImGui without its backends: the shell draws. One vertex buffer may hold more than 65,536 vertices, since WebGL has
# no base vertex.
set(_imgui ${_web}/imgui)
tilewalk_web_library(imgui imgui::imgui
  SOURCES ${_imgui}/imgui.cpp ${_imgui}/imgui_draw.cpp ${_imgui}/imgui_tables.cpp ${_imgui}/imgui_widgets.cpp
    ${_imgui}/misc/cpp/imgui_stdlib.cpp ${_imgui}/misc/freetype/imgui_freetype.cpp
  INCLUDE ${_imgui} ${_imgui}/misc/cpp ${_imgui}/misc/freetype
  DEFINE ImDrawIdx=unsigned IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_DEBUG_TOOLS IMGUI_DISABLE_FILE_FUNCTIONS)
target_link_libraries(web_imgui PUBLIC Freetype::Freetype)
