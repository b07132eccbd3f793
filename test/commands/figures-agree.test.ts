/** Random worlds: each figure is the same on every face that has it. */
import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { addIntent } from "../../src/writes/journal/changes.ts";
import { openJournal } from "../../src/writes/journal/open-journal.ts";
import { prepareWrite } from "../../src/writes/prepare.ts";
import { fakeClock, fastClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import * as fc from "../helpers/fast-check.ts";
import { openFolders } from "../helpers/folders.ts";
import { type ListedAccount, openLists } from "../helpers/lists.ts";
import { openConsoleAt } from "../screens/opened-console.tsx";
import { request } from "../writes/writing.ts";

const suppliers = ["A", "B"] as const;
const states = ["unknown", "rejected", "retryable", "unsent", "confirmed", "closed"] as const;
const outcomes = ["unknown", "rejected", "retryable", "unsent"] as const;
const start = Date.parse("2026-11-20T12:00:00Z");

/** An entry of the journal: two notes to one account can be the same. */
const entry = fc.record({
  supplier: fc.constantFrom(...suppliers),
  account: fc.constantFrom("1", "2"),
  body: fc.constantFrom("x", "y"),
  state: fc.constantFrom(...states),
  profile: fc.constantFrom("day", "night"),
  isElsewhere: fc.boolean(),
});

/** A list before and now: an account is absent, pending or imported. */
const list = fc.array(
  fc.tuple(
    fc.constantFrom("none", "pending", "imported"),
    fc.constantFrom("none", "pending", "imported"),
  ),
  { minLength: 1, maxLength: 8 },
);

const world = fc.record({ entries: fc.array(entry, { maxLength: 14 }), A: list, B: list });
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

async function openWorld({ entries, A, B }: World) {
  const service = await openLists();
  const folders = await openFolders();
  const settings = openSettings({ configDir: folders.config });
  for (const name of ["day", "night"])
    settings.add(
      profileFrom({ name, baseUrl: service.baseUrl, environment: "test", suppliers: ["A", "B"] }),
    );
  const journal = await openJournal({ folder: folders.state });
  await journal.commit((rows) => {
    for (const [at, one] of entries.entries()) {
      const { supplier, account, body, state, profile, isElsewhere } = one;
      const names = { import_supplier: supplier, external_account_number: account };
      const write = prepareWrite(request("notes create", { ...names, notes: [{ body }] }));
      const baseUrl = isElsewhere ? "https://elsewhere.example" : service.baseUrl;
      const id = addIntent(rows, { write, profile, baseUrl, owner: null, at: start + at });
      rows.update("intent", { state, reason: "answered", ended_at: start + at }, "id = ?", id);
    }
  });
  await journal.close();
  const clock = fakeClock(start);
  const env = { SUPPLYLINE_API_KEY: "key-1" };
  const run = (...words: string[]) =>
    runCommand([...words, "--profile", "night"], { folders, clock, env });
  for (const [supplier, accounts] of [
    ["A", A],
    ["B", B],
  ] as const) {
    for (const which of [0, 1] as const) {
      service.set(supplier, listOf(accounts.map((states) => states[which])));
      await run("accounts", "list", supplier, "--json");
      await clock.advance(3_600_000);
    }
  }
  // biome-ignore lint/suspicious/noExplicitAny: what commands print is what the test compares.
  const json = async (...words: string[]): Promise<any> =>
    JSON.parse((await run(...words, "--json")).stdout);
  return { service, folders, run, json };
}

/** One account is always listed: an empty list after another one is held back. */
function listOf(states: readonly string[]): readonly ListedAccount[] {
  const listed = states.flatMap((state, at): ListedAccount[] =>
    state === "none" ? [] : state === "pending" ? [[`N${at}`]] : [[`N${at}`, `S${at}`]],
  );
  return [["FIRST", "S"], ...listed];
}

/** The open entries of a supplier, by the rule: none that was not sent or refused, and confirmed later. */
function openEntries(entries: World["entries"], supplier: string) {
  const here = entries.map((one, at) => ({ ...one, at })).filter((one) => !one.isElsewhere);
  const isSame = (one: (typeof here)[number], other: (typeof here)[number]) =>
    one.account === other.account && one.body === other.body && one.supplier === other.supplier;
  return here.filter((one) => {
    if (one.supplier !== supplier || !(outcomes as readonly string[]).includes(one.state))
      return false;
    if (one.state === "unknown" || one.state === "retryable") return true;
    return !here.some(
      (later) => later.at > one.at && later.state === "confirmed" && isSame(one, later),
    );
  });
}

const gauge = (text: string, name: string, supplier: string) =>
  Number(new RegExp(`^${name}\\{import_supplier="${supplier}"\\} (.*)$`, "m").exec(text)?.[1]);

test("every command has the same figures", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const { json, run } = await openWorld(given);
      const report = await json("report");
      const shown = await json("suppliers", "show", "A", "B");
      const stored = await json("suppliers", "list");
      const prometheus = (await run("suppliers", "show", "A", "B", "--format", "prometheus"))
        .stdout;
      const sum: Record<string, number> = { unknown: 0, rejected: 0, retryable: 0, unsent: 0 };
      let goneSum = 0;
      for (const [at, supplier] of suppliers.entries()) {
        const open = openEntries(given.entries, supplier);
        const of = (outcome: string) => open.filter(({ state }) => state === outcome).length;
        for (const outcome of outcomes) {
          sum[outcome] = (sum[outcome] ?? 0) + of(outcome);
          const listed = report.entries.filter(
            (one: { import_supplier: string; outcome: string }) =>
              one.import_supplier === supplier && one.outcome === outcome,
          );
          expect(listed).toHaveLength(of(outcome));
        }
        const check = await json("check", supplier, "--gone", "--unknown-writes");
        const [gone, unknown] = check;
        const activity = await json(
          ...["activity", "list", "--supplier", supplier, "--outcome", "unknown"],
        );
        const figures = shown[at];
        const board = stored.find(
          (one: { import_supplier: string }) => one.import_supplier === supplier,
        );
        const known = { unknown: of("unknown"), gone: figures.gone };
        expect({
          check: { unknown: unknown.figure, gone: gone.figure },
          shown: { unknown: figures.unknown_writes, gone: figures.gone },
          stored: { unknown: board.unknown_writes, gone: board.gone },
          prometheus: {
            unknown: gauge(prometheus, "supplyline_unknown_writes", supplier),
            gone: gauge(prometheus, "supplyline_gone_accounts", supplier),
          },
          activity: { unknown: activity.length, gone: figures.gone },
          report: { unknown: of("unknown"), gone: report.suppliers[at].gone.count },
        }).toEqual({
          check: known,
          shown: known,
          stored: known,
          prometheus: known,
          activity: known,
          report: known,
        });
        const ages = await json("accounts", "list", supplier, "--ages", "--filter", "is:gone");
        expect(ages).toHaveLength(figures.gone);
        expect(report.suppliers[at].now).toMatchObject({
          imported: figures.imported,
          pending: figures.pending,
          total: figures.total,
        });
        expect(figures.imported + figures.pending).toBe(figures.total);
        goneSum += figures.gone;
      }
      expect(report.open).toMatchObject({ ...sum, gone: goneSum });
    }),
    { numRuns: 8 },
  );
});

test("header, board and report name the same open work", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const { folders, run, service } = await openWorld(given);
      const report = (await run("report")).stdout;
      const [, open = ""] = /^Open: (.*)\.$/m.exec(report) ?? [];
      const parts = open === "" ? ["Nothing needs you now."] : open.split(", ");
      await using opened = await openConsoleAt({
        folders,
        profile: "night",
        cols: 200,
        rows: 30,
        clock: fastClock(start + 8 * 3_600_000),
        service: { baseUrl: service.baseUrl, apiKey: "key-1" },
        places: [{ kind: "suppliers" }],
      });
      const isThere = (text: string) => parts.every((part) => text.includes(part));
      const text = await opened.screen.waitFor(isThere, { describe: parts.join(", ") });
      const [header = ""] = text.split("\n");
      for (const part of open === "" ? [] : parts) {
        const short = part.replace(/ (entry|entries)\b/, "").replace(/ at .*$/, "");
        expect(header).toContain(short);
      }
    }),
    { numRuns: 4 },
  );
});
