/** The review of many rows, of a checked file or for marked accounts. Sending starts a bulk run. */

import { basename } from "node:path";
import { useEffect, useMemo, useState } from "react";
import { type Checked, canLeaveOutBadRows, withoutBadRows } from "../../bulk/check.ts";
import {
  type HeldBack,
  heldBackLines,
  sameIdsWords,
  unaskedWords,
  withoutHeldBack,
} from "../../bulk/held-back.ts";
import type { PlannedRequest } from "../../bulk/input/planner.ts";
import { createRunOf } from "../../bulk/record.ts";
import type { RunRecord } from "../../bulk/run-record.ts";
import type { RowSource } from "../../bulk/source.ts";
import { Body } from "../../components/body.tsx";
import type { Sentence } from "../../components/document.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { forms } from "../../forms/forms.ts";
import type { Issue } from "../../forms/rules.ts";
import { useHere, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useFileChange } from "../../hooks/file-change.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Actions } from "../../keys/scopes.ts";
import { checkAgain, fileCommandKey, markAsSending } from "../../session/bulk-file.ts";
import { runInBackground } from "../../session/bulk-run.ts";
import { removeSent } from "../../session/draft.ts";
import type { ConsoleSend } from "../../session/gate.ts";
import type { Choice } from "../../session/overlays.ts";
import type { CheckedFile } from "../../session/tasks.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { count, plural } from "../../text/numbers.ts";
import type { Override } from "../../writes/journal/override.ts";
import { numberOf } from "../../writes/kinds/kind.ts";
import { kindName, kindOf, operationOf } from "../../writes/kinds/kinds.ts";
import { prepareWrite } from "../../writes/prepare.ts";
import { Review, useOlderJournal } from "./review.tsx";
import { type ReviewFacts, type SampleRequest, sendWords } from "./review-facts.ts";

export function FileReviewScreen({ path }: { readonly path: string }) {
  const task = useStore(useSession().tasks.files.all).get(path);
  if (task?.kind === "ended" && task.end.kind === "checked" && isSendable(task.end.file))
    return <FileReview file={task.end.file} />;
  return (
    <Body>
      <Paragraph>The file is not checked any more. Go back and check it again.</Paragraph>
    </Body>
  );
}

FileReviewScreen.help = {
  name: "Review of a file",
  about: [
    "What will be sent: the first request, the last, how many there are, and the sum of their amounts. Every request is recorded before the first is sent.",
  ],
  words: ["run", "outcome"],
} as const;

function isSendable(file: CheckedFile): boolean {
  return file.issues.errors === 0 || canLeaveOutBadRows(file);
}

/**
 * Shows the rows of a checked file without those that have an error. Nothing can be sent if the file
 * has changed since.
 */
function FileReview({ file }: { readonly file: CheckedFile }) {
  const { path } = file;
  const here = useHere();
  const { key } = here.app;
  const name = basename(path);
  const before = useMemo(() => [...leftOutWords(file, key), ...warningWords(file)], [file, key]);
  const checked = useMemo(() => withoutBadRows(file), [file]);
  const bad = plural(file.issues.rows, "row");
  const from = `from ${name}${file.issues.rows === 0 ? "" : `, without ${bad} with an error`}`;
  const isSame = useFileChange(file) === "same";
  const changed = `${name} is not the file that was checked: ${key("back")} goes back, to read it again.`;
  return (
    <RowsReview
      source={{ kind: "file", path }}
      checked={checked}
      draft={null}
      inTitle={`from ${name}`}
      inQuestion={from}
      inQuestionWithoutHeld={from}
      before={before}
      warnings={none}
      obstacle={isSame ? null : changed}
      choices={none}
      keys={{ "as-command": fileCommandKey(here, file) }}
    />
  );
}

const none = [] as const;

function leftOutWords({ issues }: CheckedFile, key: KeyWords): readonly Sentence[] {
  if (issues.rows === 0) return none;
  const are = issues.rows === 1 ? "is" : "are";
  const words = `${plural(issues.rows, "row")} with an error ${are} left out. ${key("back")}, then ${key("rejected-rows")} writes ${issues.rows === 1 ? "it" : "them"} to a file with the reason.`;
  return [{ words, look: { tone: "bad", bold: true } }];
}

function warningWords({ issues: { warnings, firstWarnings } }: CheckedFile): readonly Sentence[] {
  const look = { tone: "waiting" } as const;
  const more = warnings - firstWarnings.length;
  return [
    ...firstWarnings.map(({ line, column, message }) => ({
      words: `! Line ${line}${column === null ? "" : `, ${column}`}: ${message}`,
      look,
    })),
    ...(more > 0 ? [{ words: `and ${count(more)} more warnings`, look }] : []),
  ];
}

