// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/partner_copies.hpp"

#include <unistd.h>

#include <deque>
#include <filesystem>
#include <span>
#include <utility>

#include "runtime/checkpoint/mapped_file.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/bulk.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::checkpoint {
namespace {

/// Counts a transfer as under way until it completes.
net::Completion count_in(int& transfers) {
  ++transfers;
  return {[](std::uint64_t which, std::uint64_t) { --*reinterpret_cast<int*>(which); },
          reinterpret_cast<std::uint64_t>(&transfers), 0};
}

/// Returns, for each file of a state with that manifest, whether this machine has it in `path`.
std::vector<char> files_in(const std::string& path, const Manifest& manifest) {
  std::vector<char> has(static_cast<std::size_t>(manifest.pes));
  std::error_code error;
  if (!std::filesystem::exists(path, error) || as_json(read_manifest(path)) != as_json(manifest)) return has;
  for (int file = 0; file < manifest.pes; ++file)
    has[static_cast<std::size_t>(file)] =
        access(image_path(path, file, form_of(manifest)).c_str(), R_OK) == 0;
  return has;
}

}  // namespace

Machines learn_machines() {
  struct HostName {
    char text[256];
  };
  HostName mine{};
  (void)gethostname(mine.text, sizeof mine.text - 1);
  std::vector<HostName> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  std::vector<std::string> hosts;
  for (const HostName& host : all) hosts.emplace_back(host.text);
  return machines_of(hosts);
}

void copy_to_partners(const std::string& state, Form form, const Machines& machines) {
  if (machines.count() == 1) return;
  std::deque<MappedFile> own, copies;
  std::vector<std::pair<int, std::span<std::byte>>> to;  // the sending PEs, and the room for their copies
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(net::world.pes));
  net::together([&] { own.emplace_back(image_path(state, net::world.pe, form)); });
  const std::uint64_t bytes = own.front().bytes();
  net::all_gather(&bytes, sizeof bytes, sizes.data());
  net::together([&] {
    for (int pe = 0; pe < net::world.pes; ++pe) {
      if (machines.copier_of(pe) != net::world.pe) continue;
      const std::uint64_t its = sizes[static_cast<std::size_t>(pe)];
      MappedFile& copy = copies.emplace_back();
      copy.begin(image_path(state, pe, form));
      to.push_back({pe, {copy.room(0, its), its}});
      copy.end(its);
    }
  });
  const int tag = net::largest_bulk_tag();
  int under_way = 0;
  for (const auto& [pe, copy] : to) net::bulk_receive(pe, tag, copy.data(), copy.size(), count_in(under_way));
  net::bulk_send(machines.copier_of(net::world.pe), tag, {own.front().memory(), own.front().bytes()},
                 count_in(under_way));
  while (under_way > 0)
    if (!net::poll()) net::idle();
}

void begin_where_images_are(State& state, const std::string& folder, const Machines& machines,
                            std::vector<int>& pe_of_rank) {
  std::vector<char> files;
  net::together([&] {
    state.path = valid_path(folder, state.manifest.number);
    if (machines.is_keeper(net::world.pe)) files = files_in(state.path, state.manifest);
  });
  std::vector<std::vector<bool>> has(static_cast<std::size_t>(machines.count()));
  net::gather_blocks(std::as_bytes(std::span(files)), net::kOnAllPes)
      .for_each([&](std::size_t pe, std::span<const std::byte> block) {
        if (block.empty()) return;
        std::vector<bool>& its = has[static_cast<std::size_t>(machines.machine_of(static_cast<int>(pe)))];
        for (const std::byte each : block) its.push_back(each != std::byte{0});
      });
  net::together([&] { place_by_images(state.manifest, machines, has, pe_of_rank); });
}

}  // namespace skein::checkpoint
