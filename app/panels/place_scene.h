// A scene within another one.
#pragma once

#include "app/scene/scene.h"

namespace tilewalk {

// Everything of a scene, moved; its regions too where they are wanted.
void place_items(Scene& into, const Scene& part, Vec2 at);
void place_regions(Scene& into, const Scene& part, Vec2 at);

}  // namespace tilewalk
