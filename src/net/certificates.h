// SPDX-License-Identifier: Apache-2.0
// Where this system keeps the certificates that it trusts. libcurl looks only where the
// distribution that built it keeps them, and the bundle runs on others.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sibyl::net {

struct CertificatePlaces {
  std::filesystem::path root = "/";
  std::function<std::optional<std::string>(const char*)> environment;
};

/// SSL_CERT_FILE, or the first of the usual files that exists; otherwise empty.
std::string FindCertificates(const CertificatePlaces& places);

}  // namespace sibyl::net
