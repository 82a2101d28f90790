// SPDX-License-Identifier: Apache-2.0
// Shared by the programs on MPI's files. With LARGE_COUNTS they use the forms with MPI_Count arguments.
#pragma once

#include <stdint.h>
#include <string.h>

#include "../check.h"

#ifdef LARGE_COUNTS
#define WIDE(name) name##_c
#else
#define WIDE(name) name
#endif

#define OK(call) CHECK((call) == MPI_SUCCESS)

/// Returns the value that belongs at place `i` of a file.
static inline int value_at(int64_t i) { return (int)(i * 2654435761u % 1000003u); }

static inline MPI_File open_file(MPI_Comm comm, const char* name, int amode) {
  MPI_File file;
  OK(MPI_File_open(comm, name, amode, MPI_INFO_NULL, &file));
  return file;
}
static inline MPI_File open_new(MPI_Comm comm, const char* name) {
  return open_file(comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
}
static inline void close_file(MPI_File* file) {
  OK(MPI_File_close(file));
  CHECK(*file == MPI_FILE_NULL);
}

/// Returns how many `type` a status counts.
static inline int count_of(const MPI_Status* status, MPI_Datatype type) {
  int count = -1;
  OK(MPI_Get_count(status, type, &count));
  return count;
}

/// Returns once all ranks see what all have written.
static inline void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

/// Checks that the file has exactly the ints value_at(0), value_at(1), ... from byte `from` on, as the system
/// sees it; one rank does so.
static inline void check_contents(const char* name, long from, int64_t ints) {
  meet();
  if (my_rank == rank_count / 2) {
    FILE* const stream = fopen(name, "rb");
    CHECK(stream && fseek(stream, from, SEEK_SET) == 0);
    for (int64_t i = 0; i < ints; ++i) {
      int found = -1;
      CHECK(fread(&found, sizeof found, 1, stream) == 1);
      if (found != value_at(i)) fprintf(stderr, "int %lld is %d\n", (long long)i, found);
      CHECK(found == value_at(i));
    }
    CHECK(fgetc(stream) == EOF);
    fclose(stream);
  }
  meet();
}
