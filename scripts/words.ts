/** Lists the retired words in the given files: `node scripts/words.ts src/writes docs`. */
import { globSync, readFileSync, statSync } from "node:fs";
import { retiredIn } from "../test/language/retired-words.ts";
import { type Text, textsOfDocument, textsOfSource } from "../test/language/texts.ts";

const paths = process.argv
  .slice(2)
  .flatMap((path) =>
    statSync(path).isDirectory() ? globSync(`${path}/**/*.{ts,tsx,md}`) : [path],
  );
let count = 0;
for (const path of paths.sort()) {
  const source = readFileSync(path, "utf8");
  const texts: Text[] = path.endsWith(".md")
    ? textsOfDocument(source)
    : textsOfSource(path, source);
  for (const { kind, line, text } of texts) {
    const forUsers = kind === "document" || (kind === "string" && path.startsWith("src/"));
    for (const { word, use, text: shown } of retiredIn(text, forUsers)) {
      count += 1;
      console.log(`${path}:${line} [${kind}] "${word}" → ${use} | ${shown}`);
    }
  }
}
console.log(`${count} uses of retired words`);
process.exitCode = count === 0 ? 0 : 1;
