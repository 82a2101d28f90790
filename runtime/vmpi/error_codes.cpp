// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/error_codes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>

#include "runtime/vmpi/arguments.hpp"

namespace skein::vmpi {
namespace {

constexpr int kFirstAdded = MPI_ERR_LASTCODE + 1;

std::size_t index_of(int code) { return static_cast<std::size_t>(code) - kFirstAdded; }
bool predefined(int code) { return code >= 0 && code < kFirstAdded; }

/// Adds a code of class `error_class`, or a class of its own if that is negative.
int add(RankState& state, int error_class) {
  auto& errors = state.added_errors;
  auto& removed = state.removed_errors;
  int code = kFirstAdded + static_cast<int>(errors.size());
  if (!removed.empty()) {
    std::ranges::pop_heap(removed, std::greater());
    code = removed.back();
    removed.pop_back();
  } else {
    errors.push_back(nullptr);
  }
  AddedError* const added = new (state.memory.allocate(sizeof(AddedError), alignof(AddedError)))
      AddedError(error_class < 0 ? code : error_class, &state.memory);
  errors[index_of(code)] = added;
  if (AddedError* const of_class = find_added_error(state, error_class)) ++of_class->codes;
  state.last_used_code = MPI_ERR_LASTCODE + static_cast<int>(errors.size());
  return code;
}

void remove(RankState& state, int code) {
  AddedError*& entry = state.added_errors[index_of(code)];
  if (AddedError* const of_class = find_added_error(state, entry->error_class); of_class != entry && of_class)
    --of_class->codes;
  state.removed_errors.push_back(code);
  std::ranges::push_heap(state.removed_errors, std::greater());
  entry->~AddedError();
  state.memory.deallocate(entry, sizeof(AddedError), alignof(AddedError));
  entry = nullptr;
}

int get_added(const ApiCall& call, int code, AddedError*& error) {
  error = find_added_error(call.state, code);
  return error ? MPI_SUCCESS
               : raise(call, nullptr, MPI_ERR_ARG, "%d is no error class or code of the program's", code);
}

}  // namespace

AddedError* find_added_error(RankState& state, int code) {
  const std::size_t index = index_of(code);
  return index < state.added_errors.size() ? state.added_errors[index] : nullptr;
}

}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Add_error_class(int* errorclass) {
  ApiCall call("MPI_Add_error_class");
  *errorclass = add(call.state, -1);
  return MPI_SUCCESS;
}

int MPI_Add_error_code(int errorclass, int* errorcode) {
  ApiCall call("MPI_Add_error_code");
  const AddedError* const added = find_added_error(call.state, errorclass);
  if (!predefined(errorclass) && !(added && added->error_class == errorclass))
    return raise(call, nullptr, MPI_ERR_ARG, "%d is no error class", errorclass);
  *errorcode = add(call.state, errorclass);
  return MPI_SUCCESS;
}

int MPI_Add_error_string(int errorcode, const char* string) {
  ApiCall call("MPI_Add_error_string");
  SKEIN_GET(AddedError*, error, get_added(call, errorcode, error));
  error->text.assign(string, strnlen(string, MPI_MAX_ERROR_STRING - 1));
  return MPI_SUCCESS;
}

int MPI_Remove_error_class(int errorclass) {
  ApiCall call("MPI_Remove_error_class");
  SKEIN_GET(AddedError*, error, get_added(call, errorclass, error));
  if (error->error_class != errorclass)
    return raise(call, nullptr, MPI_ERR_ARG, "%d is an error code, no class", errorclass);
  if (error->codes > 0)
    return raise(call, nullptr, MPI_ERR_ARG, "error class %d has codes still", errorclass);
  remove(call.state, errorclass);
  return MPI_SUCCESS;
}

int MPI_Remove_error_code(int errorcode) {
  ApiCall call("MPI_Remove_error_code");
  SKEIN_GET(AddedError*, error, get_added(call, errorcode, error));
  if (error->error_class == errorcode)
    return raise(call, nullptr, MPI_ERR_ARG, "%d is an error class, no code", errorcode);
  remove(call.state, errorcode);
  return MPI_SUCCESS;
}

int MPI_Remove_error_string(int errorcode) {
  ApiCall call("MPI_Remove_error_string");
  SKEIN_GET(AddedError*, error, get_added(call, errorcode, error));
  error->text.clear();
  return MPI_SUCCESS;
}

int MPI_Error_class(int errorcode, int* errorclass) {
  ApiCall call("MPI_Error_class", Outside::is_allowed);
  const AddedError* const added = find_added_error(call.state, errorcode);
  *errorclass = added ? added->error_class : errorcode;
  return MPI_SUCCESS;
}

int MPI_Error_string(int errorcode, char* string, int* resultlen) {
  ApiCall call("MPI_Error_string", Outside::is_allowed);
  if (const AddedError* const added = find_added_error(call.state, errorcode))
    *resultlen = snprintf(string, MPI_MAX_ERROR_STRING, "%s", added->text.c_str());
  else if (const char* const text = error_text(errorcode))
    *resultlen = snprintf(string, MPI_MAX_ERROR_STRING, "%s: %s", error_name(errorcode), text);
  else
    *resultlen = snprintf(string, MPI_MAX_ERROR_STRING, "error code %d", errorcode);
  return MPI_SUCCESS;
}

}  // extern "C"
