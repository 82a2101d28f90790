# SPDX-License-Identifier: Apache-2.0
# The MPI underneath, as the target skein_mpi. (What virtual ranks are compiled against is Skein's own mpi.h.)
# FindMPI compiles and runs programs whenever it is called, and forgets what they said. It is called here alone, and what they
# said is kept with the rest that it found.
set(MPI_DETERMINE_LIBRARY_VERSION TRUE)
find_package(MPI 3.1 REQUIRED COMPONENTS C)
set(MPI_DETERMINE_LIBRARY_VERSION FALSE)
if(BUILD_TESTING)  # one program is of Fortran
  find_package(MPI COMPONENTS Fortran)
endif()
foreach(name C_WORKS C_LIBRARY_VERSION_STRING Fortran_WORKS Fortran_VERSION Fortran_HAVE_F77_HEADER Fortran_HAVE_F90_MODULE Fortran_HAVE_F08_MODULE)
  if(MPI_${name})
    set(MPI_${name} "${MPI_${name}}" CACHE INTERNAL "")
  endif()
endforeach()

add_library(skein_mpi INTERFACE)
target_link_libraries(skein_mpi INTERFACE MPI::MPI_C)
# The C++ bindings were removed from the standard in 2012; some mpi.h still bring them, and their library.
target_compile_definitions(skein_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

# Its short name: "Open MPI v4.1.4", "MPICH Version: 4.0.2".
string(REGEX MATCH "^[^\n,(]*" SKEIN_MPI_NAME "${MPI_C_LIBRARY_VERSION_STRING}")
string(REGEX REPLACE "[ \t]+" " " SKEIN_MPI_NAME "${SKEIN_MPI_NAME}")
message(STATUS "MPI underneath: ${SKEIN_MPI_NAME}, ${MPIEXEC_EXECUTABLE}")
