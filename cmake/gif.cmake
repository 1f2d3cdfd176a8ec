# GIFLIB, which writes animated pictures: the static library where there is one, so that nothing is added to what the
# program needs at run time.
find_path(GIF_INCLUDE gif_lib.h)
find_library(GIF_LIBRARY NAMES libgif.a gif)
if(NOT GIF_INCLUDE OR NOT GIF_LIBRARY)
  message(FATAL_ERROR "GIFLIB was not found; install it (Debian: libgif-dev), or run scripts/setup.sh.")
endif()
add_library(tilewalk_giflib UNKNOWN IMPORTED)
set_target_properties(tilewalk_giflib PROPERTIES IMPORTED_LOCATION ${GIF_LIBRARY}
                      INTERFACE_INCLUDE_DIRECTORIES ${GIF_INCLUDE})
