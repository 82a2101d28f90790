// SPDX-License-Identifier: Apache-2.0
#include "lb/simulate/matching.hpp"

#include <algorithm>
#include <utility>

namespace skein::simulate {
namespace {

std::uint64_t hash_of(const MessageKey& channel) {
  std::uint64_t hash =
      (static_cast<std::uint64_t>(channel.receiver) << 32 | channel.sender) * 0x9e3779b97f4a7c15;
  hash ^= (static_cast<std::uint64_t>(channel.communicator) << 32 | static_cast<std::uint32_t>(channel.tag)) *
          0xc2b2ae3d27d4eb4f;
  return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
}

}  // namespace

std::size_t ChannelTable::place(const MessageKey& channel) const {
  return (hash_of(channel) >> 24) & (entries_.size() - 1);
}

ChannelTable::Entry* ChannelTable::find(const MessageKey& channel) {
  for (std::size_t i = place(channel);; i = (i + 1) & (entries_.size() - 1)) {
    if (entries_[i].first == kNone) return nullptr;
    if (entries_[i].channel == channel) return &entries_[i];
  }
}

ChannelTable::Entry& ChannelTable::find_or_add(const MessageKey& channel) {
  if (2 * used_ >= entries_.size()) grow();
  std::size_t i = place(channel);
  for (; entries_[i].first != kNone; i = (i + 1) & (entries_.size() - 1))
    if (entries_[i].channel == channel) return entries_[i];
  ++used_;
  entries_[i].channel = channel;
  return entries_[i];
}

/// Moves up entries that were put behind this one because it was in their way.
void ChannelTable::erase(Entry& entry) {
  const std::size_t mask = entries_.size() - 1;
  std::size_t hole = static_cast<std::size_t>(&entry - entries_.data());
  for (std::size_t i = (hole + 1) & mask; entries_[i].first != kNone; i = (i + 1) & mask) {
    const std::size_t home = place(entries_[i].channel);
    if (((i - home) & mask) < ((i - hole) & mask)) continue;
    entries_[hole] = entries_[i];
    hole = i;
  }
  entries_[hole].first = kNone;
  --used_;
}

void ChannelTable::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  std::swap(old, entries_);
  for (const Entry& entry : old) {
    if (entry.first == kNone) continue;
    std::size_t i = place(entry.channel);
    while (entries_[i].first != kNone) i = (i + 1) & (entries_.size() - 1);
    entries_[i] = entry;
  }
}

// ---- boxes

void Box::close_gaps() {
  std::uint32_t to = 0;
  for (std::uint32_t from = 0; from < room; ++from) {
    if (words_[from] == gap) continue;
    words_[to] = words_[from];
    whats_[to++] = whats_[from];
  }
  std::fill(words_ + to, words_ + room, gap);
  words_[counts] = to;
}

// ---- the table

Completion Matching::take_receive_beyond(MessageKey channel) {
  Completion receive;
  if (take_receive_of_table(channel, receive))
    if (Box* const box = box_of(channel)) --box->beyond;
  return receive;
}

bool Matching::take_receive_of_table(const MessageKey& channel, Completion& receive) {
  ChannelTable::Entry* const entry = table_.find(channel);
  const bool exact = entry && entry->receives;
  if (!wild_.empty()) {
    std::vector<WildReceive>& receives = wild_[channel.receiver].receives;
    const auto first = std::find_if(receives.begin(), receives.end(),
                                    [&](const WildReceive& one) { return one.takes(channel); });
    if (first != receives.end() && (!exact || first->order < posted_[entry->first].order)) {
      receive = first->completion;
      receives.erase(first);
      return true;
    }
  }
  if (!exact) return false;
  const std::uint32_t first = entry->first;
  receive = posted_[first].completion;
  if (entry->first == entry->last)
    table_.erase(*entry);
  else
    entry->first = posted_[first].next;
  posted_.remove(first);
  return true;
}

bool Matching::has_message(const MessageKey& channel) {
  if (Box* const box = box_of(channel)) {
    if (const std::uint32_t place = box->find(channel); place != Box::room)
      return box->what(place) & Box::message;
    if (box->beyond == 0) return false;
  }
  const ChannelTable::Entry* const entry = table_.find(channel);
  return entry && !entry->receives;
}

MessageIndex Matching::take_message_beyond(MessageKey channel) {
  ChannelTable::Entry* const entry = table_.find(channel);
  if (!entry || entry->receives) return kNone;
  if (Box* const box = box_of(channel)) --box->beyond;
  const MessageIndex first = entry->first;
  if (entry->first == entry->last)
    table_.erase(*entry);
  else
    entry->first = messages_[first].next;
  if (!wild_.empty()) forget_message(channel.receiver, first);
  return first;
}

void Matching::forget_message(ObjectIndex receiver, MessageIndex message) {
  std::vector<MessageIndex>& messages = wild_[receiver].messages;
  messages.erase(std::find(messages.begin(), messages.end(), message));
}

/// The first message of a channel to arrive is the first one of the channel.
bool Matching::take_message(ObjectIndex receiver, const WildReceive& receive, Waiting& message) {
  for (const MessageIndex one : wild_[receiver].messages)
    if (receive.takes(channel_of(messages_[one]))) return take_message(channel_of(messages_[one]), message);
  return false;
}

void Matching::post(ObjectIndex receiver, WildReceive receive) {
  receive.order = next_order_++;
  wild_[receiver].receives.push_back(receive);
}

/// Appends to the list of the channel, whose items, receives or messages, are indices of `items`.
template <class Item>
void Matching::append(const MessageKey& channel, Pool<Item>& items, std::uint32_t item, bool receives) {
  ChannelTable::Entry& entry = table_.find_or_add(channel);
  if (entry.first == kNone) {
    entry.first = item;
    entry.receives = receives;
  } else {
    items[entry.last].next = item;
  }
  entry.last = item;
}

void Matching::post_beyond(MessageKey channel, Completion receive) {
  if (Box* const box = box_of(channel)) ++box->beyond;
  const std::uint32_t item = posted_.add();
  posted_[item].completion = receive;
  if (!wild_.empty()) posted_[item].order = next_order_++;
  append(channel, posted_, item, true);
}

void Matching::keep(const MessageKey& channel, MessageIndex message) {
  if (Box* const box = box_of(channel)) {
    if (box->takes() && message < Box::length) {
      box->add(channel, message | Box::message);
      return;
    }
    ++box->beyond;
  }
  messages_[message].next = kNone;
  if (!wild_.empty()) wild_[channel.receiver].messages.push_back(message);
  append(channel, messages_, message, false);
}

}  // namespace skein::simulate
