// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/compiler.hpp"

#include <doctest/doctest.h>

#include "runtime/base/error.hpp"
#include "runtime/launch/build_info.hpp"

using namespace skein::launch;
using Command = std::vector<std::string>;
using Words = std::vector<const char*>;

namespace {

const Toolchain toolchain{{"gcc"}, "/i", "/l"};

CompilerAction act(Words words, Language language = Language::c) {
  return compiler_action(toolchain, language, words);
}

bool adds_library(Words words) {
  const Command command = act(words).command;
  REQUIRE_FALSE(command.empty());
  return command.back() == "-lmpi_abi";
}

}  // namespace

TEST_CASE("compiler: flags stand around the user's own, in their order") {
  CHECK(act({"-O2", "a.c", "-o", "a"}).command ==
        Command{"gcc", "-I/i/skein/mpi", "-O2", "a.c", "-o", "a", "-L/l", "-Wl,-rpath,/l", "-lmpi_abi"});
  CHECK(act({"-c", "a.f90"}, Language::fortran).command ==
        Command{"gcc", "-I/i/skein/mpi", "-I/l/skein/fortran", "-c", "a.f90"});
}

TEST_CASE("compiler: the library is added when there is something to link, and only then") {
  CHECK(adds_library({"a.c"}));
  CHECK(adds_library({"a.o", "-o", "a"}));
  CHECK(adds_library({"-shared", "-fPIC", "a.c"}));
  CHECK(adds_library({"-I", "x", "-D", "Y", "a.c"}));
  CHECK(adds_library({"-x", "c", "-"}));
  for (const char* stop : {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"})
    CHECK_FALSE(adds_library({stop, "a.c"}));
  CHECK_FALSE(adds_library({"--version"}));
  CHECK_FALSE(adds_library({"-v"}));
  CHECK_FALSE(adds_library({"-o", "a", "-I", "x"}));
}

TEST_CASE("compiler: what the build systems ask for") {
  for (const char* flag : {"-showme:compile", "--showme:compile"})
    CHECK(act({flag}).text == "-I/i/skein/mpi\n");
  for (const char* flag : {"-showme:link", "--showme:link"})
    CHECK(act({flag}).text == "-L/l -Wl,-rpath,/l -lmpi_abi\n");
  for (const char* flag : {"-show", "-showme", "--showme"}) {
    CHECK(act({flag}).text == "gcc -I/i/skein/mpi -L/l -Wl,-rpath,/l -lmpi_abi\n");
    CHECK(act({flag, "-c", "a.c"}).text == "gcc -c a.c -I/i/skein/mpi\n");
  }
  CHECK(act({"-compile-info"}).text == "gcc -I/i/skein/mpi\n");
  CHECK(act({"-link-info"}).text == "gcc -L/l -Wl,-rpath,/l -lmpi_abi\n");
  CHECK(act({"--showme:command"}).text == "gcc\n");
  CHECK(act({"--showme:incdirs"}).text == "/i/skein/mpi\n");
  CHECK(act({"--showme:incdirs"}, Language::fortran).text == "/i/skein/mpi /l/skein/fortran\n");
  CHECK(act({"--showme:libdirs"}).text == "/l\n");
  CHECK(act({"--showme:libs"}).text == "mpi_abi\n");
  // Meson looks for three numbers with dots between.
  CHECK(act({"--showme:version"}).text ==
        std::string("skeincc: Skein ") + build_info::kVersion + " (Language: C)\n");
  CHECK(act({"--showme:help"}).text.find("incdirs") != std::string::npos);
  CHECK_THROWS_WITH_AS(act({"--showme:everything"}), doctest::Contains("--showme:everything"), skein::Error);
}

TEST_CASE("compiler: shown words are quoted for a shell") {
  // FindMPI expects the flags behind the option.
  const Toolchain odd{{"gcc"}, "/my dir", "/l $1"};
  CHECK(compiler_action(odd, Language::c, Words{"--showme:compile"}).text == "-I\"/my dir/skein/mpi\"\n");
  CHECK(compiler_action(odd, Language::c, Words{"--showme:link"}).text ==
        "-L\"/l \\$1\" -Wl,\"-rpath,/l \\$1\" -lmpi_abi\n");
  CHECK(act({"-show", "-c", "it's.c"}).text == "gcc -c \"it's.c\" -I/i/skein/mpi\n");
}

TEST_CASE("compiler: programs that work at one address only are refused") {
  for (const char* flag : {"-static", "-static-pie", "-no-pie", "-fno-pie", "-fno-PIC"}) {
    CAPTURE(flag);
    CHECK_THROWS_WITH_AS(act({"a.c", flag}), doctest::Contains(flag), skein::Error);
  }
  CHECK_NOTHROW(act({"-fno-pic", "-fPIC", "a.c"}));
  CHECK_THROWS_AS(act({"-fPIC", "-fno-pic", "a.c"}), skein::Error);
  CHECK_NOTHROW(act({"-static-libgcc", "a.c"}));
}
