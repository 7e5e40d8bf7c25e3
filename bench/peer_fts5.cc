// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>

#include "index/words/words.h"
#include "peer_passages.h"
#include "peers.h"

namespace sibyl::bench {
namespace {

void Check(int code, sqlite3* database) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  std::fprintf(stderr, "fts5: %s\n", sqlite3_errmsg(database));
  std::abort();
}

class Fts5Peer : public Peer {
 public:
  ~Fts5Peer() override {
    sqlite3_finalize(search_);
    sqlite3_close(database_);
  }
  std::string_view name() const override { return "fts5"; }

  void Build(index::DocumentSource& source, const std::filesystem::path& folder) override {
    const std::filesystem::path path = folder / "fts5.db";
    std::filesystem::remove(path);
    sqlite3* database = nullptr;
    Check(sqlite3_open(path.c_str(), &database), database);
    const auto run = [&](const char* sql) {
      Check(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), database);
    };
    run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-200000;");
    run("CREATE VIRTUAL TABLE passages USING fts5(text, content='', tokenize=\"unicode61 "
        "remove_diacritics 0 tokenchars '_'\")");
    run("BEGIN");
    sqlite3_stmt* insert = nullptr;
    Check(sqlite3_prepare_v2(database, "INSERT INTO passages(rowid, text) VALUES(?, ?)", -1,
                             &insert, nullptr),
          database);
    sqlite3_int64 row = 0;
    ForEachPassage(source, [&](std::string_view text) {
      sqlite3_bind_int64(insert, 1, ++row);
      sqlite3_bind_text(insert, 2, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
      Check(sqlite3_step(insert), database);
      sqlite3_reset(insert);
    });
    sqlite3_finalize(insert);
    run("COMMIT");
    sqlite3_close(database);
  }

  void Open(const std::filesystem::path& folder) override {
    Check(sqlite3_open((folder / "fts5.db").c_str(), &database_), database_);
    Check(sqlite3_exec(database_, "PRAGMA mmap_size=4294967296; PRAGMA cache_size=-200000", nullptr,
                       nullptr, nullptr),
          database_);
    Check(sqlite3_prepare_v2(database_,
                             "SELECT rowid, bm25(passages) FROM passages WHERE passages MATCH ?"
                             " ORDER BY rank LIMIT 10",
                             -1, &search_, nullptr),
          database_);
  }

  std::vector<PeerHit> Search(const std::string& words) override {
    std::string match;
    const auto edges = scanner_.Scan(words);
    for (std::size_t i = 0; i < edges.size(); i += 2) {
      if (i > 0) match += " OR ";
      match += '"' + words.substr(edges[i], edges[i + 1] - edges[i]) + '"';
    }
    sqlite3_bind_text(search_, 1, match.c_str(), -1, SQLITE_TRANSIENT);
    std::vector<PeerHit> hits;
    while (sqlite3_step(search_) == SQLITE_ROW) {
      hits.push_back({.passage = static_cast<std::size_t>(sqlite3_column_int64(search_, 0) - 1),
                      .score = -sqlite3_column_double(search_, 1)});
    }
    sqlite3_reset(search_);
    return hits;
  }

 private:
  sqlite3* database_ = nullptr;
  sqlite3_stmt* search_ = nullptr;
  index::WordScanner scanner_;
};

}  // namespace

std::unique_ptr<Peer> MakeFts5() { return std::make_unique<Fts5Peer>(); }

}  // namespace sibyl::bench
