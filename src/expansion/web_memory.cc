// SPDX-License-Identifier: Apache-2.0
#include "expansion/web_memory.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "base/strings.h"

namespace sibyl::expansion {
namespace {

constexpr std::string_view kFile = "web.json";
constexpr std::string_view kMemoryPurpose = "web";
constexpr int kMemoryVersion = 1;
constexpr std::chrono::days kGoodFor{30};
constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

std::string TextOf(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool IsFresh(const std::string& date, Time now) {
  const std::optional<Time> day = ParseDate(date);
  return day && now - *day <= kGoodFor;
}

Json ListAsJson(const std::vector<research::Found>& list) {
  Json json = Json::array();
  for (const research::Found& found : list) {
    json.push_back({{"url", found.url.Text()},
                    {"title", found.title},
                    {"snippet", found.snippet},
                    {"published", found.published},
                    {"provider", found.provider}});
  }
  return json;
}

std::vector<research::Found> ListOf(const Json& json) {
  std::vector<research::Found> list;
  if (!json.is_array()) return list;
  for (const Json& item : json) {
    if (!item.is_object()) continue;
    Result<net::Url> url = net::ParseUrl(TextOf(item, "url"));
    if (!url.ok()) continue;
    list.push_back({.url = *std::move(url),
                    .title = TextOf(item, "title"),
                    .snippet = TextOf(item, "snippet"),
                    .published = TextOf(item, "published"),
                    .provider = TextOf(item, "provider"),
                    .rank = list.size() + 1});
  }
  return list;
}

// The objects of a member that should be a list of them.
std::vector<const Json*> ObjectsOf(const Json& root, const char* name) {
  std::vector<const Json*> objects;
  const auto member = root.find(name);
  if (member == root.end() || !member->is_array()) return objects;
  for (const Json& item : *member) {
    if (item.is_object()) objects.push_back(&item);
  }
  return objects;
}

}  // namespace

std::string QuestionKey(const research::Query& query, const std::vector<std::string>& providers) {
  const Json whole = {
      {"query", query.text}, {"hosts", query.hosts}, {"limit", query.limit}, {"of", providers}};
  return Sha256(FormatJson(whole, JsonLayout::kCompact));
}

void WebMemory::Read(std::string_view text, Time now) {
  const Result<Json> root = ParseJson(text);
  if (!root.ok() || !root->is_object() || root->value("version", Json()) != Json(kMemoryVersion))
    return;
  for (const Json* item : ObjectsOf(*root, "questions")) {
    Question question{.query = TextOf(*item, "query"), .date = TextOf(*item, "date"), .lists = {}};
    const auto lists = item->find("lists");
    if (lists == item->end() || !lists->is_array() || !IsFresh(question.date, now)) continue;
    for (const Json& list : *lists) question.lists.push_back(ListOf(list));
    questions_[TextOf(*item, "key")] = std::move(question);
  }
  for (const Json* item : ObjectsOf(*root, "refused")) {
    Refusal refusal{.reason = TextOf(*item, "reason"), .date = TextOf(*item, "date")};
    if (IsFresh(refusal.date, now)) refusals_[TextOf(*item, "url")] = std::move(refusal);
  }
}

WebMemory WebMemory::Load(std::optional<OwnFolder> own, Time now) {
  WebMemory memory;
  memory.own_ = std::move(own);
  memory.today_ = FormatDate(now);
  if (!memory.own_) return memory;
  const Result<std::string> bytes = memory.own_->root().Read(kFile, {.max_bytes = kMaxBytes});
  if (!bytes.ok()) return memory;
  if (const auto text = memory.own_->Verified(kMemoryPurpose, *bytes)) memory.Read(*text, now);
  return memory;
}

const std::vector<std::vector<research::Found>>* WebMemory::Find(const std::string& key) const {
  const auto found = questions_.find(key);
  return found == questions_.end() ? nullptr : &found->second.lists;
}

void WebMemory::Remember(const std::string& key, std::string_view query,
                         std::vector<std::vector<research::Found>> lists) {
  questions_[key] = {.query = std::string(query), .date = today_, .lists = std::move(lists)};
  has_news_ = true;
}

std::string_view WebMemory::WhyRefused(const std::string& url) const {
  const auto found = refusals_.find(url);
  return found == refusals_.end() ? std::string_view() : found->second.reason;
}

void WebMemory::Refuse(const std::string& url, std::string_view reason) {
  refusals_[url] = {.reason = std::string(reason), .date = today_};
  has_news_ = true;
}

Status WebMemory::Save() {
  if (!has_news_ || !own_) return {};
  Json root = {
      {"version", kMemoryVersion}, {"questions", Json::array()}, {"refused", Json::array()}};
  for (const auto& [key, question] : questions_) {
    Json lists = Json::array();
    for (const auto& list : question.lists) lists.push_back(ListAsJson(list));
    root["questions"].push_back({{"key", key},
                                 {"query", question.query},
                                 {"date", question.date},
                                 {"lists", std::move(lists)}});
  }
  for (const auto& [url, refusal] : refusals_) {
    root["refused"].push_back({{"url", url}, {"reason", refusal.reason}, {"date", refusal.date}});
  }
  SIBYL_TRY(
      own_->root().Write(kFile, own_->WithSignature(kMemoryPurpose, FormatJson(root) + "\n")));
  has_news_ = false;
  return {};
}

}  // namespace sibyl::expansion
