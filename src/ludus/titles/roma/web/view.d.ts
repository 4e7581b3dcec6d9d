/** What roma shows a seat: made by `python -m tools.web --write` from the type of its view. */

export type View = {
  title: string;
  seat: number | null;
  seats: number;
  to_move: number | "chance" | "over";
  prompt: string;
  result: number[] | null;
  out: number[];
  board: Board;
};

/**
 * Lists of two are by seat. `blocked`, `down`, `relaid` and `idle` are lists of discs. Where several cards
 * are chosen one after the other, the next is number `step` of `steps`.
 */
export type Board = {
  facedown: (Record<string, string> | null)[];
  hand: (Record<string, number> | Count)[];
  aside: (Record<string, number> | Count)[];
  known: Record<string, number>[] | null;
  hints: Hint[][] | null;
  phase: "deal" | "roll" | "draw" | "battle" | "pass" | "place" | "triple" | "act" | "keep" | "second_die" |
    "third_die" | "extra_die" | "change_die" | "target" | "block" | "copy" | "buy" | "search" | "fetch" |
    "free_lay" | "relay" | "ended";
  turn: number;
  player: number;
  left: number;
  step: number;
  steps: number;
  throws: number;
  points: number[];
  stock: number;
  written: number;
  money: number[];
  dice: number[];
  board: Record<string, string>[];
  defence: Record<string, number>[];
  blocked: number[][];
  down: number[][];
  deck_size: number;
  discard: Record<string, number>;
  weakened: number;
  weakened_by: Record<string, number>;
  source: number;
  effect: string;
  target: number;
  thrown: number;
  gain: number;
  lifted: string[];
  relaid: number[];
  idle: number[];
};

/** Things of which this seat sees only how many there are. */
export type Count = {
  count: number;
};

/** Of the cards in a hand that are not known at least so many are among these. */
export type Hint = {
  at_least: number;
  among: Record<string, number>;
};
