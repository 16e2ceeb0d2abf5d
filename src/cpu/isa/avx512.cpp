#define CUTILE_ISA avx512
#define CUTILE_EIGEN Eigen_avx512
#include "cpu/isa/kernels.inl"
