// What belongs to a device, as handles of its libraries do: one of each for every device.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace ricci::detail {

/// Objects by the number of their device, made when they are first asked for: that device is the current one then.
template <class Object>
class by_device {
   public:
    Object& operator[](int device) {
        const auto at = static_cast<std::size_t>(device);
        if (at >= made_.size()) made_.resize(at + 1);
        if (!made_[at]) made_[at] = std::make_unique<Object>();
        return *made_[at];
    }

   private:
    std::vector<std::unique_ptr<Object>> made_;
};

}  // namespace ricci::detail
