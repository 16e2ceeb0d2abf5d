#include <cstdint>
#include <cstdlib>
#include <span>

#include "bytecode/reader.hpp"
#include "bytecode/writer.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"

// Any bytes: what can be read can be verified, printed and written, whether it verifies or not, and
// what was written is read as the same module and written again with the same bytes.

namespace {

using namespace cutile;

void demand(bool good) {
  if (!good) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto module = bytecode::read(bytes);
  if (!module) return 0;
  static_cast<void>(ir::verify(*module));
  const std::string text = ir::print(*module);
  const ir::Version version = *bytecode::version_of(bytes);
  for (const auto layout : {bytecode::Layout::compact, bytecode::Layout::as_read}) {
    const auto written = bytecode::write(*module, version, layout);
    if (!written) continue; // multicast types, which the writer keeps for 13.5
    const auto again = bytecode::read(*written);
    demand(again.has_value());
    demand(ir::print(*again) == text);
    demand(*bytecode::write(*again, version, layout) == *written);
  }
  return 0;
}
