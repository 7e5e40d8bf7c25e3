// SPDX-License-Identifier: Apache-2.0
// For tests: an oracle that is served, with the token "0123456789abcdef".
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/json.h"
#include "interface/served_context.h"
#include "interface/web/routes.h"
#include "interface/web/test_server.h"
#include "oracle/lease_monitor.h"

namespace sibyl::interface {

inline const FixedClock kTestClock{*ParseDate("2026-11-15")};

inline GuardOptions TestGuard() {
  return {.address = "127.0.0.1", .port = 8719, .token = "0123456789abcdef"};
}

class ServedHttp : public ::testing::Test {
 protected:
  ServedHttp() {
    Write("sibyl.toml", "");
    Write("01-x.md", "# X\n");
  }
  /// Before Serve: what is in the oracle.
  void Write(const std::string& path, std::string_view text) {
    const std::filesystem::path file = oracle() / path;
    EXPECT_TRUE(CreateFolders(file.parent_path()).ok());
    EXPECT_TRUE(WriteFileAtomically(file, text).ok());
  }
  std::filesystem::path oracle() const { return folder_.path() / "oracle"; }

  void SetUp() override {
    const oracle::Context context{.working_folder = oracle(),
                                  .oracle = oracle(),
                                  .clock = kTestClock,
                                  .store = folder_.path() / "store"};
    oracle::Context served = *ServedContext(context, {});
    served.lease_monitor = &lease_monitor_;
    mcp_.emplace(std::move(served), *OfferTools({}));
    routes_.emplace(*mcp_, TestGuard());
    server_.emplace(*routes_, HttpServerOptions{.head = std::chrono::milliseconds(400),
                                                .body = std::chrono::milliseconds(400),
                                                .farewell = std::chrono::milliseconds(300)});
  }

  std::string Ask(std::string_view head, std::string_view body = {}) const {
    return server_->Ask(head, body);
  }
  static Json BodyOf(const std::string& response) {
    const Result<Json> json = ParseJson(response.substr(response.find("\r\n\r\n") + 4));
    return json.ok() ? *json : Json(nullptr);
  }

  TemporaryFolder folder_;
  oracle::LeaseMonitor lease_monitor_;
  std::optional<McpServer> mcp_;
  std::optional<Routes> routes_;
  std::optional<TestServer> server_;
};

}  // namespace sibyl::interface
