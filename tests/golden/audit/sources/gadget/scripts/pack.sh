#!/bin/sh
# Packs the build: pack.sh [--strip] [--out FOLDER] [--with-symbols]
set -eu
out=dist
while [ $# -gt 0 ]; do
  case $1 in
    --strip) strip=1 ;;
    --out) out=$2; shift ;;
    --with-symbols) symbols=1 ;;
    *) echo "pack.sh: unknown option $1" >&2; exit 2 ;;
  esac
  shift
done
