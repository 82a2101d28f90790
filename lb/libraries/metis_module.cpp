// SPDX-License-Identifier: Apache-2.0
// METIS as a partitioner. It has neither fixed vertices nor repartitioning: the request's fixed, old_part and
// tree must be empty. G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning
// irregular graphs", SIAM Journal on Scientific Computing 20 (1998).
#include <metis.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "lb/libraries/partitioner.hpp"

using skein::lb::Flavour;
using skein::lb::PartitionRequest;

namespace {

/// Discards output of METIS while it exists: about graphs with few or heavy vertices METIS prints remarks,
/// and recovers; but standard output belongs to the program.
class Muted {
 public:
  Muted() : own_(stdout) {
    if (FILE* const memory = open_memstream(&text_, &size_)) stdout = memory;
  }
  Muted(const Muted&) = delete;
  Muted& operator=(const Muted&) = delete;
  ~Muted() {
    if (stdout != own_) std::fclose(stdout);
    stdout = own_;
    std::free(text_);
  }

 private:
  FILE* own_;
  char* text_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

extern "C" const char* SKEIN_LB_PARTITION(const PartitionRequest& request, std::span<std::int32_t> part) {
  const auto copy = [](std::span<const std::int32_t> values) {
    return std::vector<idx_t>(values.begin(), values.end());
  };
  std::vector<idx_t> first = copy(request.first), neighbour = copy(request.neighbour);
  std::vector<idx_t> edge_weight = copy(request.edge_weight), weight = copy(request.vertex_weight);
  std::vector<idx_t> result(weight.size());
  auto vertices = static_cast<idx_t>(weight.size()), parts = static_cast<idx_t>(request.part_weight.size());
  idx_t constraints = 1, cut = 0;

  const double sum = std::accumulate(request.part_weight.begin(), request.part_weight.end(), 0.0);
  std::vector<real_t> share;
  for (const std::int32_t value : request.part_weight) share.push_back(static_cast<real_t>(value / sum));
  auto most = static_cast<real_t>(1 + request.tolerance);

  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = static_cast<idx_t>(request.seed >> 1);
  const auto partition =
      request.flavour == Flavour::recursive ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const Muted muted;
  const int status =
      partition(&vertices, &constraints, first.data(), neighbour.data(), weight.data(), nullptr,
                edge_weight.data(), &parts, share.data(), &most, options, &cut, result.data());
  if (status == METIS_ERROR_MEMORY) return "METIS is out of memory";
  if (status != METIS_OK) return "METIS refuses the graph";
  for (std::size_t v = 0; v < result.size(); ++v) part[v] = static_cast<std::int32_t>(result[v]);
  return nullptr;
}
