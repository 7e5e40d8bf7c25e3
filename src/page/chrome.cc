// SPDX-License-Identifier: Apache-2.0
#include "page/chrome.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/strings.h"

namespace sibyl::page {
namespace {

struct Word {
  std::string_view word;
  Role role;
};

constexpr Role kNav = Role::kNavigation;
constexpr Role kDeco = Role::kDecoration;

// Sorted; looked up whole.
constexpr std::array kWords = std::to_array<Word>({
    {"admonition-heading-icon", kDeco},
    {"advertisement", Role::kNotice},
    {"anchor", kDeco},
    {"anchorjs-link", kDeco},
    {"announcement", Role::kNotice},
    {"article-body", Role::kArticle},
    {"article-content", Role::kArticle},
    {"article__body", Role::kArticle},
    {"back-to-top", kDeco},
    {"backrefs", kDeco},
    {"banner", Role::kNotice},
    {"bd-footer", kNav},
    {"bd-header", kNav},
    {"bd-header-article", kNav},
    {"bd-sidebar-primary", kNav},
    {"bd-sidebar-secondary", kNav},
    {"bd-toc", kNav},
    {"blob-num", kDeco},
    {"breadcrumb", kNav},
    {"breadcrumbs", kNav},
    {"btn-clipboard", kDeco},
    {"catlinks", kNav},
    {"clipboard-copy", kDeco},
    {"comments-link", kNav},
    {"contentinfo", kNav},
    {"contents-sidebar", kNav},
    {"copy-button", kDeco},
    {"copybtn", kDeco},
    {"ddlc-title", kDeco},
    {"doc-content", Role::kMain},
    {"dropdown-menu", kNav},
    {"edit-page", kDeco},
    {"edit-this-page", kDeco},
    {"entry-content", Role::kArticle},
    {"feedback", kDeco},
    {"footer", kNav},
    {"footer-nav", kNav},
    {"fragment", Role::kCodeBox},
    {"global-footer", kNav},
    {"global-header", kNav},
    {"gutter", kDeco},
    {"hash-link", kDeco},
    {"header-anchor", kDeco},
    {"headeranchor", kDeco},
    {"headerlink", kDeco},
    {"js-consent-banner", Role::kNotice},
    {"js-post-menu", kDeco},
    {"js-voting-container", kDeco},
    {"left-sidebar", kNav},
    {"line-number", kDeco},
    {"line-numbers-rows", kDeco},
    {"lineno", kDeco},
    {"linenodiv", kDeco},
    {"linenos", kDeco},
    {"linenumber", kDeco},
    {"linenumbers", kDeco},
    {"localtoc", kNav},
    {"mainmenu", kNav},
    {"markdown-body", Role::kArticle},
    {"md-content__button", kDeco},
    {"md-content__inner", Role::kArticle},
    {"md-footer", kNav},
    {"md-header", kNav},
    {"md-nav", kNav},
    {"md-sidebar", kNav},
    {"md-source-file", kDeco},
    {"md-tabs", kNav},
    {"memberdecls", Role::kSummary},
    {"memname", Role::kSignature},
    {"menu-toggle", kDeco},
    {"mobile-nav", kNav},
    {"mobile-parent", kNav},
    {"mw-editsection", kDeco},
    {"mw-jump-link", kDeco},
    {"mw-navigation", kNav},
    {"mw-parser-output", Role::kMain},
    {"nav-buttons", kNav},
    {"nav-container", kNav},
    {"nav-path", kNav},
    {"navbar", kNav},
    {"navfooter", kNav},
    {"navheader", kNav},
    {"navigation", kNav},
    {"navpath", kNav},
    {"newsletter", Role::kNotice},
    {"next-previous", kNav},
    {"noprint", kDeco},
    {"on-this-page", kNav},
    {"out-of-band", kDeco},
    {"page-nav", kNav},
    {"page-toc", kNav},
    {"pagination", kNav},
    {"pagination-nav", kNav},
    {"permalink", kDeco},
    {"popup", Role::kNotice},
    {"post-body", Role::kArticle},
    {"post-content", Role::kArticle},
    {"post-menu", kDeco},
    {"post-signature", kDeco},
    {"prev-next-area", kNav},
    {"printfooter", kNav},
    {"privacy-banner", Role::kNotice},
    {"qindex", kNav},
    {"related-posts", kNav},
    {"related_posts", kNav},
    {"rst-footer-buttons", kNav},
    {"rst-versions", kNav},
    {"s-sidebarwidget", kNav},
    {"search-container", kNav},
    {"searchbox", kNav},
    {"share-buttons", kDeco},
    {"sidebar", kNav},
    {"sidebar-drawer", kNav},
    {"sidebar-elems", kNav},
    {"site-footer", kNav},
    {"site-header", kNav},
    {"site-nav", kNav},
    {"skip-link", kDeco},
    {"skip-to-content", kDeco},
    {"social-share", kDeco},
    {"sphinxsidebar", kNav},
    {"src-rightside", kDeco},
    {"srclink", kDeco},
    {"subnav", kNav},
    {"table-of-contents", kNav},
    {"theme-doc-breadcrumbs", kNav},
    {"theme-doc-footer", kNav},
    {"theme-doc-sidebar-container", kNav},
    {"theme-doc-toc-desktop", kNav},
    {"theme-doc-toc-mobile", kNav},
    {"theme-edit-this-page", kDeco},
    {"toc", kNav},
    {"tocwrapper", kNav},
    {"toolbar", kDeco},
    {"top-bar", kNav},
    {"topbar", kNav},
    {"ttc", kDeco},
    {"versionmodified-icon", kDeco},
    {"viewcode-back", kDeco},
    {"viewcode-link", kDeco},
    {"votecell", kDeco},
    {"wy-breadcrumbs", kNav},
    {"wy-breadcrumbs-aside", kNav},
    {"wy-menu", kNav},
    {"wy-nav-side", kNav},
    {"wy-nav-top", kNav},
});

// Ids are rarer and mean more than classes: these only as an id.
constexpr std::array kIds = std::to_array<Word>({
    {"answers", Role::kArticle},
    {"article-content", Role::kArticle},
    {"comments", kNav},
    {"content", Role::kMain},
    {"cookie-law-info-bar", Role::kNotice},
    {"doc-content", Role::kMain},
    {"footer", kNav},
    {"header", kNav},
    {"main", Role::kMain},
    {"main-content", Role::kMain},
    {"main-nav", kNav},
    {"main-navigation", kNav},
    {"mainbar", Role::kMain},
    {"mainmenu", kNav},
    {"manual-content", Role::kMain},
    {"menu", kNav},
    {"mw-content-text", Role::kMain},
    {"mw-navigation", kNav},
    {"nav", kNav},
    {"nav-path", kNav},
    {"navbar", kNav},
    {"navigation", kNav},
    {"navrow1", kNav},
    {"navrow2", kNav},
    {"navrow3", kNav},
    {"navrow4", kNav},
    {"projectalign", kNav},
    {"question", Role::kArticle},
    {"quicklinks", kNav},
    {"readme", Role::kArticle},
    {"right-sidebar", kNav},
    {"searchbox", kNav},
    {"side-nav", kNav},
    {"sidebar", kNav},
    {"sidebar-content", kNav},
    {"site-footer", kNav},
    {"skip-to-content", kDeco},
    {"table-of-contents", kNav},
    {"titlearea", kNav},
    {"toc", kNav},
    {"toctitle", kNav},
});

template <std::size_t kSize>
constexpr bool IsSorted(const std::array<Word, kSize>& words) {
  for (std::size_t i = 1; i < kSize; ++i) {
    if (!(words[i - 1].word < words[i].word)) return false;
  }
  return true;
}
static_assert(IsSorted(kWords) && IsSorted(kIds), "they must be sorted for binary search");

template <std::size_t kSize>
const Word* Find(const std::array<Word, kSize>& words, std::string_view wanted) {
  const auto found =
      std::lower_bound(words.begin(), words.end(), wanted,
                       [](const Word& word, std::string_view w) { return word.word < w; });
  return found != words.end() && found->word == wanted ? &*found : nullptr;
}

std::string_view NextWord(std::string_view& rest) {
  const std::size_t begin = std::min(rest.find_first_not_of(" \t\n\r\f"), rest.size());
  rest.remove_prefix(begin);
  const std::size_t end = std::min(rest.find_first_of(" \t\n\r\f"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

bool IsConsentWord(std::string_view word) {
  constexpr std::array<std::string_view, 6> kStarts = {"cookie-",  "cookie_", "consent-",
                                                       "onetrust", "gdpr",    "cc-window"};
  if (word == "cookies" || word == "cookiebar" || word == "cookiebanner") return true;
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [word](std::string_view start) { return word.starts_with(start); });
}

bool HasWord(std::string_view classes, std::string_view wanted) {
  while (!classes.empty()) {
    if (NextWord(classes) == wanted) return true;
  }
  return false;
}

// Elements that themes hang a state on: "sidebar-open" on a body hides nothing.
bool IsWholePage(Tag tag) { return tag == Tag::kHtml || tag == Tag::kBody || tag == Tag::kMain; }

bool IsHeadingOrCode(Tag tag) {
  return HeadingLevel(tag) > 0 || tag == Tag::kCode || tag == Tag::kPre;
}

Role RoleOfClassWord(Tag tag, std::string_view word, std::string_view classes) {
  if (IsConsentWord(word)) return Role::kNotice;
  const Word* known = Find(kWords, word);
  if (known == nullptr) {
    // Sphinx: "body" and "document" are a <div>; "related" is its bar of links,
    // "topic" with "contents" its table of contents.
    if (tag == Tag::kDiv && word == "body") return Role::kMain;
    if (tag == Tag::kDiv && word == "contents") {
      return HasWord(classes, "topic") ? kNav : Role::kMain;  // Doxygen calls its content so
    }
    if (tag == Tag::kDiv && word == "related") return kNav;
    if ((tag == Tag::kDiv || tag == Tag::kNav) && word == "summary") return kNav;
    if (word == "sig" && tag == Tag::kDt) return Role::kSignature;
    if (word == "post-text" || word == "s-prose") return Role::kArticle;
    return Role::kPlain;
  }
  // docutils: <aside class="sidebar"> and <div class="sidebar"> are part of the
  // text and have a title; a theme's sidebar has none.
  if (word == "sidebar" && HasWord(classes, "docutils")) return Role::kPlain;
  if (word == "anchor" && tag != Tag::kA) return Role::kPlain;
  if (word == "fragment" && tag != Tag::kDiv) return Role::kPlain;
  const bool is_table = known->role == Role::kSignature || known->role == Role::kSummary;
  if (is_table && tag != Tag::kTable) return Role::kPlain;
  if (word == "toolbar" && tag == Tag::kTable) return Role::kPlain;
  return known->role;
}

}  // namespace

Role RoleOfElement(Tag tag, const Attributes& attributes) {
  if (attributes.hidden && !IsWholePage(tag)) return Role::kDecoration;
  if (tag == Tag::kMain) return Role::kMain;
  if (tag == Tag::kArticle) return Role::kArticle;
  if (tag == Tag::kNav || tag == Tag::kFooter) return Role::kNavigation;
  if (attributes.role.empty()) return Role::kPlain;
  constexpr std::array<Word, 12> kRoleAttributes = {{
      {"alertdialog", Role::kNotice},
      {"article", Role::kArticle},
      {"banner", Role::kNavigation},
      {"contentinfo", Role::kNavigation},
      {"dialog", Role::kNotice},
      {"doc-backlink", Role::kDecoration},
      {"doc-toc", Role::kNavigation},
      {"main", Role::kMain},
      {"menu", Role::kNavigation},
      {"navigation", Role::kNavigation},
      {"search", Role::kNavigation},
      {"tooltip", Role::kDecoration},
  }};
  const Word* known = Find(kRoleAttributes, attributes.role);
  return known != nullptr ? known->role : Role::kPlain;
}

Role RoleOfWords(Tag tag, const Attributes& attributes) {
  if (IsWholePage(tag)) return Role::kPlain;
  // Decoration is recognised by class on any element; other roles only on
  // boxes.
  const bool is_box = Is(tag, kBlockTag) && !IsHeadingOrCode(tag);
  // Highlighted code is all spans with classes of a letter or two.
  constexpr std::size_t kShortestDecoration = 6;
  if (!is_box && attributes.classes.size() < kShortestDecoration) return Role::kPlain;
  Role role = Role::kPlain;
  constexpr std::size_t kShortest = 3;
  std::string_view rest = attributes.classes;
  while (!rest.empty()) {
    const std::string_view word = NextWord(rest);
    if (word.size() < kShortest) continue;
    const Role found = RoleOfClassWord(tag, word, attributes.classes);
    if (found == Role::kPlain || (!is_box && found != Role::kDecoration)) continue;
    if (IsChrome(found) || role == Role::kPlain) role = found;
  }
  if (!is_box || IsChrome(role) || attributes.id.empty()) return role;
  if (IsConsentWord(attributes.id)) return Role::kNotice;
  if (const Word* known = Find(kIds, attributes.id)) {
    // "#content" of one theme contains "#main" of another: both count. An id on
    // a heading or a section is its anchor.
    if (tag == Tag::kSection || tag == Tag::kDt || tag == Tag::kLi) return role;
    return known->role;
  }
  return role;
}

std::string_view LanguageName(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kNames = {{
      {"c++", "cpp"},
      {"cxx", "cpp"},
      {"py", "python"},
      {"python3", "python"},
      {"ipython3", "python"},
      {"ipython", "python"},
      {"sh", "bash"},
      {"shell", "bash"},
      {"default", ""},
      {"none", ""},
      {"text", ""},
      {"plaintext", ""},
      {"txt", ""},
      {"notranslate", ""},
      {"auto", ""},
      {"literal-block", ""},
  }};
  for (const auto& [written, meant] : kNames) {
    if (written == name) return meant;
  }
  const bool is_name = name.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-#_.") ==
                       std::string_view::npos;
  return is_name && name.size() <= 24 ? name : std::string_view();
}

std::string_view LanguageOf(std::string_view classes) {
  constexpr std::array<std::string_view, 5> kStarts = {"language-", "lang-", "highlight-source-",
                                                       "highlight-", "brush:"};
  while (!classes.empty()) {
    const std::string_view word = NextWord(classes);
    for (const std::string_view start : kStarts) {
      if (!word.starts_with(start) || word.size() == start.size()) continue;
      return LanguageName(word.substr(start.size()));
    }
  }
  return {};
}

}  // namespace sibyl::page
