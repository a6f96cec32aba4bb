// The tensor: a handle on shared storage with a static rank and element type.
#pragma once
#include <span>

#include "concepts.hpp"
#include "device.hpp"
#include "nested_list.hpp"

namespace ricci {

template <element T, int R, class Device>
class tensor;

/// Computes plain ops on one device; specialised by the backends.
template <class Device>
struct executor;

namespace detail {

/// Refuses a write to what is only read: x(i) of an expression x, and constant elements.
template <class E>
constexpr void refuse_write() {
    static_assert(
        always_false<E>,
        "ricci: nothing can be written into `auto y = a * b`, which is an expression (`auto y = evaluate(a * "
        "b)` is an array), nor into a tensor<const T>, as broadcast_to and meshgrid give (a clone() of it can)");
}

/// Says in the error of a deleted function what was meant.
struct elements_are_copied_by_from_span_and_viewed_by_borrow {};

}  // namespace detail

/// A handle on an array of rank R: storage shared by reference count, a data pointer, extents and strides.
///
/// Copying shares (`clone()` copies the elements). Assigning to a named tensor rebinds it; assigning to an unnamed
/// view, `x(all, 0) = e`, and `+=` and friends write the elements in place. `const` on the handle does not protect the
/// data: `tensor<const T, R>` does.
template <element T, int R, class Device = cpu_device>
class tensor : public indexable<tensor<T, R, Device>> {
   public:
    using element_type = T;
    using value_type = std::remove_const_t<T>;
    using device_type = Device;
    using wrapper = void;
    using braces = typename detail::nested_list<value_type, R>::type;
    static constexpr int rank = R;
    static constexpr bool is_array = true;

    /// No elements (all extents 0); of rank 0, one zero.
    tensor() {
        if constexpr (R == 0) *this = tensor(value_type(0));
    }
    RICCI_INLINE tensor(const tensor&) = default;
    /// What is moved from has no elements then (handle_extents); of rank 0 nothing but assignment is left.
    RICCI_INLINE tensor(tensor&&) noexcept = default;
    RICCI_INLINE ~tensor() = default;  // see map_node

    /// From nested braces: `tensor<double, 2> a{{1, 2, 3}, {4, 5, 6}}`. Throws shape_error when they are ragged. A
    /// template, so that braces with results of reductions in them, which both of these take, are given to the second.
    template <std::nullptr_t = nullptr>
        requires(R > 0)
    tensor(std::conditional_t<(R > 0), braces, detail::no_braces> values) {
        adopt_braces(values);
    }
    tensor(typename detail::nested_list<detail::element_in_braces<value_type>, R>::type values)
        requires(R > 0)
    {
        adopt_braces(values);
    }

    /// From one number, rank 0.
    template <class S>
        requires(R == 0 && scalar_value<S>)
    tensor(const S& value) {
        auto host = tensor<value_type, 0, cpu_device>::uninitialized({});
        *host.data() = detail::convert_number<value_type>(value);
        adopt_host(std::move(host));
    }

    /// What is no list of this rank, to say so.
    template <class N, class... More>
        requires(R > 0 && std::is_arithmetic_v<N> && (std::is_arithmetic_v<More> && ...))
    explicit(sizeof...(More) == 0) tensor(N, More...) {
        static_assert(
            always_false<N>,
            "ricci: a tensor's braces are nested as deep as its rank, {{1, 2}, {3, 4}}; by its shape alone it is "
            "made by zeros<T>({3, 4}) or empty<T>({3, 4})");
    }
    template <class N, int... M>
        requires((R == 1 && sizeof...(M) > 1) || R > 2)
    explicit tensor([[maybe_unused]] const N (&... rows)[M]) {
        static_assert(R != 1 || always_false<N>,
                      "ricci: {{1, 2}, {3, 4}} is of rank 2, and a tensor<T, 1> takes {1, 2, 3}");
        static_assert(R == 1 || always_false<N>,
                      "ricci: {{1, 2}, {3, 4}} is of rank 2, a tensor<T, 3> takes {{{1, 2}}}");
    }
    template <class Text>
        requires(R > 0 && std::is_convertible_v<const Text&, const char*>)
    tensor(const braces&, const Text&) {
        static_assert(always_false<Text>, "ricci: the type of elements is no text: tensor<float, 1>{1, 2}");
    }
    template <scalar_value V>
        requires(R > 0)
    tensor(std::initializer_list<index_t>, const V&) {
        static_assert(always_false<V>, "ricci: an array of one value is made by full({3, 4}, 0.5)");
    }
    template <int N>
    explicit tensor(const ricci::shape<N>&) {
        static_assert(always_false<ricci::shape<N>>,
                      "ricci: an array of a given shape is made by zeros<T>(shape) or empty<T>(shape)");
    }
    /// Deleted, so that a vector does not count as convertible. Where no reason can be given (before C++26), compilers
    /// print the second parameter's type.
    template <class V>
        requires(R > 0 && !expression<V> && requires(const V& v) { std::data(v), std::size(v), std::begin(v); })
#if defined(__cpp_deleted_function)
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
#endif
    tensor(const V&) =
        delete("ricci: the elements of a vector or span are copied by from_span(v) and viewed by borrow(v)");
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#else
    tensor(const V&, detail::elements_are_copied_by_from_span_and_viewed_by_borrow = {}) = delete;
#endif

