#include <cstdlib>

#include "bytecode/reader.hpp"
#include "bytecode/writer.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"

// Any bytes: what can be read can be verified and printed; what verifies can be written, and reads
// as the same module again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutile;
  const auto module = bytecode::read(std::as_bytes(std::span(data, size)));
  if (!module) return 0;
  const std::string text = ir::print(*module);
  if (!ir::verify(*module).empty()) return 0;
  const auto file = bytecode::write(*module, ir::V13_5);
  if (!file) return 0;
  const auto again = bytecode::read(*file);
  if (!again || ir::print(*again) != text) std::abort();
  return 0;
}
