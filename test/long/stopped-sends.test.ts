/** A bulk send that is left, stopped or cut off reports the exact outcome of each row. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import { type Console, openConsole } from "../helpers/console.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";

const rows = 30;

let service: TestSandbox;
let folders: Folders;

beforeEach(async () => {
  service = await openSandbox();
  folders = await openFolders();
});

const landed = () =>
  service
    .ledger()
    .flatMap(({ cause, identifier, key }) => (cause === "request" ? `${identifier} ${key}` : []));

const command = (...args: string[]) => runCommand(args, { folders, env: service.env });

/** Numbers of accounts that take writes. */
async function imported(count: number): Promise<readonly string[]> {
  const { stdout } = await command("accounts", "list", "ACME", "--state", "imported", "--json");
  return (JSON.parse(stdout) as { external_account_number: string }[])
    .map(({ external_account_number: number }) => number)
    .filter((number) => /^EXT-\d+$/.test(number))
    .slice(0, count);
}

function open(args: readonly string[]): Promise<Console> {
  return openConsole(args, { cols: 110, rows: 34, folders, env: service.env });
}

/** Starts a file of payments: what is not answered is never sent again by itself. */
async function startPayments(): Promise<Console> {
  const accounts = await imported(6);
  const path = join(folders.home, "pay.csv");
  const line = (at: number) => `ACME,${accounts[at % accounts.length]},GOODPAY,R-${at},CARD`;
  const head = "import_supplier,external_account_number,vendor,reference,type";
  await writeFile(
    path,
    [head, ...Array.from({ length: rows }, (_, at) => line(at)), ""].join("\n"),
  );
  service.setFaults(["latency=250ms@payment-instructions"]);
  const terminal = await open(["open", "--file", path]);
  await terminal.waitFor(`${rows} ready.`);
  await terminal.press("ctrl-g").until(/s sends them .*\./);
  await terminal.press("s").until(`Yes, send ${rows} rows`);
  terminal.send("y");
  return terminal;
}

/** Starts a note to every account that is imported. */
async function startMarked(): Promise<Console> {
  service.setFaults(["latency=250ms@notes"]);
  const terminal = await open(["open", "ACME"]);
  await terminal.waitFor(/\d+ accounts/);
  await terminal.press("enter").until("[All");
  await terminal.press("tab", "tab").until("[Imported");
  await terminal.waitFor(/1 of \d+ /);
  await terminal.press("+").until(/\d+ marked/);
  await terminal.press("B").until("Compose for");
  await terminal.press("enter").until("Notes for");
  await terminal.send("Once").until("Once");
  await terminal.press("ctrl-g").until("s sends them");
  await terminal.press("s").until("Yes, send");
  terminal.send("y");
  return terminal;
}

interface Row {
  readonly line: string;
  readonly external_account_number: string;
  readonly outcome: string;
  readonly journal_id: number;
}

async function rowsOf(run: string): Promise<readonly Row[]> {
  const { stdout } = await command("bulk", "report", run, "--format", "jsonl");
  return stdout
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Row);
}

/** The key of the effect that each row has, by the body that the journal stores. */
async function effectsOf(all: readonly Row[]): Promise<ReadonlyMap<Row, string>> {
  const bodies = await Promise.all(
    all.map(async (row) => {
      const { stdout } = await command("activity", "show", String(row.journal_id), "--json");
      const { body } = JSON.parse(stdout) as {
        body: { vendor?: string; reference?: string; notes?: { body: string }[] };
      };
      const key = body.notes?.[0]?.body ?? `${body.vendor}/${body.reference}`;
      return [row, `${row.external_account_number} ${key}`] as const;
    }),
  );
  return new Map(bodies);
}

