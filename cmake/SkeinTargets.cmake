# SPDX-License-Identifier: Apache-2.0
# Shared settings for Skein's own targets, and the helpers that declare them.
include(GNUInstallDirs)
# Of what is installed: "runtime" and "tools" are said where they are; the rest is for who builds programs.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
option(SKEIN_WERROR "Treat compiler warnings as errors" ON)
option(SKEIN_SANITIZE "Build the parts that can with the address and undefined-behaviour sanitizers" OFF)

# With CMAKE_UNITY_BUILD, as tests/setup.sh configures, several source files are compiled as one, so that headers are read once
# for all of them: a build of everything takes half as long. It is off in the presets: there a change compiles one file, and
# each file is seen to compile alone. Two warnings would be of what one file deserves only beside others: that a local name of
# one hides what another keeps, and that a header has types of its own, as which all of them look then.
set(shadow_warning -Wshadow)
if(CMAKE_UNITY_BUILD)
  set(shadow_warning -Wshadow=local $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  if(NOT CMAKE_UNITY_BUILD_BATCH_SIZE)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
  endif()
endif()

add_library(skein_flags INTERFACE)
target_compile_options(skein_flags INTERFACE -Wall -Wextra -Wundef ${shadow_warning}
                       $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
                       $<$<BOOL:${SKEIN_WERROR}>:-Werror>)
target_compile_options(skein_flags INTERFACE
  $<$<BOOL:${SKEIN_SANITIZE}>:-fsanitize=address,undefined;-fno-omit-frame-pointer>)
target_link_options(skein_flags INTERFACE $<$<BOOL:${SKEIN_SANITIZE}>:-fsanitize=address,undefined>)
target_include_directories(skein_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include
                           ${PROJECT_BINARY_DIR}/generated)

# skein_unity_groups(<target>): for a target some of whose source files are always compiled as one, which are those with a
# UNITY_GROUP. With CMAKE_UNITY_BUILD the others are, too, those of a folder in groups of CMAKE_UNITY_BUILD_BATCH_SIZE.
function(skein_unity_groups target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_source_file_property(group ${source} UNITY_GROUP)
    if(NOT group)
      cmake_path(GET source PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER "in_${folder}" folder)
      math(EXPR number "0${${folder}} / ${CMAKE_UNITY_BUILD_BATCH_SIZE}")
      math(EXPR ${folder} "0${${folder}} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${number})
    endif()
  endforeach()
endfunction()

# The launcher is not position-independent, so that its code has one address on every PE: the parts that are
# linked into it alone are compiled so too.
add_library(skein_fixed_address INTERFACE)
target_compile_options(skein_fixed_address INTERFACE -fno-pie)
target_link_options(skein_fixed_address INTERFACE -no-pie)

# What runs for a moment only need not be compiled for minutes.
set(skein_cold_options $<$<CONFIG:Release>:-O1>)

# Where all is built once, and no ccache keeps it, which could not look into them, headers that most source files of a target
# include are compiled once for it. A build that compiles each file alone goes without, so that a file is seen to include what
# it uses.
#   skein_precompile(<target> <header>...)                 these, and those of the standard library
#   skein_precompile_standard(fixed|movable <target>...)   those of the standard library, for targets whose code has a fixed
#                                                          address, or is position-independent, and no options of its own
set(skein_standard_headers
    <algorithm> <array> <atomic> <bit> <cerrno> <cmath> <cstdint> <cstdio> <cstdlib> <cstring> <deque> <functional> <limits> <map>
    <memory> <memory_resource> <numeric> <optional> <set> <span> <stdexcept> <string> <string_view> <unordered_map> <utility>
    <variant> <vector>)
function(skein_precompile target)
  if(CMAKE_UNITY_BUILD AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE ${skein_standard_headers} ${ARGN})
  endif()
endfunction()
function(skein_precompile_standard kind)
  if(NOT CMAKE_UNITY_BUILD OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  set(owner skein_headers_${kind})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${owner}.cpp CONTENT "")
  add_library(${owner} OBJECT ${PROJECT_BINARY_DIR}/${owner}.cpp)
  set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${owner} PRIVATE skein_flags)
  if(kind STREQUAL fixed)
    set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_link_libraries(${owner} PRIVATE skein_fixed_address)
  endif()
  skein_precompile(${owner})
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endforeach()
endfunction()

# skein_test_uses(<test> <number of PEs>): how many processors `ctest --parallel` counts for it. More than two PEs share two.
function(skein_test_uses test pes)
  if(pes GREATER 2)
    set(pes 2)
  endif()
  set_tests_properties(${test} PROPERTIES PROCESSORS ${pes})
endfunction()

# skein_test_measures(<test>...): for tests of several PEs whose outcome depends on the time that they are given. No other
# such test runs beside them.
function(skein_test_measures)
  set_tests_properties(${ARGN} PROPERTIES PROCESSORS 3)
endfunction()

# skein_unit_tests(<module> SOURCES file... ALONE file... LIBRARIES lib ...): one doctest program `unit_<module>`. With
# CMAKE_UNITY_BUILD its sources are compiled as one, but for those after ALONE, whose local names others have, too.
function(skein_unit_tests module)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;LIBRARIES" ${ARGN})
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  list(APPEND ARG_SOURCES ${ARG_ALONE})
  file(GLOB present CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *_test.cpp)
  list(REMOVE_ITEM present ${ARG_SOURCES})
  if(present)
    message(FATAL_ERROR "tests/unit/${module}: not registered in its CMakeLists.txt: ${present}")
  endif()
  # doctest's own code takes longer to compile than most tests: once is enough.
  if(NOT TARGET skein_unit_main)
    add_library(skein_unit_main OBJECT ${PROJECT_SOURCE_DIR}/tests/unit/main.cpp)
    target_link_libraries(skein_unit_main PRIVATE skein_flags)
    target_compile_options(skein_unit_main PRIVATE ${skein_cold_options})
  endif()
  add_executable(unit_${module} ${ARG_SOURCES} $<TARGET_OBJECTS:skein_unit_main>)
  target_link_libraries(unit_${module} PRIVATE skein_flags ${ARG_LIBRARIES})
  target_compile_options(unit_${module} PRIVATE ${skein_cold_options})
  if(unity_build)
    set_target_properties(unit_${module} PROPERTIES UNITY_BUILD ON)
  endif()
  add_test(NAME unit.${module} COMMAND unit_${module})
  set_tests_properties(unit.${module} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()
