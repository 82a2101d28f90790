// SPDX-License-Identifier: Apache-2.0
// The entry methods and functions that the program's templates have registered, by their numbers in messages.
#pragma once

#include "skein/chare/array_base.hpp"

namespace skein::chare {

const ReducerInfo& reducer_number(std::uint32_t number);
const FunctionInfo& function_number(std::uint32_t number);
const ArrayInfo& array_info_number(std::uint32_t number);
struct SingleClassInfo;
const SingleClassInfo& single_class_number(std::uint32_t number);
std::uint32_t single_class_count();

/// Returns a digest, equal on PEs that run the same program. It includes the number of read-only values and
/// tables.
std::uint64_t registered_digest(std::size_t read_only_values);

}  // namespace skein::chare
