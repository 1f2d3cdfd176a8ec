# Sourced by scripts/try-bare.sh and scripts/try-package.sh: a bare Debian in a folder, and running something in it.

# make_bare_root FOLDER SUITE: with debootstrap, from the mirror that apt uses here. One that is there stays as it is.
make_bare_root() {
  local folder=$1 suite=$2 here mirror
  [ ! -e "$folder/etc/debian_version" ] || return 0
  here=$(cd "${BASH_SOURCE[0]%/*}" && pwd -P)
  . /etc/os-release
  mirror=$("$here/debian-mirror.sh" "$VERSION_CODENAME")
  debootstrap --variant=minbase "$suite" "$folder" "$mirror" >/dev/null
  # The same suites as here, if it is the same release: Debian's own only.
  if [ "$suite" = "$VERSION_CODENAME" ]; then
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(ORIGIN)|deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
      sed -n 's/^Debian|//p' | sort -u >"$folder/etc/apt/sources.list"
  fi
  apt-config dump | grep -E '^Acquire::(https?::|Check-)' >"$folder/etc/apt/apt.conf.d/90host" || true
  cp /etc/resolv.conf /etc/hosts "$folder/etc/"
}

# in_bare_root FOLDER WORKING-FOLDER COMMAND...: in a mount and process namespace of its own, so that nothing is left
# mounted or running; without a terminal, without input and with almost no environment.
in_bare_root() {
  # shellcheck disable=SC2016
  unshare --mount --pid --fork sh -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && cd / || exit 1
    folder=$1; place=$2; shift 2
    exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin CI=true LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      chroot "$folder" sh -c "cd \"\$1\" && shift && exec \"\$@\"" sh "$place" "$@"' sh "$@" </dev/null
}
