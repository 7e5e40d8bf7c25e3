// SPDX-License-Identifier: Apache-2.0
// Finds the definition of a class, function or enum in the pinned sources, and
// says whether it has a member.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "audit/family.h"
#include "audit/witness.h"
#include "base/mutex.h"
#include "cards/definition.h"

namespace sibyl::audit {

/// One definition of an owner.
struct OwnerDefinition {
  std::size_t source = 0;
  std::string path;
  cards::Definition definition;
  std::string text;  ///< Of the definition, with comments.
};

/// How a text says that an owner has something.
enum class Belonging : std::uint8_t {
  kAny,
  kParameter,  ///< It is passed to the owner.
  kKeyword,    ///< A call passes it by name.
  kMember,     ///< It is inside the owner: a field, a method, an enumerator.
};

struct MemberAnswer {
  enum class Verdict : std::uint8_t {
    kUnknown,   ///< No definition, or too many.
    kHas,       ///< It is declared there.
    kMentions,  ///< The definition's text has the word.
    kForeign,   ///< Not there, but it may come from a base that is not pinned.
    kOpen,      ///< Not there, but the definition may have members that it does not show.
    kHasNot,
  };
  Verdict verdict = Verdict::kUnknown;
  std::size_t source = 0;
  std::string where;                 ///< Of the definition.
  std::string kind;                  ///< "field" …, of kHas.
  std::vector<std::string> members;  ///< What it has, of kOpen and kHasNot.
};

/// Thread-safe; definitions are read once.
class Owners {
 public:
  /// Both must outlive it.
  Owners(const Witness& witness, const Families& families)
      : witness_(witness), families_(families) {}

  /// `owner` may be qualified: "torch.optim.AdamW", "at::Tensor"; then a source
  /// must be the home of its package or namespace. Otherwise only sources that
  /// the text names count, unless the name identifies its source.
  MemberAnswer Ask(std::string_view owner, std::string_view member, Belonging belonging,
                   const Topic& topic) const;

  /// Whether all its definitions are types.
  bool IsRecord(std::string_view owner, const Topic& topic) const;

  /// Its definitions, as Ask finds them; they live as long as this.
  std::vector<const OwnerDefinition*> FindFor(std::string_view owner, const Topic& topic) const;

 private:
  using Definitions = std::vector<OwnerDefinition>;

  const Definitions& Find(std::string_view owner) const;
  Definitions FindNow(std::string_view owner) const;
  void AddDefinitions(std::size_t source, std::string_view path, std::string_view name,
                      Definitions& definitions) const;
  Definitions ReadInModule(std::size_t source, const std::vector<std::string>& parts,
                           int depth) const;
  /// Kept: every name that is asked of an owner asks for its bases again.
  const Definitions& ReadIn(std::size_t source, std::string_view name) const;
  Definitions ReadInNow(std::size_t source, std::string_view name) const;
  void AskOne(const OwnerDefinition& owner, std::string_view member, Belonging belonging, int depth,
              MemberAnswer& answer) const;
  void AskBases(const OwnerDefinition& owner, std::string_view member, Belonging belonging,
                int depth, MemberAnswer& answer) const;

  const Witness& witness_;
  const Families& families_;
  mutable Mutex mutex_;
  mutable std::map<std::string, std::unique_ptr<Definitions>, std::less<>> known_
      SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::pair<std::size_t, std::string>, std::unique_ptr<Definitions>> read_
      SIBYL_GUARDED_BY(mutex_);
};

/// "torch.optim.AdamW" and "at::Tensor" in parts.
std::vector<std::string> SplitQualified(std::string_view name);

}  // namespace sibyl::audit
