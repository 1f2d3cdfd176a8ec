# Finds the fonts the window draws with, and says where they are:
#   TILEWALK_FONT_INTER, TILEWALK_FONT_INTER_BOLD (SemiBold where there is one), TILEWALK_FONT_MONO,
#   TILEWALK_FONT_MONO_BOLD, TILEWALK_FONT_FALLBACK (DejaVu Sans, for the glyphs the others lack).
# Each is a full path in the cache and may be set by hand with -D. The first folder of each list is the one that
# Debian 12, Debian 13 and Ubuntu 24.04 use.

# Sets `variable` to the first of the files `NAMES` in `FOLDERS`, or stops and names the package to install.
function(tilewalk_find_font variable package what)
  cmake_parse_arguments(FONT "" "" "NAMES;FOLDERS" ${ARGN})
  find_file(${variable} NAMES ${FONT_NAMES} PATHS ${FONT_FOLDERS} DOC "Font file: ${what}"
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ${variable})
    message(FATAL_ERROR "The font ${what} was not found. Install the package ${package} "
                        "(scripts/setup.sh does), or give its file: -D${variable}=/path/to/font.ttf")
  elseif(NOT EXISTS "${${variable}}")
    message(FATAL_ERROR "The font ${what} is not at ${${variable}}. Install the package ${package} and configure "
                        "with -U${variable} to look again, or give its file: -D${variable}=/path/to/font.ttf")
  endif()
endfunction()

set(_inter /usr/share/fonts/opentype/inter /usr/share/fonts/truetype/inter /usr/share/fonts/inter)
set(_mono /usr/share/fonts/truetype/jetbrains-mono /usr/share/fonts/opentype/jetbrains-mono /usr/share/fonts/jetbrains-mono)
set(_dejavu /usr/share/fonts/truetype/dejavu /usr/share/fonts/dejavu)

tilewalk_find_font(TILEWALK_FONT_INTER fonts-inter "Inter Regular"
  NAMES Inter-Regular.otf Inter-Regular.ttf FOLDERS ${_inter})
tilewalk_find_font(TILEWALK_FONT_INTER_BOLD fonts-inter "Inter SemiBold or Bold"
  NAMES Inter-SemiBold.otf Inter-SemiBold.ttf Inter-Bold.otf Inter-Bold.ttf FOLDERS ${_inter})
tilewalk_find_font(TILEWALK_FONT_MONO fonts-jetbrains-mono "JetBrains Mono Regular"
  NAMES JetBrainsMono-Regular.ttf JetBrainsMono-Regular.otf FOLDERS ${_mono})
tilewalk_find_font(TILEWALK_FONT_MONO_BOLD fonts-jetbrains-mono "JetBrains Mono Bold"
  NAMES JetBrainsMono-Bold.ttf JetBrainsMono-Bold.otf FOLDERS ${_mono})
tilewalk_find_font(TILEWALK_FONT_FALLBACK fonts-dejavu-core "DejaVu Sans"
  NAMES DejaVuSans.ttf FOLDERS ${_dejavu})
