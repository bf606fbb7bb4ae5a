// The fast implementation with 16-byte vectors, such as SSE2 and NEON. Every supported processor has such vectors.
#include "ScanInternal.h"

#define GV_LANES 16

#include "ScanKernels.h"

const gv_scanner gv_scanner_portable = GV_SCANNER;
