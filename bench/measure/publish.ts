import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Size } from "./benchmark.ts";

const begin = "<!-- results: npm run bench -- --write -->";
const end = "<!-- end of results -->";

/** Puts what was printed in the place of the results that a document has. Throws where it has none. */
export async function publish(
  file: URL,
  printed: string,
  command: string,
  size: Size,
): Promise<void> {
  const before = await readFile(file, "utf8");
  const [head, rest] = before.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`${file} has no place for results`);
  const cores = availableParallelism();
  const how = `\`${command}\`: ${size.accounts.toLocaleString("en")} accounts, medians of ${size.rounds} rounds, ${cores} cores, Node ${process.versions.node}.`;
  await writeFile(file, `${head}${begin}\n\n${how}\n\n${printed}\n\n${end}${tail}`);
}
