#define CUTILE_ISA avx2
#define CUTILE_EIGEN Eigen_avx2
#include "cpu/isa/kernels.inl"
