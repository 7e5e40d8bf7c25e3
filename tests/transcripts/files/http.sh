# SPDX-License-Identifier: Apache-2.0
# Starts 'sibyl serve' on a free port and sends it a request, with bash alone.

start() {
  SIBYL_TOKEN=0123456789abcdef0123 sibyl -C gadgets serve --port 0 2> serving &
  server=$!
  until grep -q '/$' serving; do sleep 0.02; done
  port=$(sed -n 's|.*:\([0-9]*\)/$|\1|p' serving)
}

get() {
  exec 3<> "/dev/tcp/127.0.0.1/$port"
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$1" "$port" >&3
  tr -d '\r' <&3 | sed '/^Date: /d'
}

stop() {
  kill -INT "$server"
  wait "$server"
}
