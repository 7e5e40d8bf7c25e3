# Finds Lumen, the frame reader: Lumen_FOUND, LUMEN_LIBRARY, LUMEN_INCLUDE_DIR.
find_path(LUMEN_INCLUDE_DIR lumen/lumen.h
  HINTS ${LUMEN_ROOT}/include ENV LUMEN_HOME)
find_library(LUMEN_LIBRARY NAMES lumen lumen2
  HINTS ${LUMEN_ROOT}/lib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Lumen DEFAULT_MSG LUMEN_LIBRARY LUMEN_INCLUDE_DIR)
if(Lumen_FOUND)
  add_library(Lumen::lumen UNKNOWN IMPORTED)
endif()
