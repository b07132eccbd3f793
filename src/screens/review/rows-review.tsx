/** The review of many rows, from a file or for marked accounts. */
import { useMemo } from "react";
import type { Checked } from "../../bulk/check.ts";
import {
  type HeldBack,
  type HeldRow,
  heldBackLines,
  sameIdsWords,
  withoutHeldBack,
} from "../../bulk/held-back.ts";
import type { PlannedRequest } from "../../bulk/input/planner.ts";
import type { RowSource } from "../../bulk/source.ts";
import type { Sentence } from "../../components/document.tsx";
import { forms } from "../../forms/forms.ts";
import type { Issue } from "../../forms/rules.ts";
import { useHere } from "../../hooks/app.tsx";
import { useStartRun } from "../../hooks/start-run.ts";
import type { Actions } from "../../keys/scopes.ts";
import type { Choice } from "../../session/overlays.ts";
import { numberOf } from "../../session/plan.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { count, plural } from "../../text/numbers.ts";
import { kindName, kindOf, operationOf } from "../../writes/kinds/kinds.ts";
import { prepareWrite } from "../../writes/prepare.ts";
import { Review } from "./review.tsx";
import type { ReviewFacts, SampleRequest } from "./review-lines.ts";
import { sendWords } from "./words.ts";

/** Shows the rows of a source before they are sent: the first requests, the last, and their number. */
export function RowsReview(props: {
  readonly source: RowSource;
  readonly checked: Checked;
  /** The form that the rows were composed with, or null for a file. */
  readonly draft: SavedDraft | null;
  /** The number of screens under the review that the screen of the run replaces. */
  readonly below: number;
  /** The rows in the title, such as `from notes.csv`. */
  readonly titled: string;
  /** The rows in a question: all rows, and only those that are not held back. */
  readonly asked: string;
  readonly askedWithoutHeld: string;
  readonly before: readonly Sentence[];
  readonly warnings: readonly Issue[];
  /** The reason why nothing can be sent now, or null if there is none. */
  readonly obstacle: string | null;
  readonly backLabel: string;
  readonly choices: readonly Choice[];
  readonly keys: Actions;
}) {
  const { source, checked, before, warnings } = props;
  const { heldBack, rows, requests, sum, reading } = checked;
  const { kind } = reading;
  const here = useHere();
  const { session } = here;
  const { navigation, key } = here.app;
  const { recording, failed, start } = useStartRun(props.below);
  const hasLines = source.kind === "file";
  const out = useMemo(() => withoutHeldBack(checked, heldBack), [checked, heldBack]);
  const samples = useMemo(() => {
    const sampleOf = ({ lines, write }: PlannedRequest): SampleRequest => ({
      lines: hasLines ? lines : null,
      write: prepareWrite(write),
    });
    const last = checked.last === null ? null : sampleOf(checked.last);
    return { first: checked.first.map(sampleOf), last };
  }, [checked, hasLines]);
  const facts = useMemo((): ReviewFacts => {
    const { first } = samples;
    const last = requests > 1 ? samples.last : null;
    return {
      form: forms[kind],
      baseUrl: session.baseUrl,
      before: [...heldBackWords(heldBack, key("send")), ...before],
      warnings,
      write: first[0]?.write ?? null,
      requests: [...groupOf("First", first[0]), ...groupOf("Last", last)],
      run: {
        goesOut: goesOutOf(checked, out),
        suppliers: checked.suppliers,
        first,
        last: requests > first.length ? last : null,
        between: requests - first.length - 1,
        heldBack: hasLines ? heldBackLines(heldBack) : heldBackLines(heldBack, accountName),
      },
      split: null,
    };
  }, [kind, session, heldBack, before, warnings, checked, samples, key, requests, out, hasLines]);
  const inDoubt = heldBack.rows > 0;
  const rowsText = (n: number) => `${plural(n, "row")} of ${kindName(kind)}`;
  const what = checked.contents ?? rowsText(rows);
  const { item } = kindOf(operationOf(kind));
  const asking = (doing: string, amounts: Pick<typeof out, "rows" | "sum">) => ({
    doing: `Send ${doing}`,
    yes: `Yes, send ${plural(amounts.rows, hasLines ? "row" : item)}`,
    rows: amounts.rows,
    sum: amounts.sum,
  });
  const outWords = `${rowsText(out.rows)}${out.sum === null ? "" : `, ${out.sum} in all,`}`;
  const toSend = {
    operation: operationOf(kind),
    inDoubt,
    ...asking(`${what} ${props.asked}`, { rows, sum }),
    detail: heldBack.first[0]?.words ?? null,
    target: null,
    reason: inDoubt
      ? {
          hint: `Why ${plural(heldBack.rows, "row")} held back ${heldBack.rows === 1 ? "is" : "are"} sent again${out.rows === 0 ? "." : "; empty leaves them out."}`,
          without: out.rows === 0 ? null : asking(`${outWords} ${props.askedWithoutHeld}`, out),
        }
      : null,
  };
  return (
    <Review
      title={`${what} ${props.titled}`}
      facts={facts}
      obstacle={recording ?? props.obstacle}
      first={null}
      ready={sendWords(toSend, session, "them", key)}
      sendLabel="send"
      toSend={toSend}
      onSend={(again) => start({ draft: props.draft, source, checked, again })}
      choices={props.choices}
      keys={{
        back: { run: navigation.back, label: props.backLabel, disabled: recording },
        ...props.keys,
      }}
      failed={failed}
    />
  );
}

const accountName = ({ target }: HeldRow) => numberOf(target);

function groupOf(which: "First" | "Last", sample: SampleRequest | null | undefined) {
  if (!sample) return [];
  const [line] = sample.lines ?? [];
  const heading = line === undefined ? `${which} account` : `${which} request, line ${line}`;
  return [{ heading, parts: [sample.write] }];
}

type Amounts = Pick<ReturnType<typeof withoutHeldBack>, "rows" | "requests">;

/** Counts the rows that are sent without a reason, and with one. */
function goesOutOf(all: Amounts, out: Amounts): string {
  const rows = plural(out.rows, "row");
  const how = out.rows === 0 ? rows : `${rows} in ${plural(out.requests, "request")}`;
  return out.rows === all.rows ? how : `${how}; with a reason ${count(all.rows)}`;
}

/**
 * Describes the rows with an earlier entry: held back, recognized by the service, or with the same
 * ID.
 */
function heldBackWords(held: HeldBack, send: string): readonly Sentence[] {
  const { rows, first, recognized, firstRecognized } = held;
  const [were, are, them] = rows === 1 ? ["was", "is", "it"] : ["were", "are", "them"];
  const entry = first[0] === undefined ? "" : ` (entry ${first[0].earlier.journalId})`;
  const sameIds = sameIdsWords(held);
  return [
    ...(rows === 0
      ? []
      : [
          {
            words: `${plural(rows, "row")} ${were} sent before${entry} and ${are} left out. ${send}, with a reason, sends ${them} again.`,
            look: { tone: "bad", bold: true } as const,
          },
        ]),
    ...(firstRecognized === null
      ? []
      : [
          {
            words: `${plural(recognized, "row")} ${recognized === 1 ? "has" : "have"} an earlier entry: ${firstRecognized} The service does not add it twice.`,
            look: { tone: "waiting" } as const,
          },
        ]),
    ...(sameIds === null ? [] : [{ words: sameIds, look: { tone: "waiting" } as const }]),
  ];
}
