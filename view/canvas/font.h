// The stroke font: each printable ASCII character as a path of lines and curves.
#ifndef VIEW_CANVAS_FONT_H
#define VIEW_CANVAS_FONT_H

// Font units: capitals are FONT_CAPITAL high from the baseline at 0, small letters 14, tails reach down to -6.
enum { FONT_CAPITAL = 20, FONT_SPACING = 6 };

typedef struct font_glyph {
    int width;        // of the strokes' centre lines; the next character starts FONT_SPACING farther
    const char *path; // "Mx y" moves, "Lx y" draws a line, "Cx y x y x y" a cubic curve; whole numbers, y up
} font_glyph;

// The glyph of a character; a box for one that the font lacks.
font_glyph font_find(unsigned character);

#endif