    /// Evaluates an expression of the same rank and device; elements are converted to T.
    template <expression E>
        requires(!std::is_same_v<E, tensor>)
    tensor(const E& e) {
        static_assert(E::rank == R, "ricci: the expression's rank is not the tensor's rank");
        if constexpr (E::rank == R) assign(*this, e);
    }

    /// An array whose elements are not set.
    static tensor uninitialized(const ricci::shape<R>& extents) {
        detail::check_extents(extents, sizeof(value_type), "shape");
        return tensor(Device::allocate(static_cast<std::size_t>(extents.count()) * sizeof(value_type)), extents);
    }
    /// A view of `memory`, owning a share of it: for the library's own views and for borrowed data.
    tensor(storage memory, T* data, const ricci::shape<R>& extents, const ricci::shape<R>& strides)
        : memory_(std::move(memory)), extents_(extents), data_(data), strides_(strides) {}

    tensor& operator=(const tensor&) & = default;
    tensor& operator=(tensor&&) & noexcept = default;
    /// Writes the elements of this view.
    tensor& operator=(const tensor& values) && {
        write(*this, values);
        return *this;
    }
    /// Rebinds this name to the value of `e`; its buffer is used again when nothing else owns it and the shape fits.
    template <expression E>
        requires(!std::is_same_v<E, tensor>)
    RICCI_INLINE tensor& operator=(const E& e) & {
        static_assert(E::rank == R, "ricci: the expression's rank is not the tensor's rank");
        if constexpr (E::rank == R) assign(*this, e);
        return *this;
    }
    /// Writes the elements of this view; `e` is broadcast to its shape.
    template <expression E>
        requires(!std::is_same_v<E, tensor>)
    tensor& operator=(const E& e) && {
        write(*this, e);
        return *this;
    }
    template <scalar_value S>
    tensor& operator=(const S& value) && {
        write(*this, value);
        return *this;
    }
    /// A complex number of its parts: `z(0) = {1.0, 2.0}`; of an element of another kind a list is refused.
    tensor& operator=(detail::complex_parts<real_t<value_type>> parts) &&
        requires(R == 0)
    {
        static_assert(is_complex_v<value_type>,
                      "ricci: one element takes one number: x(0) = 1; a row x(0, ricci::all) a list");
        if constexpr (is_complex_v<value_type>) write(*this, value_type(parts.real, parts.imag));
        return *this;
    }
    /// Refused: x(i) of an expression is a part of its value, which nothing keeps.
    template <expression_or_number E>
    void operator=(const E&) const&& {
        detail::refuse_write<E>();
    }
    template <class Text>
        requires std::is_convertible_v<const Text&, const char*>
    void operator=(const Text&) const& {
        static_assert(always_false<Text>, "ricci: arrays hold numbers, no text");
    }
    template <scalar_value S>
    tensor& operator=(const S& value) & {
        static_assert(R == 0, "ricci: a named tensor is not filled by `x = 1`; write `x(ricci::ellipsis) = 1`");
        if constexpr (R == 0) *this = tensor(value);
        return *this;
    }

