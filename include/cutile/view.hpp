#pragma once

#include <array>
#include <utility>

#include "cutile/control.hpp"
#include "cutile/ops.hpp"
#include "cutile/tile.hpp"

// What a kernel sees of the tensors that it was given.

namespace cutile {

/// What a load gives for elements past the edge of the tensor. All but zero are for floats only.
enum class Padding : std::uint8_t { zero, neg_zero, nan, pos_inf, neg_inf };

/// How a view is loaded. `latency` (1 to 10, 0: the compiler's choice) hints how far ahead loads in
/// a loop are started.
struct LoadOptions {
  Padding padding = Padding::zero;
  int latency = 0;
};

template <class T, int... S> class Out;
template <class T, int... S> class MappedOut;

namespace detail {

/// What a tile must be to be stored to an output.
template <class OutElement, class OutShape, class TileElement, class TileShape> struct StoredTile {
  static_assert(std::is_same_v<OutElement, TileElement>,
                "store: the tile's element type differs from the output's; use ct::cast<T>(tile)");
  static_assert(std::is_same_v<OutShape, TileShape>,
                "store: the tile's shape differs from the partition's; partition by the tile's "
                "shape or change the tile");
  static constexpr bool ok = true;
};

/// An index of a view, counted in tiles: a `ct::Index` or a host integer, with its place.
struct ViewIndex {
  Slot slot;
  SourceLoc at;
  ViewIndex(const Index& i, SourceLoc loc = SourceLoc::current()) : slot(i.slot()), at(loc) {}
  ViewIndex(std::int32_t i, SourceLoc loc = SourceLoc::current())
      : slot(Index(i, loc).slot()), at(loc) {}
};
template <std::size_t> using OneIndex = ViewIndex;

template <class Axes, class T, int... S> class TileViewLoad;

/// The part of TileView whose number of arguments is the rank: plain parameters, so that each knows
/// its place.
template <std::size_t... A, class T, int... S>
class TileViewLoad<std::index_sequence<A...>, T, S...> {
 public:
  TileViewLoad(ViewId id, LoadOptions options) : id_(id), options_(options) {}

  /// The tile at this index, one number per axis, counted in tiles. Elements past the edge have the
  /// padding value. An index outside the grid is an error: refused at launch where it can be seen
  /// there, else an assertion in the kernel.
  Tile<T, S...> load(OneIndex<A>... index) const {
    static_assert(sizeof...(S) > 0, "load: a tensor of rank 0 has no tiles");
    const Slot slots[] = {index.slot...};
    const SourceLoc at[] = {index.at...};
    return Tile<T, S...>(detail::load(id_, slots, tile_type<T, S...>(), options_.latency, at[0]));
  }

