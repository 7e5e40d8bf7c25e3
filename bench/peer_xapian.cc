// SPDX-License-Identifier: Apache-2.0
#include <xapian.h>

#include <cstdint>
#include <unordered_map>

#include "index/words/term_forms.h"
#include "index/words/words.h"
#include "peer_passages.h"
#include "peers.h"

namespace sibyl::bench {
namespace {

constexpr std::size_t kMaxTermBytes = 240;  // Xapian refuses longer ones

std::vector<std::string> WordsOf(std::string_view text, index::WordScanner& scanner) {
  std::vector<std::string> words;
  const auto edges = scanner.Scan(text);
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    std::string word;
    index::AppendLower(text.substr(edges[i], edges[i + 1] - edges[i]), word);
    if (word.size() <= kMaxTermBytes) words.push_back(std::move(word));
  }
  return words;
}

class XapianPeer : public Peer {
 public:
  std::string_view name() const override { return "xapian"; }

  void Build(index::DocumentSource& source, const std::filesystem::path& folder) override {
    Xapian::WritableDatabase database((folder / "xapian").string(), Xapian::DB_CREATE_OR_OVERWRITE);
    ForEachPassage(source, [&](std::string_view text) {
      Xapian::Document document;
      for (const std::string& word : WordsOf(text, scanner_)) document.add_term(word);
      database.add_document(document);
    });
    database.commit();
  }

  void Open(const std::filesystem::path& folder) override {
    database_ = Xapian::Database((folder / "xapian").string());
  }

  std::vector<PeerHit> Search(const std::string& text) override {
    const std::vector<std::string> words = WordsOf(text, scanner_);
    Xapian::Enquire enquire(database_);
    enquire.set_weighting_scheme(Xapian::BM25Weight(1.2, 0, 1, 0.75, 0));
    enquire.set_query(Xapian::Query(Xapian::Query::OP_OR, words.begin(), words.end()));
    std::vector<PeerHit> hits;
    const Xapian::MSet found = enquire.get_mset(0, 10);
    for (auto hit = found.begin(); hit != found.end(); ++hit) {
      hits.push_back({.passage = *hit - 1, .score = hit.get_weight()});
    }
    return hits;
  }

 private:
  Xapian::Database database_;
  index::WordScanner scanner_;
};

}  // namespace

std::unique_ptr<Peer> MakeXapian() { return std::make_unique<XapianPeer>(); }

}  // namespace sibyl::bench
