// SPDX-License-Identifier: Apache-2.0
// docs/platforms.md has a row for each member that a platform has, as it is declared.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "lb/simulate/platform_members.hpp"

using namespace skein::simulate;

namespace {

struct Rows {
  std::string prefix, text;

  void row(const std::string& name, const std::string& usual, const std::string& allowed,
           const char* meaning) {
    text += "| `" + prefix + name + "` | " + usual + " | " + allowed + " | " + meaning + " |\n";
  }
  template <class T>
  void operator()(const char* name, const T& value, const AllowedRange& allowed, const char* meaning) {
    row(name, to_text(static_cast<double>(value)), to_text(allowed), meaning);
  }
  template <class T>
  void operator()(const char* name, const std::vector<T>&, const AllowedRange& allowed, const char* meaning) {
    row(name, "[]", "each " + to_text(allowed), meaning);
  }
  void operator()(const char* name, const std::map<std::string, double>&, const AllowedRange& allowed,
                  const char* meaning) {
    row(name, "{}", "each " + to_text(allowed), meaning);
  }
  void operator()(const char* name, const std::vector<SpeedChange>&, const char* meaning) {
    row(name, "[]", "", meaning);
    Rows inner{prefix + name + "[].", {}};
    const SpeedChange change;
    each_member_of_change(inner, change);
    text += inner.text;
  }
  void operator()(const char* name, const std::string&, const char* meaning) { row(name, "", "", meaning); }
  void operator()(const char* name, const NetworkKind&, const char* meaning) {
    row(name, "flat", "", meaning);
  }
  template <class T, class Members>
  void inside(const char* name, const T& value, const char* meaning, Members members) {
    row(name, "{}", "", meaning);
    // The three levels have the same members.
    if (std::string_view(name) == "pe" || std::string_view(name) == "node") return;
    Rows inner{prefix + name + ".", {}};
    members(inner, value);
    text += inner.text;
  }
};

}  // namespace

TEST_CASE("platform: the document has all members as they are declared") {
  std::ifstream file(SKEIN_DOCUMENTS "/platforms.md");
  std::string table;
  bool is_table = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| member")) is_table = true;
    if (is_table && line.starts_with("| `")) table += line + "\n";
  }
  Rows rows;
  const Platform platform;
  each_member(rows, platform);
  CHECK(table == rows.text);
}
