// SPDX-License-Identifier: Apache-2.0
// Which words of plain technical English make a text a claim.
#pragma once

#include <string>
#include <string_view>

namespace sibyl::gate {

/// is, has, can, must: a text with one of them is a sentence.
bool IsAuxiliary(std::string_view lower);

/// never, always, every: no exceptions.
bool IsSweeping(std::string_view lower);

/// faster, best, most
bool IsComparison(std::string_view lower);

/// "ignores", "ignored", "ignoring" of a common verb; the base form alone may as
/// well be a noun.
bool IsVerbForm(std::string_view lower);

/// The base form of a common verb.
bool IsVerb(std::string_view lower);

/// works, uses, supports: begins a sentence without its subject.
bool IsBareVerb(std::string_view lower);

/// silently, encrypted, reusable, lock-free: says how something is.
bool IsQuality(std::string_view lower);

/// overview, diagram, details: names a text, not its subject.
bool IsAboutText(std::string_view lower);

/// Leads from one thing to the next and says nothing: "deserves attention", "of
/// particular interest".
bool IsFrame(std::string_view lower);

/// Begins a question whose answer is open (what, which), and does not take
/// anything for granted (why).
bool OpensQuestion(std::string_view lower);

}  // namespace sibyl::gate
