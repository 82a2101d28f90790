// SPDX-License-Identifier: Apache-2.0
// MPI_Psend_init, MPI_Precv_init, MPI_Pready and relatives, MPI_Parrived.
#include "runtime/vmpi/p2p/arguments.hpp"
#include "runtime/vmpi/p2p/completion.hpp"
#include "runtime/vmpi/p2p/flow_control.hpp"
#include "runtime/vmpi/p2p/partitioned.hpp"

namespace skein::vmpi {

/// Neither source nor tag may be a wildcard (MPI 4.1, 4.2.1): so sends and receives have the same checks.
int init_partitioned(const char* function, RequestKind kind, int partitions, const MessageArguments& all,
                     MPI_Comm handle, MPI_Request* out) {
  ApiCall call(function);
  Comm* comm = nullptr;
  Data whole;
  SKEIN_TRY(get_comm(call, handle, comm));
  SKEIN_TRY(check_pointer(call, comm, out, "request"));
  if (partitions < 0) return raise(call, comm, MPI_ERR_ARG, "%d partitions", partitions);
  SKEIN_TRY(check_peer(call, comm, all.peer));
  SKEIN_TRY(check_tag(call, comm, all.tag));
  SKEIN_TRY(get_data(call, comm, all.buffer, all.count, all.datatype, whole));
  const PartitionedArguments arguments{whole, partitions, all.peer, all.tag};
  Request& request = kind == RequestKind::partitioned_send
                         ? new_partitioned_send(call.state, *comm, arguments)
                         : new_partitioned_receive(call.state, *comm, arguments);
  request.kept = Kept::persistent;
  *out = RequestTable::handle_of(request);
  return MPI_SUCCESS;
}

namespace {

/// Makes a partitioned request. `message`: one partition.
int make(const char* function, RequestKind kind, int partitions, const MessageArguments& message,
         MPI_Comm handle, MPI_Request* out) {
  MessageArguments all = message;
  if (message.count < 0 || partitions < 0)
    return init_partitioned(function, kind, partitions, all, handle, out);
  if (__builtin_mul_overflow(message.count, partitions, &all.count)) {
    ApiCall call(function);
    SKEIN_GET(Comm*, comm, get_comm(call, handle, comm));
    return raise(call, comm, MPI_ERR_COUNT, "%d partitions of %lld elements", partitions,
                 static_cast<long long>(message.count));
  }
  return init_partitioned(function, kind, partitions, all, handle, out);
}

int get_partitioned(const ApiCall& call, MPI_Request handle, RequestKind kind, Request*& request) {
  request = call.state.requests.find(handle);
  if (request && request->kind == kind) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_REQUEST, "0x%zx is no request of a partitioned %s",
               static_cast<std::size_t>(handle_value(handle)),
               kind == RequestKind::partitioned_send ? "send" : "receive");
}

int check_partition(const ApiCall& call, const Request& request, int partition) {
  if (partition >= 0 && partition < partitions_of(request)) return MPI_SUCCESS;
  return raise(call, request.comm, MPI_ERR_ARG, "partition %d of %d", partition, partitions_of(request));
}

/// Checks that a partition exists and can be marked.
int check_unmarked(const ApiCall& call, const Request& request, int partition) {
  SKEIN_TRY(check_partition(call, request, partition));
  if (!is_marked(request, partition)) return MPI_SUCCESS;
  return raise(call, request.comm, MPI_ERR_ARG, "partition %d was marked ready before", partition);
}

/// Marks the partitions partition(0) to partition(count - 1) ready. If one is wrong, none is sent.
template <class Partition>
int pready(const char* function, MPI_Request handle, int count, const Partition& partition) {
  ApiCall call(function);
  SKEIN_GET(Request*, request, get_partitioned(call, handle, RequestKind::partitioned_send, request));
  if (!request->active)
    return raise(call, request->comm, MPI_ERR_REQUEST,
                 "the partitioned send was not started: call MPI_Start "
                 "first");
  for (int i = 0; i < count; ++i) SKEIN_TRY(check_unmarked(call, *request, partition(i)));
  for (int i = 0; i < count; ++i)
    if (!is_marked(*request, partition(i))) mark_ready(*request, partition(i));
  if (const int peer = peer_of(*request).rank; peer != MPI_PROC_NULL) pass(*request->comm, peer);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Pready(int partition, MPI_Request request) {
  return pready("MPI_Pready", request, 1, [=](int) { return partition; });
}

int MPI_Pready_range(int partition_low, int partition_high, MPI_Request request) {
  return pready("MPI_Pready_range", request, partition_high - partition_low + 1,
                [=](int i) { return partition_low + i; });
}

int MPI_Pready_list(int length, const int array_of_partitions[], MPI_Request request) {
  return pready("MPI_Pready_list", request, length, [=](int i) { return array_of_partitions[i]; });
}

int MPI_Parrived(MPI_Request handle, int partition, int* flag) {
  ApiCall call("MPI_Parrived");
  if (handle == MPI_REQUEST_NULL) {
    *flag = 1;
    return MPI_SUCCESS;
  }
  SKEIN_GET(Request*, request, get_partitioned(call, handle, RequestKind::partitioned_receive, request));
  SKEIN_TRY(check_partition(call, *request, partition));
  *flag = !request->active || ready_now([&] { return has_arrived(*request, partition); });
  return MPI_SUCCESS;
}

}  // extern "C"

#include "mpi_forwards_partitioned.inc"
