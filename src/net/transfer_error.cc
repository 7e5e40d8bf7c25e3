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
                fmt::format("'{}' is at {}; such hosts must be allowed explicitly", failure.host,
                            failure.refused),
                "if this is intended, add it to allow in the [web] table of sibyl.toml, then agree "
                "with 'sibyl trust' or set SIBYL_WEB_ALLOW");
  }
  return Make(ErrorKind::kUnavailable, fmt::format("cannot connect to '{}'", failure.host),
              "check that the server is running and that no firewall blocks it");
}

ExplainedFailure Broken(const TransferFailure& failure) {
  return Make(ErrorKind::kUnavailable,
              failure.body_bytes == 0
                  ? fmt::format("the connection to '{}' was lost before the response", failure.host)
                  : fmt::format("the connection to '{}' was lost after {} bytes of the body",
                                failure.host, failure.body_bytes));
}

ExplainedFailure Certificate(const TransferFailure& failure) {
  ExplainedFailure explained =
      Make(ErrorKind::kUnavailable,
           fmt::format("the certificate of '{}' was rejected: {}", failure.host,
                       failure.detail.empty() ? "its certificate is not accepted" : failure.detail),
           "for a private certificate authority, set ca_file in the [web] table");
  explained.is_transient = false;
  return explained;
}

}  // namespace

ExplainedFailure Explain(const TransferFailure& failure) {
  switch (failure.code) {
    case CURLE_COULDNT_RESOLVE_HOST: {
      ExplainedFailure explained =
          Make(ErrorKind::kNotFound, fmt::format("cannot resolve '{}'", failure.host),
               "check the name and the network connection");
      explained.is_transient = true;
      return explained;
    }
    case CURLE_COULDNT_RESOLVE_PROXY:
      return Make(ErrorKind::kUnavailable, "cannot resolve the proxy");
    case CURLE_COULDNT_CONNECT:
      return NoConnection(failure);
    case CURLE_OPERATION_TIMEDOUT:
      return Make(ErrorKind::kUnavailable,
                  fmt::format("connecting to '{}' timed out", failure.host));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return Certificate(failure);
    case CURLE_SSL_CACERT_BADFILE:
      return Make(ErrorKind::kUsage, "the certificates in ca_file cannot be read");
    case CURLE_SSL_CONNECT_ERROR:
      return Make(ErrorKind::kUnavailable,
                  fmt::format("no secure connection to '{}': {}", failure.host,
                              failure.detail.empty() ? "the handshake failed" : failure.detail));
    case CURLE_GOT_NOTHING:
      return Make(ErrorKind::kUnavailable,
                  fmt::format("'{}' closed the connection without a response", failure.host));
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
      return Make(ErrorKind::kCorrupt,
                  fmt::format("the response of '{}' is not HTTP", failure.host));
    default:
      return Make(ErrorKind::kUnavailable,
                  fmt::format("the transfer failed: {}", curl_easy_strerror(failure.code)));
  }
}

}  // namespace sibyl::net
