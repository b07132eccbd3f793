import { notUnderstood } from "../helpers/parsed-command.ts";
import { callsIn } from "../helpers/shell-calls.ts";
import { blocksOf, pages, proseOf } from "./pages.ts";

/** Returns the typed lines of a block: all of a shell's, or the lines after a prompt of a transcript. */
function typedIn({ language, text }: ReturnType<typeof blocksOf>[number]): string {
  if (language === "sh" || language === "bash") return text.replace(/^npx (?=supplyline )/gm, "");
  return text
    .split("\n")
    .flatMap((line) => /^\$ (.*)/.exec(line)?.[1] ?? [])
    .join("\n");
}

const typed = pages.flatMap((page) =>
  blocksOf(page).flatMap((block) =>
    callsIn(typedIn(block)).map((words) => ({ at: `${page}:${block.line}`, words })),
  ),
);

test("the pages show commands", () => {
  expect(typed.length).toBeGreaterThan(60);
});

test.each(typed)("$at: supplyline $words is understood", async ({ words }) => {
  expect(await notUnderstood(words)).toBeNull();
});

/** In running text words in capitals stand for something, and dots for the rest. */
const named = pages.flatMap((page) =>
  [...proseOf(page).matchAll(/`supplyline ([^`]+)`/g)].flatMap(([, text = ""]) =>
    // `bash|zsh|fish`: the first stands for all.
    callsIn(`supplyline ${text.replace(/\|\S+/g, "").replaceAll("…", "")}`).map((words) => ({
      page,
      words,
    })),
  ),
);

test.each(named)("$page: supplyline $words names what there is", async ({ words }) => {
  const problem = (await notUnderstood(words)) ?? "";
  // What is left out may be required, and what stands for something is no value.
  expect(problem).not.toMatch(/no command "[a-z]|no option|unknown (command|option)/i);
});

test("the recipes need no sed, cut or sort", () => {
  const filters = /(?:^|[|;&(])\s*(?:sed|cut|sort|uniq|awk|tr)\b/m;
  const found = pages.flatMap((page) =>
    blocksOf(page).flatMap((block) =>
      filters.test(typedIn(block)) ? [`${page}:${block.line}`] : [],
    ),
  );
  expect(found).toEqual([]);
});
