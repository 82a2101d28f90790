// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/lb_options.hpp"

#include <doctest/doctest.h>

#include "runtime/base/error.hpp"
#include "runtime/launch/help.hpp"
#include "runtime/launch/lb_command.hpp"

using namespace skein::launch;

namespace {

const LbSubcommand& subcommand(std::string_view name) {
  for (const LbSubcommand& each : lb_subcommands())
    if (each.name == name) return each;
  throw std::logic_error("no such subcommand");
}

LbOptions parse(std::string_view name, std::vector<const char*> words) {
  return parse_lb(subcommand(name), words);
}

std::string refusal(std::string_view name, std::vector<const char*> words) {
  try {
    parse(name, std::move(words));
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "no error";
}

std::string refusal(std::vector<const char*> words) {
  try {
    run_lb(words);
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("lb options: options and files in any order") {
  const LbOptions options =
      parse("compare", {"a.json", "--pes=64", "b.json", "--phase", "3", "--strategies",
                        "greedy,refine:tolerance=1.1", "--move-byte", "2e-9", "--json"});
  CHECK(options.operands == std::vector<std::string>{"a.json", "b.json"});
  CHECK(options.pes == 64);
  CHECK(options.phase->which == LbPhase::Which::one);
  CHECK(options.phase->id == 3);
  CHECK(options.strategies == "greedy,refine:tolerance=1.1");
  CHECK(options.cost.byte_s == 2e-9);
  CHECK(options.json);
  CHECK(parse("metrics", {"--", "--json"}).operands == std::vector<std::string>{"--json"});
}

TEST_CASE("lb options: defaults") {
  const LbOptions options = parse("compare", {"f"});
  CHECK_FALSE(options.phase);
  CHECK(options.strategies == "all");
  CHECK(options.steps == 100);
  CHECK(options.cost.object_s == 1e-4);
  CHECK(options.load_model.changes_nothing());
  CHECK(parse("generate", {"mesh2d"}).seed == 1);
}

TEST_CASE("lb options: what is wrong is named") {
  CHECK(refusal("compare", {"f", "--pes", "0"}) ==
        "skein lb compare: --pes 0: '0' is not a whole number from 1 to 1000000 (--pes P; skein lb compare "
        "--help "
        "explains it)");
  CHECK(refusal("compare", {"f", "--phase", "first"}).find("'first' is not a whole number") !=
        std::string::npos);
  CHECK(refusal("compare", {"f", "--lb-model", "mean"}).find("unknown load model 'mean'; valid: last") !=
        std::string::npos);
  CHECK(refusal("compare", {"f", "--steps", "-1"}).find("'-1' is not a number from 0 to 1e+12") !=
        std::string::npos);
  CHECK(refusal("compare", {"f", "--strategy", "greedy"}) ==
        "skein lb compare: unknown option --strategy (did you mean --strategies?); skein lb compare --help "
        "lists all.");
  CHECK(refusal("compare", {}) ==
        "skein lb compare: too few words; usage: skein lb compare FILE... [options]");
  CHECK(refusal("convert", {"one"}).starts_with("skein lb convert: too few words"));
  CHECK(refusal("generate", {"mesh2d", "mesh3d"})
            .starts_with("skein lb generate: one word too many, 'mesh3d'"));
}

TEST_CASE("lb options: what a command cannot do is named") {
  CHECK(refusal({"compar"}) ==
        "skein lb: unknown subcommand 'compar' (did you mean compare?); valid: compare, metrics, apply, "
        "convert, "
        "generate");
  CHECK(refusal({"metrics", "/no/file"}) ==
        "skein lb metrics: /no/file: cannot be opened: No such file or directory");
  CHECK(refusal({"generate", "mesh2d", "--pes", "2", "-o", "/tmp/x"}) ==
        "skein lb generate: --objects N is missing");
  CHECK(refusal({"generate", "mesh2d", "--objects", "2", "-o", "/tmp/x"}) ==
        "skein lb generate: --pes P is missing");
  CHECK(refusal({"generate", "mesh2d", "--objects", "2", "--pes", "1"}) ==
        "skein lb generate: --output FILE is missing");
}

TEST_CASE("lb options: each belongs to a subcommand, and its help has all of them") {
  for (const LbOption& option : lb_options()) {
    std::size_t users = 0;
    for (const LbSubcommand& each : lb_subcommands())
      for (std::string_view name : each.options) users += name == option.name;
    CHECK(users > 0);
  }
  for (const LbSubcommand& each : lb_subcommands()) {
    const std::string help = lb_subcommand_help(each);
    for (std::string_view name : each.options) CHECK(help.find(name) != std::string::npos);
  }
}
