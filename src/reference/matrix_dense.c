#include "reference/matrix_dense.h"

#include <math.h>

bool dense_cholesky(double *a, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        double *row = a + i * size;
        for (size_t j = 0; j <= i; j++) {
            const double *other = a + j * size;
            double sum = row[j];
            for (size_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = sum / other[j];
            else if (sum > 0 && isfinite(sum))
                row[i] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

// row <- row - factor * other, the loop in which all the time goes.
static void subtract(double *restrict row, const double *restrict other, double factor, size_t count)
{
    for (size_t k = 0; k < count; k++)
        row[k] -= factor * other[k];
}

void dense_forward(const double *factor, size_t size, double *x, size_t columns)
{
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < i; j++)
            if (factor[i * size + j] != 0)
                subtract(x + i * columns, x + j * columns, factor[i * size + j], columns);
        for (size_t k = 0; k < columns; k++)
            x[i * columns + k] /= factor[i * size + i];
    }
}

static void exchange(double *a, size_t size, size_t i, size_t j)
{
    for (size_t k = 0; i != j && k < size; k++) {
        double value = a[i * size + k];
        a[i * size + k] = a[j * size + k];
        a[j * size + k] = value;
    }
}

// Factors a panel of columns and brings the rows of the panel up to date to its right.
static bool factor_panel(double *a, size_t size, size_t first, size_t last, uint32_t *pivot)
{
    for (size_t c = first; c < last; c++) {
        size_t best = c;
        for (size_t i = c + 1; i < size; i++)
            if (fabs(a[i * size + c]) > fabs(a[best * size + c]))
                best = i;
        if (!(fabs(a[best * size + c]) > 0) || !isfinite(a[best * size + c]))
            return false;
        pivot[c] = (uint32_t)best;
        exchange(a, size, c, best);
        for (size_t i = c + 1; i < size; i++) {
            double factor = a[i * size + c] /= a[c * size + c];
            if (factor != 0)
                subtract(a + i * size + c + 1, a + c * size + c + 1, factor, last - c - 1);
        }
    }
    for (size_t c = first; c < last; c++)
        for (size_t i = c + 1; i < last; i++)
            subtract(a + i * size + last, a + c * size + last, a[i * size + c], size - last);
    return true;
}

// By panels, so that a row is read once per panel and not once per column.
bool dense_lu(double *a, size_t size, uint32_t *pivot)
{
    enum { PANEL = 32 };
    for (size_t first = 0; first < size; first += PANEL) {
        size_t last = first + PANEL < size ? first + PANEL : size;
        if (!factor_panel(a, size, first, last, pivot))
            return false;
        for (size_t i = last; i < size; i++)
            for (size_t c = first; c < last; c++)
                if (a[i * size + c] != 0)
                    subtract(a + i * size + last, a + c * size + last, a[i * size + c], size - last);
    }
    return true;
}

void dense_lu_solve(const double *factors, const uint32_t *pivot, size_t size, double *x)
{
    for (size_t i = 0; i < size; i++) {
        double value = x[pivot[i]];
        x[pivot[i]] = x[i];
        x[i] = value;
    }
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < i; j++)
            x[i] -= factors[i * size + j] * x[j];
    for (size_t i = size; i-- > 0;) {
        for (size_t j = i + 1; j < size; j++)
            x[i] -= factors[i * size + j] * x[j];
        x[i] /= factors[i * size + i];
    }
}
