#ifndef GRIDVIEW_BUILD_INFO_H
#define GRIDVIEW_BUILD_INFO_H

/// The commit that the program was built from, abbreviated; empty if the build did not know it.
const char *gridview_commit(void);

#endif
