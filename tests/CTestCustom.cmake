# SPDX-License-Identifier: Apache-2.0
# Read by ctest before the tests: what Open MPI is told in all of them, unless the caller has told it something else. Jobs
# run as root and with more processes than cores, and what mpiexec itself says of one that fails is left out. Messages
# that Skein does not carry itself go over shared memory or TCP: looking for other networks takes half of a job's start.
foreach(setting ALLOW_RUN_AS_ROOT=1 ALLOW_RUN_AS_ROOT_CONFIRM=1 MCA_rmaps_base_oversubscribe=1
                MCA_orte_execute_quiet=1 MCA_pml=ob1)
  string(REGEX MATCH "^(.*)=(.*)$" all "OMPI_${setting}")
  if(NOT DEFINED ENV{${CMAKE_MATCH_1}})
    set(ENV{${CMAKE_MATCH_1}} ${CMAKE_MATCH_2})
  endif()
endforeach()
