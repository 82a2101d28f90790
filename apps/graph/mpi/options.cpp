// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "apps/common/command_line.hpp"
#include "apps/graph/scenario.hpp"

namespace graph {
namespace {

template <std::size_t count>
CLI::IsMember one_of(const char* const (&names)[count]) {
  return CLI::IsMember(std::vector<std::string>(names, names + count));
}

}  // namespace

std::optional<int> read(const std::vector<std::string>& words, Options& o) {
  using apps::option;
  CLI::App app(
      "graph: elements that compute and talk along the edges of a graph, unevenly (Algorithm 3 of Pearce et "
      "al., ICS 2012)",
      "graph");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  CLI::Option* const file =
      app.add_option("--file", o.file, "A graph file of METIS or Chaco, in place of a mesh");
  app.add_option("--positions", o.positions, "A file with the coordinates of its vertices, a line each")
      ->needs(file);
  option(app, "--mesh", o.mesh, "mesh2d (triangles), mesh3d (hexahedra) or tetra")->check(one_of(mesh_kinds));
  option(app, "--vertices", o.vertices, "Of the mesh: as many as fit into a cube (a square)")
      ->check(CLI::Range(1u, 100'000'000u));
  option(app, "--weights", o.weights,
         "even, hotspot, gradient, halves or random; of a file with weights: its own")
      ->check(one_of(weight_kinds));
  option(app, "--contrast", o.contrast, "By how many times the heaviest elements are above the lightest")
      ->check(CLI::Range(0.0, 1e6));
  option(app, "--decomposition", o.decomposition, "boxes, blocks, skewed, near, far or scattered")
      ->check(one_of(decomposition_kinds));
  option(app, "--skew", o.skew, "How uneven skewed, near and far are")->check(CLI::Range(0.0, 1.0));
  option(app, "--seed", o.seed, "Of all that looks drawn at random");
  option(app, "--steps", o.steps, "Time steps")->check(CLI::Range(1, 1'000'000));
  option(app, "--step-ms", o.step_ms, "Milliseconds that a step takes a process on average")
      ->check(CLI::Range(0.0, 1e5));
  app.add_flag("--wait", o.waits, "Waits in place of computing: for more processes than cores");
  option(app, "--element-bytes", o.element_bytes, "Of an element: what moving it transfers")
      ->check(CLI::Range(0u, 100'000'000u));
  option(app, "--message-bytes", o.message_bytes, "Of the message for an edge between processes")
      ->check(CLI::Range(8u, 100'000'000u));
  option(app, "--advise", o.advise, "Asks the advisor every so many steps, and does what it says; 0: never")
      ->check(CLI::Range(0, 1'000'000));
  app.add_flag("--once", o.once, "Asks it after the first step only");
  app.add_option("--strategy", o.strategy,
                 "The strategy that is asked, as NAME[:KEY=VALUE,...]; else the model chooses");
  app.add_flag("!--no-edges", o.tells_edges,
               "Tells the advisor no messages, so that it weighs work and moves alone");
  option(app, "--horizon", o.horizon, "Steps that balance counts for; 0: those that are left")
      ->check(CLI::Range(0.0, 1e12));
  option(app, "--migrate", o.migrate, "As virtual ranks: a sync point every so many steps; 0: none")
      ->check(CLI::Range(0, 1'000'000));
  return apps::read(
      app, words, [] {}, "");
}

}  // namespace graph
