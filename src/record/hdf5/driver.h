// A file driver for HDF5 that writes to an open descriptor and never reports a failed write to the library.
//
// HDF5 (1.10 at least) crashes when a write fails while it closes a file, so a full disk would end the process. This
// driver keeps the first error for the caller instead, lets the library finish, and the caller then throws the file
// away. It also takes no file locks, which some cluster file systems refuse.
#ifndef RECORD_HDF5_DRIVER_H
#define RECORD_HDF5_DRIVER_H

#include <hdf5.h>

typedef struct driver_io {
    int descriptor; // open for what the file is opened for; the driver does not close it
    int code;       // errno of the first write that failed; 0 when none did
} driver_io;

// An access list for H5Fcreate or H5Fopen that goes through `io`, which must outlive the file; the file name given to
// those is not used. Negative on failure. Close with H5Pclose.
hid_t driver_access(driver_io *io);

// HDF5 has global state and is not always built for threads; two runs in two threads take turns. All use of the library
// stands between these two, and nothing that it says in between reaches the terminal.
typedef struct driver_silence { // the library's own printing, put aside
    H5E_auto2_t function;
    void *data;
} driver_silence;

driver_silence driver_enter(void);
void driver_leave(driver_silence before);

#endif
