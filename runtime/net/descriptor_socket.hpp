// SPDX-License-Identifier: Apache-2.0
// One process's end of descriptor passing on a node: a datagram socket in the abstract namespace of the Unix
// domain. Its name is drawn at random, so that neither another job nor another process namespace has it, and
// each datagram carries the receiver's token. Everybody on the machine may send to this socket: a datagram
// without the token, or from another user, is dropped together with its descriptors. As there are no
// connections, nobody waits for a stranger.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace skein::net {

/// The name of a socket, and the token that it expects. Travels over the MPI underneath only.
struct DescriptorAddress {
  std::array<std::uint64_t, 2> name;
  std::array<std::uint64_t, 2> token;
};

struct DescriptorMessage {
  std::int32_t from;  ///< PE
  std::int32_t key;   ///< the sender's name for the descriptors
  std::vector<int> descriptors;
  bool complete = true;  ///< false: some did not fit this process's limit of open files, and are lost
};

class DescriptorSocket {
 public:
  /// Draws name and token. If the system has no socket, errno tells why, and is_open() is false.
  DescriptorSocket();
  ~DescriptorSocket();
  DescriptorSocket(const DescriptorSocket&) = delete;
  DescriptorSocket& operator=(const DescriptorSocket&) = delete;

  bool is_open() const { return socket_ >= 0; }
  const DescriptorAddress& address() const { return address_; }

  /// The largest number of descriptors in one message.
  static constexpr std::size_t most_at_once = 253;  // the kernel's SCM_MAX_FD

  enum class Sent { yes, later, failed };
  /// Sends one message. `later`: the receiver's queue in the kernel is full, or too many descriptors are
  /// under way. `failed`: errno tells why. The caller keeps its descriptors.
  [[nodiscard]] Sent send(const DescriptorAddress& to, std::int32_t from, std::int32_t key,
                          std::span<const int> descriptors) const;
  /// Returns the next message that carries the token and comes from this process's user, if there is one. Its
  /// descriptors are closed by exec().
  std::optional<DescriptorMessage> receive() const;

 private:
  int socket_ = -1;
  DescriptorAddress address_{};
};

}  // namespace skein::net
