// SPDX-License-Identifier: Apache-2.0
// Zoltan as a partitioner: its parallel hypergraph partitioner, in this process alone.
//
// In a graph a vertex and its neighbours form one hyperedge, as heavy as its heaviest edge: data that a
// vertex sends to several neighbours in one part counts once. A request may also have its own hyperedges. U.
// V. Catalyurek, E. G. Boman, K. D. Devine, D. Bozdag, R. T. Heaphy, L. A. Riesen, "A repartitioning
// hypergraph model for dynamic load balancing", Journal of Parallel and Distributed Computing 69 (2009).
//
// By positions: recursive coordinate bisection, or a Hilbert curve in pieces (flavours boxes and curve).
//
// Zoltan needs a communicator even for one process, and starts MPI if it is not running. A PE that decides
// alone has its own communicator and waits for no other PE.
#include <mpi.h>
#include <zoltan.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "lb/libraries/partitioner.hpp"

namespace {

using skein::lb::Flavour;
using skein::lb::PartitionRequest;

/// Starts MPI for unit tests and tools, which run outside of any MPI job.
void start_mpi() {
  int started = 0;
  MPI_Initialized(&started);
  if (started) return;
  // A single process needs no daemon of Open MPI beside it.
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  MPI_Init(nullptr, nullptr);
  std::atexit([] {
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended) MPI_Finalize();
  });
}

const PartitionRequest& of(void* data) { return *static_cast<const PartitionRequest*>(data); }

bool by_position(const PartitionRequest& request) {
  return request.flavour == Flavour::boxes || request.flavour == Flavour::curve;
}

/// Returns the number of this process's first vertex among all vertices.
ZOLTAN_ID_TYPE first_vertex(const PartitionRequest& request) {
  if (!request.communicator) return 0;
  int rank = 0;
  MPI_Comm_rank(*static_cast<const MPI_Comm*>(request.communicator), &rank);
  return static_cast<ZOLTAN_ID_TYPE>(request.first_of_process[static_cast<std::size_t>(rank)]);
}

int count_vertices(void* data, int* error) {
  *error = ZOLTAN_OK;
  return static_cast<int>(of(data).vertex_weight.size());
}

void list_vertices(void* data, int, int, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, int, float* weight,
                   int* error) {
  const auto& weights = of(data).vertex_weight;
  const ZOLTAN_ID_TYPE first = first_vertex(of(data));
  for (std::size_t v = 0; v < weights.size(); ++v) {
    local[v] = static_cast<ZOLTAN_ID_TYPE>(v);
    global[v] = first + local[v];
    weight[v] = static_cast<float>(weights[v]);
  }
  *error = ZOLTAN_OK;
}

void old_parts(void* data, int, int, int count, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR local, int* part, int* error) {
  for (int k = 0; k < count; ++k) part[k] = std::max(0, of(data).old_part[local[k]]);
  *error = ZOLTAN_OK;
}

void sizes(void* data, int, int, int count, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR local, int* size, int* error) {
  for (int k = 0; k < count; ++k) size[k] = std::max(1, of(data).move_cost[local[k]]);
  *error = ZOLTAN_OK;
}

int count_dimensions(void*, int* error) {
  *error = ZOLTAN_OK;
  return 3;
}

void positions(void* data, int, int, int count, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR local, int, double* position,
               int* error) {
  for (int k = 0; k < count; ++k)
    for (const float coordinate : of(data).position[local[k]]) *position++ = double{coordinate};
  *error = ZOLTAN_OK;
}

/// The hypergraph of a request, or made from its graph: each vertex with its neighbours.
struct Hyperedges {
  std::vector<ZOLTAN_ID_TYPE> id, pin;
  std::vector<int> first;
  std::vector<float> weight;
};

Hyperedges hyperedges_of_graph(const PartitionRequest& request) {
  Hyperedges hyperedges;
  const ZOLTAN_ID_TYPE own = first_vertex(request);
  for (std::size_t v = 0; v < request.vertex_weight.size(); ++v) {
    const auto start = static_cast<std::size_t>(request.first[v]);
    const auto count = static_cast<std::size_t>(request.first[v + 1]) - start;
    if (count == 0) continue;
    hyperedges.id.push_back(own + static_cast<ZOLTAN_ID_TYPE>(v));
    hyperedges.first.push_back(static_cast<int>(hyperedges.pin.size()));
    hyperedges.pin.push_back(hyperedges.id.back());
    for (const std::int32_t neighbour : request.neighbour.subspan(start, count))
      hyperedges.pin.push_back(static_cast<ZOLTAN_ID_TYPE>(neighbour));
    hyperedges.weight.push_back(
        static_cast<float>(std::ranges::max(request.edge_weight.subspan(start, count))));
  }
  return hyperedges;
}

