// SPDX-License-Identifier: Apache-2.0
// Messages for libcurl's error codes. Included only by transfer.cc, which uses
// the library too.
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl::net {

struct TransferFailure {
  CURLcode code = CURLE_OK;
  std::string_view host;
  std::string_view detail;   ///< Details from the library; may be empty.
  std::string_view refused;  ///< An address that was not connected to, and why.
  std::uint64_t body_bytes = 0;
};

struct ExplainedFailure {
  Error error;
  bool is_transient = false;
};

ExplainedFailure Explain(const TransferFailure& failure);

}  // namespace sibyl::net
