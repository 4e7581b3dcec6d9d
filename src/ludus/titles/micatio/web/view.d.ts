/** What micatio shows a seat: made by `python -m tools.web --write` from the type of its view. */

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

export type Board = {
  phase: string;
  round: number;
  leader: string;
  turn: string;
  stake: number;
  coins: number[];
  fingers: (number | null)[];
  guess: (number | null)[];
  chosen: number[];
  shown: number[];
  called: number[];
  right: number[];
  rolled: number[];
};