/** Compares the outcomes of a run with what the service did. */
async function expectExact(run: string): Promise<ReadonlyMap<string, number>> {
  const all = await rowsOf(run);
  const effects = await effectsOf(all);
  const done = landed();
  expect(new Set(done).size).toBe(done.length);
  const counts = new Map<string, number>();
  for (const row of all) {
    counts.set(row.outcome, (counts.get(row.outcome) ?? 0) + 1);
    const tookEffect = done.includes(effects.get(row) ?? "");
    if (row.outcome === "confirmed") expect(tookEffect).toBe(true);
    if (row.outcome === "unsent") expect(tookEffect).toBe(false);
    expect(["confirmed", "unsent", "unknown", "sending"]).toContain(row.outcome);
  }
  return counts;
}

const runOn = (terminal: Console) => /Run (\w+)|Runs › (\w+)/.exec(terminal.text())?.[2] ?? "";

/** The numbers of the run screen, by the words behind them. */
function shownCounts(text: string): ReadonlyMap<string, number> {
  const found = text.matchAll(/(\d+) (confirmed|unknown|being sent|not sent|unsent|waiting)/g);
  return new Map([...found].map(([, n, word]) => [word ?? "", Number(n)]));
}

type Leave = (terminal: Console, run: string) => Promise<void>;

const ways: readonly (readonly [string, Leave])[] = [
  [
    "Esc leaves it running",
    async (terminal, run) => {
      await terminal.press("esc").untilGone(`Runs › ${run}`);
      await terminal.press("L").until(new RegExp(`${run} .*finished`));
    },
  ],
  [
    "Ctrl-C stops it",
    async (terminal) => {
      await terminal.press("ctrl-c").until("Stopped on request.");
    },
  ],
  [
    "Ctrl-C twice cuts it off",
    async (terminal) => {
      await terminal.press("ctrl-c").until("Stopping: waiting for");
      await terminal.press("ctrl-c").until("Stopped on request.");
    },
  ],
  [
    "q stops it and leaves",
    async (terminal) => {
      await terminal.press("q").until("Stop and leave?");
      terminal.send("y");
      await terminal.exit;
    },
  ],
  [
    "a hang-up ends the program",
    async (terminal) => {
      terminal.hangUp();
      await terminal.exit;
    },
  ],
];

describe.each([
  ["a file of payments", startPayments],
  ["marked accounts", startMarked],
] as const)("a send to %s:", (what, start) => {
  test.each(ways)("%s", async (way, leave) => {
    const terminal = await start();
    await terminal.waitFor((text) => /\d+ confirmed/.test(text) && /\d+ being sent/.test(text));
    const run = runOn(terminal);
    await leave(terminal, run);
    const counts = await expectExact(run);
    const total = [...counts.values()].reduce((sum, n) => sum + n, 0);
    if (way.startsWith("Esc")) expect([...counts]).toEqual([["confirmed", total]]);
    if (way.startsWith("Ctrl-C")) {
      const shown = shownCounts(terminal.text());
      expect({ way, confirmed: shown.get("confirmed") }).toEqual({
        way,
        confirmed: counts.get("confirmed"),
      });
      expect(shown.get("unknown") ?? 0).toBe(counts.get("unknown") ?? 0);
      if (way.includes("cuts")) expect(counts.get("unknown")).toBeGreaterThan(0);
    }
    service.setFaults([]);
    const before = await rowsOf(run);
    const resumed = await command("bulk", "resume", run, "--yes");
    const isPayment = what === "a file of payments";
    const unknown = counts.get("unknown") ?? 0;
    expect({ code: resumed.code, way }).toEqual({ code: isPayment && unknown > 0 ? 7 : 0, way });
    const after = await expectExact(run);
    expect(after.get("unsent") ?? 0).toBe(0);
    expect(after.get("sending") ?? 0).toBe(0);
    // Payments that ended without an answer are left to a person; notes are found out.
    const isStillUnknown = before.filter(
      ({ outcome }) => outcome !== "confirmed" && outcome !== "unsent",
    );
    expect(after.get("unknown") ?? 0).toBe(isPayment ? isStillUnknown.length : 0);
    expect(after.get("confirmed")).toBe(total - (isPayment ? isStillUnknown.length : 0));
  });
});
