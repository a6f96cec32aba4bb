// Functions of structures as functions of the arrays in them, for ops that call functions of their users: numbers stay
// beside, and a list of arrays is one row of all their elements.
#pragma once
#include <memory>

#include "../expr/structure.hpp"
#include "../ops/join.hpp"

namespace ricci::detail {

/// A function's result as arrays: numbers keep their type.
struct as_result {
    template <class A>
    auto operator()(const A& a) const {
        if constexpr (expression<A>) return evaluate(a);
        else return tensor<A, 0>(a);
    }
};

/// The elements of what stands in a place, an array or a list of them, in a row.
template <class A>
auto row_of_place(const A& a) {
    if constexpr (is_list_v<A>) {
        std::vector<array_in_t<A>> all;
        each_array([&](const array_in_t<A>& item) { all.push_back(item); }, a);
        using row = std::remove_cvref_t<decltype(flatten_list(all))>;
        return all.empty() ? constant_array<row>({0}, 0) : flatten_list(all);
    } else {
        return reshaped(a, shape<1>{a.size()});
    }
}
/// An array of the extents given, or a list of them, of the elements of a row from `at` on, which moves on: views.
template <class A, class Extents>
auto place_of_row(const A& row, const Extents& extents, index_t& at) {
    return each_array(
        [&](const auto& to) {
            const index_t from = std::exchange(at, at + to.count());
            return reshaped(evaluate(index(row, slice(from, at))), to);
        },
        extents);
}

template <class A>
struct plain_place {
    using type = tensor<typename A::value_type, A::rank, typename A::device_type>;
};
template <scalar_value A>
struct plain_place<A> {
    using type = A;
};
template <class A>
struct plain_place<list_of_arrays<A>> {
    using type = list_of_arrays<typename plain_place<A>::type>;
};
template <class S, class... P>
auto with_plain_places(const pack<P...>&) -> std::remove_cvref_t<
    decltype(structure<S>::template at<0>(std::declval<pack<typename plain_place<P>::type...>>()))>;
/// The type of a structure without its arrays' wrappers, numbers in it being what `As` makes of them.
template <class As, class S>
using plain_structure_t = decltype(with_plain_places<S>(structure<S>::arrays(std::declval<const S&>(), As{})));

/// What stands in a place P of a structure without wrappers, and the array that an op takes for it: that array itself.
template <class P>
class place_form {
   public:
    using array_type = P;
    static constexpr bool in_op = true;

    place_form() = default;
    template <class A>
    explicit place_form(const A& a) : extents_(a.shape()) {}
    template <class A>
    static const A& joined(const A& a) {
        return a;
    }
    template <class A>
    static const A& parted(const A& a) {
        return a;
    }
    /// An adjoint of the place as one of the array; ranks and shapes of arrays are looked at by who takes them.
    template <class A>
    static const A& fitted(const A& a, const char*) {
        return a;
    }
    auto zeros() const { return constant_array<P>(extents_, 0); }

   private:
    shape<P::rank> extents_{};
};
/// A number, which the op never sees.
template <scalar_value P>
class place_form<P> {
   public:
    static constexpr bool in_op = false;

    place_form() = default;
    explicit place_form(P number) : number_(number) {}
    P parted() const { return number_; }
    static P zeros() { return P(); }

   private:
    P number_{};
};
template <scalar_value P>
class place_form<list_of_arrays<P>> {
   public:
    static constexpr bool in_op = false;

    place_form() = default;
    explicit place_form(const list_of_arrays<P>& numbers) : numbers_(numbers) {}
    const auto& parted() const { return numbers_; }
    auto zeros() const {
        return each_array([](P) { return P(); }, numbers_);
    }

   private:
    list_of_arrays<P> numbers_;
};
/// A list of arrays: their elements in a row.
template <class P>
class place_form<list_of_arrays<P>> {
    using plain = array_in_t<P>;

   public:
    using array_type = tensor<typename plain::value_type, 1, typename plain::device_type>;
    static constexpr bool in_op = true;