Hyperedges hyperedges_of(const PartitionRequest& request) {
  if (request.first_pin.empty()) return hyperedges_of_graph(request);
  Hyperedges hyperedges;
  hyperedges.id.resize(request.edge_weight.size());
  std::iota(hyperedges.id.begin(), hyperedges.id.end(), ZOLTAN_ID_TYPE{0});
  hyperedges.pin.assign(request.pin.begin(), request.pin.end());
  hyperedges.first.assign(request.first_pin.begin(), request.first_pin.end() - 1);
  hyperedges.weight.assign(request.edge_weight.begin(), request.edge_weight.end());
  return hyperedges;
}

const Hyperedges& hyperedges_in(void* data) { return *static_cast<const Hyperedges*>(data); }

void hypergraph_size(void* data, int* lists, int* pins, int* format, int* error) {
  *lists = static_cast<int>(hyperedges_in(data).id.size());
  *pins = static_cast<int>(hyperedges_in(data).pin.size());
  *format = ZOLTAN_COMPRESSED_EDGE;
  *error = ZOLTAN_OK;
}

void hypergraph(void* data, int, int, int, int, ZOLTAN_ID_PTR edge, int* first, ZOLTAN_ID_PTR pins,
                int* error) {
  const Hyperedges& hyperedges = hyperedges_in(data);
  std::ranges::copy(hyperedges.id, edge);
  std::ranges::copy(hyperedges.first, first);
  std::ranges::copy(hyperedges.pin, pins);
  *error = ZOLTAN_OK;
}

void count_edge_weights(void* data, int* count, int* error) {
  *count = static_cast<int>(hyperedges_in(data).id.size());
  *error = ZOLTAN_OK;
}

void edge_weights(void* data, int, int, int, int, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, float* weight,
                  int* error) {
  const Hyperedges& hyperedges = hyperedges_in(data);
  std::ranges::copy(hyperedges.id, global);
  std::iota(local, local + hyperedges.id.size(), ZOLTAN_ID_TYPE{0});
  std::ranges::copy(hyperedges.weight, weight);
  *error = ZOLTAN_OK;
}

int count_fixed(void* data, int* error) {
  *error = ZOLTAN_OK;
  return static_cast<int>(std::ranges::count_if(of(data).fixed, [](std::int32_t part) { return part >= 0; }));
}

void list_fixed(void* data, int, int, ZOLTAN_ID_PTR global, int* part, int* error) {
  const auto& fixed = of(data).fixed;
  const ZOLTAN_ID_TYPE first = first_vertex(of(data));
  for (std::size_t v = 0; v < fixed.size(); ++v) {
    if (fixed[v] < 0) continue;
    *global++ = first + static_cast<ZOLTAN_ID_TYPE>(v);
    *part++ = fixed[v];
  }
  *error = ZOLTAN_OK;
}

/// The processes that have vertices: PHG's repartitioning fails if a process has none (Zoltan 13.2).
class Partitioners {
 public:
  explicit Partitioners(const PartitionRequest& request) {
    if (!request.communicator) {
      communicator_ = MPI_COMM_SELF;
      return;
    }
    const auto all = *static_cast<const MPI_Comm*>(request.communicator);
    int rank = 0;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_split(all, request.vertex_weight.empty() ? MPI_UNDEFINED : 0, rank, &communicator_);
  }
  Partitioners(const Partitioners&) = delete;
  Partitioners& operator=(const Partitioners&) = delete;
  ~Partitioners() {
    if (is_one() && communicator_ != MPI_COMM_SELF) MPI_Comm_free(&communicator_);
  }
  /// Returns true if this process is one of the partitioners.
  bool is_one() const { return communicator_ != MPI_COMM_NULL; }
  MPI_Comm communicator() const { return communicator_; }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
};

class Zoltan {
 public:
  explicit Zoltan(MPI_Comm communicator) : zoltan_(Zoltan_Create(communicator)) {}
  Zoltan(const Zoltan&) = delete;
  Zoltan& operator=(const Zoltan&) = delete;
  ~Zoltan() { Zoltan_Destroy(&zoltan_); }

