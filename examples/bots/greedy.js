// A bot for Ludus in another language than Python; docs/bot-protocol.md tells the protocol.
//
//   ludus arena micatio --bots "exec:node examples/bots/greedy.js,tiro" --games 100
//
// It knows no title: it likes actions with large numbers, and lets chance decide between equals.
"use strict";

const readline = require("node:readline");

/** How much it likes an action: the sum of the numbers in it. */
function worth(action) {
  return action.arguments.reduce((sum, number) => sum + number, 0);
}

/** The code of one of the best actions; the same question gets the same answer. */
function choose(question) {
  const most = Math.max(...question.legal.map(worth));
  const best = question.legal.filter((action) => worth(action) === most);
  return best[question.random % best.length].code;
}

/** One line of JSON out. What is written at once is not held back. */
function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => say({ code: choose(JSON.parse(line)) }));
lines.on("close", () => process.exit(0)); // nobody asks any more
say({ ready: true });
