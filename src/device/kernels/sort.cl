// Sums of all numbers before each, and a stable radix sort of keys with values, eight bits a pass (Satish, Harris and
// Garland 2009).
//
// One work-group takes a block of 1,024 numbers. Groups may have any power of two of work-items up to 256: every loop goes over places
// of the block, not over work-items, so that sums and ranks are the same for any.
#include "device/kernels/sort.h"

// Turns counts into sums of those before each, in place; by all work-items of a group. Gives the sum of all.
static uint scan_places(local uint *counts, local uint *parts)
{
    uint item = get_local_id(0), items = get_local_size(0), each = SORT_BLOCK / items, sum = 0;
    for (uint k = 0; k < each; k++)
        sum += counts[item * each + k];
    parts[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint reach = 1; reach < items; reach *= 2) {
        uint add = item >= reach ? parts[item - reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        parts[item] += add;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint at = parts[item] - sum, all = parts[items - 1];
    for (uint k = 0; k < each; k++) {
        uint here = counts[item * each + k];
        counts[item * each + k] = at;
        at += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

kernel void scan_blocks(global uint *numbers, uint count, global uint *sums)
{
    local uint counts[SORT_BLOCK], parts[SORT_MOST_ITEMS];
    uint first = get_group_id(0) * SORT_BLOCK;
    for (uint i = get_local_id(0); i < SORT_BLOCK; i += get_local_size(0))
        counts[i] = first + i < count ? numbers[first + i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = scan_places(counts, parts);
    for (uint i = get_local_id(0); i < SORT_BLOCK; i += get_local_size(0))
        if (first + i < count)
            numbers[first + i] = counts[i];
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = all;
}

kernel void scan_add(global uint *numbers, uint count, global const uint *sums)
{
    uint i = get_global_id(0);
    if (i < count)
        numbers[i] += sums[i / SORT_BLOCK];
}

// How many keys of each block have which digit; by digit, then by block.
kernel void count_digits(global const uint *keys, uint count, uint shift, global uint *counts)
{
    local uint found[SORT_DIGITS];
    uint first = get_group_id(0) * SORT_BLOCK;
    for (uint i = get_local_id(0); i < SORT_DIGITS; i += get_local_size(0))
        found[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < SORT_BLOCK; i += get_local_size(0))
        if (first + i < count)
            atomic_inc(&found[keys[first + i] >> shift & (SORT_DIGITS - 1)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < SORT_DIGITS; i += get_local_size(0))
        counts[i * get_num_groups(0) + get_group_id(0)] = found[i];
}

// Sorts the block by the digit, one bit after the other, and sends each item to its place behind those of its digit in
// earlier blocks. Places beyond the last item have the highest digit, and so stay behind all others.
kernel void scatter(global const uint *keys, global const uint *values, uint count, uint shift,
                    global const uint *starts, global uint *sorted_keys, global uint *sorted_values)
{
    local uint order[2][SORT_BLOCK], zeros[SORT_BLOCK], parts[SORT_MOST_ITEMS], begins[SORT_DIGITS];
    uint first = get_group_id(0) * SORT_BLOCK, from = 0;
    for (uint i = get_local_id(0); i < SORT_BLOCK; i += get_local_size(0)) {
        uint digit = first + i < count ? keys[first + i] >> shift & (SORT_DIGITS - 1) : SORT_DIGITS - 1;
        order[0][i] = digit << 16 | i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bit = 16; bit < 24; bit++) {
        for (uint i = get_local_id(0); i < SORT_BLOCK; i += get_local_size(0))
            zeros[i] = !(order[from][i] >> bit & 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint all = scan_places(zeros, parts);
        for (uint i = get_local_id(0); i < SORT_BLOCK; i += get_local_size(0)) {
            uint item = order[from][i];
            order[1 - from][item >> bit & 1 ? all + i - zeros[i] : zeros[i]] = item;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        from = 1 - from;
    }
    for (uint i = get_local_id(0); i < SORT_BLOCK; i += get_local_size(0))
        if (i == 0 || order[from][i] >> 16 != order[from][i - 1] >> 16)
            begins[order[from][i] >> 16] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < SORT_BLOCK; i += get_local_size(0)) {
        uint digit = order[from][i] >> 16, item = first + (order[from][i] & 0xffff);
        if (item < count) {
            uint to = starts[digit * get_num_groups(0) + get_group_id(0)] + i - begins[digit];
            sorted_keys[to] = keys[item];
            sorted_values[to] = values[item];
        }
    }
}
