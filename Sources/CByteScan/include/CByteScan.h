#ifndef GV_CBYTESCAN_H
#define GV_CBYTESCAN_H

// With this header for the module, compilers notice when one is added.
#include "ByteScan.h"
#include "FixedPoint.h"
#include "LiteralSearch.h"
#include "Loads.h"
#include "Transcode.h"

#endif
