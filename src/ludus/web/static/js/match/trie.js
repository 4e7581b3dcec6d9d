/** The choices as a trie of touches: what can be touched next after a path. */

/** @typedef {import("./model.js").Choice} Choice */
/** @typedef {{choice: Choice | null, next: Map<string, Node>}} Node */

/** @param {Choice[]} choices @returns {Node} */
export function trieOf(choices) {
  const root = newNode();
  for (const choice of choices) {
    let node = root;
    for (const touch of choice.touches) {
      let deeper = node.next.get(touch);
      if (!deeper) {
        deeper = newNode();
        node.next.set(touch, deeper);
      }
      node = deeper;
    }
    node.choice = choice;
  }
  return root;
}

/** @returns {Node} */
const newNode = () => ({ choice: null, next: new Map() });

/** The node after a path, or null. @param {Node} root @param {string[]} path */
export function walk(root, path) {
  /** @type {Node | undefined} */
  let node = root;
  for (const touch of path) {
    node = node.next.get(touch);
    if (!node) return null;
  }
  return node;
}

/** All choices below a node. @param {Node} node @returns {Choice[]} */
export function choicesUnder(node) {
  if (node.choice) return [node.choice];
  return [...node.next.values()].flatMap(choicesUnder);
}

/**
 * The numbers of a node whose next touches are amounts, in their order, with nothing but buttons beside them;
 * else null.
 * @param {Node} node
 */
export function amountsOf(node) {
  const touches = [...node.next.keys()];
  const amounts = touches.filter((touch) => touch.startsWith("amount:"));
  const buttons = touches.filter((touch) => touch.startsWith("button:"));
  if (amounts.length < 2 || amounts.length + buttons.length < touches.length) return null;
  return amounts.map((touch) => Number(touch.slice(7)));
}

/**
 * Where all go along unless a smaller number is said first (`unit`, then a place; or `unit`, `amount:2`,
 * a place): the path before the number, the numbers that can be said, how many all are, and the one that
 * is said.
 * @param {Node} root @param {string[]} path
 */
export function partOf(root, path) {
  const said = path.length ? /^amount:(\d+)$/.exec(path[path.length - 1]) : null;
  const base = said ? path.slice(0, -1) : path;
  const touches = base.length ? [...(walk(root, base)?.next.keys() ?? [])] : [];
  const numbers = touches
    .filter((touch) => touch.startsWith("amount:"))
    .map((touch) => Number(touch.slice(7)));
  if (!numbers.length || touches.every((touch) => /^(amount|button):/.test(touch))) return null;
  const all = Math.max(...numbers) + 1;
  return { base, all, numbers: [...numbers, all].sort((a, b) => a - b), now: said ? Number(said[1]) : all };
}

/** @param {string} touch @returns {[string, string]} */
export function splitTouch(touch) {
  const at = touch.indexOf(":");
  return [touch.slice(0, at), touch.slice(at + 1)];
}
