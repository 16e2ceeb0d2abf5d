#include "support/text.hpp"

#include <mutex>
#include <set>
#include <string>

namespace cutile {

const char* static_text(std::string_view text) {
  static std::mutex mutex;
  static auto* const texts = new std::set<std::string, std::less<>>; // outlives every other object
  const std::lock_guard lock(mutex);
  const auto found = texts->find(text);
  return (found != texts->end() ? found : texts->emplace(text).first)->c_str();
}

} // namespace cutile
