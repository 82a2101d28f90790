// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/partner_copies.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <span>
#include <utility>

#include "runtime/base/error.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/bulk.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::checkpoint {
namespace {

/// A file of images in memory, as bytes that messages come from and go to.
class MappedFile {
 public:
  /// One that is there.
  explicit MappedFile(const std::string& path) : path_(path) {
    open_as(O_RDONLY);
    struct stat status;
    if (fstat(file_, &status) != 0) failed("read");
    bytes_ = static_cast<std::size_t>(status.st_size);
    map(PROT_READ);
  }
  /// One that is to have so many bytes, for which there is room then; it may be there, and its pages need not
  /// be found again.
  MappedFile(const std::string& path, std::size_t bytes) : path_(path), bytes_(bytes) {
    open_as(O_RDWR | O_CREAT);
    if (const int error = bytes == 0 ? 0 : posix_fallocate(file_, 0, static_cast<off_t>(bytes))) {
      errno = error;
      failed("written");
    }
    if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) failed("written");
    map(PROT_READ | PROT_WRITE);
  }
  ~MappedFile() {
    if (memory_) munmap(memory_, bytes_);
    if (file_ >= 0) close(file_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  void* memory() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void open_as(int flags) {
    constexpr mode_t kOwn = 0600;
    file_ = open(path_.c_str(), flags | O_CLOEXEC, kOwn);
    if (file_ < 0) failed("opened");
  }
  void map(int protection) {
    if (bytes_ == 0) return;
    void* const memory = mmap(nullptr, bytes_, protection, MAP_SHARED, file_, 0);
    if (memory == MAP_FAILED) failed("mapped");
    memory_ = memory;
  }
  [[noreturn]] void failed(const char* what) {
    const int error = errno;
    if (file_ >= 0) close(std::exchange(file_, -1));
    throw Error(format("%s: cannot be %s: %s", path_.c_str(), what, strerror(error)));
  }

  std::string path_;
  int file_ = -1;
  std::size_t bytes_ = 0;
  void* memory_ = nullptr;
};

/// Counts transfers that are under way.
net::Completion count_in(int& transfers) {
  ++transfers;
  return {[](std::uint64_t which, std::uint64_t) { --*reinterpret_cast<int*>(which); },
          reinterpret_cast<std::uint64_t>(&transfers), 0};
}

/// Which files of a state of that manifest the machine has in `path`.
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
  std::vector<int> from;
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(net::world.pes));
  net::together([&] { own.emplace_back(image_path(state, net::world.pe, form)); });
  const std::uint64_t bytes = own.front().bytes();
  net::all_gather(&bytes, sizeof bytes, sizes.data());
  net::together([&] {
    for (int pe = 0; pe < net::world.pes; ++pe) {
      if (machines.copier_of(pe) != net::world.pe) continue;
      copies.emplace_back(image_path(state, pe, form), sizes[static_cast<std::size_t>(pe)]);
      from.push_back(pe);
    }
  });
  const int tag = net::largest_bulk_tag();
  int under_way = 0;
  for (std::size_t i = 0; i < copies.size(); ++i)
    net::bulk_receive(from[i], tag, copies[i].memory(), copies[i].bytes(), count_in(under_way));
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
