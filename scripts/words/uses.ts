import { retiredIn } from "./retired-words.ts";
import { textsOfDocument, textsOfSource } from "./texts.ts";

/** The retired words that a file still uses, as lines that say where and what to write instead. */
export function usesIn(path: string, source: string): string[] {
  const isDocument = path.endsWith(".md");
  const texts = isDocument ? textsOfDocument(source) : textsOfSource(path, source);
  return texts.flatMap(({ kind, line, text }) => {
    const forUsers = isDocument || (kind === "string" && path.startsWith("src/"));
    return retiredIn(text, forUsers).map(
      ({ word, use, text: shown }) => `${path}:${line} [${kind}] "${word}": ${use} | ${shown}`,
    );
  });
}
