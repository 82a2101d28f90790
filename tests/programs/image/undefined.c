/* SPDX-License-Identifier: Apache-2.0 */
void not_defined_anywhere(void);
void MPI_Not_in_any_standard(void);
int main(void) {
  not_defined_anywhere();
  MPI_Not_in_any_standard();
  return 0;
}
