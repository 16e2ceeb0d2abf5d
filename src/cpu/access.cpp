#include "cpu/access.hpp"

#include <algorithm>

namespace cutile::cpu {
namespace {

void copy_strided(std::byte* to, std::int64_t to_stride, const std::byte* from,
                  std::int64_t from_stride, std::int64_t n, std::size_t element) {
  const auto size = static_cast<std::int64_t>(element);
  if (to_stride == size && from_stride == size) {
    std::memcpy(to, from, static_cast<std::size_t>(n) * element);
    return;
  }
  const auto loop = [&]<class T>(T) {
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(to + i * to_stride, from + i * from_stride, sizeof(T));
  };
  switch (element) {
  case 1: loop(std::uint8_t{}); break;
  case 2: loop(std::uint16_t{}); break;
  case 4: loop(std::uint32_t{}); break;
  default: loop(std::uint64_t{}); break;
  }
}

/// Calls visit(offset in memory, row number, is inside) for each row: each index of the axes before
/// the last.
template <class Visit> void rows(const ViewShape& shape, const ViewAccess::Box& box, Visit visit) {
  const std::size_t rank = shape.tile.size();
  std::array<std::int64_t, max_rank> index{};
  std::int64_t count = 1;
  for (std::size_t a = 0; a + 1 < rank; ++a) count *= shape.tile[a];
  for (std::int64_t row = 0; row < count; ++row) {
    std::int64_t offset = 0;
    bool inside = true;
    for (std::size_t a = 0; a + 1 < rank; ++a) {
      inside = inside && index[a] < box.valid[a];
      offset += index[a] * box.strides[a];
    }
    visit(offset, row, inside);
    for (std::size_t a = rank - 1; a-- > 0;) {
      if (++index[a] < shape.tile[a]) break;
      index[a] = 0;
    }
  }
}

} // namespace

std::size_t ViewAccess::bytes() const {
  std::size_t n = shape_.element;
  for (const std::int64_t e : shape_.tile) n *= static_cast<std::size_t>(e);
  return n;
}

ViewAccess::Box ViewAccess::box(const Thread& thread) const {
  const TensorValue& tensor = thread.tensors[shape_.tensor];
  Box box{tensor.base, {}, {}};
  for (std::size_t a = 0; a < shape_.tile.size(); ++a) {
    const std::size_t axis = shape_.axis[a];
    // An index whose product with the step would wrap is past every edge.
    const auto index = static_cast<std::int64_t>(std::min<std::uint64_t>(
        thread.unsigned_at(index_[a], index_bytes_), std::uint64_t{1} << 38U));
    const std::int64_t start = index * shape_.step[a];
    box.valid[a] = std::clamp<std::int64_t>(tensor.extents[axis] - start, 0, shape_.tile[a]);
    box.strides[a] = tensor.strides[axis];
    if (box.valid[a] > 0) box.base += start * tensor.strides[axis];
  }
  return box;
}

bool ViewAccess::is_direct(const Box& box) const {
  auto expected = static_cast<std::int64_t>(shape_.element);
  for (std::size_t a = shape_.tile.size(); a-- > 0;) {
    if (box.valid[a] != shape_.tile[a]) return false;
    if (shape_.tile[a] != 1 && box.strides[a] != expected) return false;
    expected *= shape_.tile[a];
  }
  return true;
}

void ViewAccess::load(const Box& box, std::byte* out) const {
  const std::size_t last = shape_.tile.size() - 1;
  const std::int64_t width = shape_.tile[last], valid = box.valid[last];
  const auto element = static_cast<std::int64_t>(shape_.element);
  rows(shape_, box, [&](std::int64_t offset, std::int64_t row, bool inside) {
    std::byte* to = out + row * width * element;
    const std::int64_t n = inside ? valid : 0;
    if (n > 0) copy_strided(to, element, box.base + offset, box.strides[last], n, shape_.element);
    fill_with(to + n * element, shape_.padding.data(), shape_.element,
              static_cast<std::size_t>((width - n) * element));
  });
}

void ViewAccess::store(const Box& box, const std::byte* in) const {
  const std::size_t last = shape_.tile.size() - 1;
  const std::int64_t width = shape_.tile[last], valid = box.valid[last];
  const auto element = static_cast<std::int64_t>(shape_.element);
  if (valid == 0) return;
  rows(shape_, box, [&](std::int64_t offset, std::int64_t row, bool inside) {
    if (inside)
      copy_strided(box.base + offset, box.strides[last], in + row * width * element, element, valid,
                   shape_.element);
  });
}

void make_bools(std::byte* bytes, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    bytes[i] = bytes[i] == std::byte{0} ? std::byte{0} : std::byte{1};
}

ScatteredAccess::Positions ScatteredAccess::locate(const Thread& thread) const {
  const TensorValue& tensor = thread.tensors[shape_.tensor];
  Positions positions(shape_.tile.size());
  const auto width = static_cast<std::size_t>(index_bytes_);
  // Indices are unsigned; what is past every edge stays there.
  const auto read = [&](Cell cell, std::size_t i) {
    std::uint64_t v = 0;
    std::memcpy(&v, thread.at[cell] + i * width, width);
    return static_cast<std::int64_t>(std::min<std::uint64_t>(v, std::uint64_t{1} << 38U));
  };
  for (std::size_t a = 0; a < positions.size(); ++a) {
    const std::size_t axis = shape_.axis[a];
    const auto n = static_cast<std::size_t>(shape_.tile[a]);
    positions[a].resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t at =
          sparse_ == a ? read(index_[a], i)
                       : read(index_[a], 0) * shape_.step[a] + static_cast<std::int64_t>(i);
      positions[a][i] = at < tensor.extents[axis] ? at * tensor.strides[axis] : -1;
    }
  }
  return positions;
}

