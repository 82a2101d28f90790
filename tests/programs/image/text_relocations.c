/* SPDX-License-Identifier: Apache-2.0
   With -mcmodel=large and without -fPIC, the address of `value` stands in the code itself. */
int value;
int main(void) { return value; }
