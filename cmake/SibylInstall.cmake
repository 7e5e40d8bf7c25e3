# SPDX-License-Identifier: Apache-2.0
# `make install` and `make package`: the program, its man page and completions
# (which it prints itself, so they cannot differ from it), documents, a .deb.

include(GNUInstallDirs)

install(TARGETS sibyl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(generated ${PROJECT_BINARY_DIR}/generated)
add_custom_command(
  OUTPUT ${generated}/sibyl.1 ${generated}/sibyl.bash ${generated}/_sibyl ${generated}/sibyl.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
  COMMAND sibyl help --man > ${generated}/sibyl.1
  COMMAND sibyl completions bash > ${generated}/sibyl.bash
  COMMAND sibyl completions zsh > ${generated}/_sibyl
  COMMAND sibyl completions fish > ${generated}/sibyl.fish
  DEPENDS sibyl
  COMMENT "Writing the man page and the completions")
add_custom_target(installables ALL DEPENDS ${generated}/sibyl.1)

install(FILES ${generated}/sibyl.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/sibyl.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME sibyl)
install(FILES ${generated}/_sibyl DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${generated}/sibyl.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# Python adjusts the links between the documents to where they are installed.
find_program(PYTHON3 python3)
if(PYTHON3)
  file(GLOB_RECURSE documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
  add_custom_command(
    OUTPUT ${generated}/documents.written
    COMMAND ${PYTHON3} -B ${PROJECT_SOURCE_DIR}/packaging/documents.py ${generated}/documents
    COMMAND ${CMAKE_COMMAND} -E touch ${generated}/documents.written
    DEPENDS ${documents} ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
            ${PROJECT_SOURCE_DIR}/SECURITY.md ${PROJECT_SOURCE_DIR}/packaging/documents.py
    COMMENT "Writing the documents of the package")
  add_custom_target(installed_documents DEPENDS ${generated}/documents.written)
  add_dependencies(installables installed_documents)
  install(DIRECTORY ${generated}/documents/share/doc/sibyl/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
else()
  install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
          DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/skill DESTINATION ${CMAKE_INSTALL_DATADIR}/sibyl)
# `sibyl -C @cuda` asks one at once.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/oracles DESTINATION ${CMAKE_INSTALL_DATADIR}/sibyl
        PATTERN .sibyl EXCLUDE)
# `sibyl lab run` builds them where they are needed; results are for the repository.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/labs DESTINATION ${CMAKE_INSTALL_DATADIR}/sibyl
        PATTERN results EXCLUDE
        PATTERN measure.sh EXCLUDE
        PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sibyl)
set(CPACK_PACKAGE_VENDOR "The Sibyl authors")
set(CPACK_PACKAGE_CONTACT "The Sibyl authors <sibyl@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "knowledge bases whose every statement has a receipt")
set(CPACK_PACKAGE_DESCRIPTION
    "Sibyl builds, audits and serves knowledge bases in Markdown. Every statement\n\
carries a citation that a program can check: a pinned line of source, a fact\n\
read out of an artifact, or a measurement that can be rerun.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
# dpkg-shlibdeps finds the libraries and their versions.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Fetching a repository needs git; a folder can be a source without it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "git")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap")
include(CPack)
