// SPDX-License-Identifier: Apache-2.0
// Calls over ordered channels. Each is wrapped in a message that carries the channel and its number in it;
// when an element is to run one whose predecessor it has not run, it keeps it until it has. So order does not
// depend on the way that calls take, and what moves with an element is a number for each channel.
#pragma once

namespace skein::chare {

/// Registers what waits. On every PE, once.
void start_channels();

}  // namespace skein::chare
