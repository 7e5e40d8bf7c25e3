// SPDX-License-Identifier: Apache-2.0
// Is a page evidence, or does it only say that the page cannot be had? Error
// pages that claim success, consent walls, logins, robot checks and shells that
// a script would have to fill must never be cited. Precision goes both ways: a
// long page about status 404, logins or cookies is a page like any other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "page/page.h"

namespace sibyl::page {

enum class Refusal : std::uint8_t {
  kNone,       ///< It is evidence.
  kEmpty,      ///< It says nothing.
  kShell,      ///< A script would have to make it.
  kErrorPage,  ///< "Not found", with status 200.
  kLogin,
  kConsent,
  kChallenge,  ///< It wants to know whether we are human.
};

/// "empty", "shell", "error-page", "login", "consent", "challenge"; "" for none.
std::string_view RefusalName(Refusal refusal);

struct PageVerdict {
  Refusal refusal = Refusal::kNone;
  std::string reason;  ///< For people: what gave it away.

  bool ok() const { return refusal == Refusal::kNone; }
};

PageVerdict Judge(const ExtractedPage& document);

/// False when the bytes of an HTML page stop before its markup does: neither its body nor
/// the page itself is closed near their end. Browsers do without; whoever wonders whether
/// all of it came does not.
bool IsClosed(std::string_view html);

}  // namespace sibyl::page
