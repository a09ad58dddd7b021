// VTK PolyData files in XML (.vtp), written array by array so that only one array is in memory at a time.
//
// Data are inline, base64 of zlib blocks (what ParaView 5.11 reads without fail; appended data it does not):
//     base64(count of blocks, block size, size of the last partial block, compressed sizes...) base64(blocks)
// with 64-bit little-endian numbers. See "VTK XML file formats" in the VTK documentation.
#ifndef RECORD_FRAMES_VTP_H
#define RECORD_FRAMES_VTP_H

#include "base/array.h"
#include "record/file.h"

typedef enum vtp_type { VTP_U16, VTP_I32, VTP_U64, VTP_F32, VTP_F64 } vtp_type;

const char *vtp_type_name(vtp_type type); // VTK's
size_t vtp_type_size(vtp_type type);
const char *vtp_byte_order(void); // of this machine, as VTK calls it

typedef struct vtp_counts {
    size_t points, verts, lines, polys;
} vtp_counts;

typedef struct vtp {
    file_draft draft;
    int threads;
    const char *section; // the open one; NULL when none is
    ARRAY(uint8_t)
    packed; // compressed blocks
    ARRAY(uint64_t)
    header; // of the array being written
} vtp;

scree_status vtp_begin(vtp *file, const char *path, const vtp_counts *counts, int threads, scree_error *error);

// Begins one of PointData, CellData, Points, Verts, Lines, Polys; ends the one before.
void vtp_section(vtp *file, const char *section);

// An array of `count` tuples in the open section.
scree_status vtp_array(vtp *file, const char *name, vtp_type type, size_t components, size_t count, const void *data,
                       scree_error *error);

// Puts the file in its place. It is not flushed to the disk: file_sync does that when it must be there.
scree_status vtp_end(vtp *file, scree_error *error);

// Throws the file away, after a failure.
void vtp_discard(vtp *file);

#endif
