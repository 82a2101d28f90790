# SPDX-License-Identifier: Apache-2.0
# Shared settings for Skein's own targets, and the helpers that declare them.
include(GNUInstallDirs)
option(SKEIN_WERROR "Treat compiler warnings as errors" ON)
option(SKEIN_SANITIZE "Build the parts that can with the address and undefined-behaviour sanitizers" OFF)

add_library(skein_flags INTERFACE)
target_compile_options(skein_flags INTERFACE -Wall -Wextra -Wundef -Wshadow
                       $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
                       $<$<BOOL:${SKEIN_WERROR}>:-Werror>)
target_compile_options(skein_flags INTERFACE
  $<$<BOOL:${SKEIN_SANITIZE}>:-fsanitize=address,undefined;-fno-omit-frame-pointer>)
target_link_options(skein_flags INTERFACE $<$<BOOL:${SKEIN_SANITIZE}>:-fsanitize=address,undefined>)
target_include_directories(skein_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include
                           ${PROJECT_BINARY_DIR}/generated)

# The launcher is not position-independent, so that its code has one address on every PE: the parts that are
# linked into it alone are compiled so too.
add_library(skein_fixed_address INTERFACE)
target_compile_options(skein_fixed_address INTERFACE -fno-pie)
target_link_options(skein_fixed_address INTERFACE -no-pie)

# skein_unit_tests(<module> SOURCES a_test.cpp ... LIBRARIES lib ...): one doctest program `unit_<module>`.
function(skein_unit_tests module)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  file(GLOB present CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *_test.cpp)
  list(REMOVE_ITEM present ${ARG_SOURCES})
  if(present)
    message(FATAL_ERROR "tests/unit/${module}: not registered in its CMakeLists.txt: ${present}")
  endif()
  add_executable(unit_${module} ${ARG_SOURCES} ${PROJECT_SOURCE_DIR}/tests/unit/main.cpp)
  target_link_libraries(unit_${module} PRIVATE skein_flags ${ARG_LIBRARIES})
  add_test(NAME unit.${module} COMMAND unit_${module})
  set_tests_properties(unit.${module} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()
