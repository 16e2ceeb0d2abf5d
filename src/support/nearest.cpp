#include "support/nearest.hpp"

#include <algorithm>
#include <array>

namespace cutile {
namespace {

constexpr std::size_t longest = 64, farthest = 2;

/// Letters to insert, drop or replace to turn `a` into `b`.
std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::size_t, longest + 1> row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

} // namespace

Nearest::Nearest(std::string_view wanted)
    : wanted_(wanted), least_(std::min(farthest, wanted.size() / 3) + 1) {}

void Nearest::offer(std::string_view candidate) {
  const std::size_t shorter = std::min(candidate.size(), wanted_.size());
  const std::size_t longer = std::max(candidate.size(), wanted_.size());
  if (longer > longest || longer - shorter >= least_) return;
  if (const std::size_t d = distance(wanted_, candidate); d < least_) {
    least_ = d;
    best_ = d == 0 ? std::string_view() : candidate;
  }
}

std::string Nearest::hint() const {
  return best_.empty() ? "" : "; did you mean '" + std::string(best_) + "'?";
}

} // namespace cutile
