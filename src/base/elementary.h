// Elementary functions with the same bits on every processor, compiler and device.
//
// The sine of a C library may differ in its last bit from one processor to the next (glibc's own has a variant with
// fused operations), and so would every state that it enters. These use + - * / sqrt alone, which IEEE 754 rounds in
// one way only. Errors stay below two units in the last place; the series are Taylor's, with as many terms as leave
// less than 1e-18. Arguments are finite: a NaN gives a NaN.
#ifndef BASE_ELEMENTARY_H
#define BASE_ELEMENTARY_H

#ifndef __OPENCL_C_VERSION__
#include <math.h>
#endif

#define PI 3.14159265358979323846

// x = n pi/2 + *near + *rest with |*near| <= pi/4; gives n. Pi/2 is taken away in three parts, of which n times the
// first two have no rounding up to 2^20 quarter turns (Cody and Waite 1980); beyond, whole turns go first.
static inline double take_quarter_turns(double x, double *near, double *rest)
{
    const double most = 1e6, to_nearest = 0x1.8p52;
    if (fabs(x) > most)
        x = fmod(x, 2 * PI);
    double n = x * (2 / PI) + to_nearest - to_nearest;
    double high = x - n * 0x1.921fb544p+0, low = n * 0x1.0b4611a6p-34;
    double sum = high - low, lost = (high - sum) - low;
    double tail = n * 0x1.3198a2e037073p-69 - lost;
    *near = sum - tail;
    *rest = (sum - *near) - tail;
    return n;
}

// Sine of x + rest, |x| <= pi/4.
static inline double sine_near(double x, double rest)
{
    double z = x * x, p = -1.0 / 121645100408832000;
    p = 1.0 / 355687428096000 + z * p;
    p = -1.0 / 1307674368000 + z * p;
    p = 1.0 / 6227020800 + z * p;
    p = -1.0 / 39916800 + z * p;
    p = 1.0 / 362880 + z * p;
    p = -1.0 / 5040 + z * p;
    p = 1.0 / 120 + z * p;
    p = -1.0 / 6 + z * p;
    return x + (z * x * p + rest * (1 - 0.5 * z));
}

// Cosine of x + rest, |x| <= pi/4. What 1 - x^2 / 2 loses is brought back.
static inline double cosine_near(double x, double rest)
{
    double z = x * x, p = -1.0 / 6402373705728000;
    p = 1.0 / 20922789888000 + z * p;
    p = -1.0 / 87178291200 + z * p;
    p = 1.0 / 479001600 + z * p;
    p = -1.0 / 3628800 + z * p;
    p = 1.0 / 40320 + z * p;
    p = -1.0 / 720 + z * p;
    p = 1.0 / 24 + z * p;
    double half_square = 0.5 * z, most = 1 - half_square;
    return most + (((1 - most) - half_square) + (z * z * p - x * rest));
}

// Sine and cosine at once. Beyond 10^6 radians x is rounded to whole turns of the double nearest to 2 pi.
static inline void sin_cos(double x, double *sine, double *cosine)
{
    double near, rest, n = take_quarter_turns(x, &near, &rest);
    double s = sine_near(near, rest), c = cosine_near(near, rest);
    double quarter = n - 4 * floor(0.25 * n);
    double first = quarter == 1 || quarter == 3 ? c : s, second = quarter == 1 || quarter == 3 ? s : c;
    *sine = quarter == 2 || quarter == 3 ? -first : first;
    *cosine = quarter == 1 || quarter == 2 ? -second : second;
}
static inline double sine_of(double x)
{
    double s, c;
    sin_cos(x, &s, &c);
    return s;
}

// The angle of (x, y) in [-pi, pi]; that of (0, 0) is 0. With t = y / x and the nearest quarter c,
// atan t = atan c + atan((t - c) / (1 + t c)), whose second argument is at most 1/8.
static inline double arc_tangent(double y, double x)
{
    const double high[5] = {0, 0x1.f5b75f92c80ddp-3, 0x1.dac670561bb4fp-2, 0x1.4978fa3269ee1p-1, 0x1.921fb54442d18p-1};
    const double low[5] = {0, 0x1.8ab6e3cf7afbdp-57, 0x1.a2b7f222f65e2p-56, 0x1.2419a87f2a458p-56,
                           0x1.1a62633145c07p-55};
    double ax = fabs(x), ay = fabs(y), least = ay > ax ? ax : ay, most = ay > ax ? ay : ax;
    if (most == 0)
        return 0;
    double nearest = floor(4 * (least / most) + 0.5);
    int k = nearest > 0 ? (int)nearest : 0;
    double t = (least - 0.25 * nearest * most) / (most + 0.25 * nearest * least), z = t * t, p = 1.0 / 17;
    p = -1.0 / 15 + z * p;
    p = 1.0 / 13 + z * p;
    p = -1.0 / 11 + z * p;
    p = 1.0 / 9 + z * p;
    p = -1.0 / 7 + z * p;
    p = 1.0 / 5 + z * p;
    p = -1.0 / 3 + z * p;
    double angle = high[k] + (low[k] + (t + t * z * p));
    if (ay > ax)
        angle = 0x1.921fb54442d18p+0 - angle + 0x1.1a62633145c07p-54;
    if (x < 0)
        angle = 0x1.921fb54442d18p+1 - angle + 0x1.1a62633145c07p-53;
    return y < 0 ? -angle : angle;
}

// The length of (x, y), for numbers whose squares are numbers.
static inline double hypotenuse(double x, double y)
{
    return sqrt(x * x + y * y);
}

#ifndef __OPENCL_C_VERSION__
// x > 0. With x = (1 + f) 2^k near 1 and s = f / (2 + f), log(1 + f) = 2 s + 2 s^3 / 3 + 2 s^5 / 5 ...
static inline double natural_log(double x)
{
    int k;
    double m = frexp(x, &k);
    if (m < 0.70710678118654752440) {
        m *= 2;
        k--;
    }
    double f = m - 1, s = f / (2 + f), z = s * s, p = 2.0 / 23;
    for (int n = 21; n > 1; n -= 2)
        p = 2.0 / n + z * p;
    double half_square = 0.5 * f * f;
    return k * 0x1.62e42fefp-1 - ((half_square - (s * (half_square + z * p) + k * 0x1.473de6af278edp-34)) - f);
}

// x >= 0, by Newton's method from a straight line that is at most 5 % off.
static inline double cube_root(double x)
{
    int k;
    double m = frexp(x, &k);
    if (!(m > 0))
        return x;
    for (; k % 3 != 0; k++)
        m *= 0.5;
    double y = 0.42 + 0.6 * m;
    for (int round = 0; round < 5; round++)
        y -= (y - m / (y * y)) / 3;
    return ldexp(y, k / 3);
}
#endif

#endif
