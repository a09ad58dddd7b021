// Colour scales are laid out in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), where equal
// steps look equal: lightness of the quantity scale rises evenly by construction.
#include "view/canvas/color.h"

#include <math.h>

typedef struct lab {
    double lightness, a, b;
} lab;

static color color_from_lab(lab c)
{
    double l = c.lightness + 0.3963377774 * c.a + 0.2158037573 * c.b;
    double m = c.lightness - 0.1055613458 * c.a - 0.0638541728 * c.b;
    double s = c.lightness - 0.0894841775 * c.a - 1.2914855480 * c.b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (color){color_from_linear((float)(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
                   color_from_linear((float)(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
                   color_from_linear((float)(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)), 255};
}

static lab lab_from_hue(double lightness, double chroma, double hue)
{
    return (lab){lightness, chroma * cos(hue), chroma * sin(hue)};
}

color color_of_scale(double value)
{
    // Chroma and hue (degrees) at even steps of lightness, chosen to stay inside sRGB.
    static const double points[][2] = {{0.150, 295}, {0.155, 284}, {0.140, 268}, {0.118, 245}, {0.100, 212},
                                       {0.120, 178}, {0.155, 152}, {0.180, 128}, {0.175, 105}};
    enum { LAST = sizeof points / sizeof *points - 1 };
    if (isnan(value))
        return color_make(0x9a9a9a);
    double t = fmin(fmax(value, 0), 1);
    int i = (int)fmin(t * LAST, LAST - 1);
    double f = t * LAST - i;
    double chroma = points[i][0] + f * (points[i + 1][0] - points[i][0]);
    double hue = points[i][1] + f * (points[i + 1][1] - points[i][1]);
    return color_from_lab(lab_from_hue(0.41 + 0.52 * t, chroma, hue * 0.017453292519943295));
}

color color_of_kind(size_t kind)
{
    static const unsigned kinds[COLOR_KINDS] = {0x2f6db5, 0xe0812b, 0x3f9e5d, 0xc9423f, 0x7d62b3,
                                                0x2fa6b8, 0xd66ba0, 0x8a6b4f, 0xa9a832, 0x6f7782};
    return color_make(kinds[kind % COLOR_KINDS]);
}

color color_of_id(uint64_t id)
{
    // The golden angle never comes back near a hue soon.
    double turns = fmod((double)(id % 1000003u) * 0.6180339887498949, 1);
    double lightness = 0.62 + 0.05 * (double)(id % 4);
    return color_from_lab(lab_from_hue(lightness, 0.125, 6.283185307179586 * turns));
}

float color_to_linear(uint8_t value)
{
    float v = (float)value / 255;
    return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

uint8_t color_from_linear(float value)
{
    if (!(value > 0))
        return 0;
    if (value >= 1)
        return 255;
    float v = value <= 0.0031308f ? 12.92f * value : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
    return (uint8_t)(255 * v + 0.5f);
}
