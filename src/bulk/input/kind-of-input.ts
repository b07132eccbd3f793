/** Detects the kind of the rows in an input by its header or its first object. */
import { type FormKind, formKinds } from "../../forms/forms.ts";
import { RecordCutter } from "../../rows/record-cutter.ts";
import type { RawRecord } from "../../rows/record-text.ts";
import type { ReadingOptions } from "../run-settings.ts";
import { noColumnsStart } from "./csv-reader.ts";
import { noRowsWords, readPlanned } from "./read-planned.ts";
import { notDocumented } from "./row-shape.ts";

export interface PossibleKind {
  readonly kind: FormKind;
  /** Number of issues of the first record if it is read as this kind. */
  readonly issues: number;
  /** True if the only issues are missing fields that the user can allow. */
  readonly fits: boolean;
}

/**
 * Returns every kind, best match first: the fewest undocumented names, then the fewest issues.
 * Reads only the first record in `head`, the first bytes of an input. Uses the checks of a run, so
 * that a column has the same meaning. Returns an empty array if `head` has no readable record.
 */
export async function possibleKinds(
  head: Uint8Array,
  format: "csv" | "jsonl" | "detect",
): Promise<readonly PossibleKind[]> {
  const cutter = new RecordCutter(format);
  cutter.append(head);
  let record = firstRecord(cutter);
  if (record === null) {
    cutter.finish();
    record = firstRecord(cutter);
  }
  const { layout } = cutter;
  if (record === null || layout === null || layout.kind === "unreadable") return [];
  const first = Uint8Array.from(record.bytes);
  const isHeader = layout.kind === "csv";
  const all: (PossibleKind & IssueCounts)[] = [];
  for (const kind of formKinds) {
    const check = (allowMissing: boolean) =>
      countIssues({ kind, format: isHeader ? "csv" : "jsonl", allowMissing }, first);
    all.push({ kind, ...(await check(false)), fits: (await check(true)).issues === 0 });
  }
  return all.sort((one, other) => one.unknown - other.unknown || one.issues - other.issues);
}

/** Returns the only kind that fits, or null if no kind or several kinds fit. */
export function onlyMatchingKind(kinds: readonly PossibleKind[]): FormKind | null {
  const flawless = kinds.filter(({ issues }) => issues === 0);
  const [first, ...others] = flawless.length > 0 ? flawless : kinds.filter(({ fits }) => fits);
  return first !== undefined && others.length === 0 ? first.kind : null;
}

function firstRecord(cutter: RecordCutter): RawRecord | null {
  for (const record of cutter.records())
    if (record.bytes.some((byte) => byte > 0x20)) return record;
  return null;
}

/** The `unknown` of a header without a documented name. No header has that many names. */
const maxUnknown = Number.MAX_SAFE_INTEGER;

interface IssueCounts {
  readonly issues: number;
  /** Number of issues about names that are not documented for the kind. */
  readonly unknown: number;
}

async function countIssues(
  reading: Pick<ReadingOptions, "kind" | "format" | "allowMissing">,
  record: Uint8Array,
): Promise<IssueCounts> {
  const typedAt = { now: 0, timeZone: "UTC" };
  const options = { ...reading, group: "none", query: {}, typedAt } as const;
  let issues = 0;
  let unknown = 0;
  for await (const planned of readPlanned(singleChunk(record), options)) {
    if (planned.kind !== "issue" || planned.issue.severity === "warning") continue;
    const { message } = planned.issue;
    if (message === noRowsWords) continue;
    issues += 1;
    if (message.startsWith(notDocumented)) unknown += 1;
    else if (message.startsWith(noColumnsStart)) unknown = maxUnknown;
  }
  return { issues, unknown };
}

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
