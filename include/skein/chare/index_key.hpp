// SPDX-License-Identifier: Apache-2.0
// An index as its bytes, for tables that are the same for all types of indices.
#pragma once

#include <string>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

using IndexKey = std::string;
inline IndexKey key_of(Bytes index) { return {reinterpret_cast<const char*>(index.data()), index.size()}; }
inline Bytes bytes_of_key(const IndexKey& key) { return std::as_bytes(std::span(key)); }

}  // namespace skein::chare
