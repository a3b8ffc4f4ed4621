# shellcheck shell=bash
# Sourced by what tries the project in other systems: roots that mmdebstrap makes.

if ((EUID != 0)); then
  printf '%s: only root may enter other roots: run it as root\n' "$0" >&2
  exit 1
fi

# Debian's suite in a folder, from the mirrors that this machine's apt knows. What mmdebstrap mounts
# there goes with its own view of mounts, also where it cannot unmount it.
make_root() { # FOLDER SUITE OPTION ...
  local mirror
  # shellcheck disable=SC2016 # for apt
  mirror=$(apt-get indextargets --format '$(SITE)' 'Identifier: Packages' | sed 1q)
  unshare --mount mmdebstrap --quiet "${@:3}" "$2" "$1" "$mirror"
}

# Lets programs in the root reach the network as this machine does, with the certificates it trusts.
let_out() { # FOLDER
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  # As every system has that was ever started.
  printf '127.0.0.1 localhost\n' >"$1/etc/hosts"
  cp /etc/ssl/certs/ca-certificates.crt "$1/etc/certificates.crt"
  printf '[global]\ncert = /etc/certificates.crt\n' >"$1/etc/pip.conf"
}
