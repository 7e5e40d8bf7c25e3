// SPDX-License-Identifier: Apache-2.0
#include "net/certificates.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl::net {
namespace {

TEST(Certificates, AreFoundWhereDistributionsKeepThem) {
  const TemporaryFolder root;
  std::optional<std::string> variable;
  const CertificatePlaces places{.root = root.path(),
                                 .environment = [&variable](const char*) { return variable; }};
  EXPECT_EQ(FindCertificates(places), "");
  for (const std::string name : {"etc/ssl/cert.pem", "etc/pki/tls/certs/ca-bundle.crt",
                                 "etc/ssl/certs/ca-certificates.crt"}) {
    const std::filesystem::path path = root.path() / name;
    ASSERT_TRUE(CreateFolders(path.parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(path, "x").ok());
    EXPECT_EQ(FindCertificates(places), path.string());
  }
  variable = "";
  EXPECT_NE(FindCertificates(places), "");
  variable = "/home/a/company.pem";
  EXPECT_EQ(FindCertificates(places), *variable);
}

}  // namespace
}  // namespace sibyl::net
