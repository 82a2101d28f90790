#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The remote shell of jobs on the two nodes that nodes.sh makes: agent.sh [-option]... ADDRESS COMMAND...
# As over ssh, the environment holds only what the command line sets. If a file down-NODE is beside this script, the node does
# not answer.
set -eu
while [[ $1 == -* ]]; do shift; done
address=$1
if [[ -e ${0%/*}/down-${address##*.} ]]; then exec sleep 60; fi
clock=CLOCK_OF_NODE_${address##*.}
shift
# shellcheck disable=SC2086
exec env -i PATH="$PATH" HOME="$HOME" ip netns exec "$TWO_NODES-${address##*.}" \
  unshare --uts ${!clock} bash -c "hostname node${address##*.}; $*"
