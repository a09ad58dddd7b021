// Sizes that sort.cl and the host share.
#ifndef DEVICE_KERNELS_SORT_H
#define DEVICE_KERNELS_SORT_H

#define SORT_BLOCK      1024 // numbers of a work-group
#define SORT_DIGITS     256
#define SORT_MOST_ITEMS 256 // work-items of a group

#endif
