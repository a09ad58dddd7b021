// A sheet of text and legends over the whole window; its rows run from the top.
uniform sampler2D sheet;
layout(location = 0) out vec4 color;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy), size = textureSize(sheet, 0);
    color = texelFetch(sheet, ivec2(at.x, size.y - 1 - at.y), 0);
}
