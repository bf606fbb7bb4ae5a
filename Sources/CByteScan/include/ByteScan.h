#ifndef GRIDVIEW_BYTE_SCAN_H
#define GRIDVIEW_BYTE_SCAN_H
#include <stddef.h>
#include <stdint.h>
#endif
