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
    {"Output", 'o', "--output", "", "FILE", "skein-report.html", "Names the file of the page.",
     options::set_text<&ReportOptions::output>},
    {"Output", 0, "--title", "", "TEXT", "", "Sets the title of the page. Default: the names of the files.",
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
    "Draws one HTML page that needs no network, from files of `skein run --lb-report`, `skein run --trace`, "
    "`skein simulate --json` and `skein tune --json`, and from slices of a program's domain. It shows the "
    "load of the PEs by interval; imbalance and load over time; moves, cost and gain of each LB step; the "
    "places of ranks; messages between ranks; bursts and waits; regions, entry methods and counters; slices; "
    "and the configurations of a tuning. Several files, such as a real run and its simulation, are drawn "
    "side by side on one scale. The kind of a file is recognised from its content.";

}  // namespace

options::Tool report_tool() {
  static const options::ToolOf<ReportOptions> tool{names::kReport, kReportNotes, kReportTable,
                                                   kReportSubcommands};
  return options::as_tool(tool);
}

}  // namespace skein::tools
