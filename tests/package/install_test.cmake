# SPDX-License-Identifier: Apache-2.0
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    string(JOIN " " line ${ARGN})
    message(FATAL_ERROR "${line}\n${output}\nstatus ${status}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/first)
# An installation may be moved as a whole.
file(RENAME ${SCRATCH}/first ${SCRATCH}/prefix)

set(here ${CMAKE_CURRENT_LIST_DIR})
run(${CMAKE_COMMAND} -S ${here}/consumer -B ${SCRATCH}/build -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix
    -DMPI_C_COMPILER=${MPI_C_COMPILER})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
run(${SCRATCH}/build/advised)

# pkg-config and the compiler wrapper of the installation give the same paths, all below the prefix.
set(ENV{PKG_CONFIG_PATH} ${SCRATCH}/prefix/${LIBDIR}/pkgconfig)
run(pkg-config --define-prefix --variable=libdir skein)
string(STRIP "${output}" output)
file(REAL_PATH "${output}" library_dir)
if(NOT library_dir STREQUAL "${SCRATCH}/prefix/${LIBDIR}")
  message(FATAL_ERROR "pkg-config says ${library_dir}")
endif()
if(EXISTS ${SCRATCH}/prefix/${BINDIR}/skeincc)
  run(${SCRATCH}/prefix/${BINDIR}/skeincc --showme:link)
  if(NOT output MATCHES "-L${SCRATCH}/prefix/${LIBDIR} ")
    message(FATAL_ERROR "skeincc says ${output}")
  endif()
endif()
