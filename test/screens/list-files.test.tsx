/** The file that a list of the console writes is the one that its command prints. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { systemClock } from "../../src/api/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { observe } from "../helpers/observed.ts";
import {
  consoleOf,
  type Listed,
  type ListedMachine,
  type ListName,
  lists,
  openListedMachine,
} from "./listed-screens.ts";
import { type OpenedConsole, openConsoleAt } from "./opened-console.tsx";

let machine: ListedMachine;
beforeAll(async () => {
  machine = await openListedMachine();
  const { folders, service } = machine;
  await observe(folders, service.baseUrl, "OLD", [
    [["OLD-1", "A-1"], ["OLD-3"], ["OLD=SUM(A1)"]],
    [["OLD-1", "=A,1"], ["OLD=SUM(A1)"], ['OLD "4", é\u202e']],
  ]);
  const [entry] = JSON.parse((await command(["activity", "list", "--outcome", "rejected"])).json);
  const reason = '=HYPERLINK("x"), at "noon"\u0007';
  await run([
    "activity",
    "close",
    String(entry.journal_id),
    "--reason",
    reason,
    "--took-effect",
    "no",
  ]);
});

async function run(args: readonly string[], listed: Partial<Listed> = {}): Promise<string> {
  const { service, profile, folders, env, loadLedger, loadMemory } = await consoleOf(
    machine,
    listed,
  );
  const named =
    profile === undefined
      ? { SUPPLYLINE_BASE_URL: service.baseUrl }
      : { SUPPLYLINE_PROFILE: profile };
  const { stdout } = await runCommand(args, {
    ...(folders && { folders }),
    ...(loadLedger && { loadLedger }),
    ...(loadMemory && { loadMemory }),
    env: { SUPPLYLINE_API_KEY: service.apiKey, ...named, ...env },
  });
  return stdout;
}

/** Runs a command as CSV and as JSON. */
async function command(args: readonly string[], listed: Partial<Listed> = {}) {
  return {
    csv: await run([...args, "--format", "csv"], listed),
    json: await run([...args, "--format", "json"], listed),
  };
}

/** The command with the rows of a list, or the reason why there is none. */
type Printed = PrintedList | { readonly why: string };

interface PrintedList {
  readonly args: (machine: ListedMachine) => readonly string[];
  /** The fields with the time of a read. Only their presence is compared. */
  readonly moments?: readonly string[];
  /** Returns true for a record that only the console lists. */
  readonly isOnlyListed?: (record: Readonly<Record<string, unknown>>) => boolean;
}

const rowsOfRun = (...more: readonly string[]): Printed => ({
  args: ({ runs }) => ["bulk", "report", runs.failed, ...more],
});

const wholeFile = { why: "no command lists the issues of a file" };

