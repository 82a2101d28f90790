// SPDX-License-Identifier: Apache-2.0
#include "runtime/move/page_transfers.hpp"

#include <algorithm>
#include <utility>

#include "runtime/base/error.hpp"
#include "runtime/net/bulk.hpp"
#include "runtime/net/transport.hpp"

namespace skein::move {
namespace {

constexpr int kFirstTag = 30'001;  // above those of messages between ranks

/// Prepares the memory of long runs, which come from large heaps: their pages are to be huge here, too, and
/// hold data throughout.
void prepare_for(const std::vector<arena::Range>& runs) {
  for (const arena::Range& run : runs)
    if (arena::reserved.huge_pages_from > 0 && run.bytes >= arena::reserved.huge_pages_from / 2)
      arena::prefer_huge_pages(run);
}

}  // namespace

void PageTransfers::check_tags(int ranks) {
  const int tags = net::largest_bulk_tag() - kFirstTag;
  if (ranks > tags)
    throw Error(
        format("the MPI underneath has tags for %d moving ranks only, the job has %d: use fewer ranks (-n)",
               tags, ranks));
}

void PageTransfers::send(int rank, int to, std::vector<arena::Range> runs) {
  departures_.push_back(std::make_unique<Transfer>(
      Transfer{.all = this, .sends = true, .rank = rank, .other = to, .runs = std::move(runs)}));
  departures_.back()->run_count = departures_.back()->runs.size();
  begin_some(departures_);
}

void PageTransfers::receive(int rank, int from) {
  arrivals_.push_back(std::make_unique<Transfer>(
      Transfer{.all = this, .sends = false, .rank = rank, .other = from, .runs = {}}));
  begin_some(arrivals_);
}

void PageTransfers::begin_some(Transfers& transfers) {
  const std::size_t most = std::min(ranks_at_once, transfers.size());
  for (std::size_t i = 0; i < most; ++i)
    if (!transfers[i]->has_begun) begin(*transfers[i]);
}

void PageTransfers::begin_message(Transfer& transfer, void* data, std::size_t bytes,
                                  void (*done)(std::uint64_t, std::uint64_t)) {
  ++transfer.under_way;
  const net::Completion completion{done, reinterpret_cast<std::uint64_t>(&transfer), 0};
  const int tag = kFirstTag + transfer.rank;
  if (transfer.sends)
    net::bulk_send(transfer.other, tag, {data, bytes}, completion);
  else
    net::bulk_receive(transfer.other, tag, data, bytes, completion);
}

void PageTransfers::begin(Transfer& transfer) {
  transfer.has_begun = true;
  if (!transfer.sends)
    return begin_message(transfer, &transfer.run_count, sizeof transfer.run_count, on_count);
  begin_message(transfer, &transfer.run_count, sizeof transfer.run_count, on_part);
  begin_list(transfer);
  begin_runs(transfer);
}

void PageTransfers::begin_list(Transfer& transfer) {
  begin_message(transfer, transfer.runs.data(), transfer.runs.size() * sizeof(arena::Range), on_part);
}

void PageTransfers::on_count(std::uint64_t which, std::uint64_t) {
  Transfer& transfer = *reinterpret_cast<Transfer*>(which);
  --transfer.under_way;
  transfer.runs.resize(transfer.run_count);
  begin_list(transfer);
}

void PageTransfers::on_part(std::uint64_t which, std::uint64_t) {
  Transfer& transfer = *reinterpret_cast<Transfer*>(which);
  --transfer.under_way;
  if (!transfer.sends && transfer.next == 0) prepare_for(transfer.runs);
  begin_runs(transfer);
  end_if_over(transfer);
}

void PageTransfers::begin_runs(Transfer& transfer) {
  while (transfer.under_way < runs_at_once && transfer.next < transfer.runs.size()) {
    const arena::Range& run = transfer.runs[transfer.next++];
    begin_message(transfer, run.begin, run.bytes, on_part);
  }
}

void PageTransfers::end_if_over(Transfer& transfer) {
  if (transfer.under_way > 0) return;
  PageTransfers& all = *transfer.all;
  Transfers& transfers = transfer.sends ? all.departures_ : all.arrivals_;
  transfers.erase(std::ranges::find(transfers, &transfer, &std::unique_ptr<Transfer>::get));
  all.begin_some(transfers);
}

}  // namespace skein::move
