/** The inputs that tests of commands share, and a world for many rows. */
import { parse } from "csv-parse/sync";
import { supplyPointPayload } from "../../faults/supply-point-payload.ts";
import { systemClock } from "../../src/api/clock.ts";
import type { CliResult } from "./process.ts";
import { world } from "./world.ts";

/** Today, which is inside the sandbox's open statement period. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

export function charge(id: string, more: Readonly<Record<string, unknown>> = {}) {
  const plain = { transaction_date: today(), amount: 12.5, type: "CHARGE" };
  return { transaction_id: id, ...plain, reason: "IMPORTED_CHARGE", ...more };
}

/** With a customer in full, so that every field of the form has a text. */
export function supplyPoint(identifier: string, supplier = "ACME") {
  const payload = supplyPointPayload(identifier, supplier);
  const customer = {
    title: "Ms",
    given_name: "Ada",
    family_name: "Example",
    email: "ada@mail.example",
    mobile: "+4915112345678",
    landline: "+49301234567",
    salutation: "Ms Example",
    account_roles: ["ADMIN"],
  };
  const accounts = payload.accounts.map((one) => ({ ...one, customers: [customer] }));
  return { ...payload, accounts };
}

export const note = (...words: string[]) => ["notes", "create", "ACME", "EXT-0000001", ...words];

export const instruction = (vendor: string, ...words: string[]) => [
  ...["payment-instructions", "create", "ACME", "EXT-0000001", "--vendor", vendor],
  ...["--reference", "R-1", "--type", "CARD", "--settle", "0s", ...words],
];

/** The object that `--json` puts on stderr, which holds nothing else. */
export function errorOf({ stderr }: CliResult) {
  return JSON.parse(stderr).error;
}

/** A world for many rows. Its environment is `sandbox`, so that a run needs no confirmation. */
export async function bulkWorld(...faults: string[]) {
  const supplier = { code: "BULK", status: "Ongoing", imported: 400, staged: 50 } as const;
  const opened = await world({
    service: { faults, suppliers: [supplier] },
    clock: systemClock,
    env: { SUPPLYLINE_ENVIRONMENT: "sandbox" },
  });
  return {
    ...opened,
    /** Returns a key for each effect. */
    landed: () => opened.service.ledger().map(({ identifier, key }) => `${identifier} ${key}`),
  };
}

/** The number of an imported account, from 1. */
export function account(n: number): string {
  return `BULK-${String(n).padStart(7, "0")}`;
}

/** Notes for `count` accounts, one each, as CSV. */
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

/** The id of a run, from stderr. */
export function runIn({ stderr }: Pick<CliResult, "stderr">): string {
  const id = /^run (\S+)$/m.exec(stderr)?.[1];
  if (id === undefined) throw new Error(`no run was reported:\n${stderr}`);
  return id;
}

/** The rows of a results file, by its columns. */
export function resultsOf(text: string): Record<string, string>[] {
  return parse(text, { columns: true });
}