    /// x(i) of a constant without a name, as y(n) of an expression y, `y(n)(0) = 1`, is only read: a write would be
    /// lost. What is no constant stays writable, `x(0)(1) = 2`.
    template <class... Index>
    RICCI_INLINE decltype(auto) operator()(const Index&... i) const&& {
        return constant_part(i...);
    }
    template <int... N>
        requires(sizeof...(N) > 0)
    decltype(auto) operator()(const position (&... lists)[N]) const&& {
        return constant_part(index_array(lists)...);
    }
    template <class... Index>
    RICCI_INLINE constexpr decltype(auto) operator()(const Index&... i) && {
        return static_cast<const tensor&>(*this)(i...);
    }
    template <int... N>
        requires(sizeof...(N) > 0)
    decltype(auto) operator()(const position (&... lists)[N]) && {
        return static_cast<const tensor&>(*this)(lists...);
    }
    template <int N, class First, class... Index>
    decltype(auto) operator()(const position (&list)[N], const First& first, const Index&... i) const&& {
        return constant_part(index_array(list), first, i...);
    }
    template <int N, class First, class... Index>
    decltype(auto) operator()(const position (&list)[N], const First& first, const Index&... i) && {
        return static_cast<const tensor&>(*this)(list, first, i...);
    }
    template <class First, int N, class... Index>
    decltype(auto) operator()(const First& first, const position (&list)[N], const Index&... i) const&& {
        return constant_part(first, index_array(list), i...);
    }
    template <class First, int N, class... Index>
    decltype(auto) operator()(const First& first, const position (&list)[N], const Index&... i) && {
        return static_cast<const tensor&>(*this)(first, list, i...);
    }
    using indexable<tensor>::operator();

    /// In-place arithmetic, visible through every handle on the same storage. That of constants is refused.
    using indexable<tensor>::operator+=, indexable<tensor>::operator-=, indexable<tensor>::operator*=,
        indexable<tensor>::operator/=, indexable<tensor>::operator%=, indexable<tensor>::operator&=,
        indexable<tensor>::operator|=, indexable<tensor>::operator^=, indexable<tensor>::operator<<=,
        indexable<tensor>::operator>>=;
    template <expression_or_number E>
    tensor& operator+=(const E& e) {
        return change(*this + e);
    }
    template <expression_or_number E>
    tensor& operator-=(const E& e) {
        return change(*this - e);
    }
    template <expression_or_number E>
    tensor& operator*=(const E& e) {
        return change(*this * e);
    }
    template <expression_or_number E>
    tensor& operator/=(const E& e) {
        return change(*this / e);
    }
    template <expression_or_number E>
    tensor& operator%=(const E& e) {
        return change(*this % e);
    }
    template <expression_or_number E>
    tensor& operator&=(const E& e) {
        return change(*this & e);
    }
    template <expression_or_number E>
    tensor& operator|=(const E& e) {
        return change(*this | e);
    }
    template <expression_or_number E>
    tensor& operator^=(const E& e) {
        return change(*this ^ e);
    }
    template <expression_or_number E>
    tensor& operator<<=(const E& e) {
        return change(*this << e);
    }
    template <expression_or_number E>
    tensor& operator>>=(const E& e) {
        return change(*this >> e);
    }

    /// The first element. The others lie strides() apart, of results too: a transform along the first axis may be a
    /// view. at() and clone() are for whoever wants rows.
    T* data() const { return data_; }
    const ricci::shape<R>& shape() const { return extents_; }
    /// Extent of one axis, negative ones counted from the end.
    index_t shape(int axis) const { return extents_[detail::normalize_axis(axis, R, "shape")]; }
    /// Steps between neighbours along each axis, in elements.
    const ricci::shape<R>& strides() const { return strides_; }
    /// Number of elements.
    index_t size() const { return extents_.count(); }
    using indexable<tensor>::size;  // of an axis, refused
    static constexpr int ndim() { return R; }
    const storage& memory() const& { return memory_; }
    storage memory() && { return std::move(memory_); }
    static constexpr std::uint64_t level() { return 0; }

