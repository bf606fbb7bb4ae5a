// The fast implementation with 16-byte vectors, which every supported processor has, such as SSE2 and NEON.
#include "ScanInternal.h"

#define GV_LANES 16

#include "ScanKernels.h"

const gv_scanner gv_scanner_portable = GV_SCANNER;
