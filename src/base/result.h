// SPDX-License-Identifier: Apache-2.0
// How functions report failure: a value, never an exception.
//
// Our failures are data: one job's failure is journalled, shown and retried
// while the others continue. std::expected would do, but clang 14 cannot use
// the one that g++ 12 ships; docs/decisions/0001 has the details.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace sibyl {

/// What the caller may do about it; never where it came from.
enum class ErrorKind {
  kUsage,        ///< The request is wrong; asking again the same way is useless.
  kNotFound,     ///< The thing named does not exist.
  kCorrupt,      ///< Bytes that should have a form do not have it.
  kUnavailable,  ///< A tool, disk, lock or server refused; retrying later may work.
  kCancelled,    ///< A stop was requested.
};

/// Why, for the few causes on which a caller acts. Never read out of a message:
/// those are for people and may change.
enum class ErrorCause : std::uint8_t {
  kOther,
  kOffline,      ///< The network is forbidden.
  kBudgetSpent,  ///< No requests, bytes or time are left for the network.
  kRobots,       ///< robots.txt does not allow it.
  kRedirected,   ///< The server redirects elsewhere, and that was not followed.
};

/// Where in a text something is wrong. Line and column count from one; zero
/// means that it is not known.
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string text;  ///< The line, or a piece of it: base/line_excerpt.h. Shown with a caret.
};

/// "doing what, to which thing: what is wrong", lower case, no full stop.
struct [[nodiscard]] Error {
  ErrorKind kind = ErrorKind::kUsage;
  std::string message;
  std::string hint;  ///< What would be right, or the command that fixes it.
  std::optional<Place> place;
  ErrorCause cause = ErrorCause::kOther;
};

/// Adds what we were doing in front of what went wrong.
inline Error While(std::string_view doing, Error error) {
  error.message = std::string(doing) + ": " + error.message;
  return error;
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return Checked(); }
  const T& value() const& { return const_cast<Result*>(this)->Checked(); }
  T&& value() && { return std::move(Checked()); }
  T& operator*() & { return Checked(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &Checked(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  // A bug, not bad input: abort rather than continue without a value.
  T& Checked() {
    if (!ok()) std::abort();
    return *std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

/// A Result without a value.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

namespace result_internal {
template <typename T>
T Take(Result<T>&& result) {
  return std::move(result).value();
}
inline void Take(Status&&) {}
}  // namespace result_internal

}  // namespace sibyl

/// The value, or a return from the calling function with the error.
/// `const std::string text = SIBYL_TRY(ReadFile(path));`
/// Not inside a braced initialiser: clang 14 does not destroy the members that
/// were already built when the statement returns from the middle of one.
#define SIBYL_TRY(expression)                                               \
  __extension__({                                                           \
    auto sibyl_try_result = (expression);                                   \
    if (!sibyl_try_result.ok()) return std::move(sibyl_try_result).error(); \
    ::sibyl::result_internal::Take(std::move(sibyl_try_result));            \
  })
