# SPDX-License-Identifier: Apache-2.0
include(GNUInstallDirs)
if(TARGET sibyl)
  install(TARGETS sibyl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
