// SPDX-License-Identifier: Apache-2.0
// Writes OTF2 archives by libotf2. Locations are objects, each a process of its own below its first PE.
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdarg>
#include <unordered_map>

#include "lb/trace/formats/otf2_output.hpp"

namespace skein::trace {
namespace {

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

OTF2_ErrorCode keep_error(void* text, const char*, uint64_t, const char*, OTF2_ErrorCode code,
                          const char* format, va_list arguments) {
  char buffer[512];
  vsnprintf(buffer, sizeof buffer, format, arguments);
  auto& kept = *static_cast<std::string*>(text);
  if (kept.empty()) kept = std::string(OTF2_Error_GetDescription(code)) + ": " + buffer;
  return code;
}

constexpr OTF2_CollectiveOp kOperations[] = {
    OTF2_COLLECTIVE_OP_BARRIER,        OTF2_COLLECTIVE_OP_BCAST,
    OTF2_COLLECTIVE_OP_GATHER,         OTF2_COLLECTIVE_OP_GATHERV,
    OTF2_COLLECTIVE_OP_SCATTER,        OTF2_COLLECTIVE_OP_SCATTERV,
    OTF2_COLLECTIVE_OP_ALLGATHER,      OTF2_COLLECTIVE_OP_ALLGATHERV,
    OTF2_COLLECTIVE_OP_ALLTOALL,       OTF2_COLLECTIVE_OP_ALLTOALLV,
    OTF2_COLLECTIVE_OP_ALLTOALLW,      OTF2_COLLECTIVE_OP_REDUCE,
    OTF2_COLLECTIVE_OP_ALLREDUCE,      OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK,
    OTF2_COLLECTIVE_OP_REDUCE_SCATTER, OTF2_COLLECTIVE_OP_SCAN,
    OTF2_COLLECTIVE_OP_EXSCAN,         OTF2_COLLECTIVE_OP_CREATE_HANDLE};

constexpr OTF2_RegionRole kRoles[] = {OTF2_REGION_ROLE_FUNCTION,     OTF2_REGION_ROLE_BARRIER,
                                      OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_REGION_ROLE_COLL_ALL2ONE,
                                      OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_REGION_ROLE_COLL_OTHER,
                                      OTF2_REGION_ROLE_POINT2POINT,  OTF2_REGION_ROLE_FILE_IO};

constexpr OTF2_MetricRef kMemoryMetric = 0, kCounterMetric = 1;

class Output final : public Otf2Output {
 public:
  explicit Output(const char* folder) {
    OTF2_Error_RegisterCallback(keep_error, &error_);
    archive_ =
        OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                          OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!archive_) {
      if (error_.empty()) error_ = "the archive cannot be made";
      return;
    }
    static const OTF2_FlushCallbacks callbacks{flush, nullptr};
    check(OTF2_Archive_SetFlushCallbacks(archive_, &callbacks, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    check(OTF2_Archive_SetCreator(archive_, "Skein"));
    check(OTF2_Archive_OpenEvtFiles(archive_));
  }
  ~Output() override {
    if (archive_) OTF2_Archive_Close(archive_);
    OTF2_Error_RegisterCallback(nullptr, nullptr);
  }

  void begin(std::uint64_t location) override {
    location_ = location;
    writer_ = archive_ ? OTF2_Archive_GetEvtWriter(archive_, location) : nullptr;
  }
  void end() override {
    if (!writer_) return;
    std::uint64_t count = 0;
    check(OTF2_EvtWriter_GetNumberOfEvents(writer_, &count));
    counts_.resize(std::max(counts_.size(), static_cast<std::size_t>(location_) + 1));
    counts_[location_] = count;
    check(OTF2_Archive_CloseEvtWriter(archive_, writer_));
    writer_ = nullptr;
  }

  void enter(std::uint64_t ns, RegionIndex region) override {
    if (writer_) check(OTF2_EvtWriter_Enter(writer_, nullptr, ns, region));
  }
  void leave(std::uint64_t ns, RegionIndex region) override {
    if (writer_) check(OTF2_EvtWriter_Leave(writer_, nullptr, ns, region));
  }
  void send(std::uint64_t ns, const SendRecord& m) override {
    if (writer_) check(OTF2_EvtWriter_MpiSend(writer_, nullptr, ns, m.rank, m.comm, m.tag, m.bytes));
  }
  void receive(std::uint64_t ns, const SendRecord& m) override {
    if (writer_) check(OTF2_EvtWriter_MpiRecv(writer_, nullptr, ns, m.rank, m.comm, m.tag, m.bytes));
  }
  void start_send(std::uint64_t ns, const SendRecord& m, std::uint64_t request) override {
    if (writer_)
      check(OTF2_EvtWriter_MpiIsend(writer_, nullptr, ns, m.rank, m.comm, m.tag, m.bytes, request));
  }
  void end_send(std::uint64_t ns, std::uint64_t request) override {
    if (writer_) check(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, ns, request));
  }
  void start_receive(std::uint64_t ns, std::uint64_t request) override {
    if (writer_) check(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, ns, request));
  }
  void end_receive(std::uint64_t ns, const SendRecord& m, std::uint64_t request) override {
    if (writer_)
      check(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, ns, m.rank, m.comm, m.tag, m.bytes, request));
  }
  void cancel(std::uint64_t ns, std::uint64_t request) override {
    if (writer_) check(OTF2_EvtWriter_MpiRequestCancelled(writer_, nullptr, ns, request));
  }
  void begin_collective(std::uint64_t ns) override {
    if (writer_) check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, ns));
  }
  void end_collective(std::uint64_t ns, const Otf2Collective& call) override {
    if (writer_)
      check(OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, ns, operation(call), call.comm, root(call),
                                            call.sent, 0));
  }
  void start_collective(std::uint64_t ns, std::uint64_t request) override {
    if (writer_) check(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, ns, request));
  }
  void complete_collective(std::uint64_t ns, const Otf2Collective& call, std::uint64_t request) override {
    if (writer_)
      check(OTF2_EvtWriter_NonBlockingCollectiveComplete(writer_, nullptr, ns, operation(call), call.comm,
                                                         root(call), call.sent, 0, request));
  }
  void memory(std::uint64_t ns, std::uint64_t bytes) override {
    if (!writer_) return;
    const OTF2_Type type = OTF2_TYPE_UINT64;
    OTF2_MetricValue value;
    value.unsigned_int = bytes;
    check(OTF2_EvtWriter_Metric(writer_, nullptr, ns, kMemoryMetric, 1, &type, &value));
  }
  void counters(std::uint64_t ns, std::span<const std::int64_t> values) override {
    if (!writer_ || values.empty()) return;
    const std::vector<OTF2_Type> types(values.size(), OTF2_TYPE_INT64);
    std::vector<OTF2_MetricValue> converted(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) converted[i].signed_int = values[i];
    check(OTF2_EvtWriter_Metric(writer_, nullptr, ns, kCounterMetric,
                                static_cast<std::uint8_t>(values.size()), types.data(), converted.data()));
  }

  void define(const Otf2Definitions& definitions) override;
  const std::string& error() const override { return error_; }

 private:
  void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS && error_.empty()) error_ = OTF2_Error_GetDescription(code);
  }
  static OTF2_CollectiveOp operation(const Otf2Collective& call) {
    return kOperations[std::min<std::size_t>(call.kind, std::size(kOperations) - 1)];
  }
  static std::uint32_t root(const Otf2Collective& call) {
    return call.root < 0 ? OTF2_UNDEFINED_UINT32 : static_cast<std::uint32_t>(call.root);
  }
  OTF2_StringRef text(const std::string& value) {
    const auto [found, is_new] = texts_.try_emplace(value, static_cast<OTF2_StringRef>(texts_.size()));
    if (is_new) check(OTF2_GlobalDefWriter_WriteString(global_, found->second, value.c_str()));
    return found->second;
  }
  void define_places(const Otf2Definitions& definitions);
  void define_comms(const Otf2Definitions& definitions);
  void define_metrics(const Otf2Definitions& definitions);

  OTF2_Archive* archive_ = nullptr;
  OTF2_EvtWriter* writer_ = nullptr;
  OTF2_GlobalDefWriter* global_ = nullptr;
  std::uint64_t location_ = 0;
  std::vector<std::uint64_t> counts_;  // of events, by location
  std::unordered_map<std::string, OTF2_StringRef> texts_;
  std::string error_;
};

