// SPDX-License-Identifier: Apache-2.0
// A program's setlocale() acts on the whole process. Under a locale with a decimal comma, numbers that go
// through text are cut off at the point, or refused.
#include <doctest/doctest.h>

#include <clocale>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "skein/lb/load_file.hpp"
#include "skein/lb/load_model.hpp"
#include "tests/unit/lb/make_snapshot.hpp"
#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::lb;

namespace {

// Gives the process's locale a decimal comma while the object lives: a locale of the system, or one that is
// made here.
class DecimalComma {
 public:
  DecimalComma() {
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"})
      if (take(name)) return;
    std::ofstream(folder_ / "source") << R"(comment_char %
escape_char /
LC_NUMERIC
decimal_point "<U002C>"
thousands_sep "<U002E>"
grouping 3;3
END LC_NUMERIC
)";
    // localedef warns about the categories that are missing.
    const std::string make = "localedef --no-archive -c -i '" + (folder_ / "source") + "' -f UTF-8 '" +
                             (folder_ / "comma.UTF-8") + "' > /dev/null 2>&1";
    [[maybe_unused]] const int status = std::system(make.c_str());
    setenv("LOCPATH", (folder_ / "").c_str(), 1);
    take("comma.UTF-8");
    unsetenv("LOCPATH");
  }
  DecimalComma(const DecimalComma&) = delete;
  DecimalComma& operator=(const DecimalComma&) = delete;
  ~DecimalComma() { std::setlocale(LC_NUMERIC, "C"); }

  bool in_force() const { return *std::localeconv()->decimal_point == ','; }

 private:
  bool take(const char* name) { return std::setlocale(LC_NUMERIC, name) && in_force(); }

  test::ScratchFolder folder_;
};

Snapshot mixed() { return test::make_snapshot(test::Kind{"mixed", 120, 6, 0.2, true, true}, 4); }

// Decides by each strategy of the table with its defaults, as far as it can be used, and by some with
// options.
std::vector<std::pair<std::string, Assignment>> decide_all() {
  std::vector<std::string> texts{"refine:tolerance=1.25",
                                 "koradi:start=rcb,tolerance=1.005",
                                 "hierarchical:node=refine-comm,pe=bipart",
                                 "scotch:tolerance=1.01,flavour=quality",
                                 "scotch-refine:first=remap,migration=0.5",
                                 "metis:tolerance=1.01",
                                 "zoltan:approach=repartition,tolerance=1.01"};
  for (const StrategyInfo& info : strategies()) texts.emplace_back(info.name);
  std::vector<std::pair<std::string, Assignment>> decisions;
  for (const std::string& text : texts) {
    if (!why_unavailable(*find_strategy(text.substr(0, text.find(':')))).empty()) continue;
    const Selection selection = parse_strategy(text);
    if (selection.missing_key().empty()) decisions.emplace_back(text, selection.assign(mixed(), 1));
  }
  return decisions;
}

std::string written() {
  const test::ScratchFolder folder;
  LoadWriter writer(folder / "a.json");
  writer.write(0, mixed());
  writer.close();
  std::ifstream in(folder / "a.json");
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("locale: a decimal comma changes no decision, file or option") {
  const auto decisions = decide_all();
  const std::string file = written();
  const DecimalComma comma;
  if (!comma.in_force()) {
    MESSAGE("this machine has no locale with a decimal comma, and no localedef to make one");
    return;
  }
  const auto again = decide_all();
  REQUIRE(again.size() == decisions.size());
  for (std::size_t k = 0; k < again.size(); ++k) {
    CAPTURE(again[k].first);
    CHECK(again[k] == decisions[k]);
  }
  CHECK(written() == file);
  const LoadData read = read_load_text(file, "file");
  CHECK(read.phases.at(0).snapshot.objects.load == mixed().objects.load);
  CHECK(read.phases.at(0).snapshot.objects.position == mixed().objects.position);
  CHECK(*std::localeconv()->decimal_point == ',');
}