  void configure(const PartitionRequest& request) {
    const bool repartition = !request.old_part.empty();
    set("DEBUG_LEVEL", "0");
    set("LB_METHOD", request.flavour == Flavour::boxes   ? "RCB"
                     : request.flavour == Flavour::curve ? "HSFC"
                                                         : "HYPERGRAPH");
    set("HYPERGRAPH_PACKAGE", "PHG");
    set("LB_APPROACH", repartition ? "REPARTITION" : "PARTITION");
    set("NUM_GID_ENTRIES", "1");
    set("NUM_LID_ENTRIES", "1");
    set("RETURN_LISTS", "PARTS");
    set("OBJ_WEIGHT_DIM", "1");
    set("EDGE_WEIGHT_DIM", by_position(request) ? "0" : "1");
    set("REMAP", repartition ? "1" : "0");
    set("NUM_GLOBAL_PARTS", std::to_string(request.part_weight.size()));
    set("IMBALANCE_TOL", std::to_string(1 + request.tolerance));
    // By default, hyperedges with more than this share of all vertices are left out, with a printed remark.
    set("PHG_EDGE_SIZE_THRESHOLD", "1.0");
    set("SEED", std::to_string(request.seed >> 1));
    // The costs of moves are in sizes(), in the unit of edge weights.
    if (repartition) set("PHG_REPART_MULTIPLIER", "1");
  }

  void describe(PartitionRequest& request) {
    Zoltan_Set_Num_Obj_Fn(zoltan_, count_vertices, &request);
    Zoltan_Set_Obj_List_Fn(zoltan_, list_vertices, &request);
    if (by_position(request)) {
      Zoltan_Set_Num_Geom_Fn(zoltan_, count_dimensions, &request);
      Zoltan_Set_Geom_Multi_Fn(zoltan_, positions, &request);
    } else {
      hyperedges_ = hyperedges_of(request);
      Zoltan_Set_HG_Size_CS_Fn(zoltan_, hypergraph_size, &hyperedges_);
      Zoltan_Set_HG_CS_Fn(zoltan_, hypergraph, &hyperedges_);
      Zoltan_Set_HG_Size_Edge_Wts_Fn(zoltan_, count_edge_weights, &hyperedges_);
      Zoltan_Set_HG_Edge_Wts_Fn(zoltan_, edge_weights, &hyperedges_);
    }
    if (!request.old_part.empty()) {
      Zoltan_Set_Part_Multi_Fn(zoltan_, old_parts, &request);
      Zoltan_Set_Obj_Size_Multi_Fn(zoltan_, sizes, &request);
    }
    if (!request.fixed.empty()) {
      Zoltan_Set_Num_Fixed_Obj_Fn(zoltan_, count_fixed, &request);
      Zoltan_Set_Fixed_Obj_List_Fn(zoltan_, list_fixed, &request);
    }
    std::vector<int> ids(request.part_weight.size()), weight_index(ids.size(), 0);
    std::iota(ids.begin(), ids.end(), 0);
    std::vector<float> sizes(request.part_weight.begin(), request.part_weight.end());
    Zoltan_LB_Set_Part_Sizes(zoltan_, 1, static_cast<int>(ids.size()), ids.data(), weight_index.data(),
                             sizes.data());
  }

  bool partition(std::span<std::int32_t> part) {
    Lists in, out;
    int changes = 0, global_entries = 0, local_entries = 0;
    const int status = Zoltan_LB_Partition(zoltan_, &changes, &global_entries, &local_entries, &in.count,
                                           &in.global, &in.local, &in.process, &in.part, &out.count,
                                           &out.global, &out.local, &out.process, &out.part);
    if (status != ZOLTAN_OK && status != ZOLTAN_WARN) return false;
    // "PARTS": the exported list has every vertex with its part.
    for (int k = 0; k < out.count; ++k) part[out.local[k]] = out.part[k];
    return static_cast<std::size_t>(out.count) == part.size();
  }

 private:
  struct Lists {
    int count = 0;
    ZOLTAN_ID_PTR global = nullptr, local = nullptr;
    int *process = nullptr, *part = nullptr;
    Lists() = default;
    Lists(const Lists&) = delete;
    Lists& operator=(const Lists&) = delete;
    ~Lists() { Zoltan_LB_Free_Part(&global, &local, &process, &part); }
  };

  void set(const char* name, const std::string& value) { Zoltan_Set_Param(zoltan_, name, value.c_str()); }

  Zoltan_Struct* zoltan_;
  Hyperedges hyperedges_;
};

}  // namespace

extern "C" const char* SKEIN_LB_PARTITION(const PartitionRequest& request, std::span<std::int32_t> part) {
  start_mpi();
  float version = 0;
  if (Zoltan_Initialize(0, nullptr, &version) != ZOLTAN_OK) return "Zoltan_Initialize failed";
  PartitionRequest own = request;
  const Partitioners partitioners(request);
  if (!partitioners.is_one()) return nullptr;
  Zoltan zoltan(partitioners.communicator());
  zoltan.configure(own);
  zoltan.describe(own);
  return zoltan.partition(part) ? nullptr : "Zoltan_LB_Partition failed";
}
