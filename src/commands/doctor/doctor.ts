import { wrap } from "../../text/width.ts";
import { mostSevere } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, column } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import type { Check } from "./check.ts";
import { folderChecks, programCheck, terminalCheck } from "./local-checks.ts";
import { serviceChecks } from "./service-checks.ts";
import { teamChecks } from "./team-checks.ts";

const columns: readonly Column<Pick<Check, "check" | "result" | "detail">>[] = [
  column("check", "text", "The name of the check."),
  column("result", "text", "`ok`, `warn`, `fail` or `skipped`."),
  column("detail", "text", "The finding, and the remedy."),
];

export const verb: Verb = {
  columns,
  async run(invocation) {
    const checks: Check[] = [
      programCheck(invocation),
      terminalCheck(invocation),
      ...(await folderChecks(invocation)),
      ...(await serviceChecks(invocation)),
      ...(await teamChecks(invocation)),
    ];
    await print(invocation, checks);
    return mostSevere(checks.map((check) => check.exitCode));
  },
  exits: [0, 2, 3, 6, 130],
  examples: ["supplyline doctor", "supplyline doctor --profile live", "supplyline doctor --json"],
};

const marks = { ok: "ok", warn: "warn", fail: "FAIL", skipped: "-" } as const;

async function print(invocation: Invocation, checks: readonly Check[]): Promise<void> {
  const { out, globals, io } = invocation;
  if (globals.format !== "table" || globals.columns !== undefined) {
    const rows = checks.map(({ check, result, detail }) => ({ check, result, detail }));
    return printRows(invocation, columns, rows);
  }
  const width = Math.max(...checks.map(({ check }) => check.length));
  const indent = width + 8;
  const room = Math.max(30, (io.stdout.isTTY ? (io.stdout.columns ?? 80) : 100) - indent);
  for (const { check, result, detail } of checks) {
    const [first = "", ...more] = wrap(detail, room);
    await out.line(`${marks[result].padEnd(4)}  ${check.padEnd(width)}  ${first}`.trimEnd());
    for (const line of more) await out.line(" ".repeat(indent) + line);
  }
}
