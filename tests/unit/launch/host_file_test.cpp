// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/host_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::launch;
using skein::lb::test::ScratchFolder;
using Words = std::vector<std::string>;

namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> names_of(const std::vector<HostFile::Host>& hosts) {
  std::vector<std::string> names;
  for (const HostFile::Host& host : hosts) names.push_back(host.name);
  return names;
}

}  // namespace

TEST_CASE("host file: it is found among the launcher's words, and read as Open MPI and MPICH have it") {
  const ScratchFolder folder;
  const std::string path = folder / "hosts";
  write(path, "# all\n\na slots=2 max_slots=4\n  b:3 # the old one\nc\n");
  for (const Words& words :
       {Words{"mpirun", "--mca", "a", "b", "--hostfile", path},
        Words{"mpirun", "--hostfile=" + path, "-x", "A"}, Words{"mpiexec.hydra", "-f", path}}) {
    const auto file = HostFile::named_in(words);
    REQUIRE(file);
    CHECK(names_of(file->hosts()) == Words{"a", "b", "c"});
    CHECK(file->hosts()[0].slots == 2);
    CHECK(file->hosts()[1].slots == 3);
    CHECK(!file->hosts()[2].slots);
    CHECK(!slots_of(file->hosts()));
    CHECK(slots_of({file->hosts()[0], file->hosts()[1]}) == 5);
  }
  CHECK(!HostFile::named_in({"mpirun", "--host", "a,b"}));
  CHECK(!HostFile::named_in({"mpirun", "--hostfile"}));
  CHECK(!HostFile::named_in({"mpirun", "--hostfile", folder / "none"}));
}

TEST_CASE("host file: the launcher gets one of some of the machines, by their lines") {
  const ScratchFolder folder;
  const std::string path = folder / "hosts", left = folder / "left";
  write(path, "a slots=2\nb slots=3\n");
  const auto spaced = HostFile::named_in({"mpirun", "--hostfile", path, "-x", "A"});
  REQUIRE(spaced);
  CHECK(spaced->with_only({spaced->hosts()[1]}, left) == Words{"mpirun", "--hostfile", left, "-x", "A"});
  CHECK(text_of(left) == "b slots=3\n");
  const auto joined = HostFile::named_in({"mpirun", "--hostfile=" + path});
  REQUIRE(joined);
  CHECK(joined->with_only(joined->hosts(), left) == Words{"mpirun", "--hostfile=" + left});
  CHECK(text_of(left) == "a slots=2\nb slots=3\n");
}

TEST_CASE("host file: machines answer on which the launcher starts a process, and all if none does") {
  const ScratchFolder folder;
  const std::string path = folder / "hosts", launcher = folder / "launcher";
  write(launcher, "#!/bin/sh\n[ \"$3$4$5\" = -n1true ] && ! grep -q down \"$2\"\n");
  chmod(launcher.c_str(), 0700);
  write(path, "a\ndown1\nb\ndown2\n");
  const auto some = HostFile::named_in({launcher, "--hostfile", path});
  REQUIRE(some);
  CHECK(names_of(hosts_that_answer(*some, folder / ".")) == Words{"a", "b"});
  write(path, "down1\ndown2\n");
  const auto none = HostFile::named_in({launcher, "--hostfile", path});
  REQUIRE(none);
  CHECK(names_of(hosts_that_answer(*none, folder / ".")) == Words{"down1", "down2"});
}