    /// True when the elements lie in row-major order without gaps.
    bool is_contiguous() const {
        index_t step = 1;
        for (int i = R - 1; i >= 0; --i) {
            if (strides_[i] != step && extents_[i] != 1) return size() == 0;
            step *= extents_[i];
        }
        return true;
    }
    /// The elements in row-major order, for the standard's algorithms, as are begin() and end(). CPU only; throws
    /// value_error unless they lie so in memory. Valid while a handle on them is.
    std::span<T> span() const { return {begin(), static_cast<std::size_t>(size())}; }
    T* begin() const {
        static_assert(std::is_same_v<Device, cpu_device>,
                      "ricci: begin() reads host memory; use x.to(ricci::cpu) first");
        if (!is_contiguous())
            detail::raise<value_error>({"[span] the elements of a view of shape ", extents_, " and strides ", strides_,
                                        " do not lie in order without gaps: use a clone() of it"});
        return data_;
    }
    T* end() const { return begin() + size(); }
    /// A contiguous copy.
    tensor<value_type, R, Device> clone() const {
        auto copy = tensor<value_type, R, Device>::uninitialized(extents_);
        executor<Device>::copy(*this, copy);
        return copy;
    }
    /// The only element; throws shape_error when there is not exactly one.
    using indexable<tensor>::item;
    value_type item() const {
        if (size() != 1)
            detail::raise<shape_error>({"[item] an array of shape ", extents_, " has ", size(), " elements, not one"});
        return executor<Device>::template read<value_type>(*this);
    }
    operator value_type() const
        requires(R == 0)
    {
        return item();
    }
    /// The element at the given indices (negative ones counted from the end), by reference. CPU only.
    template <class... Index>
        requires(sizeof...(Index) == R && (std::is_integral_v<Index> && ...))
    T& at(Index... index) const& {
        return data_[offset_of(index...)];
    }
    template <class... Index>
        requires(sizeof...(Index) == R && (std::is_integral_v<Index> && ...))
    T& at(Index... index) && {
        return data_[offset_of(index...)];
    }
    /// Of x(i) of an expression x, whose value nothing keeps, a copy.
    template <class... Index>
        requires(sizeof...(Index) == R && (std::is_integral_v<Index> && ...))
    value_type at(Index... index) const&& {
        return data_[offset_of(index...)];
    }
    /// The same elements on another device; the handle itself when it is there already.
    template <class Other>
    auto to(Other) const {
        static_assert(
            device_tag<Other>,
            "ricci: devices are `ricci::cpu` and, with ricci/cuda.hpp, `ricci::cuda`: x.to(ricci::cuda); types "
            "are x.astype<float>()");
        if constexpr (std::is_same_v<Other, Device> || !device_tag<Other>) return *this;
        else return transfer<Other>(*this);
    }

   private:
    tensor(storage memory, const ricci::shape<R>& extents)
        : memory_(std::move(memory)),
          extents_(extents),
          data_(static_cast<T*>(memory_.data())),
          strides_(detail::row_major(extents)) {}

    template <class... Index>
    index_t offset_of(Index... index) const {
        static_assert(std::is_same_v<Device, cpu_device>, "ricci: at() reads host memory; use x.to(ricci::cpu) first");
        const index_t i[R + 1] = {detail::as_position(index)..., 0};
        index_t offset = 0;
        for (int d = 0; d < R; ++d) {
            const index_t k = i[d] < 0 ? i[d] + extents_[d] : i[d];
            if (k < 0 || k >= extents_[d])
                detail::raise<index_error>(
                    {"[at] index ", i[d], " is out of bounds for axis ", d, " with size ", extents_[d]});
            offset += k * strides_[d];
        }
        return offset;
    }
    template <class... Index>
    RICCI_INLINE decltype(auto) constant_part(const Index&... i) const {
        using part = std::remove_const_t<decltype((*this)(i...))>;
        if constexpr (part::is_array) {
            const part of_this = (*this)(i...);
            return of_this;
        } else {
            return tensor<const T, R, Device>(memory_, data_, extents_, strides_)(i...);
        }
    }
    template <class E>
    tensor& change(const E& e) {
        detail::check_in_place<T, value_type_t<E>>();
        write(*this, e);
        return *this;
    }
    void adopt_host(tensor<value_type, R, cpu_device>&& host) {
        if constexpr (std::is_same_v<Device, cpu_device>)
            *this = tensor(host.memory(), host.data(), host.shape(), host.strides());
        else *this = transfer<Device>(host);
    }
    template <class List>
    void adopt_braces(const List& values) {
        ricci::shape<R> extents;
        measure<0>(values, extents);
        auto host = tensor<value_type, R, cpu_device>::uninitialized(extents);
        value_type* out = host.data();
        copy_braces<0>(values, extents, out);
        adopt_host(std::move(host));
    }
    template <int Depth, class List>
    static void measure(const List& list, ricci::shape<R>& extents) {
        extents[Depth] = static_cast<index_t>(list.size());
        if constexpr (Depth + 1 < R)
            if (list.size()) measure<Depth + 1>(*list.begin(), extents);
    }
    template <int Depth, class List>
    static void copy_braces(const List& list, const ricci::shape<R>& extents, value_type*& out) {
        if (static_cast<index_t>(list.size()) != extents[Depth])
            detail::raise<shape_error>(
                {"[tensor] ragged braces: ", list.size(), " elements where the first list has ", extents[Depth]});
        for (const auto& item : list) {
            if constexpr (Depth + 1 < R) copy_braces<Depth + 1>(item, extents, out);
            else *out++ = item;
        }
    }

