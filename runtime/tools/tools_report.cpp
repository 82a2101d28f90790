// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "runtime/options/setters.hpp"
#include "runtime/tools/names.hpp"
#include "runtime/tools/output.hpp"
#include "skein/lb/as_recorded.hpp"
#include "skein/lb/report.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;

struct ReportOptions {
  std::vector<std::string> operands;  ///< files
  std::string output = "skein-report.html";
  std::string title;  ///< empty: from the files
};
using ReportOption = options::OptionOf<ReportOptions>;

constexpr ReportOption kReportTable[] = {
    {"Output", 'o', "--output", "", "FILE", "skein-report.html", "Where the page is written.",
     options::set_text<&ReportOptions::output>},
    {"Output", 0, "--title", "", "TEXT", "", "What the page is called; if not given, after the files.",
     options::set_any<&ReportOptions::title>},
};

int draw(const ReportOptions& options) {
  check_not_read(options.output, options.operands);
  report::Report page;
  for (const std::string& file : options.operands) report::add_file(page, file, simulate::play_as_recorded);
  if (!options.title.empty())
    page.title = options.title;
  else if (page.runs.size() == 1)
    page.title = page.runs[0].name;
  for (const std::string& difference : report::differences(page))
    fprintf(stderr, "skein report: %s\n", difference.c_str());
  write_file(options.output, report::to_html(page));
  printf("%s\n", options.output.c_str());
  return 0;
}

constexpr options::SubcommandOf<ReportOptions> kReportSubcommands[] = {
    {"", names::kReport.usage, "", {}, 1, options::kAnyNumber, draw},
};

constexpr View kReportNotes =
    "Draws what `skein run --lb-report`, `skein run --trace`, `skein simulate --json` and `skein tune "
    "--json` have written, and slices of a domain that a program has, as one HTML page that needs no "
    "network: "
    "load of the PEs by interval, imbalance "
    "and load over time, what each LB step moved, cost and gained, where ranks were, who sent to whom, "
    "bursts and waits, regions, entry methods and counters, slices, and what a tuning has tried. Several "
    "files are "
    "drawn side by side on one scale: a real run and its simulation. What kind a file is, is seen in it.";

}  // namespace

options::Tool report_tool() {
  static const options::ToolOf<ReportOptions> tool{names::kReport, kReportNotes, kReportTable,
                                                   kReportSubcommands};
  return options::as_tool(tool);
}

}  // namespace skein::tools
