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
# An installation may be moved as a whole, also to where names have spaces.
set(prefix "${SCRATCH}/its prefix")
file(RENAME ${SCRATCH}/first ${prefix})

set(here ${CMAKE_CURRENT_LIST_DIR})
run(${CMAKE_COMMAND} -S ${here}/consumer -B ${SCRATCH}/build -DCMAKE_PREFIX_PATH=${prefix}
    -DMPI_C_COMPILER=${MPI_C_COMPILER})
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer)
run(${SCRATCH}/build/advised)

# Native programs: started alone, by the MPI's launcher and by skein run.
set(native_ways "" "${MPIEXEC}\;-n\;2")
if(EXISTS ${prefix}/${BINDIR}/skein)
  list(APPEND native_ways "${prefix}/${BINDIR}/skein\;run\;-q\;-p\;2")
endif()
function(run_native program)
  foreach(way IN LISTS native_ways)
    run(${way} ${program} --skein.lb=rotate)
    if(NOT output MATCHES "sum 190")
      message(FATAL_ERROR "${way} ${program} says ${output}")
    endif()
  endforeach()
endfunction()
run_native(${SCRATCH}/build/native)

# pkg-config and the compiler wrapper of the installation give the same paths, all below the prefix.
set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
run(pkg-config --define-prefix --variable=libdir skein)
separate_arguments(library_dir UNIX_COMMAND "${output}")
file(REAL_PATH "${library_dir}" library_dir)
if(NOT library_dir STREQUAL "${prefix}/${LIBDIR}")
  message(FATAL_ERROR "pkg-config says ${library_dir}")
endif()
if(EXISTS ${prefix}/${BINDIR}/skeincc)
  run(${prefix}/${BINDIR}/skeincc --showme:libdirs)
  if(NOT output STREQUAL "\"${prefix}/${LIBDIR}\"\n")
    message(FATAL_ERROR "skeincc says ${output}")
  endif()

  # MPI programs, through FindMPI, where one of C and one of Fortran is run, and by the wrappers themselves. 0 + 1 + 2 + 3 + 4 is 10.
  function(run_ranks program)
    run(${prefix}/${BINDIR}/skein run -q -p 2 -n 5 ${program})
    if(NOT output STREQUAL "sum 10\n")
      message(FATAL_ERROR "${program} says ${output}")
    endif()
  endfunction()
  run(${CMAKE_COMMAND} -S ${here}/mpi_consumer -B ${SCRATCH}/mpi_build -DMPI_C_COMPILER=${prefix}/${BINDIR}/skeincc
      -DMPI_CXX_COMPILER=${prefix}/${BINDIR}/skeincxx -DMPI_Fortran_COMPILER=${prefix}/${BINDIR}/skeinfc)
  run(${CMAKE_COMMAND} --build ${SCRATCH}/mpi_build)
  foreach(wrapper_and_source cc:sum.c cxx:sum.cpp fc:sum.f fc:sum.f90)
    string(REPLACE ":" ";" parts ${wrapper_and_source})
    list(POP_FRONT parts wrapper source)
    run(${prefix}/${BINDIR}/skein${wrapper} ${here}/mpi_consumer/${source} -o ${SCRATCH}/${source}.wrapped)
    run_ranks(${SCRATCH}/${source}.wrapped)
  endforeach()
  run_ranks(${SCRATCH}/mpi_build/sum.c.found)
  run_ranks(${SCRATCH}/mpi_build/sum.f90.found)

  # Another project's test suite, which knows nothing of Skein: told of an MPI_HOME alone, its tests run on two PEs and
  # with LB because the environment says so.
  set(mpi_home ${prefix}/${LIBDIR}/skein/mpi)
  run(${CMAKE_COMMAND} -S ${here}/mpi_consumer -B ${SCRATCH}/home_build -DMPI_HOME=${mpi_home})
  run(${CMAKE_COMMAND} --build ${SCRATCH}/home_build)
  run(${CMAKE_COMMAND} -E env SKEIN_PES=2 SKEIN_LB=rotate SKEIN_LB_PERIOD=1 SKEIN_SYNC_AT=MPI_Allreduce
      ${CMAKE_CTEST_COMMAND} --test-dir ${SCRATCH}/home_build --verbose)
  string(REGEX MATCHALL "LB rotate: 1 step" steps "${output}")
  list(LENGTH steps count)
  if(NOT output MATCHES "100% tests passed" OR NOT count EQUAL 4)
    message(FATAL_ERROR "its tests say ${output}")
  endif()

  # Options as people write them for Open MPI and MPICH.
  function(run_exec)
    run(${prefix}/${BINDIR}/skeinexec ${ARGN})
    if(NOT output STREQUAL "sum 10\n")
      message(FATAL_ERROR "skeinexec ${ARGN} says ${output}")
    endif()
  endfunction()
  run_exec(-n 5 ${SCRATCH}/sum.c.wrapped)
  run_exec(--oversubscribe --allow-run-as-root --mca btl self,vader -x A=1 --bind-to none --map-by :OVERSUBSCRIBE
           -np 5 -wdir ${SCRATCH} ./sum.c.wrapped)
  run_exec(-genv A 1 -env B 2 -ppn 2 -hosts localhost -wdir ${SCRATCH} -n 5 sum.c.wrapped)
endif()

# The same native program without CMake: its headers are found, and what has been compiled is linked.
run(pkg-config --define-prefix --cflags --libs skein-native)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${CXX} -std=c++20 -E ${here}/consumer/native.cpp ${flags} -o ${SCRATCH}/native.ii)
run(${CXX} ${SCRATCH}/build/CMakeFiles/native.dir/native.cpp.o ${flags} -o ${SCRATCH}/native_by_pkg_config)
run_native(${SCRATCH}/native_by_pkg_config)
