#include "record/frames/vtp.h"

#include <zlib.h>

#include "base/error.h"
#include "base/threads.h"
#include "record/frames/base64.h"

enum { BLOCK = 1 << 17, HEADER_WORDS = 3, FASTEST = 1 };

static const struct {
    const char *name;
    size_t size;
} types[] = {
    [VTP_U16] = {"UInt16", 2},  [VTP_I32] = {"Int32", 4},   [VTP_U64] = {"UInt64", 8},
    [VTP_F32] = {"Float32", 4}, [VTP_F64] = {"Float64", 8},
};

const char *vtp_type_name(vtp_type type)
{
    return types[type].name;
}

size_t vtp_type_size(vtp_type type)
{
    return types[type].size;
}

const char *vtp_byte_order(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1 ? "LittleEndian" : "BigEndian";
}

scree_status vtp_begin(vtp *file, const char *path, const vtp_counts *counts, int threads, scree_error *error)
{
    *file = (vtp){.threads = threads};
    scree_status status = draft_open(&file->draft, path, error);
    if (status != SCREE_OK)
        return status;
    file->draft.deferred = true;
    fprintf(file->draft.stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\" "
            "compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n"
            "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"%zu\">\n",
            vtp_byte_order(), counts->points, counts->verts, counts->lines, counts->polys);
    return SCREE_OK;
}

static void end_section(vtp *file)
{
    if (file->section)
        fprintf(file->draft.stream, "</%s>\n", file->section);
    file->section = NULL;
}

void vtp_section(vtp *file, const char *section)
{
    end_section(file);
    fprintf(file->draft.stream, "<%s>\n", section);
    file->section = section;
}

// Compresses the blocks side by side, then closes the gaps between them; `size` is what is left.
static bool pack(vtp *file, const uint8_t *data, size_t bytes, size_t *size)
{
    size_t blocks = block_count(bytes, BLOCK), room = compressBound(BLOCK);
    if (!array_resize(&file->packed, blocks * room) || !array_resize(&file->header, HEADER_WORDS + blocks))
        return false;
    uint64_t *sizes = file->header.data + HEADER_WORDS;
    bool good = true;
#pragma omp parallel for if (blocks > 1) num_threads(file->threads) schedule(dynamic) reduction(&& : good)
    for (size_t i = 0; i < blocks; i++) {
        uLongf length = room;
        size_t from = i * BLOCK;
        int code =
            compress2(file->packed.data + i * room, &length, data + from, block_end(i, BLOCK, bytes) - from, FASTEST);
        sizes[i] = length;
        good = good && code == Z_OK;
    }
    *size = 0;
    for (size_t i = 0; i < blocks; i++) {
        memmove(file->packed.data + *size, file->packed.data + i * room, sizes[i]);
        *size += sizes[i];
    }
    file->header.data[0] = blocks;
    file->header.data[1] = BLOCK;
    file->header.data[2] = bytes % BLOCK;
    return good;
}

scree_status vtp_array(vtp *file, const char *name, vtp_type type, size_t components, size_t count, const void *data,
                       scree_error *error)
{
    size_t size;
    if (!pack(file, data, count * components * types[type].size, &size))
        return fail_no_memory(error);
    FILE *to = file->draft.stream;
    fprintf(to, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%zu\" format=\"binary\">\n", types[type].name,
            name, components);
    base64_put(to, file->header.data, file->header.count * sizeof *file->header.data);
    base64_put(to, file->packed.data, size);
    fprintf(to, "\n</DataArray>\n");
    return SCREE_OK;
}

scree_status vtp_end(vtp *file, scree_error *error)
{
    end_section(file);
    fprintf(file->draft.stream, "</Piece>\n</PolyData>\n</VTKFile>\n");
    scree_status status = draft_commit(&file->draft, error);
    vtp_discard(file);
    return status;
}

void vtp_discard(vtp *file)
{
    draft_discard(&file->draft);
    array_free(&file->packed);
    array_free(&file->header);
}
