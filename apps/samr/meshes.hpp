// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "parts.hpp"

namespace samr {

/// The mesh on each PE, and which of its blocks are divided into what: a group.
class Meshes : public skein::Chare<Meshes, skein::Index1> {
 public:
  explicit Meshes(int cells = 0) : cells_(cells) {}

  const Mesh& mesh() const { return mesh_; }
  BandsBeyond beyond(const Rows& rows, int side) const {
    return bands_beyond(mesh_, parts_, rows, side, cells_);
  }

  /// Calls `then` when all PEs have it.
  void take(const Mesh& mesh, const Parts& parts, skein::Callback<void> then) {
    mesh_ = mesh;
    parts_ = parts;
    contribute(then);
  }

 private:
  int cells_;
  Mesh mesh_;
  Parts parts_;
};

}  // namespace samr