 protected:
  ViewId id_;
  LoadOptions options_;
};

} // namespace detail

/// A tensor seen as a grid of tiles of shape S..., read-only.
template <class T, int... S> class TileView
    : public detail::TileViewLoad<std::make_index_sequence<sizeof...(S)>, T, S...> {
 public:
  using detail::TileViewLoad<std::make_index_sequence<sizeof...(S)>, T, S...>::TileViewLoad;

  /// Number of tiles along an axis.
  template <int A> Index count(Axis<A>, SourceLoc at = SourceLoc::current()) const {
    static_assert(A < static_cast<int>(sizeof...(S)),
                  "count: the axis must be below the view's rank");
    return Index(detail::tile_count(this->id_, A, at));
  }
  /// All tile indices along an axis, to iterate over. Loads at them are in bounds by construction.
  template <int A> Range indices(Axis<A>, SourceLoc at = SourceLoc::current()) const {
    return Range(Index(0, at), count(axis<A>, at), Index(1, at), at);
  }
};

/// A tensor that is read and not written in this launch. D... are its extents: `ct::dyn`, or a
/// number that the launch checks.
template <class T, int... D> class In {
 public:
  static constexpr int rank = sizeof...(D);

  explicit In(detail::TensorParam param) : param_(param) {}
  /// Takes a tensor of any extents where the kernel demands fixed ones; the launch checks them.
  template <int... From>
    requires(sizeof...(From) == sizeof...(D) && ((From == dyn || From == D) && ...) &&
             !std::is_same_v<In<T, From...>, In>)
  In(const In<T, From...>& other) : param_(other.param()) {
    int axis = 0;
    ((D != dyn ? detail::require_extent(param_, axis++, D, SourceLoc{})
               : static_cast<void>(axis++)),
     ...);
  }

  /// The tensor as a grid of tiles.
  template <int... S> TileView<T, S...> tiles(Shape<S...>, LoadOptions options = {},
                                              SourceLoc at = SourceLoc::current()) const {
    static_assert(sizeof...(S) == sizeof...(D),
                  "tiles: the tile shape must have as many axes as the tensor");
    static_assert(detail::CheckedShape<S...>::ok);
    return TileView<T, S...>(detail::tile_view(param_, Shape<S...>::extents,
                                               static_cast<detail::PaddingKind>(options.padding),
                                               at),
                             options);
  }

  /// The tile that covers the same elements as this block's piece of `z`, an output of the same
  /// rank.
  template <class U, int... S> Tile<T, S...> load_like(const Out<U, S...>& z,
                                                       LoadOptions options = {},
                                                       SourceLoc at = SourceLoc::current()) const {
    static_assert(sizeof...(S) == sizeof...(D),
                  "load_like: the output must have as many axes as the tensor");
    const auto view = tiles(Shape<S...>{}, options, at);
    return [&]<std::size_t... A>(std::index_sequence<A...>) {
      return view.load(detail::ViewIndex(z.index(static_cast<int>(A), at), at)...);
    }(std::make_index_sequence<sizeof...(S)>{});
  }

  /// The tile that starts `offset` elements (per axis, at least 0) after the start of this block's
  /// piece of `z`: for stencils. Elements past the edge are zero. The launch checks that every
  /// window starts inside the tensor.
  template <class U, int... S>
  Tile<T, S...> load_window(const Out<U, S...>&, const std::array<int, sizeof...(D)>& offset,
                            SourceLoc at = SourceLoc::current()) const {
    static_assert(sizeof...(S) == sizeof...(D),
                  "load_window: the output must have as many axes as the tensor");
    const detail::ViewId view = detail::window_view(param_, Shape<S...>::extents, at);
    detail::Slot index[sizeof...(S)];
    for (std::size_t a = 0; a < sizeof...(S); ++a) {
      index[a] = detail::window_index(static_cast<int>(a), Shape<S...>::extents[a], offset[a], at);
    }
    return Tile<T, S...>(detail::load(view, index, detail::tile_type<T, S...>(), 0, at));
  }

  /// Elements along an axis.
  template <int A> Index extent(Axis<A>, SourceLoc at = SourceLoc::current()) const {
    static_assert(A < static_cast<int>(sizeof...(D)),
                  "extent: the axis must be below the tensor's rank");
    return Index(detail::extent(param_, A, at));
  }
  [[nodiscard]] detail::TensorParam param() const { return param_; }

 private:
  detail::TensorParam param_;
};

/// This block's piece, of shape S..., of a partitioned tensor. Block (i, j, k) of the grid has
/// piece (i, j, k) and no other block has it, so a store takes no index and cannot race.
template <class T, int... S> class Out {
 public:
  static constexpr int rank = sizeof...(S);

  explicit Out(detail::TensorParam param)
      : param_(param), view_(detail::tile_view(param, Shape<S...>::extents,
                                               detail::PaddingKind::zero, SourceLoc{})) {}

  /// Writes the piece; elements past the edge of the tensor are dropped.
  template <class U, int... R>
  void store(const Tile<U, R...>& tile, SourceLoc at = SourceLoc::current()) const {
    static_assert(detail::StoredTile<T, Shape<S...>, U, Shape<R...>>::ok);
    const auto index = slots(at);
    detail::store(view_, std::span(index.data(), sizeof...(S)), tile.slot(), at);
  }
  /// Reads the piece as it is now; elements past the edge are zero.
  Tile<T, S...> load(SourceLoc at = SourceLoc::current()) const {
    const auto index = slots(at);
    return Tile<T, S...>(detail::load(view_, std::span(index.data(), sizeof...(S)),
                                      detail::tile_type<T, S...>(), 0, at));
  }
  /// Index of the piece along axis `a`, counted in pieces.
  Index index(int a, SourceLoc at = SourceLoc::current()) const {
    return Index(detail::block_id(a, at));
  }
  /// Elements of the whole tensor along an axis.
  template <int A> Index extent(Axis<A>, SourceLoc at = SourceLoc::current()) const {
    return Index(detail::extent(param_, A, at));
  }
  [[nodiscard]] static constexpr Shape<S...> shape() { return {}; }

 private:
  [[nodiscard]] std::array<detail::Slot, sizeof...(S) + 1> slots(SourceLoc at) const {
    std::array<detail::Slot, sizeof...(S) + 1> out{};
    for (std::size_t a = 0; a < sizeof...(S); ++a)
      out[a] = detail::block_id(static_cast<int>(a), at);
    return out;
  }
  detail::TensorParam param_;
  detail::ViewId view_;
};

/// Index of one piece of a `MappedOut`. Only the walk over the pieces makes one, and it makes each
/// once over all blocks.
template <class T, int... S> class PieceIndex {
 public:
  /// Index along axis `a`, counted in pieces.
  [[nodiscard]] Index operator[](int a) const {
    return Index(detail::copy(slots_[static_cast<std::size_t>(a)]));
  }

 private:
  friend class MappedOut<T, S...>;
  PieceIndex() = default;
  std::array<detail::Slot, sizeof...(S)> slots_{};
};

/// A partitioned tensor whose pieces a fixed number of persistent blocks share out: each block
/// walks over its own.
template <class T, int... S> class MappedOut {
 public:
  static constexpr int rank = sizeof...(S);

  explicit MappedOut(detail::TensorParam param)
      : view_(detail::tile_view(param, Shape<S...>::extents, detail::PaddingKind::zero,
                                SourceLoc{})) {}

  class Pieces {
   public:
    Pieces(detail::ViewId view, int group, SourceLoc at)
        : view_(view), group_(group), at_(at),
          range_(Index(detail::block_id(0, at)), Index(detail::piece_count(view, at)),
                 Index(detail::grid_size(0, at)), at) {}
    class Iterator {
     public:
      Iterator(Pieces& pieces, Range::Iterator inner) : pieces_(pieces), inner_(inner) {}
      PieceIndex<T, S...> operator*() const {
        PieceIndex<T, S...> piece;
        detail::mapped_index(pieces_.view_, (*inner_).slot(), pieces_.group_, piece.slots_,
                             pieces_.at_);
        return piece;
      }
      Iterator& operator++() {
        ++inner_;
        return *this;
      }
      bool operator!=(Range::End end) const { return inner_ != end; }

     private:
      Pieces& pieces_;
      Range::Iterator inner_;
    };
    Iterator begin() { return Iterator(*this, range_.begin()); }
    static Range::End end() { return {}; }

   private:
    detail::ViewId view_;
    int group_;
    SourceLoc at_;
    Range range_;
  };

  /// This block's pieces, to iterate over. Neighbours in the walk share `group` rows of pieces, so
  /// that they find each other's inputs in the L2 cache.
  Pieces pieces(int group = 1, SourceLoc at = SourceLoc::current()) const {
    return Pieces(view_, group, at);
  }

  /// Writes one piece; elements past the edge of the tensor are dropped.
  template <class U, int... R> void store(const PieceIndex<T, S...>& piece,
                                          const Tile<U, R...>& tile,
                                          SourceLoc at = SourceLoc::current()) const {
    static_assert(detail::StoredTile<T, Shape<S...>, U, Shape<R...>>::ok);
    detail::store(view_, piece.slots_, tile.slot(), at);
  }
  [[nodiscard]] static constexpr Shape<S...> shape() { return {}; }

 private:
  detail::ViewId view_;
};

} // namespace cutile
