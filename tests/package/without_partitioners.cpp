// SPDX-License-Identifier: Apache-2.0
// In a build without partitioning libraries their strategies are listed, naming one says which package brings
// it, and all other strategies work. Prints the first deviation.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <variant>

#include "skein/lb/compare.hpp"
#include "skein/lb/strategy.hpp"

using namespace skein::lb;

namespace {

void expect(bool so, const std::string& what) {
  if (so) return;
  std::fprintf(stderr, "not so: %s\n", what.c_str());
  std::exit(1);
}

std::string error_of(const std::string& text) {
  try {
    parse_strategy(text);
  } catch (const StrategyError& error) {
    return error.what();
  }
  return {};
}

const std::map<std::string, std::string> kPackages{
    {"scotch", "libscotch-dev"}, {"scotch-refine", "libscotch-dev"},   {"scotch-topo", "libscotch-dev"},
    {"metis", "libmetis-dev"},   {"zoltan", "libtrilinos-zoltan-dev"}, {"hyper", "libtrilinos-zoltan-dev"}};

}  // namespace

int main() {
  std::size_t unavailable = 0;
  for (const StrategyInfo& info : strategies()) {
    const std::string name(info.name), reason = why_unavailable(info), error = error_of(name);
    if (!kPackages.contains(name)) {
      expect(reason.empty() && error.empty(), name + " is available");
      continue;
    }
    ++unavailable;
    expect(reason.find("install " + kPackages.at(name)) != std::string::npos,
           name + " names its package: " + reason);
    expect(error == "strategy '" + name + "' " + reason, "the error says why: " + error);
  }
  expect(unavailable == kPackages.size(), "all strategies of libraries are listed");
  std::size_t named = 0;
  for (const Candidate& candidate : parse_candidates("all"))
    named += std::holds_alternative<Unavailable>(candidate.decides);
  expect(named == kPackages.size(), "skein lb compare lists them too, and runs the others");
}
