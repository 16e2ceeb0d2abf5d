#include "bytecode/reader.hpp"

#include <array>
#include <optional>

#include "bytecode/layout.hpp"
#include "bytecode/read_debug.hpp"
#include "bytecode/read_functions.hpp"
#include "bytecode/read_tables.hpp"

namespace cutile::bytecode {
namespace {

using ir::Version;

Version header(Decoder& in) {
  const Decoder start = in;
  for (const char c : magic) {
    if (in.byte("the start of Tile IR bytecode") != static_cast<unsigned char>(c))
      start.fail("this is no Tile IR bytecode: the first 8 bytes are not those of one");
  }
  const Decoder version_start = in;
  const unsigned major = in.byte("a version"), minor = in.byte("a version");
  const unsigned version = 100 * major + minor;
  if (minor >= 100 || version < oldest_version || version > newest_version)
    version_start.fail(fmt::format("the file is of version {}.{}; {} to {} can be read", major,
                                   minor, text(oldest_version), text(newest_version)));
  const Decoder tag = in;
  if (in.fixed<std::uint16_t>("the tag of a version") != 0)
    tag.fail("the file uses preview features, which have no fixed meaning");
  return static_cast<Version>(version);
}

/// Reads a module: finds the sections, which stand in any order, then reads each after those that
/// it refers to.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes)
      : in_(bytes), version_(header(in_)), tables_(module_, version_, bytes.size()),
        debug_(tables_) {}

  ir::Module run() {
    find_sections();
    tables_.read_strings(demand(Section::strings, "strings"));
    if (const auto& in = section(Section::types)) tables_.read_types(*in);
    if (const auto& in = section(Section::constants)) tables_.read_constants(*in);
    if (auto in = section(Section::producer); in && version_ >= ir::V13_3)
      module_.producer = tables_.string(*in, "the producer");
    if (const auto& in = section(Section::globals)) read_globals(*in);
    if (const auto& in = section(Section::debug_info)) debug_.read(*in);
    read_functions(demand(Section::functions, "functions"), module_, version_, tables_, debug_);
    return std::move(module_);
  }

 private:
  void find_sections() {
    for (;;) {
      const Decoder start = in_;
      const unsigned id = in_.byte("a section, or the end of the file");
      if (id == static_cast<unsigned>(Section::end)) return in_.end("the end of the file");
      const std::uint64_t size = in_.varint("the size of a section");
      if ((id & aligned_section) != 0) {
        const Decoder place = in_;
        const std::uint64_t alignment = in_.varint("the alignment of a section");
        if (alignment == 0) place.fail("a section cannot have alignment 0");
        in_.align(alignment);
      }
      const Decoder payload = in_.take(size, "a section");
      const std::size_t number = id & ~aligned_section;
      if (number >= sections_.size()) continue; // one that is not known
      if (sections_[number]) start.fail(fmt::format("section {} is given twice", number));
      sections_[number] = payload;
    }
  }

  [[nodiscard]] const std::optional<Decoder>& section(Section id) const {
    return sections_[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] Decoder demand(Section id, std::string_view what) const {
    if (!section(id)) in_.fail(fmt::format("expected a section of {} in the file", what));
    return *section(id);
  }

  void read_globals(Decoder in) {
    for (std::size_t n = in.count("globals"); n > 0; --n) {
      ir::Global g;
      g.name = tables_.string(in, "the name of a global");
      const ir::TypeId type = tables_.type(in, "type");
      g.value = tables_.constant(in, type);
      g.alignment = in.varint("an alignment");
      if (version_ >= ir::V13_3) {
        g.is_private = in.index("visibility", 2) != 0;
        g.constant = in.index("constant flag", 2) != 0;
      }
      module_.globals.push_back(std::move(g));
    }
    in.end("the globals");
  }

  Decoder in_;
  Version version_;
  ir::Module module_;
  ReadTables tables_;
  DebugReader debug_;
  std::array<std::optional<Decoder>, static_cast<std::size_t>(Section::producer) + 1> sections_;
};

/// What `body` returns, or where it found the file malformed.
template <class Body> auto guarded(Body body) -> Result<decltype(body())> {
  try {
    return body();
  } catch (const Malformed& e) {
    return usage_failure(fmt::format("Tile IR bytecode, byte {}: {}", e.offset, e.what));
  }
}

} // namespace

Result<ir::Module> read(std::span<const std::byte> bytes) {
  return guarded([&] { return Reader(bytes).run(); });
}

Result<Version> version_of(std::span<const std::byte> bytes) {
  return guarded([&] {
    Decoder in(bytes);
    return header(in);
  });
}

} // namespace cutile::bytecode
