// SPDX-License-Identifier: Apache-2.0
// Error classes and codes that the program adds (MPI 4.1, 9.5), attribute keys freed while they are in use
// (7.7), handlers of files (14.7) and of messages that a matched probe has found, kept while ranks move.
#include <string.h>

#include "check.h"

enum { classes = 3, codes = 4 };

static int last_used_code(void) {
  int *value = NULL, flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
  CHECK(flag);
  return *value;
}

static void check_string(int code, const char* expected) {
  char text[MPI_MAX_ERROR_STRING];
  int length = -1;
  MPI_Error_string(code, text, &length);
  CHECK(strcmp(text, expected) == 0 && length == (int)strlen(expected));
}

static int handled = 0;
static void handle(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  handled = *code;
}

static void added(void) {
  int class[classes], code[classes][codes];
  char text[64];
  CHECK(last_used_code() >= MPI_ERR_LASTCODE);
  for (int i = 0; i < classes; ++i) {
    MPI_Add_error_class(&class[i]);
    CHECK(class[i] > MPI_ERR_LASTCODE && class_of(class[i]) == class[i]);
    check_string(class[i], "");
    for (int j = 0; j < codes; ++j) {
      MPI_Add_error_code(class[i], &code[i][j]);
      snprintf(text, sizeof text, "class %d, code %d, of rank %d", i, j, my_rank);
      MPI_Add_error_string(code[i][j], text);
    }
  }
  // All their numbers differ, and none is above the last one used.
  for (int i = 0; i < classes * (1 + codes); ++i) {
    const int one = i < classes ? class[i] : code[(i - classes) / codes][(i - classes) % codes];
    CHECK(one > MPI_ERR_LASTCODE && one <= last_used_code());
    for (int k = 0; k < i; ++k)
      CHECK(one != (k < classes ? class[k] : code[(k - classes) / codes][(k - classes) % codes]));
  }
  maybe_move();
  for (int i = 0; i < classes; ++i)
    for (int j = 0; j < codes; ++j) {
      CHECK(class_of(code[i][j]) == class[i]);
      snprintf(text, sizeof text, "class %d, code %d, of rank %d", i, j, my_rank);
      check_string(code[i][j], text);
    }
  int of_predefined;
  MPI_Add_error_code(MPI_ERR_ARG, &of_predefined);
  CHECK(class_of(of_predefined) == MPI_ERR_ARG);

  MPI_Errhandler handler, old;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &old);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, code[1][2]);
  CHECK(handled == code[1][2]);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Remove_error_class(class[0]) != MPI_SUCCESS);  // the class has codes
  CHECK(MPI_Remove_error_code(class[0]) != MPI_SUCCESS);
  CHECK(MPI_Add_error_string(MPI_ERR_ARG, "not the program's") != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, old);
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&old);

  /* Removed numbers are given again, the lowest one first, before there are new ones. */
  int again[2], new_code;
  for (int i = 2; i-- > 0;) CHECK(MPI_Remove_error_code(code[2][i]) == MPI_SUCCESS);
  for (int i = 0; i < 2; ++i) MPI_Add_error_code(class[2], &again[i]);
  CHECK(again[0] == code[2][0] && again[1] == code[2][1]);
  MPI_Add_error_code(class[2], &new_code);
  CHECK(class_of(new_code) == class[2]);
  check_string(new_code, "");
  CHECK(MPI_Remove_error_code(new_code) == MPI_SUCCESS);
  CHECK(MPI_Remove_error_code(of_predefined) == MPI_SUCCESS);
  for (int i = 0; i < classes; ++i) {
    for (int j = 0; j < codes; ++j) {
      CHECK(MPI_Remove_error_string(code[i][j]) == MPI_SUCCESS);
      CHECK(MPI_Remove_error_code(code[i][j]) == MPI_SUCCESS);
    }
    CHECK(MPI_Remove_error_class(class[i]) == MPI_SUCCESS);
  }
}

