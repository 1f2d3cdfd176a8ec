#include "app/ui/node.h"

namespace tilewalk::ui {
namespace {

Node made(decltype(Node::what) what) {
  Node n;
  n.what = std::move(what);
  return n;
}

}  // namespace

Node row(std::vector<Node> nodes, float gap, Across place) {
  return made(Children{Way::Right, gap, place, std::move(nodes)});
}
Node column(std::vector<Node> nodes, float gap, Across place) {
  return made(Children{Way::Down, gap, place, std::move(nodes)});
}
Node over(std::vector<Node> nodes) { return made(Children{Way::Over, 0, Across::Stretch, std::move(nodes)}); }
Node flow(std::vector<Node> nodes, float gap) {
  return made(Children{Way::Flow, gap, Across::Stretch, std::move(nodes)});
}
Node list(std::vector<Node> nodes, int keep, std::function<Node(int)> more) {
  return made(Children{Way::Down, 0, Across::Stretch, std::move(nodes), keep, std::move(more)});
}
Node pages(std::vector<Node> nodes, int seen) {
  return made(Children{Way::Over, 0, Across::Stretch, std::move(nodes), -1, {}, seen});
}
Node text(std::vector<std::string> forms, Font font) { return made(Text{std::move(forms), font}); }
Node text(std::string words, Font font) { return made(Text{{std::move(words)}, font}); }
Node wrapped(std::string words, Font font, int lines) { return made(Text{{std::move(words)}, font, lines}); }
Node spacer(Size size) {
  Node n;
  n.w = n.h = size;
  return n;
}
Node rule(Role role) {
  return canvas([role](Scene& scene, Rect r, const Style& s) {
           scene.line({r.x, r.center().y}, {r.right(), r.center().y}, s[role], s.px(1));
         })
      .height(px(0));
}
Node canvas(std::function<void(Scene&, Rect, const Style&)> draw) { return made(Canvas{std::move(draw)}); }
Node first_that_fits(std::vector<std::function<Node()>> forms) {
  return made(FirstThatFits{std::move(forms)}).width(grow()).height(grow());
}

}  // namespace tilewalk::ui
