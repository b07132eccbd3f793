import type { LinePart } from "../../components/part-lines.tsx";
import { useUnfinishedWork } from "../../hooks/journal.ts";
import { useKeyWords } from "../../hooks/keys.tsx";
import { useSession } from "../../hooks/session.tsx";
import { useWatched } from "../../hooks/watching.ts";
import type { ActionId } from "../../keys/bindings.ts";
import { count, plural } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import type { BoardLine } from "./board-feed.ts";

/**
 * What needs someone now, most serious first, with the key that leads there. Gone accounts and lists
 * that failed have none: their rows are marked, and no key opens a row that the cursor is not on.
 */
export function useAttention(lines: readonly BoardLine[]): readonly LinePart[] {
  const key = useKeyWords();
  const { unknown, runs } = useUnfinishedWork(useSession());
  const watched = useWatched().entries.filter(({ finality }) => finality === "ended").length;
  const notLoaded = lines.filter(({ hasFailed }) => hasFailed).length;
  const part = (text: string, tone: Tone, action: ActionId | null): LinePart[] =>
    text === ""
      ? []
      : [
          [
            { text, tone },
            ...(action === null ? [] : [{ text: ` ${key(action)}`, tone: "accent" as const }]),
          ],
        ];
  const parts = [
    ...part(
      unknown === 0 ? "" : `${plural(unknown, "entry", "entries")} unknown`,
      "bad",
      "activity",
    ),
    ...part(watched === 0 ? "" : `watched: ${count(watched)} failed`, "bad", "watch-list"),
    ...part(goneWords(lines), "bad", null),
    ...part(notLoaded === 0 ? "" : `${plural(notLoaded, "list")} not loaded`, "bad", null),
    ...part(runs === 0 ? "" : `${plural(runs, "run")} stopped`, "waiting", "runs"),
  ];
  const [first, ...rest] = parts;
  return first === undefined ? [] : [[{ text: "! ", tone: "bad", bold: true }, ...first], ...rest];
}

/** Gone accounts, and the supplier where there is only one. */
function goneWords(lines: readonly BoardLine[]): string {
  const having = lines.flatMap(({ supplier, figures }) => {
    const gone = figures?.history?.gone;
    return gone && gone.count > 0 ? [{ supplier, ...gone }] : [];
  });
  const [only, another] = having;
  if (only === undefined) return "";
  const sum = having.reduce((all, one) => all + one.count, 0);
  const many = `${having.some(({ atLeast }) => atLeast) ? "at least " : ""}${count(sum)} gone`;
  return another === undefined
    ? `${many} at ${only.supplier}`
    : `${many} at ${count(having.length)} suppliers`;
}
