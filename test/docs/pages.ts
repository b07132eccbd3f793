import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export const project = resolve(import.meta.dirname, "../..");

/** Every page that people read, from the project's folder on. */
export const pages: readonly string[] = globSync(["*.md", "docs/**/*.md", "examples/*.md"], {
  cwd: project,
}).sort();

export function pageText(page: string): string {
  return readFileSync(resolve(project, page), "utf8");
}

/** Something between fences. */
export interface Block {
  readonly page: string;
  /** The nearest heading of the second level above it; empty before the first. */
  readonly section: string;
  readonly language: string;
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let section = "";
  let open: { language: string; line: number; lines: string[] } | null = null;
  for (const [index, line] of pageText(page).split("\n").entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (open === null) {
      if (fence) open = { language: fence[1] ?? "", line: index + 1, lines: [] };
      else section = /^## (.+)/.exec(line)?.[1] ?? section;
    } else if (fence) {
      const { language, line: at, lines } = open;
      blocks.push({ page, section, language, line: at, text: lines.join("\n") });
      open = null;
    } else open.lines.push(line);
  }
  return blocks;
}

/** A page without what stands between fences. */
export function proseOf(page: string): string {
  return pageText(page).replace(/^```\w*\n[\s\S]*?^```$/gm, "");
}

/** Returns the targets of the links and pictures of a page, without code. */
export function targetsOf(page: string): readonly string[] {
  const prose = proseOf(page).replace(/`[^`]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}
