// SPDX-License-Identifier: Apache-2.0
#include "slices.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <tuple>

#include "gas.hpp"

namespace samr {
namespace {

class Lines {
 public:
  Lines(const std::string& file, std::ios::openmode mode) : file_(file), out_(file, mode) {
    out_.precision(6);
  }
  template <class T>
  Lines& operator<<(const T& value) {
    out_ << value;
    return *this;
  }
  /// `write` each, with commas between them.
  void list(const auto& items, const auto& write) {
    const char* before = "[";
    for (const auto& item : items) {
      out_ << before;
      write(item);
      before = ",";
    }
    out_ << (items.empty() ? "[]" : "]");
  }
  void end() {
    out_ << '\n';
    out_.close();
    if (!out_) throw std::runtime_error("slices cannot be written to " + file_);
  }

 private:
  std::string file_;
  std::ofstream out_;
};

}  // namespace

std::vector<PatchSlice> sliced(const std::vector<Patch>& patches, std::int32_t level, std::int32_t pe,
                               const Parameters& p) {
  const std::int32_t middle = (p.cells[2] << level) / 2;
  std::vector<PatchSlice> slices;
  for (const Patch& patch : patches) {
    Box box = patch.box();
    if (middle < box.first[2] || middle >= box.end[2]) continue;
    box.first[2] = middle;
    box.end[2] = middle + 1;
    PatchSlice slice{level, pe, box, {}};
    for_each_cell(box, [&](const Cell& c) {
      slice.density.push_back(static_cast<float>(gas_of(patch.now[c], p.heat_ratio).density()));
    });
    slices.push_back(std::move(slice));
  }
  return slices;
}

void begin_slices(const std::string& file, const Parameters& p, const std::string& problem, int pes) {
  const double h = p.spacing(0);
  Lines lines(file, std::ios::trunc);
  lines << R"({"kind":"slices","program":"samr )" << problem << R"(","quantity":"density","plane":"z = )"
        << p.cells[2] * h / 2 << R"(","x":[0,)" << p.cells[0] * h << R"(],"y":[0,)" << p.cells[1] * h
        << R"(],"pes":)" << pes << '}';
  lines.end();
}

void write_slice(const std::string& file, const Parameters& p, double time, std::vector<PatchSlice> slices) {
  std::ranges::sort(slices, {}, [](const PatchSlice& s) { return std::tuple(s.level, s.box); });
  Lines lines(file, std::ios::app);
  lines << R"({"time":)" << time << R"(,"grids":)";
  lines.list(slices, [&](const PatchSlice& s) {
    const double h = p.spacing(s.level);
    lines << R"({"level":)" << s.level << R"(,"pe":)" << s.pe << R"(,"box":[)" << s.box.first[0] * h << ','
          << s.box.first[1] * h << ',' << s.box.end[0] * h << ',' << s.box.end[1] * h << R"(],"cells":[)"
          << s.box.length(0) << ',' << s.box.length(1) << R"(],"values":)";
    lines.list(s.density, [&](float value) { lines << value; });
    lines << '}';
  });
  lines << '}';
  lines.end();
}

}  // namespace samr
