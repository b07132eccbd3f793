import { AppError } from "../../errors/app-error.ts";
import { isRecord } from "../../json/exact.ts";
import type { SourceLayout } from "../source/source.ts";

/** A stored source list: what it is, without its rows. */
export interface Cohort {
  readonly name: string;
  readonly supplier: string;
  /** SHA-256 of the bytes of the source, as hexadecimal. It identifies the list with its rows. */
  readonly sha256: string;
  /** Rows of the source, repeated and malformed ones included. */
  readonly rows: number;
  /** Different account numbers. */
  readonly accounts: number;
  /** The requested column of the numbers, or null if none was requested. */
  readonly column: string | null;
  readonly layout: SourceLayout;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The version of the description that this program writes and reads. */
const version = 1;

const layouts: readonly SourceLayout[] = ["text", "json", "jsonl", "csv"];

/** The text of a description file. */
export function writtenDescription(cohort: Cohort): string {
  return `${JSON.stringify({
    version,
    name: cohort.name,
    import_supplier: cohort.supplier,
    sha256: cohort.sha256,
    rows: cohort.rows,
    accounts: cohort.accounts,
    column: cohort.column,
    format: cohort.layout,
    created_at: new Date(cohort.createdAt).toISOString(),
  })}\n`;
}

/** Reads a description file of the cohort of this name. Throws `too-new` and `damaged`. */
export function readDescription(text: string, name: string): Cohort {
  const value = parsed(text);
  if (isRecord(value) && typeof value.version === "number" && value.version > version)
    throw new AppError(
      "cohort",
      "too-new",
      `the cohort ${name} was added by a later version of supplyline`,
      { remedy: "Use that version." },
    );
  const { layout, createdAt, ...texts } = fieldsOf(value);
  const { supplier, sha256, rows, accounts, column } = texts;
  if (
    texts.name !== name ||
    typeof supplier !== "string" ||
    supplier === "" ||
    typeof sha256 !== "string" ||
    !/^[0-9a-f]{64}$/.test(sha256) ||
    !isCount(rows) ||
    !isCount(accounts) ||
    !(column === null || typeof column === "string") ||
    layout === undefined ||
    Number.isNaN(createdAt)
  )
    throw new AppError("cohort", "damaged", `the description of the cohort ${name} is damaged`, {
      remedy: `Remove the cohort and add its list again: supplyline cohorts remove ${name} --yes`,
    });
  return { name, supplier, sha256, rows, accounts, column, layout, createdAt };
}

function fieldsOf(value: unknown) {
  const fields = isRecord(value) && value.version === version ? value : {};
  const { name, import_supplier: supplier, sha256, rows, accounts, column, format } = fields;
  const layout = layouts.find((one) => one === format);
  const createdAt = Date.parse(String(fields.created_at));
  return { name, supplier, sha256, rows, accounts, column, layout, createdAt };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
