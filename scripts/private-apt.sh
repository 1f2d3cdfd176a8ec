# Sourced by scripts/setup.sh and scripts/setup-web.sh: an apt of our own, with its own sources, lists and state, so that
# the system's are not touched and root is not needed. It takes only what Debian's archive keys have signed.

debian_keys=/usr/share/keyrings/debian-archive-keyring.gpg

# make_private_apt FOLDER LINE...: what apt-get -c FOLDER/apt.conf uses. A line is a source, as "deb TRUST MIRROR ...", in
# which TRUST stands for Debian's keys.
make_private_apt() {
  local work=$1 line; shift
  rm -rf "$work"
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
  : >"$work/status"
  for line in "$@"; do echo "${line/TRUST/[signed-by=$debian_keys]}"; done >"$work/sources.list"
  cat >"$work/apt.conf" <<END
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State "$work";
Dir::State::lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
APT::Get::AllowUnauthenticated "false";
Acquire::AllowInsecureRepositories "false";
Acquire::AllowWeakRepositories "false";
Acquire::AllowDowngradeToInsecureRepositories "false";
Acquire::Languages "none";
Acquire::Retries "2";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
}
