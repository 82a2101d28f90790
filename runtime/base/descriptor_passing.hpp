// SPDX-License-Identifier: Apache-2.0
// Open descriptors, passed between the processes of a node through a socket of the Unix domain.
#pragma once

#include <span>

namespace skein {

/// False on an error of the socket, with errno.
[[nodiscard]] bool send_descriptors(int socket, std::span<const int> descriptors);

/// Fills `descriptors`, which must have room for as many as were sent; they are closed by exec(). False on an
/// error of the socket, with errno; EBADMSG if what came was another number of descriptors, or none.
[[nodiscard]] bool receive_descriptors(int socket, std::span<int> descriptors);

void close_descriptors(std::span<const int> descriptors);

}  // namespace skein
