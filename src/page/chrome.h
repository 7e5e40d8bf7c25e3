// SPDX-License-Identifier: Apache-2.0
// Classifies an element by its name, its role and the words of its class and
// id: content, boilerplate, or a generator's code markup. The words are those
// of Sphinx and its themes, Doxygen, MkDocs, Docusaurus, rustdoc, GitHub,
// MediaWiki, question sites, man page converters and common blogs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "page/tokenizer.h"

namespace sibyl::page {

enum class Role : std::uint8_t {
  kPlain,
  kMain,        ///< Holds the content of the page.
  kArticle,     ///< Holds an article; there may be several.
  kNavigation,  ///< Menus, tables of contents, breadcrumbs, page headers and footers.
  kNotice,      ///< Cookie bars, banners, dialogs.
  kDecoration,  ///< Permalinks, line numbers, buttons, tooltips.
  kCodeBox,     ///< Preformatted, although it is not a <pre>.
  kSignature,   ///< A declaration of something: one line, however it is laid out.
  kSummary,     ///< A table of declarations: each row is one line.
};

inline constexpr std::size_t kRoles = 9;

/// True for the roles whose text is dropped.
inline bool IsChrome(Role role) {
  return role == Role::kNavigation || role == Role::kNotice || role == Role::kDecoration;
}

/// By the element's name and role attribute only; reliable on every page.
Role RoleOfElement(Tag tag, const Attributes& attributes);

/// By the words of class and id; not always reliable.
Role RoleOfWords(Tag tag, const Attributes& attributes);

/// The name used in fences: "cpp" for "c++". Empty for text that is not a name, which could end
/// the line of a fence.
std::string_view LanguageName(std::string_view name);

/// "cpp" of class="highlight-c++ notranslate"; empty when none is named.
std::string_view LanguageOf(std::string_view classes);

}  // namespace sibyl::page
