// How samples, rays and depths of a view belong together: raster_view of view/raster.h. Rows run from the top, so that
// row 0 of a texture is the top of the picture. Depth is kept linear: as the distance along the view's axis.
uniform mat3 axes;         // from the world into the view
uniform vec3 eye;          // of the view, from the reference point of the objects
uniform vec4 frame;        // left, top, step, nearest
uniform vec2 extent;       // in samples
uniform vec2 depths;       // kept depth = depths.x * z + depths.y
uniform float perspective; // 1, or 0 for parallel rays

vec2 place_of(vec2 sample_place) { return frame.xy + sample_place * frame.z; }
vec3 direction_of(vec2 place) { return vec3(place * perspective, 1); }
vec3 origin_of(vec2 place) { return vec3(place * (1 - perspective), 0); }
