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

/** The numbers of a node whose next touches are all amounts, in their order; else null. @param {Node} node */
export function amountsOf(node) {
  const touches = [...node.next.keys()];
  if (touches.length < 2 || !touches.every((touch) => touch.startsWith("amount:"))) return null;
  return touches.map((touch) => Number(touch.slice(7)));
}

/** @param {string} touch @returns {[string, string]} */
export function splitTouch(touch) {
  const at = touch.indexOf(":");
  return [touch.slice(0, at), touch.slice(at + 1)];
}