export function RowsReview(props: {
  readonly source: RowSource;
  readonly checked: Checked;
  /** The form that the rows were composed with, or null for a file. */
  readonly draft: SavedDraft | null;
  readonly inTitle: string;
  readonly inQuestion: string;
  readonly inQuestionWithoutHeld: string;
  readonly before: readonly Sentence[];
  readonly warnings: readonly Issue[];
  readonly obstacle: string | null;
  readonly choices: readonly Choice[];
  readonly keys: Actions;
}) {
  const { source, checked, draft, before, warnings } = props;
  const { session, app } = useHere();
  const { navigation, key } = app;
  const { baseUrl } = session;
  const { recording, failed, start } = useStartRun(draft);
  const older = useOlderJournal();
  const hasLines = source.kind === "file";
  const facts = useMemo(
    () => rowsFacts(checked, { baseUrl, hasLines, before, warnings }, key),
    [checked, baseUrl, hasLines, before, warnings, key],
  );
  const toSend = rowsToSend(checked, { hasLines, ...props });
  const backLabel = draft === null ? "to the file" : "form";
  return (
    <Review
      title={`${contentsOf(checked)} ${props.inTitle}`}
      facts={facts}
      obstacle={recording ?? older ?? props.obstacle}
      requiredAction={null}
      sendNote={sendWords(toSend, session, "them", key)}
      sendLabel="send"
      toSend={toSend}
      onSend={(override) => start(source, checked, override)}
      choices={props.choices}
      keys={{
        back: { run: navigation.back, label: backLabel, disabled: recording },
        ...props.keys,
      }}
      failed={failed}
    />
  );
}

function contentsOf({ contents, rows, reading }: Checked): string {
  return contents ?? `${plural(rows, "row")} of ${kindName(reading.kind)}`;
}

function rowsFacts(
  checked: Checked,
  options: Pick<ReviewFacts, "baseUrl" | "before" | "warnings"> & { readonly hasLines: boolean },
  key: KeyWords,
): ReviewFacts {
  const { heldBack, requests, suppliers, reading } = checked;
  const { hasLines, baseUrl, before, warnings } = options;
  const sampleOf = ({ lines, write }: PlannedRequest): SampleRequest => ({
    lines: hasLines ? lines : null,
    write: prepareWrite(write),
  });
  const first = checked.first.map(sampleOf);
  const last = checked.last === null || requests <= 1 ? null : sampleOf(checked.last);
  return {
    form: forms[reading.kind],
    baseUrl,
    before: [...heldBackWords(heldBack, key("send")), ...before],
    warnings,
    write: first[0]?.write ?? null,
    requests: [...groupOf("First", first[0]), ...groupOf("Last", last)],
    run: {
      goesOut: goesOutOf(checked),
      suppliers,
      first,
      last: requests > first.length ? last : null,
      between: requests - first.length - 1,
      heldBack: hasLines
        ? heldBackLines(heldBack)
        : heldBackLines(heldBack, ({ target }) => numberOf(target)),
    },
    split: null,
  };
}

function groupOf(which: "First" | "Last", sample: SampleRequest | null | undefined) {
  if (!sample) return [];
  const [line] = sample.lines ?? [];
  const heading = line === undefined ? `${which} account` : `${which} request, line ${line}`;
  return [{ heading, parts: [sample.write] }];
}

function goesOutOf(checked: Checked): string {
  const sent = withoutHeldBack(checked, checked.heldBack);
  const rows = plural(sent.rows, "row");
  const amount = sent.rows === 0 ? rows : `${rows} in ${plural(sent.requests, "request")}`;
  return sent.rows === checked.rows ? amount : `${amount}; with a reason ${count(checked.rows)}`;
}

/** Describes the rows with an earlier entry: held back, recognized, or with the same ID. */
function heldBackWords(held: HeldBack, send: string): readonly Sentence[] {
  const { rows, first, recognized, firstRecognized } = held;
  const [were, are, them] = rows === 1 ? ["was", "is", "it"] : ["were", "are", "them"];
  const earlier = first[0]?.earlier ?? null;
  const entry = earlier === null ? "" : ` (entry ${earlier.journalId})`;
  const heldBackText = `${plural(rows, "row")} ${were} sent before${entry} and ${are} left out. ${send}, with a reason, sends ${them} again.`;
  const recognizedText = `${plural(recognized, "row")} ${recognized === 1 ? "has" : "have"} an earlier entry: ${firstRecognized} The service does not add it twice.`;
  const sameIds = sameIdsWords(held);
  const waiting = { tone: "waiting" } as const;
  return [
    ...(rows === 0 ? [] : [{ words: heldBackText, look: { tone: "bad", bold: true } as const }]),
    ...(firstRecognized === null ? [] : [{ words: recognizedText, look: waiting }]),
    ...[sameIds, unaskedWords(held)].flatMap((words) =>
      words === null ? [] : [{ words, look: waiting }],
    ),
  ];
}

