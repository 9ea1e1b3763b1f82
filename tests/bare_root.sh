#!/usr/bin/env bash
# Tries the two commands of the README where nothing is: a new Debian root with no more than Python in it.
#
#     tests/bare_root.sh run|test [FOLDER]
#
# Makes the root in FOLDER (a temporary one that is removed afterwards when none is named), copies the tracked files in
# and runs `python3 installers/bootstrap.py run` or `test` there, without a display, and says how long each step took.
# The exit code is that of the command. Begins anew each time: only the packed root, FOLDER/bare.tar, is used again.
#
# Needs root, debootstrap, unshare and about 3 GB in FOLDER, for `test` 8 GB. Where packages come from is taken from
# this machine: its apt sources, its own certificates, and pip's settings with the files and folders that they name. The
# mounts are made in a namespace of their own, so that they end with the command however it ends.
set -euo pipefail

kind=${1:-}
[[ $kind == run || $kind == test ]] || { sed -n '2,14p' "$0" >&2; exit 2; }
[[ $(id -u) == 0 ]] || { echo "This has to be run as root: it makes a root and changes into it." >&2; exit 2; }
for program in debootstrap unshare git; do
    command -v "$program" >/dev/null || { echo "$program is missing. Run: apt-get install $program" >&2; exit 2; }
done

project=$(cd "$(dirname "$0")/.." && pwd)
suite=bookworm
work=${2:-}
if [[ -z $work ]]; then
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
fi
root=$work/root

took() { echo "== $1: $((SECONDS - $2)) s" >&2; }

# What pip's settings and the environment name on this machine: indexes, wheels, certificates.
named_by_pip() {
    { python3 -m pip config list 2>/dev/null || true; env | grep -E '^(PIP_|SSL_CERT|REQUESTS_CA|CURL_CA)' || true; } |
        grep -oE "/[^ ':\"\\]+" | grep -E '^/[^/]' | sort -u | while read -r path; do
            while [[ $path == //* ]]; do path=${path#/}; done
            if [[ -e $path && $path != / ]]; then echo "$path"; fi
        done
}

make_root() {
    local mirror
    mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
        sed -n '1{s/ //g;p}' || true)
    debootstrap --variant=minbase --include=python3 "$suite" "$root" "${mirror:-http://deb.debian.org/debian}" >&2
    rm -rf "$root/etc/apt/sources.list" "$root/etc/apt/sources.list.d" "$root/etc/apt/apt.conf.d"
    cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d "$root/etc/apt/"
    if [[ -e /etc/apt/sources.list ]]; then cp /etc/apt/sources.list "$root/etc/apt/"; fi
    tar -C "$root" --numeric-owner -cf "$work/bare.tar.part" .
    mv "$work/bare.tar.part" "$work/bare.tar"
}

copy_in() {
    local path
    mkdir -p "$root/usr/local/share/ca-certificates"
    cp -L /usr/local/share/ca-certificates/*.crt "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    for path in /etc/pip.conf "${HOME:-/root}/.config/pip/pip.conf" $(named_by_pip); do
        if [[ -f $path ]]; then mkdir -p "$root${path%/*}" && cp -L "$path" "$root$path"; fi
    done
    mkdir -p "$root/graphwright"
    git -C "$project" ls-files -z | tar -C "$project" --null -T - -cf - | tar -C "$root/graphwright" -xf -
}

# In a mount namespace: the kernel's folders and what pip reads, then the command in the root.
inside() {
    local path settings=()
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    for path in $(named_by_pip); do
        if [[ -d $path && $path != /etc* ]]; then
            mkdir -p "$root$path"
            mount --bind "$path" "$root$path"
        fi
    done
    while IFS= read -r line; do settings+=("$line"); done < <(
        env | grep -E '^(PIP_[A-Z_]+|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)='
    )
    exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        "${settings[@]}" sh -c 'cd /graphwright && exec python3 installers/bootstrap.py "$0"' "$kind"
}

if [[ -n ${BARE_ROOT_INSIDE:-} ]]; then
    inside
fi

start=$SECONDS
rm -rf --one-file-system "$root"
mkdir -p "$root"
if [[ -e $work/bare.tar ]]; then tar -C "$root" --numeric-owner -xf "$work/bare.tar"; else make_root; fi
took "a bare root" "$start"
copy_in
start=$SECONDS
status=0
BARE_ROOT_INSIDE=1 unshare --mount --pid --fork --kill-child bash "$0" "$kind" "$work" || status=$?
took "python3 installers/bootstrap.py $kind" "$start"
exit "$status"
