/** What conquest shows a seat: made by `python -m tools.web --write` from the type of its view. */

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

/** Everything lies open. Areas, roads and pieces are called by their names. */
export type Board = {
  phase: "draw_home" | "roll" | "choose_home" | "move" | "muster" | "sail" | "battles" | "line" | "losses" |
    "decide" | "victims" | "retreat" | "sink" | "captive" | "raze" | "buy" | "deal" | "amount" | "answer" |
    "vote" | "ended";
  round: number;
  active: number;
  ended: string;
  price: number;
  prices: Record<string, number>;
  inflation: Inflation[];
  stock: Record<string, number>;
  seats: Seat[];
  provinces: Record<string, Province>;
  roads: string[];
  ships: Ship[];
  moving: Moving | null;
  battle: Battle | null;
  offer: Offer | null;
};

/** A step of inflation: the tribute that sets it off, and how far it is. */
export type Inflation = {
  at: number;
  times: number;
  state: "far" | "announced" | "in_force";
  by: number;
  turns: number;
};

/** An empire, fallen when it has no emperor. Captives are counted by the seat that they are of. */
export type Seat = {
  home: string | null;
  home_held: boolean;
  emperor: string | null;
  talents: number;
  tribute: number;
  pieces: Record<string, number>;
  left: Record<string, number>;
  colours: number;
  captives: Record<string, number>;
  waiting: number;
  undecided: number;
};

/** `worth` is what it pays with its city, `spent` what has no points left; armies are by seat. */
export type Province = {
  owner: number | null;
  value: number;
  city?: "open" | "fortified";
  worth?: number;
  armies?: Record<string, Record<string, number>>;
  spent?: Record<string, number>;
};

/** A galley. `coast` is the stretch of coast at which it lies, 0 where that does not matter. */
export type Ship = {
  ship: number;
  owner: number;
  area: string;
  points: number;
  coast: number;
  hold: Record<string, number>;
};

/** What is being moved just now: a galley, or a leader with what goes along. */
export type Moving = {
  here: string;
  points: number;
  ship?: number;
  leader?: string;
  along?: Record<string, number>;
  riding?: Record<string, number>;
  trip?: string[];
};

/** Lists of two are by side, the attacker first. At sea there are no lines. */
export type Battle = {
  field: string;
  attacker: number;
  defender: number;
  round: number;
  side: string;
  dice: number;
  dice_for: string;
  faces: Record<string, number>;
  scoring: Record<string, number>;
  hits: number[];
  need: number;
  lines?: Record<string, number>[];
  fallen?: Record<string, number>[];
};

/** `gets` and `gives`: whose general the active seat would get, and give. */
export type Offer = {
  kind: string;
  partner: number;
  by: number;
  gets: number | null;
  gives: number | null;
  payer: number;
  talents: number;
};
