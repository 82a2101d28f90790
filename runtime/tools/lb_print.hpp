// SPDX-License-Identifier: Apache-2.0
// What `skein lb` prints, on standard output: tables to read, or one JSON object a phase and line.
#pragma once

#include <span>

#include "runtime/tools/lb_command.hpp"
#include "skein/lb/load_file.hpp"

namespace skein::tools {

void print_comparison(const lb::LoadPhase& phase, const lb::Merit& before,
                      std::span<const lb::ComparisonRow> rows, const LbOptions& options);
/// `diffusion`: by whose steps convergence is counted.
void print_metrics(const lb::LoadPhase& phase, const lb::Options& diffusion, const LbOptions& options);
/// What is a mean over all LB steps of a run, whose phases these are.
void print_run(std::span<const lb::LoadPhase> phases, const LbOptions& options);
void print_application(const lb::LoadPhase& phase, const lb::Assignment& assignment);

}  // namespace skein::tools