void Output::define_places(const Otf2Definitions& definitions) {
  const OTF2_SystemTreeNodeRef root = 0;  // PEs follow
  check(OTF2_GlobalDefWriter_WriteSystemTreeNode(
      global_, root, text(definitions.machine.empty() ? "machine" : definitions.machine), text("machine"),
      OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  for (std::uint32_t pe = 0; pe < definitions.pes; ++pe)
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 1 + pe, text("PE " + std::to_string(pe)),
                                                   text("PE"), root));
  for (std::size_t i = 0; i < definitions.places.size(); ++i) {
    const Otf2Definitions::Place& place = definitions.places[i];
    const auto group = static_cast<OTF2_LocationGroupRef>(i);
    check(OTF2_GlobalDefWriter_WriteLocationGroup(
        global_, group, text(place.name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
        place.pe < definitions.pes ? 1 + place.pe : root, OTF2_UNDEFINED_LOCATION_GROUP));
    check(OTF2_GlobalDefWriter_WriteLocation(global_, i, text(place.name), OTF2_LOCATION_TYPE_CPU_THREAD,
                                             i < counts_.size() ? counts_[i] : 0, group));
  }
}

void Output::define_comms(const Otf2Definitions& definitions) {
  std::vector<std::uint64_t> all(definitions.places.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  OTF2_GroupRef group = 0;
  const auto write_group = [&](OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    check(OTF2_GlobalDefWriter_WriteGroup(global_, group, text(""), type, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(members.size()),
                                          members.data()));
    return group++;
  };
  write_group(OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
  for (std::size_t i = 0; i < definitions.comms.size(); ++i) {
    const Otf2Definitions::Comm& comm = definitions.comms[i];
    const auto self = static_cast<OTF2_CommRef>(i);
    const OTF2_GroupRef members = write_group(OTF2_GROUP_TYPE_COMM_GROUP, comm.members);
    if (comm.others.empty()) {
      check(OTF2_GlobalDefWriter_WriteComm(global_, self, text(comm.name), members, OTF2_UNDEFINED_COMM,
                                           OTF2_COMM_FLAG_NONE));
    } else {
      const OTF2_GroupRef others = write_group(OTF2_GROUP_TYPE_COMM_GROUP, comm.others);
      check(OTF2_GlobalDefWriter_WriteInterComm(global_, self, text(comm.name), members, others, 0,
                                                OTF2_COMM_FLAG_NONE));
    }
  }
}

void Output::define_metrics(const Otf2Definitions& definitions) {
  const auto write_member = [&](OTF2_MetricMemberRef self, const std::string& name, OTF2_MetricMode mode,
                                OTF2_Type type, const std::string& unit) {
    check(OTF2_GlobalDefWriter_WriteMetricMember(global_, self, text(name), text(""), OTF2_METRIC_TYPE_OTHER,
                                                 mode, type, OTF2_BASE_DECIMAL, 0, text(unit)));
  };
  const OTF2_MetricMemberRef memory = 0;
  write_member(memory, "memory in use", OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64, "B");
  check(OTF2_GlobalDefWriter_WriteMetricClass(global_, kMemoryMetric, 1, &memory, OTF2_METRIC_ASYNCHRONOUS,
                                              OTF2_RECORDER_KIND_CPU));
  if (definitions.counters.empty()) return;
  std::vector<OTF2_MetricMemberRef> members;
  for (const std::string& counter : definitions.counters) {
    members.push_back(1 + static_cast<OTF2_MetricMemberRef>(members.size()));
    write_member(members.back(), counter, OTF2_METRIC_RELATIVE_LAST, OTF2_TYPE_INT64, "#");
  }
  check(OTF2_GlobalDefWriter_WriteMetricClass(global_, kCounterMetric,
                                              static_cast<std::uint8_t>(members.size()), members.data(),
                                              OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
}

void Output::define(const Otf2Definitions& definitions) {
  if (!archive_) return;
  check(OTF2_Archive_CloseEvtFiles(archive_));
  // Readers look for definitions of each location, even if there are none.
  check(OTF2_Archive_OpenDefFiles(archive_));
  for (std::size_t i = 0; i < definitions.places.size(); ++i)
    if (OTF2_DefWriter* const writer = OTF2_Archive_GetDefWriter(archive_, i))
      check(OTF2_Archive_CloseDefWriter(archive_, writer));
  check(OTF2_Archive_CloseDefFiles(archive_));

  global_ = OTF2_Archive_GetGlobalDefWriter(archive_);
  if (!global_) return;
  constexpr std::uint64_t ticks_per_second = 1'000'000'000;
  check(OTF2_GlobalDefWriter_WriteClockProperties(global_, ticks_per_second, 0, definitions.end_ns + 1,
                                                  OTF2_UNDEFINED_TIMESTAMP));
  (void)text("");
  define_places(definitions);
  for (std::size_t i = 0; i < definitions.regions.size(); ++i) {
    const Otf2Region& region = definitions.regions[i];
    const OTF2_StringRef name = text(region.name);
    check(OTF2_GlobalDefWriter_WriteRegion(global_, static_cast<OTF2_RegionRef>(i), name, name, text(""),
                                           kRoles[static_cast<std::size_t>(region.role)],
                                           region.of_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                           OTF2_REGION_FLAG_NONE, text(""), 0, 0));
  }
  define_comms(definitions);
  define_metrics(definitions);
}

}  // namespace
}  // namespace skein::trace

extern "C" skein::trace::Otf2Output* SKEIN_TRACE_OTF2(const char* folder) {
  return new skein::trace::Output(folder);
}
