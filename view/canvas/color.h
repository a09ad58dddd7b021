// Colours: an 8-bit straight-alpha type, the perceptual scale for quantities and the set for kinds of things.
#ifndef VIEW_CANVAS_COLOR_H
#define VIEW_CANVAS_COLOR_H

#include <stddef.h>
#include <stdint.h>

typedef struct color {
    uint8_t r, g, b, a; // sRGB, alpha not multiplied in; 255 is opaque
} color;

static inline color color_make(unsigned rgb)
{
    return (color){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb, 255};
}

static inline color color_with_alpha(color c, double alpha)
{
    c.a = (uint8_t)(255 * (alpha < 0 ? 0 : alpha > 1 ? 1 : alpha) + 0.5);
    return c;
}

// Dark violet at 0 over teal to light yellow at 1, lightness rising evenly, so that it also reads in grey and for
// eyes that do not tell red from green. Values outside [0, 1] are clamped; NaN gives a grey.
color color_of_scale(double value);

// Well-told-apart colours for kinds (materials, series); repeats after COLOR_KINDS.
enum { COLOR_KINDS = 10 };
color color_of_kind(size_t kind);

// A colour for one thing among many (ids): neighbours differ much in hue.
color color_of_id(uint64_t id);

// Between sRGB bytes and linear light in [0, 1], in which shading is computed.
float color_to_linear(uint8_t value);
uint8_t color_from_linear(float value);

#endif
