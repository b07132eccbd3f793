/** Lists the retired words in the given files: `node scripts/words.ts src/writes docs`. */
import { globSync, readFileSync, statSync } from "node:fs";
import { usesIn } from "../test/language/uses.ts";

const paths = process.argv.slice(2).flatMap((path) => {
  return statSync(path).isDirectory() ? globSync(`${path}/**/*.{ts,tsx,md}`) : [path];
});
const uses = paths.sort().flatMap((path) => usesIn(path, readFileSync(path, "utf8")));
for (const use of uses) console.log(use);
console.log(`${uses.length} uses of retired words`);
process.exitCode = uses.length === 0 ? 0 : 1;