void ScatteredAccess::load(const Thread& thread, std::byte* out) const {
  const std::byte* from = base(thread);
  visit(thread, [&](std::size_t i, std::int64_t offset) {
    std::byte* to = out + i * shape_.element;
    if (offset < 0) {
      std::memcpy(to, shape_.padding.data(), shape_.element);
    } else if (shape_.is_4bit) {
      *to = (from[offset / 2] >> (offset % 2 * 4)) & std::byte{15};
    } else {
      std::memcpy(to, from + offset, shape_.element);
      if (shape_.is_bool) make_bools(to, 1);
    }
  });
}

void ScatteredAccess::store(const Thread& thread, const std::byte* in) const {
  std::byte* to = base(thread);
  visit(thread, [&](std::size_t i, std::int64_t offset) {
    if (offset < 0) return;
    const std::byte* from = in + i * shape_.element;
    if (shape_.is_4bit) {
      const auto shift = static_cast<unsigned>(offset % 2 * 4);
      std::byte& pair = to[offset / 2];
      pair = (pair & ~(std::byte{15} << shift)) | (*from & std::byte{15}) << shift;
    } else {
      std::memcpy(to + offset, from, shape_.element);
    }
  });
}

Flow LoadStep::run(Thread& thread) const {
  const ViewAccess::Box box = access_.box(thread);
  if (may_alias_) {
    if (access_.is_direct(box)) {
      thread.at[out_] = box.base;
      return Flow::next;
    }
    thread.at[out_] = thread.home[out_];
  }
  access_.load(box, thread.at[out_]);
  if (access_.shape().is_bool) make_bools(thread.at[out_], access_.bytes());
  return Flow::next;
}

Flow StoreStep::run(Thread& thread) const {
  const ViewAccess::Box box = access_.box(thread);
  if (thread.at[in_] == box.base && access_.is_direct(box)) return Flow::next; // computed in place
  access_.store(box, thread.at[in_]);
  return Flow::next;
}

Flow BindStore::run(Thread& thread) const {
  const ViewAccess::Box box = access_.box(thread);
  bool direct = access_.is_direct(box);
  const std::byte* first = box.base;
  const std::byte* last = first + access_.bytes();
  for (const Input& input : inputs_) {
    // An input that reaches into the output would be overwritten before it is read, unless they are
    // the same elements.
    const std::byte* in = thread.at[input.cell];
    const bool same = in == first && input.bytes == access_.bytes();
    if (!same && in < last && first < in + input.bytes) direct = false;
  }
  thread.at[out_] = direct ? box.base : thread.home[out_];
  return Flow::next;
}

} // namespace cutile::cpu
