import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { fakeClock } from "../helpers/clock.ts";
import { type CommandOptions, runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";

/** The list of a supplier by number (null: pending), or an error status; and its answers to 4.8. */
interface Supplied {
  readonly list: Readonly<Record<string, string | null>> | number;
  readonly statuses?: Readonly<Record<string, string | number>>;
  /** The time at which its accounts were created. Default: two hours before the first command. */
  readonly createdAt?: string;
}
type World = Record<string, Supplied>;

/** A service with these suppliers, which can be changed, and a machine that observes it. */
async function openWorld(
  world: World,
  codes: readonly string[] = Object.keys(world),
  date: string | null = null,
) {
  const service = await openService((request, response) => {
    if (date !== null) response.setHeader("date", new Date(date).toUTCString());
    const [, kind = "", supplier = "", number = ""] =
      /data-import\/([^/]+)\/([^/]+)\/(?:([^/]+)\/)?$/.exec(decodeURIComponent(request.path)) ?? [];
    const { list = 404, statuses = {}, createdAt = "2026-11-20T10:00:00Z" } = world[supplier] ?? {};
    if (kind === "account-transfer-status") {
      const status = statuses[number] ?? 404;
      if (typeof status === "number") return reply(response, status, { detail: "No." });
      const service_account_number = status === "COMPLETED" ? `A-${number}` : "";
      return reply(response, 200, { status, service_account_number });
    }
    if (typeof list === "number") return reply(response, list, { detail: "No." });
    const items = Object.entries(list).map(([external, service]) => ({
      external_account_number: external,
      service_account_number: service,
      account_created_at: service === null ? null : createdAt,
    }));
    return reply(response, 200, items);
  });
  const folders = await openFolders();
  const clock = fakeClock("2026-11-20T12:00:00Z");
  const suppliers = codes.flatMap((code) => ["--supplier", code]);
  return {
    service,
    folders,
    clock,
    find: (words: readonly string[], options: CommandOptions = {}) =>
      runCommand(["find", ...words, ...suppliers], {
        folders,
        clock,
        env: service.env,
        ...options,
      }),
    lookUps: () => service.asked().filter((path) => path.includes("/account-transfer-status/")),
  };
}

const at = "2026-11-20T12:00:00Z";
const two: World = {
  ACME: { list: { "EXT-1": "A-1", "EXT-2": null } },
  NORTH: { list: { "NORTH-0941": null, "NORTH-7": "N-7" }, statuses: { "EXT-9": "IN_PROGRESS" } },
};

test("each number has an object for each supplier that knows it, in the order given", async () => {
  const world = await openWorld({
    ...two,
    PAUSED: { list: { "EXT-1": null } },
  });
  const { code, stdout, stderr } = await world.find(["EXT-9", "EXT-1", "NORTH-0941", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const known = (number: string, supplier: string, more: object) => ({
    external_account_number: number,
    import_supplier: supplier,
    service_account_number: null,
    ...more,
  });
  const listed = { source: "list", listed_at: at };
  expect(JSON.parse(stdout)).toEqual([
    known("EXT-9", "NORTH", { status: "IN_PROGRESS", source: "status", listed_at: null }),
    known("EXT-1", "ACME", { status: "imported", ...listed, service_account_number: "A-1" }),
    known("EXT-1", "PAUSED", { status: "pending", ...listed }),
    known("NORTH-0941", "NORTH", { status: "pending", ...listed }),
  ]);
});

test("a number that every supplier denies ends with 5 and names similar ones", async () => {
  const world = await openWorld(two);
  const { code, stdout, stderr } = await world.find(["0941", "--json"]);
  expect({ code, stderr }).toEqual({ code: 5, stderr: "" });
  expect(JSON.parse(stdout)).toEqual([
    {
      external_account_number: "0941",
      import_supplier: null,
      suggestions: [{ import_supplier: "NORTH", external_account_number: "NORTH-0941" }],
    },
  ]);
  const forPeople = await world.find(["0941"]);
  expect(forPeople.stdout).toMatch(/^0941 +- +not found/m);
  expect(forPeople.stderr).toContain("ACME and NORTH answered 404. Similar: NORTH/NORTH-0941.");
});

test("a table has since when, and where from", async () => {
  const world = await openWorld(two);
  const { stdout } = await world.find(["EXT-1", "EXT-2", "EXT-9"]);
  expect(stdout.split("\n").map((line) => line.replace(/ {2,}/g, "|"))).toEqual([
    "External account number|Supplier|Status|Since|Service account number|Where from",
    "EXT-1|ACME|imported|2026-11-20T10:00:00Z|A-1|list, just now",
    "EXT-2|ACME|pending|just seen|-|list, just now",
    "EXT-9|NORTH|IN_PROGRESS|just seen|-|asked just now",
    "",
  ]);
  const nowhere = await world.find(["EXT-8"]);
  expect(nowhere.stdout).toMatch(/^EXT-8 +- +not found +- +- +-$/m);
});

test("a table has the state of the last check, as the console's search has", async () => {
  const world = await openWorld(two);
  const observations = await openObservations({
    folder: world.folders.state,
    origin: world.service.baseUrl,
    clock: world.clock,
    recording: true,
  });
  const subject = { kind: "account", supplier: "ACME", number: "EXT-2" } as const;
  observations.saw(subject, "IN_PROGRESS", world.clock.now());
  await observations.close();
  await world.clock.advance(60_000);
  const { stdout } = await world.find(["EXT-2"]);
  expect(stdout).toMatch(/^EXT-2 +ACME +IN_PROGRESS/m);
  const json = await world.find(["EXT-2", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject([{ status: "pending", source: "list" }]);
});

test("a table says that an account is stuck, by the imports of its supplier", async () => {
  const acme = {
    list: { "EXT-2": null } as Record<string, string | null>,
    createdAt: "2026-11-20T12:05:00Z",
  };
  const world = await openWorld({ ACME: acme });
  const imported = Array.from({ length: 20 }, (_, nth) => `EXT-1${nth + 10}`);
  const listAll = (service: string | null) =>
    Object.fromEntries(imported.map((number) => [number, service]));
  // How long the accounts of the first list have been pending is not known.
  await world.find(["EXT-2"]);
  await world.clock.advance(60_000);
  acme.list = { "EXT-2": null, ...listAll(null) };
  await world.find(["EXT-2"]);
  await world.clock.advance(4 * 60_000);
  acme.list = { "EXT-2": null, ...listAll("A-1") };
  expect((await world.find(["EXT-2"])).stdout).toMatch(/^EXT-2 +ACME +pending, slow +≥ 5 min/m);
  await world.clock.advance(3_600_000);
  expect((await world.find(["EXT-2"])).stdout).toMatch(/^EXT-2 +ACME +pending, stuck +≥ 1 h/m);
});

test("at most five similar numbers are named, and the others are counted", async () => {
  const list = Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`X-${nth}-55`, null]));
  const world = await openWorld({ ACME: { list } });
  const { stdout } = await world.find(["55", "--json"]);
  expect(JSON.parse(stdout)[0].suggestions).toHaveLength(5);
  expect((await world.find(["55"])).stderr).toContain("and 7 more.");
});

test("a list is the newest source on a machine whose clock is hours behind, too", async () => {
  const world = await openWorld(two, ["ACME"], "2026-11-20T17:00:00Z");
  const { stdout } = await world.find(["EXT-1", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject([{ source: "list", listed_at: "2026-11-20T17:00:00Z" }]);
  expect(world.lookUps()).toEqual([]);
});

test("an account that left the list is known from the stored observations", async () => {
  const acme = { list: { "EXT-1": "A-1", "EXT-2": null } as Record<string, string | null> };
  const world = await openWorld({ ACME: acme });
  await world.find(["EXT-1"]);
  acme.list = { "EXT-3": null };
  await world.clock.advance(3_600_000);
  const { code, stdout } = await world.find(["EXT-1", "EXT-2", "--json"]);
  expect(code).toBe(0);
  const observed = { source: "observed", listed_at: "2026-11-20T13:00:00Z" };
  expect(JSON.parse(stdout)).toMatchObject([
    { external_account_number: "EXT-1", status: "removed", ...observed },
    { external_account_number: "EXT-2", status: "gone", ...observed },
  ]);
});

test("a list that fails is reported, and what is stored of it is used", async () => {
  const world: World = { ACME: { list: { "EXT-2": null } }, NORTH: { list: {} } };
  const machine = await openWorld(world);
  await machine.find(["EXT-2"]);
  world.ACME = { list: 403 };
  await machine.clock.advance(3_600_000);
  const { code, stdout, stderr } = await machine.find(["EXT-2", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { import_supplier: "ACME", status: "pending", source: "observed", listed_at: at },
  ]);
  expect(JSON.parse(stderr).warning.message).toContain("What ACME lists now is not known.");
});

test("a number is not called missing while a supplier has not answered", async () => {
  const world = await openWorld({
    ...two,
    DOWN: { list: 403, statuses: { "EXT-8": 403 } },
  });
  const { code, stdout, stderr } = await world.find(["EXT-1", "EXT-8", "--json"]);
  expect(code).toBe(3);
  // The error of a lookup is in its entry alone; that of the list is in no entry.
  expect(stderr.trimEnd().split("\n")).toEqual([expect.stringContaining("DOWN lists now")]);
  expect(JSON.parse(stdout)).toMatchObject([
    { external_account_number: "EXT-1", import_supplier: "ACME" },
    {
      external_account_number: "EXT-8",
      import_supplier: null,
      error: { kind: "forbidden", http_status: 403 },
    },
  ]);
  const forPeople = await world.find(["EXT-8"]);
  expect(forPeople.stdout).toMatch(/^EXT-8 +- +not known/m);
  expect(forPeople.stderr).toContain("EXT-8 is not known: DOWN has not answered.");
});

test("a supplier that answers for the number counts, although its list fails", async () => {
  const world = await openWorld({ ACME: { list: 403 } });
  const { code, stderr } = await world.find(["EXT-8"]);
  expect(code).toBe(5);
  expect(stderr).toContain("EXT-8 was not found: ACME answered 404.");
  expect(stderr).toContain("What ACME lists now is not known.");
});

test("--lists-only asks for no account, and says so", async () => {
  const world = await openWorld(two);
  const { code, stdout, stderr } = await world.find(["EXT-9", "--lists-only"]);
  expect(code).toBe(5);
  expect(stderr).toContain("EXT-9 is on no list of ACME and NORTH.");
  expect(stdout).toMatch(/^EXT-9 +- +on no list/m);
  expect(world.lookUps()).toEqual([]);
});

test("a supplier that does not exist has nothing, and is named", async () => {
  const world = await openWorld(two, ["ACME", "ACMEE"]);
  const { code, stderr } = await world.find(["EXT-1"]);
  expect(code).toBe(0);
  expect(stderr).toContain("ACMEE: there is no such supplier, or nothing to list (404).");
});

test("numbers come from a file too, each once", async () => {
  const world = await openWorld(two);
  const { code, stdout } = await world.find(["EXT-1", "--from", "-", "--format", "csv"], {
    input: "external_account_number\nNORTH-7\nEXT-1\n",
  });
  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      "external_account_number,import_supplier,status,service_account_number,source,listed_at,suggestions,error",
      `EXT-1,ACME,imported,A-1,list,${at},,`,
      `NORTH-7,NORTH,imported,N-7,list,${at},,`,
      "",
    ].join("\n"),
  );
});

test.each([
  ["a message", "“EXT-1”, `NORTH-7` wait since 03:12; see EXT-8 too"],
  ["a spreadsheet's block", "ACME\tEXT-1\tMiller\nNORTH\tNORTH-7\t12.5\nACME\tEXT-8\t\n"],
  ["objects with other names", '{"account":"EXT-1","n":7}\n{"account":"NORTH-7"}\n{"a":"EXT-8"}'],
  ["a table with other columns", "name,account\nMiller,EXT-1\nMeier,NORTH-7\nKoch,EXT-8\n"],
  ["a comma behind each number", "EXT-1,\nNORTH-7,\nEXT-8,\n"],
])(
  "%s on standard input is searched for the numbers in it, with - and --from -",
  async (_what, input) => {
    const world = await openWorld(two);
    // The stored lists show which words are numbers.
    await world.find(["EXT-1", "--lists-only"]);
    for (const words of [["-"], ["--from", "-"]]) {
      const { code, stdout } = await world.find([...words, "--json", "--lists-only"], { input });
      const rows = JSON.parse(stdout) as { external_account_number: string }[];
      expect(rows.map((row) => row.external_account_number)).toEqual(["EXT-1", "NORTH-7", "EXT-8"]);
      expect(code).toBe(5);
    }
  },
);

test("a text without a number is a usage error that names numbers that would count", async () => {
  const world = await openWorld(two);
  await world.find(["EXT-1", "--lists-only"]);
  const asked = world.service.asked().length;
  const { code, stderr } = await world.find(["-"], { input: "good morning, all is well" });
  expect({ code, asked: world.service.asked().length }).toEqual({ code: 2, asked });
  expect(stderr).toMatch(/Numbers like EXT-1, NORTH-/);
});

test.each([["accounts status"], ["accounts watch"], ["open"]])(
  "%s with a number in the place of the supplier names the suppliers that list it",
  async (command) => {
    const world = await openWorld({ ...two, PAUSED: { list: { "EXT-1": null } } });
    await world.find(["EXT-1", "--lists-only"]);
    const asked = world.service.asked().length;
    const run = (more: readonly string[]) =>
      runCommand([...command.split(" "), ...more], {
        folders: world.folders,
        clock: world.clock,
        env: world.service.env,
      });
    const { code, stderr } = await run(["EXT-1"]);
    expect({ code, asked: world.service.asked().length }).toEqual({ code: 2, asked });
    for (const supplier of ["ACME", "PAUSED"])
      expect(stderr).toContain(`supplyline ${command} ${supplier} EXT-1`);
    // A number on no list and a supplier are answered as before.
    for (const other of ["EXT-8", "ACME"])
      expect((await run([other])).stderr).not.toContain("no supplier is named");
  },
);

test("a number on no stored list in the place of the supplier is answered with its search", async () => {
  const world = await openWorld(two);
  const run = (word: string) =>
    runCommand(["accounts", "status", word], {
      folders: world.folders,
      clock: world.clock,
      env: world.service.env,
    });
  expect(await run("EXT-8")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("If EXT-8 is one, supplyline find EXT-8 names its supplier."),
  });
  expect((await run("ACME")).stderr).not.toContain("find");
});

test("a profile from the environment, which stores no supplier, is not asked to add one", async () => {
  const world = await openWorld(two, []);
  const { code, stderr } = await world.find(["EXT-1"]);
  expect(code).toBe(2);
  expect(stderr).toContain("supplyline find NUMBER --supplier CODE");
  expect((await world.find([])).code).toBe(2);
  expect(world.service.asked()).toEqual([]);
  expect(stderr).not.toContain("suppliers add");
});

test("a word with a digit that is no command is searched, as find does", async () => {
  const folders = await openFolders();
  const run = (words: readonly string[]) =>
    runCommand([...words, "--sandbox", "--json"], { folders });
  const found = await run(["NORTH-0000001"]);
  expect(found.code).toBe(0);
  expect(JSON.parse(found.stdout)).toEqual(
    JSON.parse((await run(["find", "NORTH-0000001"])).stdout).map((row: object) => ({
      ...row,
      listed_at: expect.any(String),
    })),
  );
  expect((await run(["EXT-9", "--lists-only"])).code).toBe(2);
});

test("more requests than a search may make are refused before the first", async () => {
  const world = await openWorld(two);
  const numbers = Array.from({ length: 501 }, (_, nth) => `EXT-${nth}`).join("\n");
  const { code, stderr } = await world.find(["--from", "-"], { input: numbers });
  expect(code).toBe(2);
  expect(stderr).toContain("--lists-only");
  expect(world.service.asked()).toEqual([]);
  const listed = await world.find(["--from", "-", "--lists-only", "--json"], { input: numbers });
  expect(JSON.parse(listed.stdout)).toHaveLength(501);
});
