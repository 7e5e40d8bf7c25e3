// SPDX-License-Identifier: Apache-2.0
#include "interface/web/mcp_sessions.h"

#include <algorithm>

namespace sibyl::interface {

McpSessions::Sessions::iterator McpSessions::Find(std::string_view id, bool has_token) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return found;
  return found->second.owner.has_token && !has_token ? sessions_.end() : found;
}

void McpSessions::EndIdle(Time now) {
  std::erase_if(sessions_, [&](const auto& entry) {
    const Session& session = entry.second;
    const auto limit = session.owner.has_token ? limits_.with_token_idle : limits_.anonymous_idle;
    return session.under_way.empty() && now - session.last_use >= limit;
  });
}

bool McpSessions::EndUnused(const SessionOwner& owner) {
  auto oldest = sessions_.end();
  for (auto entry = sessions_.begin(); entry != sessions_.end(); ++entry) {
    const Session& session = entry->second;
    if (session.was_used || session.owner != owner) continue;
    if (oldest == sessions_.end() || session.last_use < oldest->second.last_use) oldest = entry;
  }
  if (oldest == sessions_.end()) return false;
  sessions_.erase(oldest);
  return true;
}

McpSessions::Begun McpSessions::Begin(const std::string& id, const SessionOwner& owner, Time now) {
  const MutexLock lock(mutex_);
  EndIdle(now);
  const auto own = static_cast<std::size_t>(
      std::count_if(sessions_.begin(), sessions_.end(),
                    [&](const auto& entry) { return entry.second.owner == owner; }));
  const bool has_most = own >= (owner.has_token ? limits_.with_token : limits_.anonymous);
  const bool is_full = sessions_.size() >= limits_.all;
  if ((has_most || is_full) && !EndUnused(owner)) {
    return has_most ? Begun::kClientHasTooMany : Begun::kTooMany;
  }
  sessions_[id] = {.owner = owner, .last_use = now, .was_used = false, .under_way = {}};
  return Begun::kYes;
}

bool McpSessions::Use(std::string_view id, bool has_token, Time now) {
  const MutexLock lock(mutex_);
  const auto found = Find(id, has_token);
  if (found == sessions_.end()) return false;
  found->second.last_use = now;
  found->second.was_used = true;
  return true;
}

bool McpSessions::End(std::string_view id, bool has_token) {
  const MutexLock lock(mutex_);
  const auto found = Find(id, has_token);
  if (found == sessions_.end()) return false;
  for (auto& [request, stop] : found->second.under_way) stop.request_stop();
  sessions_.erase(found);
  return true;
}

void McpSessions::Start(std::string_view id, const std::string& request,
                        const std::stop_source& stop) {
  const MutexLock lock(mutex_);
  const auto found = sessions_.find(id);
  if (found != sessions_.end()) found->second.under_way[request] = stop;
}

void McpSessions::Finish(std::string_view id, const std::string& request) {
  const MutexLock lock(mutex_);
  const auto found = sessions_.find(id);
  if (found != sessions_.end()) found->second.under_way.erase(request);
}

void McpSessions::Cancel(std::string_view id, bool has_token, const std::string& request) {
  const MutexLock lock(mutex_);
  const auto session = Find(id, has_token);
  if (session == sessions_.end()) return;
  const auto found = session->second.under_way.find(request);
  if (found != session->second.under_way.end()) found->second.request_stop();
}

std::size_t McpSessions::size() const {
  const MutexLock lock(mutex_);
  return sessions_.size();
}

}  // namespace sibyl::interface
