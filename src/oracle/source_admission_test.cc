// SPDX-License-Identifier: Apache-2.0
#include "oracle/source_admission.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/consent.h"
#include "oracle/outside_settings.h"
#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;
using evidence::Admission;
using evidence::SourceKind;
using evidence::SourceSpec;

class SourceAdmissionTest : public OracleTest {
 protected:
  Result<Admission> Admit(const SourceSpec& spec, Consent consent = Consent::kRequired) const {
    return MakeAdmitter(Here(), consent)(spec);
  }

  static SourceSpec Git(std::string origin) {
    return {.name = "repo", .kind = SourceKind::kGit, .origin = std::move(origin), .line = 2};
  }
  static SourceSpec Folder(std::string origin) {
    return {.name = "notes", .kind = SourceKind::kFolder, .origin = std::move(origin), .line = 2};
  }

  void Agree(const SourceSpec& spec) const {
    const auto settings = OutsideSettingsOf(Here(), spec);
    ASSERT_TRUE(settings.ok() && !settings->empty());
    ASSERT_TRUE(RecordConsent(Here(), *settings).ok());
  }
};

TEST_F(SourceAdmissionTest, AFolderInsideIsReadAsItIs) {
  Write("oracle/docs/page.md", "");
  const Result<Admission> admission = Admit(Folder("docs"));
  ASSERT_TRUE(admission.ok());
  EXPECT_EQ(admission->url, "");
  EXPECT_TRUE(admission->git_settings.empty());
}

TEST_F(SourceAdmissionTest, AFolderOutsideNeedsAnAgreement) {
  Write("notes/page.md", "");
  EXPECT_EQ(Admit(Folder("../notes")).error().kind, ErrorKind::kUnavailable);
  Agree(Folder("../notes"));
  EXPECT_TRUE(Admit(Folder("../notes")).ok());
}

TEST_F(SourceAdmissionTest, WhatAPersonTypesIsAgreedTo) {
  Write("notes/page.md", "");
  EXPECT_TRUE(Admit(Folder("../notes"), Consent::kGivenNow).ok());
  EXPECT_TRUE(Admit(Git("http://127.0.0.1:1/r"), Consent::kGivenNow).ok());
  EXPECT_FALSE(fs::exists(top() / "state")) << "admitting records nothing";
}

TEST_F(SourceAdmissionTest, ATransportHelperIsRefusedWhoeverAsks) {
  for (const Consent consent : {Consent::kRequired, Consent::kGivenNow}) {
    const Result<Admission> admission = Admit(Git("ext::sh -c id"), consent);
    ASSERT_FALSE(admission.ok());
    EXPECT_EQ(admission.error().kind, ErrorKind::kUnavailable);
    EXPECT_NE(admission.error().hint, "");
  }
}

TEST_F(SourceAdmissionTest, GitFollowsNoRedirect) {
  const Result<Admission> admission = Admit(Git("https://example.org/r.git"));
  ASSERT_TRUE(admission.ok()) << admission.error().message;
  EXPECT_EQ(admission->url, "https://example.org/r.git");
  EXPECT_EQ(admission->git_settings, std::vector<std::string>{"http.followRedirects=false"})
      << "without the network there are no addresses to bind it to";
}

TEST_F(SourceAdmissionTest, AnAddressIsNotBoundToItself) {
  const Result<Admission> admission = Admit(Git("https://1.1.1.1/r.git"));
  ASSERT_TRUE(admission.ok());
  EXPECT_EQ(admission->git_settings.size(), 1U);
}

TEST_F(SourceAdmissionTest, APrivateServerNeedsAnAgreement) {
  const SourceSpec spec = Git("http://127.0.0.1:8080/r.git");
  const Result<Admission> refused = Admit(spec);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(refused.error().place->line, 2U);
  Agree(spec);
  EXPECT_TRUE(Admit(spec).ok());
  EXPECT_FALSE(Admit(Git("http://127.0.0.1:8081/r.git")).ok());
}

TEST_F(SourceAdmissionTest, SshNeedsAnAgreement) {
  EXPECT_FALSE(Admit(Git("git@example.org:o/r")).ok());
  Agree(Git("git@example.org:o/r"));
  EXPECT_TRUE(Admit(Git("git@example.org:o/r")).ok());
}

TEST_F(SourceAdmissionTest, AnAddressWithAPasswordIsRefused) {
  const Result<Admission> admission = Admit(Git("https://ann:hunter2@example.org/r"));
  ASSERT_FALSE(admission.ok());
  EXPECT_EQ(admission.error().message.find("hunter2"), std::string::npos);
}

TEST_F(SourceAdmissionTest, OfflineARedirectIsNotFollowed) {
  const Result<Admission> admission = FollowGitRedirect(Here(), "https://example.org/r.git");
  ASSERT_FALSE(admission.ok());
  EXPECT_EQ(admission.error().cause, ErrorCause::kOffline);
  EXPECT_FALSE(FollowGitRedirect(Here(), "not a url").ok());
}

}  // namespace
}  // namespace sibyl::oracle
