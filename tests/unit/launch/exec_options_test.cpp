// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/exec_options.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/base/error.hpp"

using namespace skein::launch;
using Words = std::vector<std::string>;

namespace {

const ExecSurroundings four_cores{.cores = 4, .host = "here.site.org", .pes = "", .ranks = ""};

ExecPlan plan(std::vector<const char*> words, const ExecSurroundings& around = four_cores) {
  return parse_exec(words, around);
}

}  // namespace

TEST_CASE("exec: N ranks on as many PEs as there are cores, but no more than ranks") {
  CHECK(plan({"-n", "16", "./app", "-n", "3"}).run_words ==
        Words{"-n", "16", "-p", "4", "--bind", "none", "./app", "-n", "3"});
  CHECK(plan({"-np", "2", "app"}).run_words == Words{"-n", "2", "-p", "2", "--bind", "none", "app"});
  CHECK(plan({"--np=3", "app"}).run_words == Words{"-n", "3", "-p", "3", "--bind", "none", "app"});
  CHECK(plan({"app"}).run_words == Words{"--bind", "none", "app"});
}

TEST_CASE("exec: SKEIN_PES, SKEIN_RANKS and SKEIN_BIND are obeyed, and a launcher that has started PEs") {
  ExecSurroundings around = four_cores;
  around.pes = "8";
  around.binding_chosen = true;
  CHECK(plan({"-n", "16", "app"}, around).run_words == Words{"-n", "16", "-p", "8", "app"});
  CHECK(plan({"-n", "3", "app"}, around).run_words == Words{"-n", "3", "-p", "3", "app"});
  CHECK(plan({"-n", "3", "--bind-to", "core", "app"}, around).run_words ==
        Words{"-n", "3", "-p", "3", "--bind", "core", "app"});
  around.ranks = "12";
  CHECK(plan({"app"}, around).run_words == Words{"-n", "12", "-p", "8", "app"});
  around.launched = true;
  CHECK(plan({"-n", "16", "app"}, around).run_words == Words{"-n", "16", "app"});
}

TEST_CASE("exec: the environment, the folder and what is looked up come from options of both MPIs") {
  const ExecPlan both = plan(
      {"-x", "A=1=2", "-x", "HOME", "-genv", "B", "2", "--wdir", "/tmp", "-path", "/opt", "-n", "1", "app"});
  CHECK(both.variables == std::vector<std::pair<std::string, std::string>>{{"A", "1=2"}, {"B", "2"}});
  CHECK(both.directory == "/tmp");
  CHECK(both.path == Words{"/opt"});
}

TEST_CASE("exec: hosts other than this one are the launcher's, with a PE for each rank") {
  CHECK(plan({"-host", "localhost:4,here,here.site.org", "-n", "8", "app"}).launcher_options.empty());
  const ExecPlan away = plan({"--host", "a:2,b:2", "-n", "8", "app"});
  CHECK(away.launcher_options == Words{"--host", "a:2,b:2"});
  CHECK(away.run_words == Words{"-n", "8", "-p", "8", "--bind", "none", "app"});
  CHECK(plan({"-f", "hosts", "-n", "8", "app"}).launcher_options == Words{"-f", "hosts"});
  CHECK_THROWS_WITH_AS(plan({"-f", "my hosts", "-n", "8", "app"}),
                       "skeinexec: -f: 'my hosts' has a blank, which cannot be handed on", skein::Error);
}

TEST_CASE("exec: what cannot be done is refused by name") {
  CHECK_THROWS_WITH_AS(plan({"-n", "0", "app"}),
                       "skeinexec: -n: '0' is not a whole number from 1 to 1000000000", skein::Error);
  CHECK_THROWS_WITH_AS(plan({"-n"}), "skeinexec: -n needs a value: -n N", skein::Error);
  CHECK_THROWS_WITH_AS(plan({"--mca", "btl"}), "skeinexec: --mca needs a value: --mca KEY VALUE",
                       skein::Error);
  CHECK_THROWS_WITH_AS(plan({"--timeout", "5", "app"}), "skeinexec: --timeout: not taken: use timeout(1)",
                       skein::Error);
  CHECK_THROWS_AS(plan({"-n", "2", "app", ":", "-n", "2", "other"}), skein::Error);
  CHECK_THROWS_AS(plan({"-n", "2"}), skein::Error);
  try {
    plan({"--oversubscibe", "app"});
    FAIL("no error");
  } catch (const skein::Error& error) {
    CHECK(std::string(error.what()).find("did you mean --oversubscribe?") != std::string::npos);
  }
}

TEST_CASE("exec: no name of an option stands in the table twice, and each has a help text") {
  std::vector<std::string> names;
  for (const ExecOption& option : exec_options()) {
    CHECK_FALSE(option.help.empty());
    std::string text(option.names);
    for (std::size_t at = 0; at != std::string::npos;) {
      const std::size_t end = text.find(' ', at);
      names.push_back(text.substr(at, end == std::string::npos ? end : end - at));
      at = end == std::string::npos ? end : end + 1;
    }
  }
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
}
