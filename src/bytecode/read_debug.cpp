#include "bytecode/read_debug.hpp"

#include <limits>

#include "bytecode/layout.hpp"
#include "support/text.hpp"

namespace cutile::bytecode {
namespace {

constexpr std::size_t entry_bytes = sizeof(std::uint64_t);

std::uint32_t position(Decoder& in, std::string_view what) {
  const Decoder start = in;
  const std::uint64_t value = in.varint(what);
  if (value > std::numeric_limits<std::uint32_t>::max())
    start.fail(fmt::format("{} {} does not fit in 32 bits", what, value));
  return static_cast<std::uint32_t>(value);
}

} // namespace

void DebugReader::read(Decoder section) {
  present_ = true;
  firsts_.resize(section.count("functions", sizeof(std::uint32_t)));
  section.align(sizeof(std::uint32_t));
  for (std::uint32_t& first : firsts_) first = section.fixed<std::uint32_t>("an entry's number");
  const std::size_t entries = section.count("places", entry_bytes);
  section.align(entry_bytes);
  entries_ = section.take(entries * entry_bytes, "a list of places");
  attributes_ = offset_table<std::uint32_t>(section, "debug attributes");
  places_.resize(attributes_.size());
}

SourceLoc DebugReader::begin_function(Decoder& in) {
  const Decoder start = in;
  const std::uint64_t location = in.varint("a function's location");
  at_.reset();
  if (location == 0 || !present_) return {}; // the section may have been stripped
  if (location > firsts_.size())
    start.fail(fmt::format("function {} of the debug section does not exist: there are {}",
                           location - 1, firsts_.size()));
  at_ = firsts_[static_cast<std::size_t>(location - 1)];
  return entry(start);
}

SourceLoc DebugReader::next(const Decoder& in) { return at_ ? entry(in) : SourceLoc{}; }

SourceLoc DebugReader::entry(const Decoder& in) {
  Decoder entries = entries_;
  if (*at_ >= entries.left() / entry_bytes)
    in.fail(fmt::format("the debug section has no place {} for this: there are {}", *at_,
                        entries.left() / entry_bytes));
  entries.skip(static_cast<std::size_t>(*at_) * entry_bytes);
  ++*at_;
  const Decoder start = entries;
  const std::uint64_t number = entries.fixed<std::uint64_t>("a place");
  if (number > attributes_.size())
    start.fail(
        fmt::format("debug attribute {} does not exist: there are {}", number, attributes_.size()));
  return attribute(number, 0);
}

/// The place that attribute `number`, counted from 1, stands for; 0 is unknown.
SourceLoc DebugReader::attribute(std::uint64_t number, int depth) {
  if (number == 0) return {};
  const auto i = static_cast<std::size_t>(number - 1);
  if (places_[i]) return *places_[i];
  Decoder in = attributes_[i];
  if (depth > most_nested) in.fail(fmt::format("more than {} calls are nested", most_nested));
  const Decoder start = in;
  const std::uint64_t tag = in.varint("the tag of a debug attribute");
  SourceLoc place;
  if (tag == loc_info) {
    static_cast<void>(in.index("scope", attributes_.size() + 1));
    place.file = static_text(tables_.string_view(in, "the name of a file"));
    place.line = position(in, "line");
    place.column = position(in, "column");
  } else if (tag == call_site_info) { // what was called stands there; the caller is not kept
    place = attribute(in.index("called place", attributes_.size() + 1), depth + 1);
  } else if (tag != unknown_info) {
    start.fail(fmt::format("expected a place, which has tag {} or {}, not tag {}",
                           static_cast<unsigned>(loc_info), static_cast<unsigned>(call_site_info),
                           tag));
  }
  places_[i] = place;
  return place;
}

} // namespace cutile::bytecode
