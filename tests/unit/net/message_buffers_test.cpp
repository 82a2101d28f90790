// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/message_buffers.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace skein::net;

TEST_CASE("message buffers: they are used again, and those of a burst are given back") {
  MessageBuffers buffers;
  std::unique_ptr<MessageBuffer> one = buffers.take();
  const MessageBuffer* const address = one.get();
  buffers.give_back(std::move(one));
  CHECK(buffers.kept() == 1);
  one = buffers.take();
  CHECK(one.get() == address);
  buffers.give_back(std::move(one));
  std::vector<std::unique_ptr<MessageBuffer>> burst;
  for (std::size_t i = 0; i < 3 * MessageBuffers::most_kept; ++i) burst.push_back(buffers.take());
  CHECK(buffers.kept() == 0);
  for (std::unique_ptr<MessageBuffer>& buffer : burst) buffers.give_back(std::move(buffer));
  CHECK(buffers.kept() == MessageBuffers::most_kept);
}
