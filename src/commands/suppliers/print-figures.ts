import type { Command } from "commander";
import { AppError } from "../../errors/app-error.ts";
import { replaceFile } from "../../files/new-file.ts";
import { codeOf, diskWords } from "../../text/disk-words.ts";
import type { Field } from "../../text/fields.ts";
import { figureFields, type SupplierFacts } from "../../triage/figures/figure-fields.ts";
import { type AnyFormat, formats } from "../global-options.ts";
import type { Invocation } from "../invocation.ts";
import { rowsText, rowText } from "../rows/print.ts";
import { figureColumns } from "./figures.ts";

export const figureFormats: readonly AnyFormat[] = [...formats, "prometheus"];

export interface OutputOption {
  readonly output?: string;
}

export function addOutput(command: Command): Command {
  return command.option(
    "--output <file>",
    "replace this file atomically instead of printing; unchanged if a list is incomplete",
  );
}

interface PrintOptions<Row> {
  /**
   * A map by supplier that is true if the list is held back. Suppliers that were never observed are
   * absent.
   */
  readonly heldBack?: ReadonlyMap<string, boolean>;
  readonly isSingle?: boolean;
  /** Returns the JSON value of a row. Default: the row. */
  json?(row: Row): unknown;
}

export async function printFigures<Row extends SupplierFacts>(
  invocation: Invocation,
  rows: readonly Row[],
  { output }: OutputOption,
  options: PrintOptions<Row> = {},
): Promise<void> {
  const [only] = rows;
  const text =
    invocation.globals.document === "prometheus"
      ? expositionOf(rows, options.heldBack)
      : options.isSingle && only
        ? rowText(invocation, figureColumns, only, options)
        : rowsText(invocation, figureColumns, rows, options);
  if (output === undefined) await invocation.out.write(text);
  else await replaceOutput(invocation, output, text);
}

/**
 * Replaces the file of `--output` atomically: a reader gets the old or the new content. Throws
 * `output` if the disk is full or fails, and `usage` if the file cannot be written for another
 * reason.
 */
async function replaceOutput({ io }: Invocation, path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, text, io.signal);
  } catch (error) {
    io.signal.throwIfAborted();
    if (!(error instanceof Error && "code" in error)) throw error;
    const isDiskError = ["ENOSPC", "EDQUOT", "EIO"].includes(codeOf(error));
    throw new AppError(
      "command",
      isDiskError ? "output" : "usage",
      `--output ${path}: it cannot be written: ${diskWords(codeOf(error))}`,
      { remedy: "The file is unchanged." },
    );
  }
}

interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Returns the value, or null if it is unknown and has no sample. */
  value(row: SupplierFacts): number | null;
}

const gauges: readonly Gauge[] = [
  numberGauge("imported_accounts", "Imported accounts.", figureFields.imported),
  numberGauge("pending_accounts", "Accounts that are staged only.", figureFields.pending),
  numberGauge("total_accounts", "Accounts on the list.", figureFields.total),
  numberGauge(
    "gone_accounts",
    "Accounts that left the list without being imported.",
    figureFields.gone,
  ),
  numberGauge("rate_per_hour", "Accounts imported in the last hour.", figureFields.rate),
  numberGauge(
    "pending_over_a_day_accounts",
    "Accounts that are pending for more than a day.",
    figureFields.overADay,
  ),
  numberGauge(
    "unknown_writes",
    "Entries of the journal whose outcome is unknown.",
    figureFields.unknown,
  ),
  timeGauge(
    "The time of the first list with the account that has been pending longest.",
    figureFields.oldest,
  ),
  timeGauge("The earliest time at which all accounts can be imported.", figureFields.finishFrom),
  timeGauge("The latest time at which all accounts can be imported.", figureFields.finishTo),
  timeGauge("The time at which the list was requested.", figureFields.listedAt),
];

function numberGauge(
  name: string,
  help: string,
  { value }: Field<SupplierFacts, string, number | null>,
): Gauge {
  return { name: `supplyline_${name}`, help, value };
}

/** Creates a gauge of a time in seconds since 1970, as in Prometheus. */
function timeGauge(help: string, field: Field<SupplierFacts, string, string | null>): Gauge {
  return {
    name: `supplyline_${field.name}_timestamp_seconds`,
    help,
    value: (row) => {
      const time = field.value(row);
      return time === null ? null : Date.parse(time) / 1_000;
    },
  };
}

/**
 * Formats the figures of suppliers for Prometheus. A gauge without samples is left out. `heldBack`
 * is true for a supplier with a list that is held back, and has every supplier that was observed.
 */
export function expositionOf(
  rows: readonly SupplierFacts[],
  heldBack: ReadonlyMap<string, boolean> = new Map(),
): string {
  const listHeldBack: Gauge = {
    name: "supplyline_list_held_back",
    help: "1 while a list that lost too many accounts waits to be confirmed, else 0.",
    value({ supplier }) {
      const isHeldBack = heldBack.get(supplier);
      return isHeldBack === undefined ? null : Number(isHeldBack);
    },
  };
  return [...gauges, listHeldBack]
    .map(({ name, help, value }) => {
      const samples = rows.flatMap((row) => {
        const sample = value(row);
        const label = labelValue(row.supplier);
        return sample === null ? [] : [`${name}{import_supplier="${label}"} ${sample}\n`];
      });
      if (samples.length === 0) return "";
      return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${samples.join("")}`;
    })
    .join("");
}

function labelValue(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
