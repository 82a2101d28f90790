// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/indexed_array.hpp"

namespace skein::chare {

template class IndexedArray<Index1>;
template class IndexedArray<Index2>;
template class IndexedArray<Index3>;
template class IndexedArray<Index4>;
template class IndexedArray<Index5>;
template class IndexedArray<Index6>;

}  // namespace skein::chare
