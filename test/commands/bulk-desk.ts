/** A desk for bulk runs: a sandbox with many imported accounts, and inputs made for them. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { onTestFinished } from "vitest";
import type { CliResult } from "../helpers/process.ts";
import { openConsole } from "../helpers/terminal.ts";
import { openSandbox } from "./service.ts";
import { openDesk, today } from "./writing.ts";

const imported = 400;

export type BulkDesk = Awaited<ReturnType<typeof bulkDesk>>;

export async function bulkDesk(...faults: string[]) {
  const supplier = { code: "BULK", status: "Ongoing", imported, staged: 50 } as const;
  const sandbox = await openSandbox({ faults, suppliers: [supplier] });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const desk = await openDesk(sandbox.env);
  const path = (name: string) => join(desk.folders.home, name);
  return {
    ...desk,
    sandbox,
    /** The program in a terminal. */
    terminal: (
      words: readonly string[],
      options: { cols?: number; rows?: number; env?: Record<string, string> } = {},
    ) =>
      openConsole(words, {
        folders: desk.folders,
        ...options,
        env: { ...desk.env, ...options.env },
      }),
    read: (name: string) => readFile(path(name), "utf8"),
    mode: async (name: string) => (await stat(path(name))).mode & 0o777,
    path,
    /** What landed, one key for each effect. */
    landed: () => sandbox.ledger().map(({ identifier, key }) => `${identifier} ${key}`),
  };
}

/** The number of an imported account, from 1. */
export function account(n: number): string {
  return `BULK-${String(n).padStart(7, "0")}`;
}

/** Notes for so many accounts, one each, as CSV. */
export function notesCsv(count: number, text = "note"): string {
  const rows = Array.from(
    { length: count },
    (_, at) => `BULK,${account(at + 1)},${text} ${at + 1}`,
  );
  return `import_supplier,external_account_number,body\n${rows.join("\n")}\n`;
}

/** One transaction for each amount, on accounts of their own. */
export function transactionsCsv(...amounts: string[]): string {
  const head =
    "import_supplier,external_account_number,transaction_id,transaction_date,amount,type,reason";
  const rows = amounts.map(
    (amount, at) =>
      `BULK,${account(at + 1)},T-${at + 1},${today()},${amount},CHARGE,IMPORTED_CHARGE`,
  );
  return `${head}\n${rows.join("\n")}\n`;
}

/** The id that a run told on stderr. */
export function runIn({ stderr }: Pick<CliResult, "stderr">): string {
  const id = /^run (\S+)$/m.exec(stderr)?.[1];
  if (id === undefined) throw new Error(`no run was told:\n${stderr}`);
  return id;
}

/** The rows of a results file, by its columns. */
export function resultsOf(text: string): Record<string, string>[] {
  return parse(text, { columns: true });
}
