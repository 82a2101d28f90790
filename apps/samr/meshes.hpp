// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "director.hpp"
#include "mesh.hpp"

namespace samr {

/// The mesh on each PE: a group.
class Meshes : public skein::Chare<Meshes, skein::Index1> {
 public:
  explicit Meshes(skein::Array<Director> director) : director_(director) {}

  const Mesh& mesh() const { return mesh_; }
  void take(const Mesh& mesh) {
    mesh_ = mesh;
    contribute(skein::to<&Director::mesh_is_spread>(director_[0]));
  }

 private:
  skein::Array<Director> director_;
  Mesh mesh_;
};

}  // namespace samr
