#!/usr/bin/env bash
# Prints the address of the Debian mirror that apt uses on this machine for a release: the one whose suite is the release
# itself, not its security or updates suite, and not another vendor's repository of the same name. Nothing if none.
# Usage: scripts/debian-mirror.sh bookworm
set -euo pipefail

# What apt knows of its sources from their Release files, and then what the sources alone say: where the lists have been
# cleared away, the suite's name has to do.
targets() {
  # shellcheck disable=SC2016
  apt-get indextargets "$@" --format '$(ORIGIN)|$(LABEL)|$(CODENAME)|$(RELEASE)|$(COMPONENT)|$(REPO_URI)' \
    'Created-By: Packages' 2>/dev/null || true
}
{ targets; targets --no-release-info; } | awk -F'|' -v name="$1" '
  $1 == "Debian" && $2 == "Debian" && $3 == name && !sure { sure = $6 }
  $1 !~ /^[A-Za-z]/ && $4 == name && $5 == "main" && !guess { guess = $6 }
  END { if (sure || guess) print sure ? sure : guess }'
