// SPDX-License-Identifier: Apache-2.0
// Issue 16, finding 8: a GET must not write. Every operation that GET reaches is
// asked, and the oracle must be the same afterwards, byte for byte and in its
// times.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include "base/files/files.h"
#include "engine/arguments.h"
#include "engine/operation.h"
#include "engine/outcome.h"
#include "interface/web/test_served_http.h"

namespace sibyl::interface {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlan = R"(# Knowledge expansion: Gadget

**Topic**: How Gadget is built

## PART 1: How Gadget finds its profiler

- [ ] PART 1: Create gadget/01-profiler.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Detection (~50 lines)
      - Detection order of the profiler
)";
constexpr const char* kPlanPath = "_ingest-auto/expansion-gadget/ingestion.md";

// Names, kinds, times and bytes of everything below a folder, itself included.
std::map<std::string, std::string> StateOf(const fs::path& folder) {
  std::map<std::string, std::string> state;
  const auto add = [&state](const fs::path& path) {
    std::error_code ignored;
    const auto time = fs::last_write_time(path, ignored).time_since_epoch().count();
    std::string bytes;
    if (fs::is_regular_file(path, ignored)) {
      const Result<std::string> text = ReadFile(path);
      if (text.ok()) bytes = *text;
    }
    state[path.string()] = std::to_string(time) + " " + bytes;
  };
  add(folder);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    add(entry.path());
  }
  return state;
}

class GetWritesNothing : public ServedHttp {
 protected:
  void SetUp() override {
    Write("notes/profiler.md",
          "# Profiler\n\nThe detection order of the profiler is fixed: the toolkit is asked before "
          "the system.\n");
    Write("Dockerfile", "FROM debian:12\nRUN apt-get update\n");
    Write(kPlanPath, kPlan);
    ServedHttp::SetUp();
    const engine::Operation* add = engine::FindOperation("source add");
    ASSERT_NE(add, nullptr);
    auto arguments = engine::Arguments::Make(*add, {{"origin", (oracle() / "notes").string()}});
    ASSERT_TRUE(arguments.ok());
    oracle::Context context = mcp_->context();
    context.roots = {};  // a person adds it
    const Result<engine::Outcome> added = engine::RunOperation(*add, context, *arguments);
    ASSERT_TRUE(added.ok()) << added.error().message;
  }

  // Every operation that GET reaches, with arguments that make it work.
  std::map<std::string, std::string> Queries() const {
    const std::string plan = std::string("plan=") + kPlanPath;
    return {{"ask", "question=detection+order+of+the+profiler"},
            {"audit", "path=01-x.md"},
            {"inspect", "path=Dockerfile"},
            {"lab_compare", "before=a&after=b"},
            {"lab_results", ""},
            {"list_pages", ""},
            {"show_page", "file=01-x.md"},
            {"source_files", "name=notes"},
            {"outline", "target=profiler.md"},
            {"symbols", "target=profiler.md"},
            {"plan_check", plan + "&premises=true"},
            {"plan_show", plan},
            {"plan_status", plan},
            {"read_source", "target=profiler.md:3"},
            {"search", "query=profiler"},
            {"card", "name=profiler"},
            {"source_list", "verbose=true"},
            {"status", "all=true"},
            {"verify", ""}};
  }

  void AskEverything() const {
    const auto queries = Queries();
    for (const OfferedTool& tool : mcp_->tools()) {
      SCOPED_TRACE(tool.name);
      const std::string path = "/api/" + tool.name;
      if (!tool.is_read_only) {
        EXPECT_TRUE(Ask("GET " + path + " HTTP/1.1\r\n").starts_with("HTTP/1.1 405"));
        EXPECT_TRUE(Ask("POST " + path + " HTTP/1.1\r\nContent-Type: application/json\r\n", "{}")
                        .starts_with("HTTP/1.1 401"));
        continue;
      }
      const auto query = queries.find(tool.name);
      ASSERT_NE(query, queries.end()) << "add a query for this operation";
      const auto before = StateOf(oracle());
      const std::string line = " " + path + "?" + query->second + " HTTP/1.1\r\n";
      const std::string response = Ask("GET" + line);
      EXPECT_TRUE(response.starts_with("HTTP/1.1 200") || tool.name == "lab_compare") << response;
      Ask("HEAD" + line);
      const auto after = StateOf(oracle());
      for (const auto& [name, state] : after) {
        const auto old = before.find(name);
        EXPECT_TRUE(old != before.end() && old->second == state) << name << " was written";
      }
      EXPECT_EQ(before.size(), after.size());
    }
  }
};

TEST_F(GetWritesNothing, BeforeAnythingWasRun) {
  fs::remove_all(oracle() / ".sibyl");
  AskEverything();
  EXPECT_FALSE(fs::exists(oracle() / ".sibyl"));
}

TEST_F(GetWritesNothing, WhileAPartIsHeld) {
  const std::string claimed =
      Ask("POST /api/claim_part HTTP/1.1\r\nContent-Type: application/json\r\n"
          "Authorization: Bearer 0123456789abcdef\r\n",
          std::string(R"({"plan":")") + kPlanPath + "\"}");
  ASSERT_TRUE(claimed.starts_with("HTTP/1.1 200")) << claimed;
  ASSERT_TRUE(fs::exists(oracle() / ".sibyl" / "journal.db"));
  AskEverything();
  const Json status =
      BodyOf(Ask("GET /api/plan_status?plan=" + std::string(kPlanPath) + " HTTP/1.1\r\n"));
  EXPECT_EQ(status.value("progress", Json::object()).value("running", 0), 1) << status.dump(2);
}

}  // namespace
}  // namespace sibyl::interface
