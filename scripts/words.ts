/**
 * Lists the retired words in strings, comments, test names and documents; ends with 1 when there are
 * any. `node scripts/words.ts` reads the whole project, `node scripts/words.ts src/writes docs` these.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import { usesIn } from "./words/uses.ts";

const everything = [
  "{src,test,bench,faults,scripts}/**/*.{ts,tsx}",
  "{docs,examples,src,bench,faults}/**/*.md",
  "*.md",
];

const given = process.argv.slice(2).flatMap((path) => {
  return statSync(path).isDirectory() ? globSync(`${path}/**/*.{ts,tsx,md}`) : [path];
});
const paths = (given.length > 0 ? given : globSync(everything)).filter(
  (path) => !path.startsWith("scripts/words/"),
);
const uses = paths.sort().flatMap((path) => usesIn(path, readFileSync(path, "utf8")));
for (const use of uses) console.log(use);
if (uses.length > 0) console.log(`${uses.length} uses of retired words`);
process.exitCode = uses.length === 0 ? 0 : 1;
