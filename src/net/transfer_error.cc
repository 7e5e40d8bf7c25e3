// SPDX-License-Identifier: Apache-2.0
#include "net/transfer_error.h"

#include <fmt/format.h>

namespace sibyl::net {
namespace {

ExplainedFailure Make(ErrorKind kind, std::string message, std::string hint = {}) {
  return {.error = {.kind = kind, .message = std::move(message), .hint = std::move(hint)},
          .is_transient = kind == ErrorKind::kUnavailable};
}

ExplainedFailure NoConnection(const TransferFailure& failure) {
  if (!failure.refused.empty()) {
    return Make(ErrorKind::kUsage,
                fmt::format("'{}' has {}; such hosts are contacted only when they are named",
                            failure.host, failure.refused),
                "if you mean it, name it in allow of the [web] table of sibyl.toml and in your "
                "environment, in SIBYL_WEB_ALLOW");
  }
  return Make(ErrorKind::kUnavailable, fmt::format("no connection to '{}'", failure.host),
              "is the server running, and does a firewall let us out?");
}

ExplainedFailure Broken(const TransferFailure& failure) {
  return Make(ErrorKind::kUnavailable,
              failure.body_bytes == 0
                  ? fmt::format("the connection to '{}' broke before the answer", failure.host)
                  : fmt::format("the connection to '{}' broke after {} bytes of the body",
                                failure.host, failure.body_bytes));
}

ExplainedFailure Certificate(const TransferFailure& failure) {
  ExplainedFailure explained =
      Make(ErrorKind::kUnavailable,
           fmt::format("'{}' did not prove who it is: {}", failure.host,
                       failure.detail.empty() ? "its certificate is not accepted" : failure.detail),
           "the connection is not trusted; a company's own certificates go into ca_file of the "
           "[web] table");
  explained.is_transient = false;
  return explained;
}

}  // namespace

ExplainedFailure Explain(const TransferFailure& failure) {
  switch (failure.code) {
    case CURLE_COULDNT_RESOLVE_HOST: {
      ExplainedFailure explained =
          Make(ErrorKind::kNotFound, fmt::format("no address is known for '{}'", failure.host),
               "is the name right, and is there a network?");
      explained.is_transient = true;
      return explained;
    }
    case CURLE_COULDNT_RESOLVE_PROXY:
      return Make(ErrorKind::kUnavailable, "no address is known for the proxy");
    case CURLE_COULDNT_CONNECT:
      return NoConnection(failure);
    case CURLE_OPERATION_TIMEDOUT:
      return Make(ErrorKind::kUnavailable,
                  fmt::format("connecting to '{}' took too long", failure.host));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return Certificate(failure);
    case CURLE_SSL_CACERT_BADFILE:
      return Make(ErrorKind::kUsage, "the certificates to trust (ca_file) cannot be read");
    case CURLE_SSL_CONNECT_ERROR:
      return Make(ErrorKind::kUnavailable,
                  fmt::format("no secure connection to '{}': {}", failure.host,
                              failure.detail.empty() ? "the handshake failed" : failure.detail));
    case CURLE_GOT_NOTHING:
      return Make(ErrorKind::kUnavailable,
                  fmt::format("'{}' hung up without an answer", failure.host));
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return Broken(failure);
    case CURLE_BAD_CONTENT_ENCODING:
      return Make(ErrorKind::kCorrupt, "the body is not compressed as its headers say");
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return Make(ErrorKind::kCorrupt, fmt::format("what '{}' answers is not HTTP", failure.host));
    default:
      return Make(ErrorKind::kUnavailable,
                  fmt::format("the transfer failed: {}", curl_easy_strerror(failure.code)));
  }
}

}  // namespace sibyl::net
