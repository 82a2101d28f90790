// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/script.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/base/error.hpp"

using namespace skein::launch;

namespace {

/// A file with a script of the given text, removed when the object ends.
class Script {
 public:
  explicit Script(const std::string& text) {
    const int descriptor = mkstemp(path_.data());
    REQUIRE(descriptor >= 0);
    close(descriptor);
    std::ofstream(path_) << text;
    REQUIRE(chmod(path_.c_str(), 0755) == 0);
  }
  ~Script() { std::filesystem::remove(path_); }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/skein-script-XXXXXX";
};

RunOptions followed(const std::string& program) {
  RunOptions run;
  run.program = program;
  run.args = {"given"};
  follow_script(run);
  return run;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("script: its interpreter runs, with the rest of the line as one argument, as Linux has it") {
  const Script script("#! /bin/cat  -u -v \n");
  const RunOptions run = followed(script.path());
  CHECK(run.program == "/bin/cat");
  CHECK(run.args == Words{"-u -v", script.path(), "given"});
}

TEST_CASE("script: env looks its interpreter up in PATH") {
  const Script plain("#!/usr/bin/env cat\n"), split("#!/usr/bin/env -S cat -u -v\n");
  CHECK(followed(plain.path()).program.ends_with("/cat"));
  CHECK(followed(plain.path()).args == Words{plain.path(), "given"});
  CHECK(followed(split.path()).args == Words{"-u", "-v", split.path(), "given"});
}

TEST_CASE("script: a script of a script is followed") {
  const Script inner("#!/bin/cat\n"), outer("#!" + inner.path() + "\n");
  const RunOptions run = followed(outer.path());
  CHECK(run.program == "/bin/cat");
  CHECK(run.args == Words{inner.path(), outer.path(), "given"});
}

TEST_CASE("script: any other file is left as it is") {
  const Script program(
      "\x7f"
      "ELF, say");
  CHECK(followed(program.path()).program == program.path());
  CHECK(followed(program.path()).args == Words{"given"});
}

TEST_CASE("script: what starts other programs, and lines that name nothing, are refused with what to do") {
  const Script shell("#!/usr/bin/env bash\nexec something\n"), empty("#!  \n"),
      gone("#!/no/such/interpreter\n"), variables("#!/usr/bin/env -S A=1 cat\n");
  CHECK_THROWS_WITH_AS(followed(shell.path()), doctest::Contains("is a script of bash"), skein::Error);
  CHECK_THROWS_WITH_AS(followed(shell.path()), doctest::Contains("pyenv which"), skein::Error);
  CHECK_THROWS_WITH_AS(followed(empty.path()), doctest::Contains("names no interpreter"), skein::Error);
  CHECK_THROWS_WITH_AS(followed(gone.path()), doctest::Contains("/no/such/interpreter"), skein::Error);
  CHECK_THROWS_WITH_AS(followed(variables.path()), doctest::Contains("name the interpreter"), skein::Error);
}

TEST_CASE("script: one that is its own interpreter ends") {
  Script script("x");
  std::ofstream(script.path()) << "#!" << script.path() << "\n";
  CHECK_THROWS_WITH_AS(followed(script.path()), doctest::Contains("too many times"), skein::Error);
}
