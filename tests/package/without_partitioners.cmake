# SPDX-License-Identifier: Apache-2.0
# Configures the project as on a system without Scotch, METIS and Zoltan, compiles what is another there, and runs the program
# that looks at the strategies, with the rest of them from this build.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${CC}
    -DMPI_EXECUTABLE_SUFFIX=${MPI_SUFFIX} -DSKEIN_PARTITIONERS= -DSKEIN_UNIT_TESTS=OFF
    -DCMAKE_BUILD_TYPE=${TYPE} -DCMAKE_UNITY_BUILD=ON -DSKEIN_BENCHMARKS=OFF)

# Each as that build would: only lb/libraries/library.cpp is told which libraries there are.
file(READ ${SCRATCH}/compile_commands.json commands)
if(commands MATCHES "_module\\.cpp")
  message(FATAL_ERROR "modules of libraries that are not to be used are built")
endif()
string(JSON count LENGTH "${commands}")
math(EXPR last "${count} - 1")
set(objects)
foreach(i RANGE ${last})
  string(JSON file GET "${commands}" ${i} file)
  if(file STREQUAL "${SOURCE}/lb/libraries/library.cpp" OR file STREQUAL "${SOURCE}/tests/package/without_partitioners.cpp")
    string(JSON command GET "${commands}" ${i} command)
    string(JSON folder GET "${commands}" ${i} directory)
    list(LENGTH objects number)
    set(object ${SCRATCH}/${number}.o)
    string(REGEX REPLACE " -o [^ ]+" " -o ${object}" command "${command}")
    run(sh -c "cd '${folder}' && ${command}")
    list(APPEND objects ${object})
  endif()
endforeach()
list(LENGTH objects number)
if(NOT number EQUAL 2)
  message(FATAL_ERROR "not two commands to compile with, but ${number}")
endif()
run(${CXX} ${objects} ${LIBRARY} -ldl -o ${SCRATCH}/program)
run(${SCRATCH}/program)
