// SPDX-License-Identifier: Apache-2.0
// A library without strategies.
extern "C" int something_else();
extern "C" int something_else() { return 1; }