const printed: Readonly<Record<ListName, Printed>> = {
  suppliers: {
    args: () => ["suppliers", "show", "ACME"],
    moments: ["listed_at", "finish_from", "finish_to"],
    // Its list cannot be loaded, and the board has the figures of the stored one.
    isOnlyListed: ({ import_supplier: supplier }) => supplier === "OLD",
  },
  accounts: { args: () => ["accounts", "list", "ACME", "--ages", "--filter", "!is:gone"] },
  "pending accounts": { args: () => ["accounts", "list", "ACME", "--ages", "--state", "pending"] },
  "imported accounts": {
    args: () => ["accounts", "list", "ACME", "--ages", "--state", "imported"],
  },
  "gone accounts": { args: () => ["accounts", "list", "ACME", "--ages", "--filter", "is:gone"] },
  runs: { args: () => ["bulk", "list"] },
  "rows of a run": rowsOfRun(),
  "rejected rows of a run": rowsOfRun("--outcome", "rejected"),
  "rows of a run that have not ended": {
    args: ({ runs }) => ["bulk", "report", runs.waiting],
  },
  "causes of a run": rowsOfRun("--by", "cause"),
  "rows of a cause of a run": { why: "bulk rejected writes them as an input" },
  activity: { args: () => ["activity", "list", "--supplier", "ACME"] },
  "rejected entries": {
    args: () => ["activity", "list", "--supplier", "ACME", "--outcome", "rejected"],
  },
  "activity of a team": { args: () => ["activity", "list", "--supplier", "ACME"] },
  "causes of entries": { args: () => ["activity", "list", "--supplier", "ACME", "--by", "cause"] },
  "rows of a cause of entries": { why: "no command lists them" },
  approvals: { args: () => ["approvals", "list"] },
  "rows of an approval": { args: () => ["approvals", "show", "a2"] },
  cohorts: { args: () => ["cohorts", "list"] },
  "cohorts of a team": { args: () => ["cohorts", "list"] },
  changes: { args: () => ["changes", "OLD"] },
  find: { why: "a part of a number is found only in the console" },
  "pasted numbers": { args: () => ["find", "OLD-1", "OLD-2", "OLD-3"] },
  profiles: {
    args: () => ["profiles", "list"],
    isOnlyListed: ({ name }) => name === "sandbox",
  },
  "causes of a file": wholeFile,
  "issues of a file": wholeFile,
  "classes of a comparison": {
    args: ({ folders }) => ["reconcile", "ACME", "--source", join(folders.home, "mine.txt")],
  },
  "rows of a class": {
    args: ({ folders }) => [
      ...["reconcile", "ACME", "--source", join(folders.home, "mine.txt")],
      ...["--only", "extra", "--extra"],
    ],
  },
  "command log": { why: "it follows the session" },
  notices: { why: "they follow the session" },
  watch: { why: "no command lists what the console watches" },
};

let files = 0;

/** Writes the list with its key, and returns the content of the file. */
async function exported({ screen, home }: OpenedConsole, name: string): Promise<string> {
  await screen.press("E").until(/Export [\d,]+/);
  const path = join(home, `${++files}-${name}`);
  screen.press("ctrl-u", "ctrl-k");
  screen.send(path);
  await screen.press("enter").until(`written: ${path}`);
  return readFile(path, "utf8");
}

/** Returns the records in one order, because the console can list them in another. */
function sorted(records: readonly Readonly<Record<string, unknown>>[], of: PrintedList) {
  return records
    .filter((record) => of.isOnlyListed?.(record) !== true)
    .map((record) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(record).map(([name, value]) => [
            name,
            of.moments?.includes(name) ? Boolean(value) : value,
          ]),
        ),
      ),
    )
    .toSorted();
}

const rows = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

const compared = (Object.keys(lists) as ListName[]).filter((name) => "args" in printed[name]);

describe.each(compared)("the list of %s", (name) => {
  const { [name]: of } = printed;
  const { [name]: listed } = lists;

  test("is written as its command prints it", async () => {
    if (!("args" in of)) throw new Error(`no command of ${name}`);
    const console = await consoleOf(machine, listed);
    const shown = await openConsoleAt({
      ...console,
      clock: systemClock,
      cols: 160,
      rows: 34,
      env: { ...console.env, TERM: "xterm-256color" },
      places: [{ kind: "suppliers" }, listed.place(machine)],
    });
    const { screen } = shown;
    await listed.open?.(screen);
    await screen.waitFor(/^1 of [1-9]/m);
    const stem = name.replaceAll(/\W+/g, "-");
    const csv = await exported(shown, `${stem}.csv`);
    const json = await exported(shown, `${stem}.json`);
    const expected = await command(of.args(machine), listed);
    expect(csv.split("\n")[0]).toBe(expected.csv.split("\n")[0]);
    expect(sorted(rows(csv), of)).toEqual(sorted(rows(expected.csv), of));
    const all = JSON.parse(expected.json);
    const records = Array.isArray(all) ? all : (all.items ?? all.rows ?? [all]);
    expect(sorted(JSON.parse(json), of)).toEqual(sorted(records, of));
  });
});
