# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, which defines page_sources: the files of the page (FOLDER, MODULES in their order) and the drawing
# library (D3, LICENCE; empty: none).

# String literals of any length: pieces that the compiler joins, in a delimiter that no source has.
function(literal variable)
  set(text "")
  foreach(path IN LISTS ARGN)
    file(READ "${path}" content)
    string(APPEND text "${content}")
  endforeach()
  set(${variable} "R\"skein_page(${text})skein_page\"" PARENT_SCOPE)
endfunction()

cmake_minimum_required(VERSION 3.25)
string(REPLACE "," ";" modules "${MODULES}")
list(TRANSFORM modules PREPEND "${FOLDER}/")

# What is in no list is never drawn, and nothing on the page would tell.
file(GLOB files "${FOLDER}/*.js")
foreach(file IN LISTS files)
  if(NOT file IN_LIST modules)
    message(FATAL_ERROR "${file} is no part of the page: name it in lb/report/CMakeLists.txt")
  endif()
  file(READ "${file}" content)
  if(content MATCHES "= add_section\\(" AND NOT content MATCHES "charts\\.push\\(")
    message(FATAL_ERROR "${file} has a chart that is never drawn: add it to the page by charts.push()")
  endif()
endforeach()
literal(page "${FOLDER}/page.html")
literal(style "${FOLDER}/style.css")
literal(script ${modules})
literal(d3 ${D3})
literal(licence ${LICENCE})
file(WRITE "${OUTPUT}" "// Made by lb/report/embed.cmake.
#include \"about.hpp\"
namespace skein::report {
const PageSources page_sources = {
    .page = ${page},
    .style = ${style},
    .script = ${script},
    .d3 = ${d3},
    .d3_licence = ${licence},
};
}
")
