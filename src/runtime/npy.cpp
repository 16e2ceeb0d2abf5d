#include "support/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "cutile/detail/storage.hpp"
#include "support/files.hpp"

namespace cutile::detail {

namespace {

/// Elements of a column-major array, put in row-major order.
std::vector<std::byte> to_row_major(std::span<const std::byte> data,
                                    std::span<const std::int64_t> extents, std::size_t element) {
  std::vector<std::byte> out(data.size());
  std::vector<std::int64_t> index(extents.size());
  for (std::size_t to = 0; to < out.size(); to += element) {
    std::size_t from = 0;
    for (std::size_t a = extents.size(); a-- > 0;) {
      from = from * static_cast<std::size_t>(extents[a]) + static_cast<std::size_t>(index[a]);
    }
    std::memcpy(out.data() + to, data.data() + from * element, element);
    for (std::size_t a = extents.size(); a-- > 0;) {
      index[a] = index[a] + 1 == extents[a] ? 0 : index[a] + 1;
      if (index[a] != 0) break;
    }
  }
  return out;
}

} // namespace

std::vector<std::byte> read_npy(const std::string& path, DType dtype,
                                std::span<std::int64_t> extents) {
  const std::vector<std::byte> file = support::read_file(path).value();
  const Result<support::NpyHeader> parsed = support::parse_npy_header(file);
  if (!parsed) raise(parsed.failure().fault, fmt::format("{}: {}", path, parsed.failure().message));
  const support::NpyHeader& header = *parsed;
  if (!support::npy_holds(header.descr, dtype)) {
    throw UsageError(fmt::format("{}: holds elements of type '{}', asked for {} ('{}'). Use the "
                                 "element type of the file, or "
                                 "convert with numpy's astype",
                                 path, header.descr, name_of(dtype), support::npy_descr(dtype)));
  }
  if (header.shape.size() != extents.size()) {
    throw UsageError(fmt::format(
        "{}: has {} axes, shape ({}), asked for a tensor of rank {}. {}", path, header.shape.size(),
        fmt::join(header.shape, ", "), extents.size(),
        header.shape.empty() ? "Save array.reshape(1), and load it with rank 1"
                             : fmt::format("Use load_npy<T, {}>", header.shape.size())));
  }
  std::ranges::copy(header.shape, extents.begin());
  const auto data = std::span(file).subspan(header.data_offset, header.data_bytes);
  std::vector<std::byte> out(data.begin(), data.end());
  if (header.fortran_order)
    out = to_row_major(data, extents, static_cast<std::size_t>(size_of(dtype)));
  if (dtype == DType::b1) { // NumPy takes any byte but 0 as true
    for (std::byte& b : out) b = b == std::byte{0} ? b : std::byte{1};
  }
  return out;
}

void write_npy(const std::string& path, DType dtype, std::span<const std::int64_t> extents,
               std::span<const std::byte> data) {
  std::vector<std::byte> file = support::npy_header(support::npy_descr(dtype), extents);
  file.insert(file.end(), data.begin(), data.end());
  support::write_file(path, file).value();
}

} // namespace cutile::detail
