// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "read.hpp"

namespace skein::report {
namespace {

/// More cells are a mistake in the file.
constexpr std::uint64_t kMostAlong = 1u << 16;

float length(const JsonPlace& place) { return static_cast<float>(place.number()); }

std::array<float, 2> read_axis(const JsonPlace& place) {
  const std::vector<JsonPlace> ends = place.items();
  if (ends.size() != 2) place.fail("is not two numbers, from and to");
  const std::array axis = {length(ends[0]), length(ends[1])};
  if (!(axis[0] < axis[1])) place.fail("does not rise");
  return axis;
}

GridSlice read_grid(const JsonPlace& place, const Slices& slices) {
  GridSlice grid;
  grid.level = static_cast<std::uint32_t>(place.at("level").natural(62));
  grid.pe = static_cast<PeIndex>(place.at("pe").natural(slices.pes - 1));
  const JsonPlace box = place.at("box"), cells = place.at("cells"), values = place.at("values");
  const std::vector<JsonPlace> corners = box.items(), along = cells.items(), all = values.items();
  if (corners.size() != 4) box.fail("is not the x and y of two corners");
  std::ranges::transform(corners, grid.box.begin(), length);
  if (!(grid.box[0] < grid.box[2] && grid.box[1] < grid.box[3])) box.fail("has its upper corner first");
  if (along.size() != 2) cells.fail("is not two numbers, along x and y");
  for (std::size_t axis = 0; axis < 2; ++axis) {
    grid.cells[axis] = static_cast<std::uint32_t>(along[axis].natural(kMostAlong));
    if (grid.cells[axis] == 0) along[axis].fail("is 0");
  }
  if (all.size() != std::size_t{grid.cells[0]} * grid.cells[1])
    values.fail("has " + std::to_string(all.size()) + " numbers for " + std::to_string(grid.cells[0]) +
                " x " + std::to_string(grid.cells[1]) + " cells");
  std::ranges::transform(all, std::back_inserter(grid.values), length);
  return grid;
}

DomainSlice read_slice(const JsonPlace& place, const Slices& slices) {
  DomainSlice slice{.time = place.at("time").number(), .grids = {}};
  if (!slices.slices.empty() && slice.time < slices.slices.back().time)
    place.at("time").fail("is before that of the line before");
  for (const JsonPlace& grid : place.at("grids").items()) slice.grids.push_back(read_grid(grid, slices));
  return slice;
}

void read_head(const JsonPlace& place, Slices& slices) {
  slices.program = place.text("program");
  slices.quantity = place.at("quantity").text();
  slices.plane = place.text("plane");
  slices.x = read_axis(place.at("x"));
  slices.y = read_axis(place.at("y"));
  slices.pes = place.at("pes").natural(kMostPes);
  if (slices.pes == 0) place.at("pes").fail("is 0");
}

}  // namespace

Slices read_slices(const std::string& text, const std::string& path) {
  Slices slices;
  slices.source = path;
  std::string_view rest = text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string where = path + ", line " + std::to_string(number);
    const nlohmann::json json = nlohmann::json::parse(rest.substr(0, end), nullptr, false);
    if (json.is_discarded() && end == rest.npos && number > 1) {
      slices.warning = where + " is cut off: the program was killed, or still writes";
      break;
    }
    if (json.is_discarded()) throw ReportError(where + ": is no JSON, or damaged, or cut off");
    const JsonPlace place(json, where);
    number == 1 ? read_head(place, slices) : slices.slices.push_back(read_slice(place, slices));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  if (slices.slices.empty())
    throw ReportError(path + ": has no slice; perhaps the program ended before it wrote the first");
  return slices;
}

}  // namespace skein::report
