// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/balance/departure.hpp"

#include <utility>

#include "runtime/chare/balance/balanced.hpp"
#include "runtime/chare/elements/families.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

constexpr std::size_t kParcelBytes = 256 * 1024;

struct ParcelHeader {
  std::uint64_t tell;  // ArrayBase::Tell
};

void on_elements(int, Bytes bytes, pup::Blocks&& blocks) {
  ++balanced->parcels_received;
  const auto header = unpack_front<ParcelHeader>(bytes);
  while (!bytes.empty()) arrive_family(bytes, blocks, static_cast<ArrayBase::Tell>(header.tell));
}

const Receives parcels(Kind::elements, on_elements);

}  // namespace

Departure::Departure(balance::MoveTotals& totals, ArrayBase::Tell tell)
    : totals_(totals),
      tell_(tell),
      parcels_(static_cast<std::size_t>(net::world.pes)),
      sent_(parcels_.size()) {}

void Departure::add(Element& leader, std::size_t to_pe) {
  Parcel& parcel = parcels_[to_pe];
  const std::size_t before = parcel.bytes.size() + parcel.blocks.bytes();
  depart_family(leader, static_cast<int>(to_pe), parcel.bytes, parcel.blocks);
  totals_.bytes_copied += parcel.bytes.size() + parcel.blocks.bytes() - before;
  ++totals_.objects;
  if (parcel.bytes.size() >= kParcelBytes || parcel.blocks.size() >= pup::Blocks::most / 2) send_off(to_pe);
}

void Departure::add_packed(Bytes family, std::size_t to_pe) {
  append(parcels_[to_pe].bytes, family);
  if (parcels_[to_pe].bytes.size() >= kParcelBytes) send_off(to_pe);
}

void Departure::send_off(std::size_t pe) {
  Parcel parcel = std::exchange(parcels_[pe], {});
  post(static_cast<int>(pe), Kind::elements, bytes_of(ParcelHeader{tell_ == ArrayBase::Tell::home}),
       parcel.bytes, std::move(parcel.blocks));
  ++sent_[pe];
}

void Departure::finish() {
  const std::size_t pes = parcels_.size();
  for (std::size_t pe = 0; pe < pes; ++pe)
    if (!parcels_[pe].bytes.empty()) send_off(pe);
  net::sum_polling(sent_);
  const std::uint64_t expected = sent_[static_cast<std::size_t>(net::world.pe)];
  while (balanced->parcels_received < expected || net::traffic().bulk_active > 0)
    if (!net::poll()) net::idle();
  balanced->parcels_received -= expected;
}

}  // namespace skein::chare
