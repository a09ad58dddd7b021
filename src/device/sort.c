// A scan is one of blocks, then of the blocks' sums, and so on; what was summed above is added below. Four levels reach
// beyond 2^32 numbers.
#include "device/sort.h"

#include "device/kernels/sort.h"

enum { SCAN_BLOCKS, SCAN_ADD, COUNT_DIGITS, SCATTER, DIGIT_BITS = 8 };

_Static_assert(SORT_DIGITS == 1 << DIGIT_BITS, "a digit has eight bits");

static uint32_t blocks_of(uint32_t count)
{
    return count / SORT_BLOCK + (count % SORT_BLOCK > 0);
}

scree_status device_sorter_make(device_sorter *sorter, device *on, scree_error *error)
{
    const device_source source = {"sort.cl", kernel_sort, kernel_sort_size};
    *sorter = (device_sorter){
        .kernels = {{"scan_blocks", NULL}, {"scan_add", NULL}, {"count_digits", NULL}, {"scatter", NULL}},
        .group_size = SORT_MOST_ITEMS,
        .counts = {.name = "digits"},
        .keys = {.name = "sorted keys"},
        .values = {.name = "sorted values"}};
    for (int level = 0; level < SORT_LEVELS; level++)
        sorter->sums[level].name = "sums";
    while (sorter->group_size > on->info.work_group)
        sorter->group_size /= 2;
    scree_status status = device_program_build(&sorter->program, on, &source, error);
    if (status != SCREE_OK) {
        sorter->program = NULL;
        return status;
    }
    status = device_kernels_make(on, sorter->program, sorter->kernels, SORT_KERNELS, error);
    if (status != SCREE_OK)
        device_sorter_free(sorter, on);
    return status;
}

void device_sorter_free(device_sorter *sorter, device *on)
{
    device_kernels_free(on, sorter->kernels, SORT_KERNELS);
    if (sorter->program)
        on->api->clReleaseProgram(sorter->program);
    for (int level = 0; level < SORT_LEVELS; level++)
        device_buffer_free(on, &sorter->sums[level]);
    device_buffer_free(on, &sorter->counts);
    device_buffer_free(on, &sorter->keys);
    device_buffer_free(on, &sorter->values);
    sorter->program = NULL;
}

static scree_status scan_level(device_sorter *sorter, device *on, const device_buffer *numbers, uint32_t count,
                               int level, scree_error *error)
{
    uint32_t blocks = blocks_of(count);
    device_buffer *sums = &sorter->sums[level];
    scree_status status = device_buffer_reserve(on, sums, sizeof(uint32_t) * blocks, error);
    if (status != SCREE_OK)
        return status;
    const device_argument arguments[] = {BY_BUFFER(*numbers), BY_VALUE(count), BY_BUFFER(*sums)};
    const device_launch below = {blocks, sorter->group_size, arguments, 3};
    status = device_run(on, &sorter->kernels[SCAN_BLOCKS], &below, error);
    if (status != SCREE_OK || blocks == 1)
        return status;
    status = scan_level(sorter, on, sums, blocks, level + 1, error);
    const device_launch again = {(count + sorter->group_size - 1) / sorter->group_size, sorter->group_size, arguments,
                                 3};
    return status == SCREE_OK ? device_run(on, &sorter->kernels[SCAN_ADD], &again, error) : status;
}

scree_status device_scan(device_sorter *sorter, device *on, const device_buffer *numbers, uint32_t count,
                         scree_error *error)
{
    return count > 0 ? scan_level(sorter, on, numbers, count, 0, error) : SCREE_OK;
}

static scree_status sort_digit(device_sorter *sorter, device *on, device_buffer *keys, device_buffer *values,
                               uint32_t count, uint32_t shift, scree_error *error)
{
    uint32_t blocks = blocks_of(count);
    const device_argument counting[] = {BY_BUFFER(*keys), BY_VALUE(count), BY_VALUE(shift), BY_BUFFER(sorter->counts)};
    const device_argument moving[] = {BY_BUFFER(*keys),         BY_BUFFER(*values),        BY_VALUE(count),
                                      BY_VALUE(shift),          BY_BUFFER(sorter->counts), BY_BUFFER(sorter->keys),
                                      BY_BUFFER(sorter->values)};
    const device_launch first = {blocks, sorter->group_size, counting, 4};
    const device_launch second = {blocks, sorter->group_size, moving, 7};
    scree_status status = device_run(on, &sorter->kernels[COUNT_DIGITS], &first, error);
    if (status == SCREE_OK)
        status = device_scan(sorter, on, &sorter->counts, SORT_DIGITS * blocks, error);
    if (status == SCREE_OK)
        status = device_run(on, &sorter->kernels[SCATTER], &second, error);
    return status;
}

static void swap(device_buffer *a, device_buffer *b)
{
    device_buffer kept = *a;
    *a = (device_buffer){a->name, b->memory, b->bytes};
    *b = (device_buffer){b->name, kept.memory, kept.bytes};
}

scree_status device_sort(device_sorter *sorter, device *on, device_buffer *keys, device_buffer *values, uint32_t count,
                         int bits, scree_error *error)
{
    if (count < 2)
        return SCREE_OK;
    scree_status status =
        device_buffer_reserve(on, &sorter->counts, sizeof(uint32_t) * SORT_DIGITS * blocks_of(count), error);
    if (status == SCREE_OK)
        status = device_buffer_reserve(on, &sorter->keys, keys->bytes, error);
    if (status == SCREE_OK)
        status = device_buffer_reserve(on, &sorter->values, values->bytes, error);
    for (int shift = 0; shift < bits && status == SCREE_OK; shift += DIGIT_BITS) {
        status = sort_digit(sorter, on, keys, values, count, (uint32_t)shift, error);
        swap(keys, &sorter->keys);
        swap(values, &sorter->values);
    }
    return status;
}
