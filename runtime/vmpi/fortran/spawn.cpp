// SPDX-License-Identifier: Apache-2.0
// MPI_COMM_SPAWN and MPI_COMM_SPAWN_MULTIPLE: arrays of strings, which only the root's call must have.
#include "runtime/vmpi/fortran/convert.hpp"
#include "runtime/vmpi/fortran/sentinels.hpp"

using namespace skein::vmpi::fortran;

namespace {

/// A list of arguments that ends with a blank string: every `stride`-th string of `length` characters.
class ArgumentList {
 public:
  ArgumentList(const char* strings, std::size_t length, std::size_t stride) {
    for (const char* at = strings;; at += stride * length) {
      std::string argument = in_string(at, length);
      if (argument.empty()) break;
      strings_.push_back(std::move(argument));
    }
    for (std::string& argument : strings_) pointers_.push_back(argument.data());
    pointers_.push_back(nullptr);
  }
  char** data() { return pointers_.data(); }

 private:
  std::vector<std::string> strings_;
  std::vector<char*> pointers_;
};

bool is_root(MPI_Fint root, MPI_Comm comm) {
  int rank = MPI_UNDEFINED;
  return MPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == root;
}

MPI_Fint* error_codes(MPI_Fint* argument) {
  return sentinel(argument) == SKEIN_MPI_F_ERRCODES_IGNORE ? MPI_ERRCODES_IGNORE : argument;
}

}  // namespace

extern "C" {

void skein_mpi_comm_spawn_(const char* command, const char* argv, const MPI_Fint* maxprocs,
                           const MPI_Fint* info, const MPI_Fint* root, const MPI_Fint* comm,
                           MPI_Fint* intercomm, MPI_Fint* errcodes, ErrorOut ierror,
                           std::size_t command_length, std::size_t argv_length) {
  const auto c_comm = handle_of<MPI_Comm>(*comm);
  MPI_Comm made = MPI_COMM_NULL;
  int error = MPI_SUCCESS;
  if (is_root(*root, c_comm)) {
    const std::string c_command = in_string(command, command_length);
    const bool no_arguments = sentinel(argv) == SKEIN_MPI_F_ARGV_NULL;
    ArgumentList arguments(no_arguments ? " " : argv, no_arguments ? 1 : argv_length, 1);
    error = MPI_Comm_spawn(c_command.c_str(), no_arguments ? MPI_ARGV_NULL : arguments.data(), *maxprocs,
                           handle_of<MPI_Info>(*info), *root, c_comm, &made, error_codes(errcodes));
  } else {
    error = MPI_Comm_spawn("", MPI_ARGV_NULL, 0, MPI_INFO_NULL, *root, c_comm, &made, error_codes(errcodes));
  }
  *intercomm = number_of(made);
  ierror = error;
}

/// array_of_argv(count, *) is stored by columns: the arguments of one command are `count` strings apart.
void skein_mpi_comm_spawn_multiple_(const MPI_Fint* count, const char* commands, const char* argvs,
                                    const MPI_Fint* maxprocs, const MPI_Fint* infos, const MPI_Fint* root,
                                    const MPI_Fint* comm, MPI_Fint* intercomm, MPI_Fint* errcodes,
                                    ErrorOut ierror, std::size_t command_length, std::size_t argv_length) {
  const auto c_comm = handle_of<MPI_Comm>(*comm);
  MPI_Comm made = MPI_COMM_NULL;
  int error = MPI_SUCCESS;
  if (is_root(*root, c_comm)) {
    const auto programs = static_cast<std::size_t>(std::max(*count, 0));
    std::vector<std::string> c_commands;
    std::vector<ArgumentList> lists;
    const bool no_arguments = sentinel(argvs) == SKEIN_MPI_F_ARGVS_NULL;
    for (std::size_t i = 0; i < programs; ++i) {
      c_commands.push_back(in_string(commands + i * command_length, command_length));
      if (!no_arguments) lists.emplace_back(argvs + i * argv_length, argv_length, programs);
    }
    std::vector<char*> command_pointers;
    std::vector<char**> list_pointers;
    for (std::string& c_command : c_commands) command_pointers.push_back(c_command.data());
    for (ArgumentList& list : lists) list_pointers.push_back(list.data());
    Handles<MPI_Info> c_infos(infos, *count);
    error = MPI_Comm_spawn_multiple(*count, command_pointers.data(),
                                    no_arguments ? MPI_ARGVS_NULL : list_pointers.data(), maxprocs,
                                    c_infos.data(), *root, c_comm, &made, error_codes(errcodes));
  } else {
    error = MPI_Comm_spawn_multiple(0, nullptr, MPI_ARGVS_NULL, nullptr, nullptr, *root, c_comm, &made,
                                    error_codes(errcodes));
  }
  *intercomm = number_of(made);
  ierror = error;
}
}
