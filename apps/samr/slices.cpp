// SPDX-License-Identifier: Apache-2.0
#include "slices.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>

#include "gas.hpp"

namespace samr {
namespace {

using Json = nlohmann::ordered_json;

/// Prints as many digits as a picture needs.
std::string six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}
double rounded(double value) { return std::strtod(six_digits(value).c_str(), nullptr); }

void write_line(const std::string& file, std::ios::openmode mode, const Json& line) {
  std::ofstream out(file, mode);
  out << line << '\n';
  out.close();
  if (!out) throw std::runtime_error("slices cannot be written to " + file);
}

Json described(const PatchSlice& slice, double spacing) {
  Json corners = Json::array(), values = Json::array();
  for (const auto& corner : {slice.box.first, slice.box.end})
    for (const std::size_t axis : {0u, 1u}) corners.push_back(rounded(corner[axis] * spacing));
  for (const float value : slice.density) values.push_back(rounded(value));
  return {{"level", slice.level},
          {"pe", slice.pe},
          {"box", std::move(corners)},
          {"cells", {slice.box.length(0), slice.box.length(1)}},
          {"values", std::move(values)}};
}

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
  const auto length = [&](std::size_t axis) { return p.cells[axis] * p.spacing(0); };
  write_line(file, std::ios::trunc,
             {{"kind", "slices"},
              {"program", "samr " + problem},
              {"quantity", "density"},
              {"plane", "z = " + six_digits(length(2) / 2)},
              {"x", {0, rounded(length(0))}},
              {"y", {0, rounded(length(1))}},
              {"pes", pes}});
}

void write_slice(const std::string& file, const Parameters& p, double time, std::vector<PatchSlice> slices) {
  std::ranges::sort(slices, {}, [](const PatchSlice& s) { return std::tuple(s.level, s.box); });
  Json grids = Json::array();
  for (const PatchSlice& slice : slices) grids.push_back(described(slice, p.spacing(slice.level)));
  write_line(file, std::ios::app, {{"time", rounded(time)}, {"grids", std::move(grids)}});
}

}  // namespace samr
