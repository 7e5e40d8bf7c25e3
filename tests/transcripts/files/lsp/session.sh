# SPDX-License-Identifier: Apache-2.0
# Prints a session of a language client for the document scan.md of the current folder.
message() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
uri="file://$PWD/scan.md"
# Escaped for JSON; the document has neither quotes nor backslashes.
text=$(sed -z 's/\n/\\n/g' scan.md)
message '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
message '{"jsonrpc":"2.0","method":"initialized","params":{}}'
message '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"'"$uri"'","languageId":"markdown","version":1,"text":"'"$text"'"}}}'
message '{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"'"$uri"'"},"position":{"line":0,"character":12}}}'
message '{"jsonrpc":"2.0","id":3,"method":"textDocument/rename","params":{}}'
printf 'hello\r\n\r\n'
message '{"jsonrpc":"2.0","id":4,"method":"shutdown"}'
message '{"jsonrpc":"2.0","method":"exit"}'
