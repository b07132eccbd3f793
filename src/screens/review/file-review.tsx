import { basename } from "node:path";
import { useMemo } from "react";
import {
  type HeldBack,
  heldBackLines,
  sameIdsWords,
  withoutHeldBack,
} from "../../bulk/held-back.ts";
import { hashWhileReading } from "../../bulk/input/hashing.ts";
import { readRequests } from "../../bulk/input/read-planned.ts";
import type { PlannedRequest } from "../../bulk/planned.ts";
import { Body } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { forms } from "../../forms/forms.ts";
import { useHere, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useFileChange } from "../../hooks/file-change.ts";
import { useStartRun } from "../../hooks/start-run.ts";
import { fileCommandKey } from "../../session/bulk-file.ts";
import { sourceBytes } from "../../session/source-file.ts";
import type { CheckedFile } from "../../session/tasks.ts";
import { count, plural } from "../../text/numbers.ts";
import type { GuardOverride } from "../../writes/guard.ts";
import { kindName, operationOf } from "../../writes/kinds/kinds.ts";
import { prepareWrite } from "../../writes/prepare.ts";
import { Review } from "./review.tsx";
import type { ReviewFacts, SampleRequest } from "./review-lines.ts";
import { sendWords } from "./words.ts";

/** Shows the rows of a file before they are sent: the first request, the last, and their number. */
export function FileReviewScreen({ path }: { readonly path: string }) {
  const task = useStore(useSession().tasks.files.all).get(path);
  if (task?.kind === "ended" && task.end.kind === "checked" && task.end.file.issues.errors === 0)
    return <FileReview file={task.end.file} />;
  return (
    <Body>
      <Paragraph>The file is not checked any more. Go back and check it again.</Paragraph>
    </Body>
  );
}

function FileReview({ file }: { readonly file: CheckedFile }) {
  const { path, reading, heldBack, rows, requests, sum, contents, sha256 } = file;
  const { kind } = reading;
  const { warnings, firstWarnings } = file.issues;
  const name = basename(path);
  const here = useHere();
  const { session } = here;
  const { navigation, key } = here.app;
  const asCommand = fileCommandKey(here, file);
  const change = useFileChange(file);
  const { recording, failed, start } = useStartRun(0);
  const obstacle =
    recording ??
    (change === "same"
      ? null
      : `${name} is not the file that was checked: ${key("back")} goes back, to read it again.`);
  const run = (again: GuardOverride | null) =>
    start({
      draft: null,
      file: { source: path, sha256, reading },
      kind,
      rows,
      requests,
      contents,
      read: () => {
        const { bytes, digest } = hashWhileReading(sourceBytes(path));
        return { requests: readRequests(bytes, reading), digest };
      },
      again,
    });
  const out = useMemo(() => withoutHeldBack(file, heldBack), [file, heldBack]);
  const samples = useMemo(
    () => ({
      first: file.first.slice(0, mostFirst).map(sampleOf),
      last: file.last === null ? null : sampleOf(file.last),
    }),
    [file],
  );
  const sameIds = sameIdsWords(heldBack);
  const facts = useMemo((): ReviewFacts => {
    const more = warnings - firstWarnings.length;
    return {
      form: forms[kind],
      baseUrl: session.baseUrl,
      before: [
        ...(heldBack.rows === 0
          ? []
          : [
              {
                words: heldBackSentence(heldBack, key("send")),
                look: { tone: "bad", bold: true } as const,
              },
            ]),
        ...(sameIds === null ? [] : [{ words: sameIds, look: { tone: "waiting" } as const }]),
        ...firstWarnings.map(({ line, column, message }) => ({
          words: `! Line ${line}${column === null ? "" : `, ${column}`}: ${message}`,
          look: { tone: "waiting" } as const,
        })),
        ...(more > 0
          ? [{ words: `and ${count(more)} more warnings`, look: { tone: "waiting" } as const }]
          : []),
      ],
      warnings: [],
      write: samples.first[0]?.write ?? null,
      requests: [
        ...groupOf("First request", samples.first[0]),
        ...(requests > 1 ? groupOf("Last request", samples.last) : []),
      ],
      run: {
        goesOut: goesOutOf(file, out),
        suppliers: file.suppliers,
        first: samples.first,
        last: requests > samples.first.length ? samples.last : null,
        between: requests - samples.first.length - 1,
        heldBack: heldBackLines(heldBack),
      },
      split: null,
    };
  }, [
    kind,
    session,
    heldBack,
    sameIds,
    warnings,
    firstWarnings,
    file,
    samples,
    key,
    requests,
    out,
  ]);
  const inDoubt = heldBack.rows > 0;
  const rowsText = (n: number) => `${plural(n, "row")} of ${kindName(kind)}`;
  const what = contents ?? rowsText(rows);
  const asking = (words: string, amounts: Pick<typeof out, "rows" | "sum">) => ({
    doing: `Send ${words} from ${name}`,
    yes: `Yes, send ${plural(amounts.rows, "row")}`,
    rows: amounts.rows,
    sum: amounts.sum,
  });
  const outWords = `${rowsText(out.rows)}${out.sum === null ? "" : `, ${out.sum} in all,`}`;
  const toSend = {
    operation: operationOf(kind),
    inDoubt,
    ...asking(what, { rows, sum }),
    detail: heldBack.first[0]?.words ?? null,
    target: null,
    reason: inDoubt
      ? {
          hint: `Why ${plural(heldBack.rows, "row")} held back ${heldBack.rows === 1 ? "is" : "are"} sent again${out.rows === 0 ? "." : "; empty leaves them out."}`,
          without: out.rows === 0 ? null : asking(outWords, out),
        }
      : null,
  };
  return (
    <Review
      title={`${what} from ${name}`}
      facts={facts}
      obstacle={obstacle}
      first={null}
      ready={sendWords(toSend, session, "them", key)}
      sendLabel="send"
      toSend={toSend}
      onSend={run}
      choices={[]}
      keys={{
        back: { run: navigation.back, label: "to the file" },
        "as-command": asCommand,
      }}
      failed={failed}
    />
  );
}

/** Requests in the table before the last one. */
const mostFirst = 5;

/** A request as it will be sent. */
function sampleOf({ lines, write }: PlannedRequest): SampleRequest {
  return { lines, write: prepareWrite(write) };
}

function groupOf(name: string, sample: SampleRequest | null | undefined) {
  if (!sample) return [];
  return [{ heading: `${name}, line ${sample.lines?.[0] ?? 0}`, parts: [sample.write] }];
}

type Amounts = Pick<ReturnType<typeof withoutHeldBack>, "rows" | "requests">;

/** Counts the rows that go out without a reason and with one. */
function goesOutOf(all: Amounts, out: Amounts): string {
  const rows = plural(out.rows, "row");
  const how = out.rows === 0 ? rows : `${rows} in ${plural(out.requests, "request")}`;
  return out.rows === all.rows ? how : `${how}; with a reason ${count(all.rows)}`;
}

function heldBackSentence({ rows, first }: HeldBack, send: string): string {
  const [were, are, them] = rows === 1 ? ["was", "is", "it"] : ["were", "are", "them"];
  const entry = first[0] === undefined ? "" : ` (entry ${first[0].earlier.journalId})`;
  return `${plural(rows, "row")} ${were} sent before${entry} and ${are} left out. ${send}, with a reason, sends ${them} again.`;
}
