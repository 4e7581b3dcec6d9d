/** What duellum shows a seat: made by `python -m tools.web --write` from the type of its view. */

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

/** The fields, and what follows from them. What only some boards and phases have may be missing. */
export type Board = {
  phase: "first" | "rondel" | "produce" | "templum" | "militia" | "scientia" | "move" | "clash" | "conquest" |
    "found" | "next" | "ended" | "toll" | "pay" | "give" | "take" | "dest" | "fight" | "answer" | "fortress" |
    "losses" | "aim" | "strike" | "muster" | "reveal" | "pick" | "abandon";
  main: "first" | "rondel" | "produce" | "templum" | "militia" | "scientia" | "move" | "clash" | "conquest" |
    "found" | "next" | "ended" | "toll" | "pay" | "give" | "take" | "dest" | "fight" | "answer" | "fortress" |
    "losses" | "aim" | "strike" | "muster" | "reveal" | "pick" | "abandon";
  active: string;
  starter: string;
  turns: number;
  winner: number;
  stone: string[];
  goods: Record<string, number>[];
  know: Record<string, number>[];
  persons: Record<string, number>[];
  walls: number[];
  supply: Record<string, number>[];
  recruits: Record<string, number>[];
  army: Record<string, Record<string, number>>[];
  leader_at?: string[];
  cities: number[];
  owner: Record<string, string>;
  makes: Record<string, string>;
  temple: Record<string, number>;
  wall: Record<string, number>;
  bank_coins: number;
  bank_temples: number;
  bank_tokens: Record<string, number>;
  deck: Record<string, number>;
  display: Record<string, number>;
  hand: Record<string, number>[];
  discard: Record<string, number>;
  picks: number;
  refill: number;
  ready: Record<string, number>;
  armed: Record<string, number>;
  fresh: Record<string, number>;
  firsts: number;
  razed: number;
  taken: number;
  left: Record<string, Record<string, number>[]>;
  leader_left: number;
  due: Record<string, number>;
  toll: number;
  lowest: number;
  give_left: number;
  gave: number;
  swap: number;
  take_left: number;
  group_unit: string;
  group_from: string;
  group_steps: number;
  group_size: number;
  ask: number;
  target: string;
  card: string;
  free_more: number;
  temple_deal: number;
  temple_free: number;
  arm_deal: number;
  veterans: number;
  know_deal: number;
  know_least: number;
  city_free: number;
  city_deal: number;
  siege: Record<string, number>;
  siege_least: number;
  fort: Record<string, number>;
  score: number[];
  goal: number;
  navigation: number[];
  defence: Record<string, number>;
  sides: string[];
  leaders?: string[];
  turn_cap?: number;
  house_cards: string[];
  map: string;
  stacks: Record<string, number>;
  wall_marks: number[];
  prices: Prices;
  city_tax: Record<string, number[]>;
  threats: Record<string, number>;
  tolls?: Record<string, number>;
  temple_tax?: Record<string, number>;
  needed?: Record<string, number>;
};

/**
 * What things cost the seat whose turn it is. `city` is marble, iron and gold; of a know-how there are the
 * price of the first, of the second, and the present one.
 */
export type Prices = {
  city: number[];
  temple: number;
  wall: number;
  arm: number;
  leader: number;
  recruit: Record<string, number>;
  know: Record<string, number[]>;
};
