# SPDX-License-Identifier: Apache-2.0
# What is installed for others to build with: headers, find_package(Skein), pkg-config. Included last, when all targets
# exist.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/skein/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/skein
        FILES_MATCHING PATTERN "*.hpp")

install(TARGETS skein_lb skein_lb_files EXPORT SkeinTargets)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Skein)
install(EXPORT SkeinTargets NAMESPACE Skein:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/SkeinConfig.cmake.in ${PROJECT_BINARY_DIR}/SkeinConfig.cmake
                              INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SkeinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SkeinConfig.cmake ${PROJECT_BINARY_DIR}/SkeinConfigVersion.cmake
        DESTINATION ${package_dir})

# The file finds its prefix from where it lies, so an installation can be moved.
file(RELATIVE_PATH SKEIN_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/skein.pc.in ${PROJECT_BINARY_DIR}/skein.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/skein.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
