import type { Planned, PlannedRequest } from "../../../src/bulk/input/planner.ts";
import { readPlanned } from "../../../src/bulk/input/read-planned.ts";
import type { ReadingOptions } from "../../../src/bulk/run-settings.ts";
import type { FormKind } from "../../../src/forms/forms.ts";
import { typedAt } from "../../forms/payloads.ts";

/** Options that say nothing but the kind, and what is given. */
export function options(kind: FormKind, given: Partial<ReadingOptions> = {}): ReadingOptions {
  return {
    kind,
    format: "detect",
    group: "none",
    query: {},
    allowMissing: false,
    typedAt,
    ...given,
  };
}

export function bytesOf(input: string | Uint8Array): Uint8Array {
  return typeof input === "string" ? new TextEncoder().encode(input) : input;
}

/** An input in pieces of these sizes, over and over. */
export async function* inPieces(
  input: string | Uint8Array,
  sizes: readonly number[] = [65_536],
): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(input);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    // Separate pieces, wiped once they were read: a reader that keeps one fails.
    const piece = bytes.slice(at, at + size);
    yield piece;
    piece.fill(0x78);
    at += size;
  }
}

export async function planned(
  kind: FormKind,
  input: string | Uint8Array,
  given: Partial<ReadingOptions> = {},
  sizes?: readonly number[],
): Promise<Planned[]> {
  return Array.fromAsync(readPlanned(inPieces(input, sizes), options(kind, given)));
}

/** Returns the errors and the warnings as `line column: words`. */
export async function issues(
  kind: FormKind,
  input: string | Uint8Array,
  given: Partial<ReadingOptions> = {},
): Promise<{ problems: string[]; warnings: string[]; sent: number[][] }> {
  const all = await planned(kind, input, given);
  const words = (one: { line: number; column: string | null; message: string }) =>
    `${one.line}${one.column === null ? "" : ` ${one.column}`}: ${one.message}`;
  return {
    problems: all.flatMap((one) =>
      one.kind === "issue" && one.issue.severity === "error" ? words(one.issue) : [],
    ),
    warnings: all.flatMap((one) =>
      one.kind === "issue" && one.issue.severity === "warning" ? words(one.issue) : [],
    ),
    sent: all.flatMap((one) => (one.kind === "request" ? [[...one.request.lines]] : [])),
  };
}

/** The requests of an input in which nothing is wrong. */
export async function requests(
  kind: FormKind,
  input: string | Uint8Array,
  given: Partial<ReadingOptions> = {},
  sizes?: readonly number[],
): Promise<PlannedRequest[]> {
  const all = await planned(kind, input, given, sizes);
  return all.map((one) => {
    if (one.kind !== "request") throw new Error(JSON.stringify(one));
    return one.request;
  });
}

export function bodyText({ write }: PlannedRequest): string {
  return write === null ? "" : new TextDecoder().decode(write.body);
}

/** A CSV cell in quotes. */
export function cell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** The texts in a JSON value by dotted names; numbers and booleans as they are written. */
export function dotted(value: unknown, prefix = ""): [string, string][] {
  if (typeof value !== "object" || value === null) return [[prefix, String(value)]];
  const exact = (value as { rawJSON?: unknown }).rawJSON;
  if (typeof exact === "string" && Object.getPrototypeOf(value) === null) return [[prefix, exact]];
  return Object.entries(value).flatMap(([name, inner]) =>
    dotted(inner, prefix === "" ? name : `${prefix}.${name}`),
  );
}
