# SPDX-License-Identifier: Apache-2.0
# Runs sibyl on a machine that has /usr and nothing else: no driver, no devices,
# and for a toolkit the folder "toolkit", if there is one.
rm -rf local && mkdir local
if [ -d toolkit ]; then cp -r toolkit local/cuda-13.0; fi
exec bwrap --unshare-all --uid 1000 --gid 1000 --ro-bind /usr /usr --ro-bind local /usr/local \
  --symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin \
  --symlink usr/sbin /sbin --ro-bind "$(dirname "$(command -v sibyl)")" /program \
  --bind . /work --chdir /work --setenv PATH /usr/bin:/bin --setenv HOME /work \
  /program/sibyl "$@"