    // In this order g++ finds no two numbers or pointers side by side to move as one vector, at rank 1, where handles
    // are copied.
    storage memory_;
    detail::handle_extents<R> extents_{};
    T* data_ = nullptr;
    detail::scalar_shape<R> strides_{};
};

/// The value of an expression, `tensor y = a * b`, and the elements of braces, `tensor x{1.0, 2.0}`.
template <expression E>
tensor(const E&) -> tensor<std::remove_const_t<value_type_t<E>>, rank_v<E>, device_t<E>>;
template <scalar_value V>  // refused by the constructor, as the next
tensor(std::initializer_list<index_t>, const V&) -> tensor<double, 1>;
template <class V>
    requires(!expression<V> && requires(const V& v) { std::data(v), std::size(v), std::begin(v); })
tensor(const V&) -> tensor<double, 1>;
template <element T, element... More>
tensor(T, More...) -> tensor<std::common_type_t<T, More...>, 1>;
#ifdef __clang__  // takes braces for one list in templates; g++ would take a list in a list for one
template <element T>
tensor(std::initializer_list<T>) -> tensor<T, 1>;
template <element T>
tensor(std::initializer_list<std::initializer_list<T>>) -> tensor<T, 2>;
template <element T>
tensor(std::initializer_list<std::initializer_list<std::initializer_list<T>>>) -> tensor<T, 3>;
#endif
/// Results of reductions are elements, too: `tensor{min(x), max(x)}`, `tensor{0.0, max(x)}`.
template <class E, class... More>
    requires(sizeof...(More) > 0 && (expression<E> || ... || expression<More>) && detail::is_number<E> &&
             (detail::is_number<More> && ...))
tensor(const E&, const More&...) -> tensor<std::common_type_t<detail::number_t<E>, detail::number_t<More>...>, 1>;
template <int... N>
    requires(sizeof...(N) > 1)
tensor(const detail::number_in_braces (&... rows)[N]) -> tensor<double, 2>;
template <element T, int... N>
tensor(const T (&... rows)[N]) -> tensor<T, 2>;
template <element T, int... N, int... M>
tensor(const T (&... matrices)[N][M]) -> tensor<T, 3>;
template <element T, int N>
tensor(const T (&)[N], const char*) -> tensor<T, 1>;
template <element T, int N, int M>
tensor(const T (&)[N][M], const char*) -> tensor<T, 2>;

/// A braced list of positions as an index array.
template <int N>
tensor<index_t, 1> index_array(const position (&list)[N]) {
    const auto i = tensor<index_t, 1>::uninitialized({N});
    for (int k = 0; k < N; ++k) i.data()[k] = list[k].value;
    return i;
}
template <int N, int M>
tensor<index_t, 2> index_array(const position (&list)[N][M]) {
    const auto i = tensor<index_t, 2>::uninitialized({N, M});
    for (int k = 0; k < N * M; ++k) i.data()[k] = list[k / M][k % M].value;
    return i;
}

namespace detail {

/// A read-only array with the type that others have, nothing copied: for ops that only read and whose results are new,
/// and under transforms, where nothing is written in place.
template <class A>
const A& without_const(const A& a) {
    return a;
}
template <class T, int R, class D>
tensor<T, R, D> without_const(const tensor<const T, R, D>& a) {
    return {a.memory(), const_cast<T*>(a.data()), a.shape(), a.strides()};
}
/// The other way: the same elements, of a type that is not written to, as of views whose elements stand for several
/// places. Arrays under transforms as they are.
template <class A>
A read_only(const A& a) {
    return a;
}
template <class T, int R, class D>
tensor<const T, R, D> read_only(const tensor<T, R, D>& a) {
    return {a.memory(), a.data(), a.shape(), a.strides()};
}
/// The same elements in row-major order without gaps, to be read: x itself where it has them so, else a copy.
template <class T, int R, class D>
tensor<std::remove_const_t<T>, R, D> dense_of(const tensor<T, R, D>& x) {
    if (x.is_contiguous()) return without_const(x);
    return x.clone();
}

}  // namespace detail

}  // namespace ricci
