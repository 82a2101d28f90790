// SPDX-License-Identifier: Apache-2.0
#include "write_atoms.hpp"

#include <fstream>
#include <limits>
#include <stdexcept>

namespace moldyn {
namespace {

std::ostream& operator<<(std::ostream& out, const Vec3& v) { return out << v.x << ' ' << v.y << ' ' << v.z; }

}  // namespace

void write_atoms(const std::string& path, const Parameters& parameters, std::span<const FinalAtom> atoms) {
  std::ofstream out(path);
  out.precision(std::numeric_limits<double>::max_digits10);
  const Vec3& box = parameters.grid.box;
  out << atoms.size() << "\nLattice=\"" << box.x << " 0 0 0 " << box.y << " 0 0 0 " << box.z
      << "\" Properties=species:S:1:id:I:1:pos:R:3:vel:R:3:force:R:3 cutoff=" << parameters.cutoff << '\n';
  for (const auto& [atom, force] : atoms)
    out << "Ar " << atom.id << ' ' << atom.x << ' ' << atom.v << ' ' << force << '\n';
  out.close();
  if (!out) throw std::runtime_error("the atoms cannot be written to " + path);
}

}  // namespace moldyn
