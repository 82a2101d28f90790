// SPDX-License-Identifier: Apache-2.0
// input HOW: rank 0 reads the numbers on its standard input, one a line, in the way HOW, meets the other
// ranks every hundredth number (where ranks may move), and prints the count and the sum of the numbers. The
// others find the end of their input at once, at every meeting. `first N` leaves the input after N numbers,
// `question` has rank 1 print a line while rank 0 waits, and `freopen` reads the file "numbers".
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static const char* how;

/// Returns the next line's number, or 0 at the end.
static long next_number(void) {
  char line[64] = "";
  long number = 0;
  if (strcmp(how, "getchar") == 0) {
    size_t used = 0;
    for (int c; (c = getchar()) != EOF && c != '\n';) line[used++] = (char)c;
  } else if (strcmp(how, "fgets") == 0 || strcmp(how, "question") == 0 || strcmp(how, "freopen") == 0) {
    if (!fgets(line, sizeof line, stdin)) return 0;
  } else if (strcmp(how, "scanf") == 0 || strcmp(how, "first") == 0) {
    return scanf("%ld", &number) == 1 ? number : 0;
  } else if (strcmp(how, "getline") == 0) {
    char* text = NULL;
    size_t room = 0;
    if (getline(&text, &room, stdin) > 0) number = atol(text);
    free(text);
    return number;
  } else if (strcmp(how, "ungetc") == 0) {
    const int c = fgetc(stdin);
    if (c == EOF) return 0;
    ungetc(c, stdin);
    if (fscanf(stdin, "%ld%*c", &number) != 1) return 0;
    return number;
  } else if (strcmp(how, "wide") == 0) {
    wchar_t text[64];
    return fgetws(text, 64, stdin) ? wcstol(text, NULL, 10) : 0;
  } else if (strcmp(how, "read") == 0) {
    size_t used = 0;
    while (read(STDIN_FILENO, line + used, 1) == 1 && line[used] != '\n') ++used;
  } else if (strcmp(how, "fdopen") == 0) {
    static FILE* own;
    if (!own) own = fdopen(dup(STDIN_FILENO), "r");
    if (!fgets(line, sizeof line, own)) return 0;
  } else {
    fprintf(stderr, "unknown way '%s'\n", how);
    exit(2);
  }
  return atol(line);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  how = argc > 1 ? argv[1] : "getchar";
  int rank, going_on = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long count = 0, sum = 0;
  const long most = strcmp(how, "first") == 0 ? atol(argv[2]) : -1;
  if (strcmp(how, "freopen") == 0 && rank == 0 && !freopen("numbers", "r", stdin)) return 1;
  if (strcmp(how, "question") == 0 && rank == 1) puts("question");
  while (going_on) {
    for (int i = 0; i < 100 && going_on; ++i) {
      const long number = count == most ? 0 : next_number();
      going_on = number != 0;
      count += going_on;
      sum += number;
    }
    MPI_Bcast(&going_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%ld numbers, sum %ld\n", count, sum);
  if (rank != 0 && count != 0) printf("rank %d has read %ld numbers of rank 0's\n", rank, count);
  if (rank != 0 && strcmp(how, "fgets") == 0 && !feof(stdin)) printf("rank %d is not at the end\n", rank);
  MPI_Finalize();
  return 0;
}
