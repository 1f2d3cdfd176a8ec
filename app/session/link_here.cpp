#include "app/boards/board.h"
#include "app/session/beat_stage.h"
#include "app/session/charts_link.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_walk.h"
#include "app/session/link_moves.h"
#include "app/session/open_file.h"
#include "app/session/setup_fields.h"
#include "app/session/write_link.h"
#include "core/attention/presets.h"
#include "core/kernel/kernel_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// What is on show, key by key, without what is so by itself there.
class Here {
 public:
  Here(const Session& session, const ViewState& view) : session_(session), view_(view) {
    add_lesson();
    if (const Board* board = charts_ ? nullptr : board_named(view.board.board))
      add_board(*board);
    else
      add_walk();
    if (charts_) add_charts(link_, view);
  }

  LinkHere told() {
    LinkHere out;
    out.remark = remark_;
    Link place = link_;
    if (const Board* board = board_named(view_.board.board))
      std::erase_if(place.keys, [&](const auto& key) {
        return std::ranges::find(board->texts, std::string_view(key.first)) != board->texts.end();
      });
    out.place = link_text(place);
    if (view_.tab != Tab::Lesson) put("view", std::string(name_of(view_.tab)));
    out.text = link_text(link_);
    return out;
  }

 private:
  void put(std::string_view key, std::string value) { link_.keys.emplace_back(key, std::move(value)); }

  void add_lesson() {
    const std::shared_ptr<const Lesson> lesson = lesson_on_show(view_);
    if (!lesson || !beat_on_show(view_) || charts_) return;
    link_.place = Link::Place::Lesson;
    link_.name = lesson->number > 0 ? std::to_string(lesson->number) : lesson->id;
    link_.beat = view_.lesson.beat + 1;
    words_ = walk_of_beat(view_);
    base_board_ = board_of_beat(view_);
    if (view_.board.board.empty() && stage_of_beat(*lesson, view_.lesson.beat) != kWalkStage)
      put("stage", std::string(kWalkStage));
  }

  void add_board(const Board& board) {
    const BoardState& now = view_.board;
    if (link_.place != Link::Place::Lesson) {
      link_.place = Link::Place::Board;
      link_.name = board.id;
    }
    for (const Knob& knob : board.knobs) {
      const double value = knob_value(board, now, knob.id);
      // Where another knob turns it, it is said.
      const bool own = board.turns_with && now.knobs.contains(knob.id);
      if (value == knob_value(board, base_board_, knob.id) && !own) continue;
      // A choice by its word: where the words are numbers, an index would be taken for one of them.
      const auto names = knob.names().empty() ? knob.words() : knob.names();
      const bool named = knob.kind == Knob::Kind::Choice && size_t(value) < names.size();
      put(knob.id, named ? std::string(names[size_t(value)]) : fmt::format("{}", value));
    }
    if (link_.place == Link::Place::Board && !now.show.empty())
      put("show", fmt::format("{}", fmt::join(now.show, ",")));
    if (board.steps) link_.step = now.step;
    for (const auto& [name, text] : now.cells) {
      if (name.starts_with('.') || text.empty()) continue;  // what has the keyboard, what is selected
      if (std::ranges::find(board.texts, name) != board.texts.end())
        put(name, text);
      else
        remark_ = "What was typed into the board stays here: a link does not carry it.";
    }
  }

  // The preset whose numbers these are, where they are written down.
  const Preset* written_preset() const {
    for (const Preset& preset : presets())
      if (preset.problem.distribution == Distribution::Custom && hash_of(inputs_of(preset)) == session_.input_hash())
        return &preset;
    return nullptr;
  }

  // Where no row is named, a file of the walk's steps follows one whose max rises in them.
  bool others_rise() const {
    return std::ranges::any_of(session_.walk().replay.markers(), [](const Marker& marker) {
      return marker.kind == Marker::MaxRose && marker.first_row > 0;
    });
  }

  void add_walk() {
    const Setup& now = session_.setup();
    if (!charts_) link_.step = view_.playhead;
    const bool own_inputs = now.problem.distribution == Distribution::Custom;
    const Preset* written = own_inputs ? written_preset() : nullptr;
    const bool trained = link_.place == Link::Place::Walk && on_real_head(session_, view_);
    if (trained) {
      put("inputs", std::string(kTrainedHead));
      put("layer", std::to_string(view_.file_group + 1));
      put("head", std::to_string(view_.file_head + 1));
    } else if (written) {
      put("preset", std::string(written->id));
    } else if (own_inputs && (!charts_ || view_.gpu.shape == GpuShape::Stage)) {
      remark_ = "Numbers of your own stay here: the link leads to generated ones of the same sizes.";
    }
    if (written) words_["preset"] = written->id;
    const Setup base = wanted_walk(words_).setup;
    for (const SetupField& field : setup_fields()) {
      const std::string value = field.value(now);
      const bool same = value == field.value(base);
      const bool generates = field.name == "seed" || field.name == "distribution";
      const bool of_inputs = generates || field.name == "n_k" || field.name == "n_q" || field.name == "d";
      if (field.link.empty() || (written && same) || (trained && of_inputs) || (own_inputs && generates)) continue;
      if (field.name == "schedule" && now.schedule == Method::Own) continue;  // the program says it
      // N alone is both sizes, so that where they differ both are said.
      if (field.name == "n_q" ? now.problem.n_q == now.problem.n_k : !field.always && same) continue;
      put(field.link, value);
    }
    if (link_.place == Link::Place::Walk && !charts_ && (view_.write.open || now.schedule == Method::Own))
      if (std::string remark = add_program(link_, view_); !remark.empty()) remark_ = std::move(remark);
    if (const auto kernel = view_.source.shown(now.schedule); kernel && !charts_)
      put("source", std::string(info_of(*kernel).key));
    const bool first_is_plain = link_.place == Link::Place::Walk && (charts_ || !others_rise());
    if (view_.row > 0 || !first_is_plain) put("row", std::to_string(view_.row + 1));
  }

  const Session& session_;
  const ViewState& view_;
  const bool charts_ = view_.gpu.enlarged;  // they are of the walk's problem, whatever they lie over
  Link link_;
  std::string remark_;
  WalkWords words_;        // the walk's, and
  BoardState base_board_;  // the board, as the beat asks for them
};

}  // namespace

LinkHere link_here(const Session& session, const ViewState& view) { return Here(session, view).told(); }

}  // namespace tilewalk
