// SPDX-License-Identifier: Apache-2.0
// skein cc, cxx and fc: the compiler Skein was built with (or SKEIN_CC, SKEIN_CXX, SKEIN_FC), plus the
// include path of Skein's mpi.h and the stub library libmpi_abi that an ordinary link step wants. Nothing
// else is added.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skein::launch {

enum class Language { c, cxx, fortran };

/// Additions of the wrappers to the compiler's command, as absolute paths.
struct Toolchain {
  std::vector<std::string> compiler;  ///< the command and its own options
  std::string include_dir;            ///< holds skein/mpi/mpi.h
  std::string library_dir;            ///< holds libmpi_abi.so, and skein/fortran/mpi.mod

  std::vector<std::string> include_dirs(Language language) const;
  std::vector<std::string> compile_flags(Language language) const;
  std::vector<std::string> link_flags() const;
};

/// Returns the toolchain next to the running skein command: one layout in the build tree and after
/// installing.
Toolchain own_toolchain(Language language);

/// The action of `skein cc WORDS...`: run `command`, or print `text` if `command` is empty.
struct CompilerAction {
  std::vector<std::string> command;
  std::string text;
};

/// Returns the action for these words. Answers what build systems ask the wrappers of other MPIs, for a shell
/// to split: -show, --showme and -showme (the whole command), -compile-info and -link-info (the command of
/// that step; MPICH's), and --showme:<subject> (Open MPI's; CMake's FindMPI and Meson ask for the subjects
/// compile and link, Meson for version too). Adds link flags only when there is something to link. Throws
/// skein::Error for flags that make a program whose image cannot be loaded once per rank: -static,
/// -static-pie, -no-pie, -fno-pie and their like.
CompilerAction compiler_action(const Toolchain& toolchain, Language language,
                               std::span<const char* const> words);

/// Carries the action out: prints and returns 0, or becomes the compiler. Throws skein::Error.
int run_compiler(Language language, std::span<const char* const> words);

}  // namespace skein::launch
