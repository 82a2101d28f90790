# SPDX-License-Identifier: Apache-2.0
# What is installed for others to build with: headers, find_package(Skein), pkg-config. Included last, when all targets
# exist.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/skein/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/skein
        FILES_MATCHING PATTERN "*.hpp" PATTERN "advisor.h")

install(TARGETS skein_lb skein_lb_files skein_trace EXPORT SkeinTargets)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Skein)
install(EXPORT SkeinTargets NAMESPACE Skein:: DESTINATION ${package_dir})
# Each on its own: users of these must have Boost's serialization library, or an MPI.
install(TARGETS skein_native skein_pup EXPORT SkeinNativeTargets)
install(EXPORT SkeinNativeTargets NAMESPACE Skein:: DESTINATION ${package_dir})
install(TARGETS skein_advisor EXPORT SkeinAdvisorTargets)
install(EXPORT SkeinAdvisorTargets NAMESPACE Skein:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/SkeinConfig.cmake.in ${PROJECT_BINARY_DIR}/SkeinConfig.cmake
                              INSTALL_DESTINATION ${package_dir}
                              PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SkeinConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SkeinConfig.cmake ${PROJECT_BINARY_DIR}/SkeinConfigVersion.cmake
        DESTINATION ${package_dir})

# The file finds its prefix from where it lies, so an installation can be moved.
file(RELATIVE_PATH SKEIN_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(JOIN " " SKEIN_MPI_LIBRARIES ${MPI_C_LIBRARIES})
foreach(name skein skein-native)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/skein.pc ${PROJECT_BINARY_DIR}/skein-native.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
