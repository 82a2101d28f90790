// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "about.hpp"
#include "arrays.hpp"
#include "skein/lb/report.hpp"

namespace skein::report {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

/// Escapes JSON for <script>: no text in it may look like the script's end.
std::string in_script(std::string text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1))
    text.replace(at, 1, "\\u003c");
  return text;
}

/// A template whose @NAME@ places are filled one after the other; inserted text is not searched.
class Filler {
 public:
  explicit Filler(std::string_view text) : rest_(text) {}
  Filler& put(std::string_view name, std::string_view text) {
    const std::string mark = std::string("@").append(name).append("@");
    const std::size_t at = rest_.find(mark);
    if (at == std::string_view::npos) throw ReportError("the page has no place for " + mark);
    page_ += rest_.substr(0, at);
    page_ += text;
    rest_.remove_prefix(at + mark.size());
    return *this;
  }
  std::string finish() { return std::move(page_ += rest_); }

 private:
  std::string_view rest_;
  std::string page_;
};

}  // namespace

std::string to_html(const Report& report) {
  if (page_sources.d3.empty())
    throw ReportError(
        "this build of Skein draws no reports: d3 was not found when it was configured; install it (Debian: "
        "node-d3), or name its file by -DSKEIN_D3=.../d3.min.js, and build again");
  Arrays arrays;
  const std::string about = in_script(describe(report, arrays));
  const std::string title = escaped(report.title);
  return Filler(page_sources.page)
      .put("TITLE", title)
      .put("STYLE", page_sources.style)
      .put("TITLE", title)
      .put("ABOUT", about)
      .put("ARRAYS", arrays.html())
      .put("LICENCE", page_sources.d3_licence)
      .put("D3", page_sources.d3)
      .put("SCRIPT", page_sources.script)
      .finish();
}

}  // namespace skein::report
