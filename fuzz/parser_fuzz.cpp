#include <cstdlib>

#include "ir/parser.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"

// Any text: what can be read can be verified and printed; what verifies reads as the same text
// again when it was printed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutile;
  const auto module = ir::parse({reinterpret_cast<const char*>(data), size});
  if (!module) return 0;
  const std::string text = ir::print(*module);
  if (!ir::verify(*module).empty()) return 0;
  const auto again = ir::parse(text);
  if (!again || !ir::verify(*again).empty() || ir::print(*again) != text) std::abort();
  return 0;
}
