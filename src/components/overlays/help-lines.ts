import type { UsedKeys } from "../../hooks/keys.tsx";
import {
  type ActionId,
  actionIds,
  type BindingGroup,
  bindingOf,
  keyLabel,
} from "../../keys/bindings.ts";
import {
  accountStatuses,
  accountStatusWords,
  notFoundWords,
  type StatusWords,
  supplierStatuses,
  supplierStatusWords,
  supplyPointStatuses,
  supplyPointStatusWords,
} from "../../text/describe-status.ts";
import { fit, wrap } from "../../text/width.ts";
import { outcomeWords } from "../../writes/words/outcomes.ts";
import type { Piece } from "../text.tsx";
import type { HelpTopic, HelpWords } from "./help-topics.ts";

type Line = readonly Piece[];

/** Cells of what stands on the left of a sentence. */
const keyWidth = 16;
const statusWidth = 24;

/** The help of a screen: what it is for, what works there, what its words mean, then all the rest. */
export function helpLines(options: {
  readonly topic: HelpTopic;
  /** What worked on the screen. */
  readonly here: ReadonlySet<ActionId>;
  readonly keys: UsedKeys;
  readonly columns: number;
  readonly ascii: boolean;
}): readonly Line[] {
  const { topic, here, keys, columns, ascii } = options;
  const beside = (left: Piece, width: number, sentence: string): readonly Line[] =>
    wrap(sentence, Math.max(20, columns - width)).map((text, at) => [
      at === 0 ? { ...left, text: fit(left.text, width) } : { text: " ".repeat(width) },
      { text },
    ]);
  const keyLines = (id: ActionId) => {
    const { help } = bindingOf(id);
    const names = keys.keymap.keysOf(id).map(keyLabel).join(" ");
    return beside(
      { text: `  ${names === "" ? "(no key)" : names}`, tone: "accent" },
      keyWidth,
      help,
    );
  };
  const wordLines = (words: StatusWords) => {
    const mark = ascii ? words.asciiMark : words.mark;
    return beside(
      { text: `  ${mark} ${words.label}`, tone: words.tone },
      statusWidth,
      words.meaning,
    );
  };
  const titled = (title: string, lines: readonly Line[]): readonly Line[] =>
    lines.length === 0 ? [] : [[{ text: title, tone: "title" }], ...lines, [{ text: " " }]];
  const paragraph = (text: string): readonly Line[] =>
    wrap(text, columns).map((line) => [{ text: line }]);
  return [
    ...titled(
      "Lines of keymap.json that do not hold",
      keys.faults.flatMap((fault) =>
        wrap(fault, columns - 2).map((line): Line => [{ text: `  ${line}`, tone: "bad" }]),
      ),
    ),
    ...(topic.about.length === 0 ? [] : [...topic.about.flatMap(paragraph), [{ text: " " }]]),
    ...titled("Works here", byUse(actionIds.filter((id) => here.has(id))).flatMap(keyLines)),
    ...topic.words.flatMap((words) =>
      titled(tables[words].title, tables[words].words.flatMap(wordLines)),
    ),
    ...titled("Works elsewhere", actionIds.filter((id) => !here.has(id)).flatMap(keyLines)),
  ];
}

/** What a screen is there for comes first, how one moves about on it last. */
const groups: readonly BindingGroup[] = ["Act", "Look", "List", "Go", "Program", "Move"];

function byUse(ids: readonly ActionId[]): readonly ActionId[] {
  return groups.flatMap((group) => ids.filter((id) => bindingOf(id).group === group));
}

const tables: Readonly<
  Record<HelpWords, { readonly title: string; readonly words: readonly StatusWords[] }>
> = {
  account: {
    title: "What an account's import may say",
    words: [...accountStatuses.map(accountStatusWords), notFoundWords.account],
  },
  "account-state": {
    title: "Pending and imported",
    words: [
      {
        label: "pending",
        meaning:
          "Staged: its data is there, the account is not created yet. Nothing can be posted to it.",
        tone: "waiting",
        mark: "○",
        asciiMark: "o",
      },
      {
        label: "imported",
        meaning:
          "Created: notes, transactions, statements and a payment instruction can be posted.",
        tone: "ok",
        mark: "✓",
        asciiMark: "+",
      },
    ],
  },
  "supply-point": {
    title: "What a supply point's import may say",
    words: [...supplyPointStatuses.map(supplyPointStatusWords), notFoundWords["supply-point"]],
  },
  supplier: {
    title: "What operators call an import supplier",
    words: supplierStatuses.map(supplierStatusWords),
  },
  outcome: { title: "What may become of a write", words: Object.values(outcomeWords) },
  run: {
    title: "What a run may be",
    words: [
      {
        label: "running",
        meaning: "A process of this machine is at it.",
        tone: "busy",
        mark: "●",
        asciiMark: "*",
      },
      {
        label: "stopped",
        meaning: "Rows are left: it can go on where it stopped.",
        tone: "waiting",
        mark: "○",
        asciiMark: "o",
      },
      {
        label: "ended",
        meaning: "Every row has come to its end; the counts say to which.",
        tone: "ok",
        mark: "✓",
        asciiMark: "+",
      },
    ],
  },
};
