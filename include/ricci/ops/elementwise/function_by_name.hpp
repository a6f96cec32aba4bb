// What the name of a function of <cmath> becomes as an argument.
#pragma once

namespace ricci::detail {

/// Of all functions of a name the one that is no template, double(double). A class, not a pointer: a lambda would be
/// asked whether it converts to a pointer, and its body instantiated for double to answer.
struct function_by_name {
    double (*function)(double);
    function_by_name(double (*of_a_number)(double)) : function(of_a_number) {}
};

}  // namespace ricci::detail
