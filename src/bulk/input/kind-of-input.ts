/** The kind of rows in an input, detected by its header or its first object. */
import { type FormKind, formKinds } from "../../forms/forms.ts";
import type { ReadingOptions } from "../run-settings.ts";
import { noColumns } from "./header.ts";
import { noRowsWords, readPlanned } from "./read-planned.ts";
import { type RawRecord, RecordCutter } from "./record-cutter.ts";
import { isAboutUnknownName } from "./unknown-name.ts";

/** A possible kind of an input. */
export interface PossibleKind {
  readonly kind: FormKind;
  /** Number of fields that its first record lacks or should not have, for this kind. */
  readonly issues: number;
  /** True if its only issues are missing fields that the user can allow. */
  readonly fits: boolean;
}

/**
 * Returns every kind, the best match first: the one that knows most of the names, then the one with
 * the fewest issues, by the first record in `head`, the first bytes of an
 * input. It uses the checks of the rows, so that no other rule defines the meaning of a column.
 */
export async function possibleKinds(
  head: Uint8Array,
  format: "csv" | "jsonl" | "detect",
): Promise<readonly PossibleKind[]> {
  const cutter = new RecordCutter(format);
  cutter.append(head);
  let record = firstOf(cutter);
  if (record === null) {
    cutter.finish();
    record = firstOf(cutter);
  }
  const { layout } = cutter;
  if (record === null || layout === null || layout.kind === "unreadable") return [];
  const first = Uint8Array.from(record.bytes);
  const isHeader = layout.kind === "csv";
  const all: (PossibleKind & Found)[] = [];
  for (const kind of formKinds) {
    const as = (allowMissing: boolean) =>
      issuesAs({ kind, format: isHeader ? "csv" : "jsonl", allowMissing }, first);
    all.push({ kind, ...(await as(false)), fits: (await as(true)).issues === 0 });
  }
  return all.sort((one, other) => one.unknown - other.unknown || one.issues - other.issues);
}

/** Returns the only kind that fits, or null if none does, or several do. */
export function onlyMatchingKind(kinds: readonly PossibleKind[]): FormKind | null {
  const whole = kinds.filter(({ issues }) => issues === 0);
  const [first, ...others] = whole.length > 0 ? whole : kinds.filter(({ fits }) => fits);
  return first !== undefined && others.length === 0 ? first.kind : null;
}

function firstOf(cutter: RecordCutter): RawRecord | null {
  for (let record = cutter.take(); record !== null; record = cutter.take())
    if (record.bytes.some((byte) => byte > 0x20)) return record;
  return null;
}

/** The number for a header without a documented name: more than any has columns. */
const mostUnknown = Number.MAX_SAFE_INTEGER;

interface Found {
  readonly issues: number;
  /** Issues about names that are not documented for the kind. */
  readonly unknown: number;
}

async function issuesAs(
  as: Pick<ReadingOptions, "kind" | "format" | "allowMissing">,
  record: Uint8Array,
): Promise<Found> {
  const typedAt = { now: 0, timeZone: "UTC" };
  const options = { ...as, group: "none", query: {}, typedAt } as const;
  let issues = 0;
  let unknown = 0;
  for await (const planned of readPlanned(inOnePiece(record), options)) {
    if (planned.kind === "problem" && planned.problem.message === noRowsWords) continue;
    if (planned.kind !== "problem") continue;
    issues += 1;
    const { message } = planned.problem;
    if (isAboutUnknownName(message)) unknown += 1;
    else if (message.startsWith(noColumns)) unknown = mostUnknown;
  }
  return { issues, unknown };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
