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

string(REPLACE "," ";" modules "${MODULES}")
list(TRANSFORM modules PREPEND "${FOLDER}/")
literal(page "${FOLDER}/page.html")
literal(style "${FOLDER}/style.css")
literal(script ${modules})
literal(d3 ${D3})
literal(licence ${LICENCE})
file(WRITE "${OUTPUT}" "// Made by lb/report/embed.cmake.
#include \"page_sources.hpp\"
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
