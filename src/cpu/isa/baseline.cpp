#define CUTILE_ISA baseline
#define CUTILE_EIGEN Eigen_baseline
#include "cpu/isa/kernels.inl"
