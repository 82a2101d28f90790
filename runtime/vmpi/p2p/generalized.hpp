// SPDX-License-Identifier: Apache-2.0
// Generalized requests (MPI 4.1, section 13.2): operations of the program's own, completed by
// MPI_Grequest_complete.
#pragma once

#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// Calls the program's query function to fill in the request's status and error.
void query_generalized(Request& request);
/// What the last query has filled in.
const MPI_Status& queried_status(const Request& request);
/// Calls the program's cancel function; returns what it returned.
int cancel_generalized(Request& request);
/// Calls the program's free function.
void free_generalized(Request& request);

}  // namespace skein::vmpi
