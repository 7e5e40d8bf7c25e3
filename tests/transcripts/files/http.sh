# SPDX-License-Identifier: Apache-2.0
# Asks a 'sibyl serve --port 0 2> serving' in the background, with bash alone.

# Waits until the server has said its port.
ready() {
  server=$!
  until grep -qs '/$' serving; do sleep 0.02; done
  port=$(sed -n 's|.*:\([0-9]*\)/$|\1|p' serving)
}

get() {
  exec 3<> "/dev/tcp/127.0.0.1/$port"
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$1" "$port" >&3
  tr -d '\r' <&3 | sed '/^Date: /d'
}

# Ends it as Ctrl-C does.
stop() {
  kill -INT "$server"
  wait "$server"
  rm serving
}
