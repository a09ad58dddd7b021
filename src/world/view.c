#include "world/view.h"

proxy_view store_view(const body_store *store)
{
    return (proxy_view){
        .proxies = store->proxies.data,
        .proxy_count = store->proxies.count,
        .first_proxy = store->first_proxy.data,
        .locals = store->locals.data,
        .planes = store->planes.data,
        .geometries = store->geometries.data,
        .geometry_count = store->geometries.count,
        .centers = store->position.data,
        .orientations = store->orientation.data,
        .immovable = store->immovable.data,
        .ids = store->id.data,
        .body_count = store->count,
    };
}

proxy_view world_view(const scree_world *world, const float *margins, const pair_filter *filter)
{
    proxy_view view = store_view(&world->bodies);
    view.margins = margins;
    view.filter = filter;
    return view;
}