/// A message that a matched probe has found is received on its communicator, whose handler hears of errors,
/// however many other messages there are; once the program has freed the communicator, the handler of
/// MPI_COMM_SELF does.
static void matched(void) {
  enum { many = 20 };
  MPI_Comm comms[many];
  MPI_Errhandler handler;
  MPI_Message message;
  int sent[2] = {1, 2}, got[2];
  MPI_Comm_create_errhandler(handle, &handler);
  for (int i = 0; i < many; ++i) MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
  for (int i = 0; i < many; ++i) MPI_Comm_set_errhandler(comms[i], i % 2 ? MPI_ERRORS_RETURN : handler);
  for (int i = 0; i < many; ++i) {
    MPI_Request request;
    MPI_Isend(sent, 2, MPI_INT, 0, i, comms[i], &request);
    MPI_Mprobe(MPI_ANY_SOURCE, i, comms[i], &message, MPI_STATUS_IGNORE);
    handled = 0;
    CHECK(class_of(MPI_Mrecv(got, 1, MPI_INT, &message, MPI_STATUS_IGNORE)) == MPI_ERR_TRUNCATE);
    CHECK(class_of(handled) == (i % 2 ? MPI_SUCCESS : MPI_ERR_TRUNCATE));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request request;
  MPI_Isend(sent, 2, MPI_INT, 0, 0, comms[0], &request);
  MPI_Mprobe(0, 0, comms[0], &message, MPI_STATUS_IGNORE);
  for (int i = 0; i < many; ++i) MPI_Comm_free(&comms[i]);
  MPI_Comm_dup(MPI_COMM_SELF, &comms[0]);  // the new communicator may have the freed handle
  MPI_Comm_set_errhandler(comms[0], handler);
  MPI_Errhandler before;
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &before);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  handled = 0;
  CHECK(class_of(MPI_Mrecv(got, 1, MPI_INT, &message, MPI_STATUS_IGNORE)) == MPI_ERR_TRUNCATE);
  CHECK(handled == 0);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, before);
  MPI_Errhandler_free(&before);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&comms[0]);
}

static void handle_file(MPI_File* file, int* code, ...) {
  CHECK(*file == MPI_FILE_NULL);
  handled = *code;
}

/// Errors of files go to the handler of MPI_FILE_NULL, whatever the communicator's is (MPI 4.1, 14.7), and
/// are returned unless the program has set another handler.
static void files(void) {
  MPI_File file = MPI_FILE_NULL;
  MPI_Errhandler handler, before;
  MPI_File_get_errhandler(MPI_FILE_NULL, &before);
  CHECK(before == MPI_ERRORS_RETURN);
  CHECK(class_of(MPI_File_open(MPI_COMM_WORLD, "no file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file)) ==
        MPI_ERR_NO_SUCH_FILE);
  CHECK(class_of(MPI_File_close(&file)) == MPI_ERR_FILE);
  MPI_File_create_errhandler(handle_file, &handler);
  CHECK(MPI_File_set_errhandler(MPI_FILE_NULL, handler) == MPI_SUCCESS);
  MPI_Errhandler_free(&handler);
  maybe_move();
  handled = 0;
  CHECK(MPI_File_delete("no file", MPI_INFO_NULL) != MPI_SUCCESS);
  CHECK(class_of(handled) == MPI_ERR_NO_SUCH_FILE);
  CHECK(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_NO_SUCH_FILE) == MPI_SUCCESS);
  CHECK(handled == MPI_ERR_NO_SUCH_FILE);
  MPI_File_set_errhandler(MPI_FILE_NULL, before);
  CHECK(class_of(MPI_File_call_errhandler((MPI_File)0, MPI_ERR_FILE)) == MPI_ERR_FILE);
  MPI_Comm_create_errhandler(handle, &handler);
  CHECK(class_of(MPI_File_set_errhandler(MPI_FILE_NULL, handler)) == MPI_ERR_ERRHANDLER);
  MPI_Errhandler_free(&handler);
}

static int deleted = 0;
static int count_deletion(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)extra;
  deleted += *(int*)value;
  return MPI_SUCCESS;
}

/// Checks that a key lives as long as its last attribute, however often its number is freed.
static void freed_keys(void) {
  static int one = 1, ten = 10;
  int key, same;
  MPI_Comm first, second;
  MPI_Comm_dup(MPI_COMM_SELF, &first);
  MPI_Comm_dup(MPI_COMM_SELF, &second);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_deletion, &key, NULL);
  MPI_Comm_set_attr(first, key, &one);
  MPI_Comm_set_attr(second, key, &ten);
  same = key;
  MPI_Comm_free_keyval(&key);
  CHECK(key == MPI_KEYVAL_INVALID);
  MPI_Comm_free_keyval(&same);
  maybe_move();
  deleted = 0;
  MPI_Comm_free(&first);
  CHECK(deleted == 1);
  MPI_Comm_free(&second);
  CHECK(deleted == 11);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  for (int round = 0; round < 10; ++round) {
    added();
    freed_keys();
    matched();
    files();
  }
  finish("errors");
  return 0;
}
