/* SPDX-License-Identifier: Apache-2.0 */
__thread int other_file_number = 1234;
int* address_of_other_file_number(void) { return &other_file_number; }
