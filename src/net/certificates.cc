// SPDX-License-Identifier: Apache-2.0
#include "net/certificates.h"

#include <array>
#include <string_view>
#include <system_error>

namespace sibyl::net {
namespace {

constexpr std::array<std::string_view, 5> kCertificateFiles = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Gentoo
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, RHEL
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL, newer
    "/etc/ssl/ca-bundle.pem",                             // openSUSE
    "/etc/ssl/cert.pem",                                  // Alpine
};

}  // namespace

std::string FindCertificates(const CertificatePlaces& places) {
  if (const auto given = places.environment("SSL_CERT_FILE"); given && !given->empty()) {
    return *given;
  }
  for (const std::string_view file : kCertificateFiles) {
    const std::filesystem::path path = places.root / file.substr(1);
    std::error_code error;
    if (std::filesystem::exists(path, error)) return path.string();
  }
  return {};
}

}  // namespace sibyl::net
