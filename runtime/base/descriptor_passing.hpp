// SPDX-License-Identifier: Apache-2.0
// Passes open descriptors between the processes of a node through a socket of the Unix domain.
#pragma once

#include <span>

namespace skein {

/// Sends the descriptors. Returns false on an error of the socket, with errno.
[[nodiscard]] bool send_descriptors(int socket, std::span<const int> descriptors);

/// Receives as many descriptors as `descriptors` has room for; they are closed by exec(). Returns false on an
/// error of the socket, with errno: EBADMSG if another number of descriptors came, or none.
[[nodiscard]] bool receive_descriptors(int socket, std::span<int> descriptors);

void close_descriptors(std::span<const int> descriptors);

}  // namespace skein
