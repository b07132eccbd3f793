import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pages, pageText, project, proseOf, targetsOf } from "./pages.ts";

/** Returns the anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

test.each(pages)("every link and picture of %s leads somewhere", (page) => {
  const broken = targetsOf(page).filter((target) => {
    if (/^(https?|mailto):/.test(target)) return false;
    const [file = "", anchor] = target.split("#", 2);
    const path = file === "" ? page : relative(project, resolve(project, dirname(page), file));
    if (!existsSync(join(project, path))) return true;
    return anchor !== undefined && !(path.endsWith(".md") && anchorsOf(path).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test("every page of the documents is linked from another", () => {
  const linked = new Set(
    pages.flatMap((page) =>
      targetsOf(page).map((target) =>
        relative(project, resolve(project, dirname(page), target.split("#", 1)[0] ?? "")),
      ),
    ),
  );
  expect(pages.filter((page) => page !== "README.md" && !linked.has(page))).toEqual([]);
});

test("every picture that is made is shown, and names what it shows", () => {
  const all = pages.map(pageText).join("\n");
  const shown = [...all.matchAll(/!\[[^\]]{10,}\]\([^)]*pictures\/([^)]+)\)/g)].map(
    ([, name]) => name,
  );
  const made = readdirSync(join(project, "docs/pictures"));
  expect(made.filter((picture) => !shown.includes(picture))).toEqual([]);
});

/** Paths of the project that a page names in code. */
const named = pages.flatMap((page) =>
  [
    ...pageText(page).matchAll(/`((?:src|test|scripts|bench|faults|docs|examples)\/[\w./-]+)`/g),
  ].map(([, path = ""]) => ({ page, path })),
);

test("every file and folder that a page names exists", () => {
  // A name without an ending can be a test file or a folder of tests.
  const missing = named.filter(({ path }) => !existsSync(join(project, path)));
  expect(missing).toEqual([]);
});

test("the changelog has one section for each version, because a release takes the first", () => {
  const headings = [...pageText("CHANGELOG.md").matchAll(/^## \[?([^\]\s]+)/gm)];
  const names = headings.map(([, name]) => name);
  expect(names).toEqual([...new Set(names)]);
});
