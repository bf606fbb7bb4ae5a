// The fast implementation with AVX2 and carry-less multiplication. It is called only if the processor supports both.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ScanInternal.h"

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,pclmul"))), apply_to = function)

#define GV_LANES 32
#define GV_HAS_CLMUL

#include "ScanKernels.h"

#pragma clang attribute pop

const gv_scanner gv_scanner_avx2 = GV_SCANNER;
#else
typedef int gv_scan_avx2_not_here;
#endif