    place_form() = default;
    template <class A>
    explicit place_form(const list_of_arrays<A>& list) : extents_(shapes_of(list)) {}
    template <class A>
    static auto joined(const list_of_arrays<A>& list) {
        return row_of_place(list);
    }
    template <class A>
    auto parted(const A& row) const {
        index_t at = 0;
        return place_of_row(row, extents_, at);
    }
    template <class A>
    auto fitted(const list_of_arrays<A>& list, const char* who) const {
        each_array(
            [&]<class X>(const X& a, const auto& to) {
                static_assert(std::is_same_v<decltype(a.shape()), decltype(to)>,
                              "ricci: a derivative rule gave an array of another rank than the argument's");
                if (!(a.shape() == to))
                    raise<shape_error>(
                        {"[", who, "] the rule gave shape ", a.shape(), " for an argument of shape ", to});
            },
            list, extents_);
        return joined(list);
    }
    auto zeros() const {
        index_t count = 0;
        each_array([&](const auto& to) { count += to.count(); }, extents_);
        return constant_array<array_type>({count}, 0);
    }

   private:
    template <class A>
    static auto shapes_of(const list_of_arrays<A>& list) {
        return each_array([](const auto& a) { return a.shape(); }, list);
    }
    decltype(shapes_of(std::declval<const list_of_arrays<P>&>())) extents_;
};

/// Whether structures whose places are of the types P and Q are alike: the same number of arrays, and lists where lists
/// are.
template <class P, class Q>
inline constexpr bool alike_places_v = false;
template <class... P, class... Q>
    requires(sizeof...(P) == sizeof...(Q))
inline constexpr bool alike_places_v<pack<P...>, pack<Q...>> = ((is_list_v<P> == is_list_v<Q>) && ...);

template <class... P>
auto form_of_places(const pack<P...>&) -> pack<place_form<P>...>;

/// The arguments of an op's function, of the types S without wrappers: what their arrays and an op's have to do with
/// each other.
template <class... S>
class op_arguments {
    using places = decltype(concat_all(structure<S>::arrays(std::declval<const S&>(), as_argument_of<false>{})...));
    using forms = decltype(form_of_places(std::declval<const places&>()));
    template <int K>
    static constexpr bool in_op = pack_element_t<K, forms>::in_op;
    static constexpr auto among = []<int... K>(std::integer_sequence<int, K...>) {
        return activity<in_op<K>...>{};
    }(std::make_integer_sequence<int, places::size>{});
    using taken = std::remove_const_t<decltype(among)>;

   public:
    template <class... P>
    explicit op_arguments(const pack<P...>& given)
        : forms_(generate<places::size>([&](auto k) { return pack_element_t<k(), forms>(get<k()>(given)); })) {}

    /// The arrays that the op takes for what stands in the places.
    template <class... P>
    auto arrays(const pack<P...>& given) const {
        return generate<taken::count>([&](auto i) {
            constexpr int k = taken::find(i());
            return get<k>(forms_).joined(get<k>(given));
        });
    }
    /// The arguments around other arrays.
    template <class... A>
    auto together(const pack<A...>& arrays) const {
        return built(generate<places::size>([&](auto k) {
            if constexpr (in_op<k()>) return get<k()>(forms_).parted(get<taken::before(k())>(arrays));
            else return get<k()>(forms_).parted();
        }));
    }
    /// The same of their tangents, which those of numbers are zeros in.
    template <class... A>
    auto tangents(const pack<A...>& arrays) const {
        return built(generate<places::size>([&](auto k) {
            if constexpr (in_op<k()>) return get<k()>(forms_).parted(get<taken::before(k())>(arrays));
            else return get<k()>(forms_).zeros();
        }));
    }
    /// The adjoints of the arrays, a tuple, from that of one argument or a tuple of those of all.
    template <class B>
    auto adjoints(const B& bars, const char* who) const {
        const auto all = [&] {
            if constexpr (sizeof...(S) == 1) {
                return adjoint_of<0>(only_adjoint(bars), who);
            } else {
                constexpr bool each = requires { requires std::tuple_size<B>::value == sizeof...(S); };
                static_assert(each, "ricci: the backward rule must give one adjoint for each argument");
                if constexpr (each)
                    return transform_indices<sizeof...(S)>(
                        [&](auto i) { return adjoint_of<i()>(std::get<std::size_t(i())>(bars), who); },
                        [](const auto&... b) { return concat_all(b...); });
                else return adjoint_of<0>(none, who);
            }
        }();
        return unpack([](const auto&... b) { return std::make_tuple(b...); }, all);
    }

