#ifndef GV_CBYTESCAN_H
#define GV_CBYTESCAN_H

// An umbrella header, so that compilers detect new headers.
#include "ByteScan.h"
#include "Dates.h"
#include "FixedPoint.h"
#include "JSONFields.h"
#include "LiteralSearch.h"
#include "Loads.h"
#include "Transcode.h"
#include "TypedValues.h"

#endif
