// Tables of the SIMD kernels: 32 floats each, looked up in two registers by one permutation.
#pragma once
#include "../core/config.hpp"

namespace ricci {
namespace detail {
inline namespace RICCI_ISA {

/// tanh(x) = t[1] + d (t[2] + d (t[3] + ...)), d = x - t[0], for 0 <= x < 15. The low bits of the binade and the three
/// leading bits of the fraction of 1 + x tell the cell. t[0] lies near its middle, where tanh is all but a float (Gal's
/// method); the cell at 0 begins with 0 + d, which keeps small results relatively accurate. Within 2^-25.3.
alignas(64) inline constexpr float tanh_table[7][32] = {
    {0x1.1fe932p+0f, 0x1.5fe8d8p+0f, 0x1.9febaap+0f, 0x1.dfe98p+0f, 0x1.0fee28p+1f, 0x1.2fe942p+1f,
     0x1.4feb2cp+1f, 0x1.6fe8f2p+1f, 0x1.9fea9ep+1f, 0x1.dff9f8p+1f, 0x1.0fe914p+2f, 0x1.2fea92p+2f,
     0x1.4fedc8p+2f, 0x1.6ffdb2p+2f, 0x1.9002d8p+2f, 0x1.affff6p+2f, 0x1.e0176ep+2f, 0x1.1p+3f,
     0x1.3p+3f, 0x1.5p+3f, 0x1.7p+3f, 0x1.9p+3f, 0x1.bp+3f, 0x1.dp+3f,
     0, 0x1.7fe9d2p-3f, 0x1.3fe8fap-2f, 0x1.bfe8a2p-2f, 0x1.1fea7ep-1f, 0x1.5ff3b8p-1f,
     0x1.9feb3cp-1f, 0x1.dfeaa6p-1f},
    {0x1.9e4cf8p-1f, 0x1.c26e2ep-1f, 0x1.d9c122p-1f, 0x1.e87494p-1f, 0x1.f19558p-1f, 0x1.f7345ep-1f,
     0x1.faa5d8p-1f, 0x1.fcbf22p-1f, 0x1.fe75f6p-1f, 0x1.ff6f0ap-1f, 0x1.ffca86p-1f, 0x1.ffec54p-1f,
     0x1.fff8c4p-1f, 0x1.fffd58p-1f, 0x1.ffff06p-1f, 0x1.ffffa4p-1f, 0x1.ffffecp-1f, 0x1.fffffep-1f,
     0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f,
     0, 0x1.7b7a8ep-3f, 0x1.35e4ap-2f, 0x1.a55f36p-2f, 0x1.04f884p-1f, 0x1.314ff6p-1f,
     0x1.577d94p-1f, 0x1.77ce6p-1f},
    {0x1.6182f6p-2f, 0x1.cef0eep-3f, 0x1.26897ep-3f, 0x1.700d5ap-4f, 0x1.c6d64ap-5f, 0x1.17096p-5f,
     0x1.54bfaap-6f, 0x1.9f1c4cp-7f, 0x1.89726p-8f, 0x1.21c2f4p-9f, 0x1.abb9a4p-11f, 0x1.3ab9f8p-12f,
     0x1.cefcecp-14f, 0x1.53ff9p-15f, 0x1.f4016ep-17f, 0x1.7003c8p-18f, 0x1.478598p-20f, 0x1.639e3p-23f,
     0x1.81057p-26f, 0x1.a0db0ep-29f, 0x1.c3527ep-32f, 0x1.e8a37ap-35f, 0x1.08852ap-37f, 0x1.1e642cp-40f,
     0x1p+0f, 0x1.ee6bep-1f, 0x1.d11bcap-1f, 0x1.a94db6p-1f, 0x1.7afb22p-1f, 0x1.49f03p-1f,
     0x1.198f2p-1f, 0x1.d851bcp-2f},
    {-0x1.1e0e6ap-2f, -0x1.9745d2p-3f, -0x1.10894ap-3f, -0x1.5f2096p-4f, -0x1.ba0796p-5f, -0x1.123e2p-5f,
     -0x1.512f96p-6f, -0x1.9c78bep-7f, -0x1.883e8ep-8f, -0x1.216cfap-9f, -0x1.ab8706p-11f, -0x1.3aa978p-12f,
     -0x1.ceefep-14f, -0x1.53f904p-15f, -0x1.f3f97p-17f, -0x1.6ffe58p-18f, -0x1.473a84p-20f, -0x1.634cb6p-23f,
     -0x1.80ad3cp-26f, -0x1.a07b8ep-29f, -0x1.c2eb1ap-32f, -0x1.e8338ap-35f, -0x1.08489p-37f, -0x1.1e229p-40f,
     0x1.50941ap-22f, -0x1.6e730cp-3f, -0x1.1982dep-2f, -0x1.5e056ap-2f, -0x1.8256e8p-2f, -0x1.897e32p-2f,
     -0x1.79c8e4p-2f, -0x1.5aae44p-2f},
    {0x1.c68858p-4f, 0x1.97f7p-4f, 0x1.33ff88p-4f, 0x1.a897dep-5f, 0x1.15f8aep-5f, 0x1.610a26p-6f,
     0x1.b82866p-7f, 0x1.0f7b3ep-7f, 0x1.03ee48p-8f, 0x1.810f2p-10f, 0x1.1ccb6cp-11f, 0x1.a36fc2p-13f,
     0x1.3499aep-14f, 0x1.c54af8p-16f, 0x1.4d526p-17f, 0x1.eaabb8p-19f, 0x1.b48742p-21f, 0x1.d9f9e6p-24f,
     0x1.009536p-26f, 0x1.15cc38p-29f, 0x1.2cc444p-32f, 0x1.45a27ep-35f, 0x1.608f18p-38f, 0x1.7db598p-41f,
     -0x1.555b34p-2f, -0x1.27a9f6p-2f, -0x1.c1c1dp-3f, -0x1.1701bcp-3f, -0x1.bdde3cp-5f, 0x1.d5f4c4p-7f,
     0x1.06f7dap-4f, 0x1.841718p-4f},
    {0x1.e31558p-9f, -0x1.5a0914p-6f, -0x1.9be13ap-6f, -0x1.55c234p-6f, -0x1.eb90bap-7f, -0x1.48c8b6p-7f,
     -0x1.a659fap-8f, -0x1.091ddp-8f, -0x1.034c4ap-9f, -0x1.8347cp-11f, -0x1.1f4b1ep-12f, -0x1.a79506p-14f,
     -0x1.37c6cp-15f, -0x1.ca06bp-17f, -0x1.50d218p-18f, -0x1.efd4d4p-20f, -0x1.c74b04p-22f, -0x1.ee5a18p-25f,
     -0x1.0b9cfap-27f, -0x1.21bd76p-30f, -0x1.39b24cp-33f, -0x1.53a234p-36f, -0x1.6fb71cp-39f, -0x1.8e1e6ap-42f,
     0x1.f0f11p-12f, 0x1.ce3e06p-4f, 0x1.430e7ep-3f, 0x1.5b89ccp-3f, 0x1.3a0036p-3f, 0x1.e964dcp-4f,
     0x1.47702ap-4f, 0x1.637354p-5f},
    {-0x1.069d0cp-5f, -0x1.374fd2p-7f, 0x1.7193aap-10f, 0x1.2e0bf4p-8f, 0x1.25f2d2p-8f, 0x1.c06f06p-9f,
     0x1.3436c6p-9f, 0x1.91c228p-10f, 0x1.937352p-11f, 0x1.321eecp-12f, 0x1.c8c84ep-14f, 0x1.5171fep-15f,
     0x1.f12258p-17f, 0x1.6d451p-18f, 0x1.0ca35p-19f, 0x1.8b79a2p-21f, 0x1.67f06p-23f, 0x1.86d1bep-26f,
     0x1.a72238p-29f, 0x1.ca1e92p-32f, 0x1.efff6ep-35f, 0x1.0c8106p-37f, 0x1.22b45ap-40f, 0x1.3abd9ap-43f,
     0x1.0a3366p-3f, 0x1.8ba648p-4f, 0x1.751956p-5f, -0x1.876992p-8f, -0x1.645a78p-5f, -0x1.f8bbb2p-5f,
     -0x1.00d91p-4f, -0x1.b2e70ap-5f},
};

}  // namespace RICCI_ISA
}  // namespace detail
}  // namespace ricci