   private:
    template <class Places>
    static auto built(const Places& all) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return std::make_tuple(structure<S>::template at<member_list<S...>::before(I)>(all)...);
        }(std::make_integer_sequence<int, sizeof...(S)>{});
    }
    /// That of the only argument, which may come in a tuple.
    template <class B>
    static const auto& only_adjoint(const B& bars) {
        constexpr bool in_tuple = requires { requires std::tuple_size<B>::value == 1; };
        if constexpr (in_tuple) return std::get<0>(bars);
        else return bars;
    }
    /// The adjoints of the arrays in the I-th argument; none stands for zeros.
    template <int I, class B>
    auto adjoint_of(const B& bar, const char* who) const {
        using X = std::tuple_element_t<std::size_t(I), std::tuple<S...>>;
        constexpr int first = member_list<S...>::before(I), count = structure<X>::count;
        const auto each = [&](const auto& one) {
            return transform_indices<count>(
                [&](auto k) {
                    if constexpr (in_op<first + k()>) return make_pack(one(k, get<first + k()>(forms_)));
                    else return pack<>{};
                },
                [](const auto&... b) { return concat_all(b...); });
        };
        const auto zero = [](auto, const auto& form) { return form.zeros(); };
        if constexpr (std::is_same_v<B, none_t> || scalar_value<X>) {
            return each(zero);
        } else if constexpr (!structured<B>) {
            static_assert(structured<B>, "ricci: a backward rule gives arrays, structures of them, or none for zeros");
            return each(zero);
        } else {
            const auto given = structure<B>::arrays(bar, as_result{});
            constexpr bool alike = alike_places_v<std::remove_const_t<decltype(given)>,
                                                  decltype(structure<X>::arrays(std::declval<const X&>()))>;
            static_assert(alike, "ricci: a backward rule gives the adjoint of an argument in the argument's structure");
            if constexpr (alike)
                return each([&](auto k, const auto& form) { return form.fitted(get<k()>(given), who); });
            else return each(zero);
        }
    }

    forms forms_;
};

/// The result of an op's function, of the type R without wrappers. How long lists in it are is known once the function
/// has run.
template <class R>
class op_results {
    using places = decltype(structure<R>::arrays(std::declval<const R&>(), as_result{}));
    using forms = decltype(form_of_places(std::declval<const places&>()));
    template <class... P>
    static constexpr bool any_list(std::type_identity<pack<P...>>) {
        return (is_list_v<P> || ...);
    }
    static constexpr bool has_lists = any_list(std::type_identity<places>{});

   public:
    op_results() {
        if constexpr (has_lists) forms_ = std::make_shared<forms>();
    }
    /// The arrays that an op gives for a value.
    template <class Y>
    auto apart(const Y& y) const {
        return joined<true>(y, nullptr);
    }
    /// The same for a tangent of it, or what else has its shapes. Throws shape_error where it has others.
    template <class Y>
    auto apart_alike(const Y& y, const char* who) const {
        return joined<false>(y, who);
    }
    /// The result around arrays: those of an op, or their cotangents.
    template <class... A>
    auto together(const pack<A...>& arrays) const {
        return structure<R>::template at<0>(generate<places::size>([&](auto k) {
            if constexpr (has_lists) return get<k()>(*forms_).parted(get<k()>(arrays));
            else return get<k()>(arrays);
        }));
    }

   private:
    template <bool IsValue, class Y>
    auto joined(const Y& y, [[maybe_unused]] const char* who) const {
        const auto given = structure<Y>::arrays(y, as_result{});
        constexpr bool alike = alike_places_v<std::remove_const_t<decltype(given)>, places>;
        static_assert(alike,
                      "ricci: the rules of a function give its values, and tangents, in the structure of its result");
        return one_or_tuple(generate<places::size>([&](auto k) {
            using form = pack_element_t<k(), forms>;
            if constexpr (!alike) {
                return constant_array<typename form::array_type>({}, 0);
            } else if constexpr (has_lists && !IsValue) {
                return get<k()>(*forms_).fitted(get<k()>(given), who);
            } else {
                if constexpr (has_lists) get<k()>(*forms_) = form(get<k()>(given));
                return form::joined(get<k()>(given));
            }
        }));
    }
    [[no_unique_address]] std::conditional_t<has_lists, std::shared_ptr<forms>, nothing> forms_;
};

