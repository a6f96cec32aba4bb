// expect only: ricci: load_csv is of ricci/io\.hpp: load_csv<double>
#include <ricci/ricci.hpp>

int main() {
    namespace rc = ricci;
#ifdef RICCI_FIXED
    (void)rc::load_npy<double, 2>("x.npy");
#else
    (void)rc::load_csv<double>("x.csv");
#endif
}
