# SPDX-License-Identifier: Apache-2.0
# What is installed for others to build with: headers, find_package(Skein), pkg-config. Included last, when all targets
# exist.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/skein/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/skein
        FILES_MATCHING PATTERN "*.hpp" PATTERN "advisor.h")

install(TARGETS skein_lb skein_job_files skein_lb_files skein_trace EXPORT SkeinTargets)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Skein)
install(EXPORT SkeinTargets NAMESPACE Skein:: DESTINATION ${package_dir})
# Each on its own: users of these must have Boost's serialization library, or an MPI.
install(TARGETS skein_native skein_pup EXPORT SkeinNativeTargets)
install(EXPORT SkeinNativeTargets NAMESPACE Skein:: DESTINATION ${package_dir})
install(TARGETS skein_advisor EXPORT SkeinAdvisorTargets)
install(EXPORT SkeinAdvisorTargets NAMESPACE Skein:: DESTINATION ${package_dir})
set(SKEIN_BOOST serialization)
set(SKEIN_CONTEXT_LIBRARIES "")
if(SKEIN_CONTEXT STREQUAL boost)
  set(SKEIN_BOOST serialization context)
  set(SKEIN_CONTEXT_LIBRARIES -lboost_context)
endif()
list(JOIN SKEIN_BOOST " " SKEIN_BOOST)
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

# cpack makes a Debian package of each component. What their programs and libraries need is read out of them; what only
# the compilation of programs needs is said here. The MPI underneath is the one that this was built with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME skein)
set(CPACK_PACKAGE_VENDOR Skein)
set(CPACK_PACKAGE_CONTACT "The authors of Skein")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development tools)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
set(same_version "(= ${PROJECT_VERSION})")
if(SKEIN_MPI_NAME MATCHES "Open MPI")
  set(mpi_programs openmpi-bin)
  set(mpi_headers libopenmpi-dev)
else()
  set(mpi_programs mpich)
  set(mpi_headers libmpich-dev)
endif()
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME skein)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS ${mpi_programs})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "skein-dev ${same_version}, skein-tools ${same_version}")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "MPI programs with more ranks than processors
 Runs unmodified MPI programs as many ranks a process, measures what each costs
 and moves ranks from full processes to empty ones while the program runs.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME skein-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "skein ${same_version}, gcc, g++, gfortran, libc6-dev, libboost-serialization-dev, libhwloc-dev, libzstd-dev, ${mpi_headers}")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "MPI programs with more ranks than processors: for building them
 The compiler commands, mpi.h, the Fortran modules, and the libraries for native
 programs, for strategies and for advice under any mpirun.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME skein-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "skein ${same_version}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS libbrotli1)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "MPI programs with more ranks than processors: traces and simulation
 skein simulate, tune, report, trace, lb and calibrate, and descriptions of
 machines.")
include(CPack)