/// The same as one array: that itself, or all elements of several in a row.
template <class R>
class results_in_a_row {
    using places = decltype(structure<R>::arrays(std::declval<const R&>(), as_result{}));

   public:
    template <class Y>
    auto apart(const Y& y) const {
        const auto given = pack_of(each_.apart(y));
        unpack([&](const auto&... a) { *shapes_ = make_pack(a.shape()...); }, given);
        return unpack([](const auto&... a) { return in_a_row(a...); }, given);
    }
    template <class Y>
    auto apart_alike(const Y& y, const char* who) const {
        const auto given = pack_of(each_.apart_alike(y, who));
        for_indices<places::size>([&](auto k) {
            const auto &have = get<k()>(given).shape(), &want = get<k()>(*shapes_);
            static_assert(std::is_same_v<decltype(have), decltype(want)>,
                          "ricci: a residual has the ranks of the solution's arrays");
            if (!(have == want)) raise<shape_error>({"[", who, "] the residual's shape ", have, " is not x's, ", want});
        });
        return unpack([](const auto&... a) { return in_a_row(a...); }, given);
    }
    template <class A>
    auto together(const pack<A>& row) const {
        index_t at = 0;
        const auto part = [&](const auto& to) {
            const index_t from = std::exchange(at, at + to.count());
            return reshaped(evaluate(index(get<0>(row), slice(from, at))), to);
        };
        return each_.together(generate<places::size>([&](auto k) { return part(get<k()>(*shapes_)); }));
    }

   private:
    template <class... A>
    static auto in_a_row(const A&... a) {
        using T = typename pack_element_t<0, pack<A...>>::value_type;
        static_assert((std::is_same_v<typename A::value_type, T> && ...),
                      "ricci: the arrays of a solution have one element type");
        using chain = chain_of_t<A...>;
        return concat(std::vector{lift(chain{}, reshaped(a, shape<1>{a.shape().count()}))...}, none);
    }
    template <class... P>
    static auto shapes_of(const pack<P...>&)
        -> pack<std::remove_cvref_t<decltype(place_form<P>::joined(std::declval<const P&>()).shape())>...>;
    using shapes = decltype(shapes_of(std::declval<const places&>()));

    op_results<R> each_;
    std::shared_ptr<shapes> shapes_ = std::make_shared<shapes>();
};
template <class R>
    requires(operand<R>)
class results_in_a_row<R> : public op_results<R> {};

/// A function of structures as one of arrays.
template <class F, class In, class Out>
struct function_of_arrays {
    using made_of = F;
    F f;
    In in;
    Out out;
    template <class... A>
    auto operator()(const A&... a) const {
        const auto all = in.together(make_pack(a...));
        return out.apart(std::apply(f, all));
    }
};

/// The type of f's result for arguments without wrappers.
template <class F, class... S>
struct plain_result {
    static_assert(std::is_invocable_v<const F&, const S&...>,
                  "ricci: a function with rules of its own, a callback or a root's solver takes as many arguments as "
                  "are given, each as "
                  "auto, and is not mutable");
    using of_f = std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<const S&>()...))>;
    static_assert(!std::is_void_v<of_f>,
                  "ricci: a function with rules of its own or a callback returns its result, here it returns nothing");
    using type = plain_structure_t<as_result, of_f>;
};

/// `make(in, out)` is an op of arrays that stands for f of structures: its result on the arguments, `As` being what
/// becomes of numbers among these, `Results` what becomes of several arrays in the result.
template <class As, template <class> class Results = op_results, class F, class Make, class... S>
auto call_of_arrays(const F&, const Make& make, const S&... args) {
    const auto places = concat_all(structure<S>::arrays(args, As{})...);
    const op_arguments<plain_structure_t<As, S>...> in(places);
    const Results<typename plain_result<F, plain_structure_t<As, S>...>::type> out;
    const auto op = make(in, out);
    return out.together(unpack([&](const auto&... a) { return call(op, a...); }, in.arrays(places)));
}
/// Numbers stay numbers beside arrays, and are arrays where there is nothing else.
template <class... S>
using numbers_beside = as_argument_of<(scalar_value<S> && ...)>;

}  // namespace ricci::detail