function rowsToSend(
  checked: Checked,
  source: {
    readonly inQuestion: string;
    readonly inQuestionWithoutHeld: string;
    readonly hasLines: boolean;
  },
): ConsoleSend {
  const { heldBack, reading, rows, sum } = checked;
  const operation = operationOf(reading.kind);
  const sent = withoutHeldBack(checked, heldBack);
  const unit = source.hasLines ? "row" : kindOf(operation).item;
  const questionAbout = (contents: string, amounts: Pick<typeof sent, "rows" | "sum">) => ({
    doing: `Send ${contents}`,
    yes: `Yes, send ${plural(amounts.rows, unit)}`,
    rows: amounts.rows,
    sum: amounts.sum,
  });
  const sentWords = `${plural(sent.rows, "row")} of ${kindName(reading.kind)}${sent.sum === null ? "" : `, ${sent.sum} in all,`}`;
  const hint = `Why ${plural(heldBack.rows, "row")} held back ${heldBack.rows === 1 ? "is" : "are"} sent again${sent.rows === 0 ? "." : "; empty leaves them out."}`;
  const without =
    sent.rows === 0 ? null : questionAbout(`${sentWords} ${source.inQuestionWithoutHeld}`, sent);
  const inDoubt = heldBack.rows > 0;
  return {
    operation,
    inDoubt,
    ...questionAbout(`${contentsOf(checked)} ${source.inQuestion}`, { rows, sum }),
    detail: heldBack.first[0]?.words ?? null,
    target: null,
    reason: inDoubt ? { passes: heldBack.findings, hint, without } : null,
  };
}

type Creation =
  | { readonly kind: "recording" }
  | { readonly kind: "started"; readonly run: string; readonly onShown: () => void }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * Returns a function that creates and sends a run, and its progress. The screen of the run replaces
 * the review, and the form if the rows were composed with one. The draft of that form is removed if
 * every row is confirmed.
 */
function useStartRun(draft: SavedDraft | null) {
  const here = useHere();
  const { formDrafts, navigation } = here.app;
  const [state, setState] = useState<Creation | null>(null);
  const started = state?.kind === "started" ? state : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: this runs once, after the start
  useEffect(() => {
    if (started === null) return;
    navigation.back();
    if (draft !== null) navigation.back();
    navigation.push({ kind: "run", id: started.run });
    started.onShown();
  }, [started]);
  const createAndSend = async (source: RowSource, checked: Checked, override: Override | null) => {
    const discard = ({ counts }: RunRecord) => {
      if (draft === null || counts.confirmed + counts.exists < checked.rows) return;
      // A draft that was changed meanwhile is a different form, so it stays.
      const stored = formDrafts.find(draft.id);
      if (stored?.updatedAt === draft.updatedAt) removeSent(formDrafts, stored);
    };
    const { context } = await here.session.writes();
    const run = await createRunOf(context, source, checked, { override: override ?? undefined });
    // Another check replaces the review, so it waits until the screen of the run is shown.
    const shown = Promise.withResolvers<void>();
    const { session, app } = here;
    const { path } = { path: null, ...source };
    if (path !== null) markAsSending(session, path, run, app.clock.now());
    runInBackground(here, context, run, source, (record) => {
      discard(record);
      if (path !== null) void shown.promise.then(() => checkAgain(session, path, app));
    });
    setState({ kind: "started", run, onShown: shown.resolve });
  };
  const hasStarted = state?.kind === "recording" || state?.kind === "started";
  return {
    recording: hasStarted ? "The run is being recorded." : null,
    failed: state?.kind === "failed" ? { error: state.error, doing: "recording the run" } : null,
    /** Without an override, the rows that the duplicate guard bars are held back. */
    start(source: RowSource, checked: Checked, override: Override | null) {
      setState({ kind: "recording" });
      createAndSend(source, checked, override).catch((error: unknown) =>
        setState({ kind: "failed", error }),
      );
    },
  };
}
