// Ensembles: models of one structure stacked into one model, which vmap evaluates at once.
#pragma once
#include <vector>

#include "../expr/index.hpp"
#include "../expr/structure.hpp"
#include "../ops/join.hpp"

namespace ricci {
namespace detail {

/// What stands in one place of each model, stacked.
template <class A>
auto stack_places(const std::vector<A>& models) {
    if constexpr (is_list_v<A>) {
        using item = std::remove_cvref_t<decltype(models[0].items[0])>;
        list_of_arrays<decltype(stack_places(std::vector<item>()))> stacked{.keys = models[0].keys};
        const std::size_t length = models[0].items.size();
        for (const A& list : models) {
            if (list.items.size() != length) refuse_lengths(index_t(length), index_t(list.items.size()));
            check_keys(stacked.keys.get(), list.keys.get());
        }
        for (std::size_t i = 0; i < length; ++i) {
            std::vector<item> same;
            same.reserve(models.size());
            for (const A& list : models) same.push_back(list.items[i]);
            stacked.items.push_back(stack_places(same));
        }
        return stacked;
    } else {
        return stack_list(models, 0, "stack_state");
    }
}
template <class S>
auto stack_structures(const S* models, std::size_t count) {
    if (count == 0) detail::raise<value_error>({"[stack_state] needs at least one model"});
    using arrays = decltype(structure<S>::arrays(*models));
    return structure<S>::template at<0>(generate<arrays::size>([&](auto k) {
        std::vector<pack_element_t<k(), arrays>> list;
        list.reserve(count);
        for (std::size_t i = 0; i < count; ++i) list.push_back(get<k()>(structure<S>::arrays(models[i])));
        return stack_places(list);
    }));
}

}  // namespace detail

/// Models of one type, structs of arrays that list their members (expr/structure.hpp), as one whose arrays have a
/// leading axis: vmap(model, in_axes(0, none))(stack_state(models), x) evaluates an ensemble. A list as stack takes it:
/// stack_state({a, b}), or a std::vector or std::array. Throws shape_error when the models' shapes differ, value_error
/// for an empty list. Linear, and differentiable as stack is. (torch.func.stack_module_state.)
template <class S>
auto stack_state(const std::vector<S>& models) {
    return detail::stack_structures(models.data(), models.size());
}
template <class S, std::size_t N>
auto stack_state(const std::array<S, N>& models) {
    return detail::stack_structures(models.data(), N);
}
template <class S, std::size_t N>
auto stack_state(const S (&models)[N]) {
    return detail::stack_structures(models, N);
}

/// The models that stack_state stacked, as a std::vector: views of the stacked arrays. Throws shape_error when their
/// leading axes differ.
template <class S>
auto unstack_state(const S& stacked) {
    const auto arrays = detail::structure<S>::arrays(stacked);
    const auto model = [&](index_t i) {
        const auto member = [i](const auto& a) { return index(a, i); };
        return detail::structure<S>::template at<0>(detail::unpack(
            [&](const auto&... a) { return detail::make_pack(detail::each_array(member, a)...); }, arrays));
    };
    index_t count = -1;
    const auto measure = [&]<class A>(const A& a) {
        static_assert(A::rank >= 1, "ricci: unstack_state needs arrays of rank 1 or more: the models are along axis 0");
        const index_t n = a.shape()[0];
        if (count >= 0 && n != count)
            detail::raise<shape_error>({"[unstack_state] the leading axes differ in size: ", count, " and ", n});
        count = n;
    };
    detail::unpack([&](const auto&... a) { (detail::each_array(measure, a), ...); }, arrays);
    if (count < 0) detail::raise<value_error>({"[unstack_state] a std::vector without an element tells of no models"});
    std::vector<decltype(model(0))> models;
    models.reserve(static_cast<std::size_t>(count));
    for (index_t i = 0; i < count; ++i) models.push_back(model(i));
    return models;
}

}  // namespace ricci
