#pragma once

#include <string>
#include <string_view>

namespace cutile {

/// Finds the name that a misspelt one was most likely meant to be: one letter in three apart, and
/// no more than two. Of equally near names the one offered first.
class Nearest {
 public:
  explicit Nearest(std::string_view wanted);
  /// `candidate` must live until `hint`.
  void offer(std::string_view candidate);
  /// "; did you mean 'name'?", or nothing.
  [[nodiscard]] std::string hint() const;

 private:
  std::string_view wanted_, best_;
  std::size_t least_; ///< letters that the next candidate must be nearer than
};

} // namespace cutile
