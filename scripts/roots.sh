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

# Installs what is missing of programs that are packages of the same names.
need_programs() { # PROGRAM ...
  local apt=(env DEBIAN_FRONTEND=noninteractive
    apt-get -qq -o Acquire::Retries=5 -o DPkg::Lock::Timeout=300)
  # `type` fails where any is missing.
  type "$@" >/dev/null 2>&1 ||
    { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$@"; } >/dev/null
}

# Lets programs in the root reach the network as this machine does, with the certificates it trusts.
let_out() { # FOLDER
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  # As every system has that was ever started.
  printf '127.0.0.1 localhost\n' >"$1/etc/hosts"
  printf '[global]\n' >"$1/etc/pip.conf"
  if [[ -e /etc/ssl/certs/ca-certificates.crt ]]; then
    cp /etc/ssl/certs/ca-certificates.crt "$1/etc/certificates.crt"
    printf 'cert = /etc/certificates.crt\n' >>"$1/etc/pip.conf"
  fi
}
