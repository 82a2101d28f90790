# SPDX-License-Identifier: Apache-2.0
# The rows of bench/run.sh, which sources this, with many more ranks than PEs: collectives, against the MPI underneath with
# as many processes as there are PEs, or ranks; and a job of 100,000 ranks.

# collective NAME FACTOR PES RANKS WHAT BYTES PROCESSES [RAW-BYTES]: at most FACTOR times the time of the MPI underneath with
# PROCESSES processes, and RAW-BYTES in each (default: BYTES).
collective() {
  local ours theirs before after
  before=$("$bench/hand_over")
  theirs=$(least raw_of "$7" "$5" "${8:-$6}")
  ours=$(least ranks "$3" "$4" "$5" "$6")
  after=$("$bench/hand_over")
  row "$1" us "$ours * 1e-3" "$theirs * 1e-3 * $2" '' "$(compute "$theirs * 1e-3")" "$before..$after"
}

# hundred_thousand: seconds.
hundred_thousand() { seconds_of ranks 2 100000 start && echo; }

many_ranks_rows() {
  row 'allreduce of 8 B, 64 ranks on one PE, a rank' ns "$(least ranks 1 64 allreduce 8) / 64" 50 ''
  collective 'allreduce of 8 B, 32 ranks on 2 PEs; 2 processes' 1.6 2 32 allreduce 8 2
  collective 'allreduce of 1 MiB, likewise; 16 MiB in each' 1.2 2 32 allreduce 1048576 2 16777216
  collective 'allreduce of 8 B, 1,024 ranks, 64 PEs; processes' 1.5 64 1024 allreduce 8 64
  collective 'alltoall of 1 KiB, 32 ranks on 2 PEs; processes' 0.25 2 32 alltoall 1024 32
  row '100,000 ranks on two PEs: start, barrier, end' s "$(least hundred_thousand)" 5 ''
}
