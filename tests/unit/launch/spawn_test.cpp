// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/spawn.hpp"

#include <doctest/doctest.h>

#include "runtime/base/error.hpp"
#include "runtime/launch/process.hpp"

using namespace skein::launch;
using Command = std::vector<std::string>;

TEST_CASE("spawn: the launcher gets its own words, the count, and the run again") {
  const Command words{"/opt/skein", "run", "-n", "16", "./app", "a b"};
  CHECK(spawn_command({"mpirun", "--hostfile", "hosts"}, 2, words, 4, true) ==
        Command{"mpirun", "--hostfile", "hosts", "-n", "2", "/opt/skein", "run", "-n", "16", "./app", "a b"});
}

TEST_CASE("spawn: more PEs than a node should bear are refused unless the user chose the launcher") {
  const Command words{"skein", "run", "./app"};
  CHECK_NOTHROW(spawn_command({"mpirun"}, 64, words, 2, false));
  CHECK_THROWS_WITH_AS(spawn_command({"mpirun"}, 65, words, 2, false), doctest::Contains("-p 65"),
                       skein::Error);
  CHECK_NOTHROW(spawn_command({"mpirun"}, 65, words, 2, true));
}

TEST_CASE("spawn: a blank launcher is refused") {
  CHECK_THROWS_WITH_AS(spawn_command({}, 2, {}, 2, true), doctest::Contains("SKEIN_MPIEXEC"), skein::Error);
}

TEST_CASE("process: words are split at any number of blanks") {
  CHECK(split_words("").empty());
  CHECK(split_words("  ").empty());
  CHECK(split_words(" ccache  gcc -m64 ") == Command{"ccache", "gcc", "-m64"});
}

TEST_CASE("process: own_path names this very program") { CHECK(own_path().ends_with("/unit_launch")); }
