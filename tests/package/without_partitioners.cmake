# SPDX-License-Identifier: Apache-2.0
# Configures the project as on a system without Scotch, METIS and Zoltan, builds the strategies, and runs the program
# that looks at them.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${CC}
    -DMPI_EXECUTABLE_SUFFIX=${MPI_SUFFIX} -DSKEIN_PARTITIONERS= -DSKEIN_UNIT_TESTS=OFF
    # Which strategies there are is asked, not how fast they are.
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON -DSKEIN_BENCHMARKS=OFF)
run(${CMAKE_COMMAND} --build ${SCRATCH} --target without_partitioners)
run(${SCRATCH}/tests/package/without_partitioners)
file(GLOB modules ${SCRATCH}/${LIBDIR}/libskein_lb_*.so)
if(modules)
  message(FATAL_ERROR "modules of libraries that are not to be used: ${modules}")
endif()
