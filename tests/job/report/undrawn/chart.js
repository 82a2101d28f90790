// SPDX-License-Identifier: Apache-2.0
// A chart that is in no list.

function add_nothing() {
  const section = add_section("nothing", "Nothing");
  section.append("p");
}
