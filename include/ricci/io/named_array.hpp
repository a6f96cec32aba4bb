// Arrays with names, as savers of files of many arrays take them.
#pragma once
#include <algorithm>

#include "stored_array.hpp"

namespace ricci {

/// An array and its name, for the savers of files of many arrays. Holds the value of the expression, shared if it is a
/// contiguous tensor on the CPU.
class named_array {
    std::string name_;
    storage memory_;
    const void* data_;
    detail::stored_dtype dtype_;
    std::vector<index_t> shape_;

   public:
    template <expression E>
    named_array(std::string name, const E& e) : name_(std::move(name)) {
        using T = value_type_t<E>;
        static_assert(detail::storable<T>, "ricci: files hold bool, integers, floating and complex types up to double");
        const auto value = detail::row_major_value(e);
        memory_ = value.memory();
        data_ = value.data();
        dtype_ = detail::stored_dtype_of<T>();
        shape_.assign(value.shape().begin(), value.shape().end());
    }
    template <scalar_value S>
    named_array(std::string name, const S& value) : named_array(std::move(name), tensor<S, 0>(value)) {}

    const std::string& name() const { return name_; }
    const void* data() const { return data_; }
    const std::vector<index_t>& shape() const { return shape_; }
    detail::stored_dtype dtype() const { return dtype_; }
    std::size_t bytes() const {
        auto count = static_cast<std::size_t>(dtype_.bytes);
        for (const index_t n : shape_) count *= static_cast<std::size_t>(n);
        return count;
    }
};

namespace detail {

/// Refuses arrays that a file of named arrays cannot hold: two of one name, or a name that is too long.
inline void check_names(const char* op, const std::vector<named_array>& arrays, std::size_t longest) {
    std::vector<const std::string*> names;
    for (const named_array& a : arrays) names.push_back(&a.name());
    std::sort(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a < *b; });
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i]->size() > longest)
            raise<value_error>({"[", op, "] a name of ", names[i]->size(), " bytes: at most ", longest, " fit"});
        if (i > 0 && *names[i] == *names[i - 1])
            raise<value_error>({"[", op, "] two arrays named '", names[i]->c_str(), "'"});
    }
}
/// Throws that a file holds no array of a name, and which it holds.
[[noreturn]] inline void fail_absent(const byte_reader& file, const std::string& name,
                                     const std::vector<std::string>& held) {
    std::string text = " holds no array '" + name + "'; it holds ";
    if (held.empty()) text += "none";
    for (std::size_t i = 0; i < held.size() && i < 20; ++i) text += (i ? ", '" : "'") + held[i] + "'";
    if (held.size() > 20) text += " and " + std::to_string(held.size() - 20) + " more";
    file.fail(text);
}

}  // namespace detail
}  // namespace ricci
