#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The remote shell of jobs on the two nodes that nodes.sh makes: agent.sh [-option]... ADDRESS COMMAND...
# As over ssh, only what the command line says of the environment arrives.
set -eu
while [[ $1 == -* ]]; do shift; done
address=$1
clock=CLOCK_OF_NODE_${address##*.}
shift
# shellcheck disable=SC2086
exec env -i PATH="$PATH" HOME="$HOME" ip netns exec "$TWO_NODES-${address##*.}" \
  unshare --uts ${!clock} bash -c "hostname node${address##*.}; $*"
