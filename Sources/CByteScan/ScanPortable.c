// The fast way with the vectors of 16 bytes that every processor of the kind has, such as SSE2 and NEON.
#include "ScanInternal.h"

#define GV_LANES 16

#include "ScanKernels.h"

const gv_scanner gv_scanner_portable = GV_SCANNER;
