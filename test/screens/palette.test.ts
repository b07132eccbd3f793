import type { RunRecord } from "../../src/bulk/run-record.ts";
import { completed } from "../../src/components/completion.ts";
import { completions, paletteOffer } from "../../src/components/overlays/palette-entries.ts";
import type { PaletteKnown } from "../../src/components/overlays/palette-places.ts";
import { defaultKeymap } from "../../src/keys/keymap.ts";
import type { FoundAction } from "../../src/keys/scopes.ts";
import type { Choice } from "../../src/session/overlays.ts";
import type { Place } from "../../src/session/places.ts";
import type { FoundNumber, Hit } from "../../src/triage/find/found.ts";
import { needsOf } from "../../src/triage/open/needs.ts";
import { noListedTimes } from "../../src/triage/verdict.ts";

const run = () => {};
const actions: readonly FoundAction[] = (
  [
    "export",
    "account",
    "watch",
    "runs",
    "activity",
    "watch-list",
    "profiles",
    "help",
    "quit",
  ] as const
).map((id) => ({ id, action: { run } }));

const account: Place = { kind: "account", supplier: "ACME", account: "EXT-0000030" };

/** A palette, and the places that were opened from it. */
function palette(here: Place | null, more: Partial<PaletteKnown> = {}) {
  const opened: Place[] = [];
  const asked: Choice[] = [];
  const known: PaletteKnown = {
    actions,
    commands: [],
    suppliers: ["PAUSED", "DONE", "ACME"],
    cohorts: [],
    recent: [],
    recentlyUsed: [],
    keymap: defaultKeymap,
    here,
    go: (place) => opened.push(place),
    choose: (_, choices) => asked.push(...choices),
    found: null,
    needs: [],
    stuck: [],
    profiles: [],
    askNumber: () => {},
    hitWords: ({ state, source }) => `${state}, ${source}`,
    ...more,
  };
  const labels = (text: string) => paletteOffer(text, known).entries.map(({ label }) => label);
  return { known, opened, asked, labels, offer: (text: string) => paletteOffer(text, known) };
}

/** The findings about a number: by supplier the account, and those that resemble it. */
function foundAt(
  wanted: string,
  places: Readonly<Record<string, { hit?: string; containing?: readonly string[]; near?: string }>>,
): FoundNumber {
  const hitOf = (supplier: string, number: string): Hit => ({
    supplier,
    number,
    state: "pending",
    serviceNumber: null,
    times: noListedTimes,
    source: "list",
    at: 0,
  });
  return {
    wanted,
    places: Object.entries(places).map(([supplier, { hit, containing = [], near }]) => ({
      supplier,
      hit: hit === undefined ? null : hitOf(supplier, hit),
      near: near === undefined ? null : hitOf(supplier, near),
      containing: containing.map((number) => hitOf(supplier, number)),
      containingCount: containing.length,
      list: { kind: "waiting" },
      stored: { kind: "waiting" },
      answer: null,
    })),
  };
}

describe("a number in the palette", () => {
  test("is first where it is known to be, then the search, then the supplier that is open", () => {
    const found = foundAt("EXT-31", { PAUSED: {}, DONE: { hit: "EXT-31" }, ACME: {} });
    const { labels, offer } = palette(account, { found });
    expect(labels("EXT-31").slice(0, 4)).toEqual([
      ...["DONE/EXT-31", "find EXT-31", "ACME/EXT-31", "PAUSED/EXT-31"],
    ]);
    expect(offer("EXT-31").entries[0]?.remark).toBe("pending, list");
  });

  test("is searched while it is not known where it is", () => {
    const { opened, labels, offer } = palette({ kind: "suppliers" });
    expect(labels("EXT-31").slice(0, 2)).toEqual(["find EXT-31", "PAUSED/EXT-31"]);
    offer("EXT-31").entries[0]?.run();
    expect(opened).toEqual([{ kind: "find", text: "EXT-31" }]);
  });

  test("is searched with its slashes, unless it begins with a supplier of the profile", () => {
    const { labels } = palette(account);
    expect(labels("EXT/31")[0]).toBe("find EXT/31");
    expect(labels("DONE/31")[0]).toBe("DONE/31");
    expect(labels("https://example.com/1").join()).not.toContain("find");
  });

  test("is completed by the only number that contains it, and by several only behind the search", () => {
    const one = foundAt("31", { DONE: { containing: ["EXT-31"] }, ACME: {} });
    expect(palette(null, { found: one }).labels("31").slice(0, 2)).toEqual([
      ...["DONE/EXT-31", "find 31"],
    ]);
    const two = foundAt("31", { DONE: { containing: ["EXT-31"] }, ACME: { containing: ["E-31"] } });
    expect(palette(null, { found: two }).labels("31").slice(0, 3)).toEqual([
      ...["find 31", "DONE/EXT-31", "ACME/E-31"],
    ]);
  });

  test("is never replaced by a similar one: that is offered last", () => {
    const found = foundAt("EXT-3I", { ACME: { near: "EXT-31" } });
    const { labels, offer } = palette({ kind: "suppliers" }, { found, suppliers: ["ACME"] });
    expect(labels("EXT-3I").slice(0, 2)).toEqual(["ACME/EXT-3I", "ACME/EXT-31"]);
    expect(offer("EXT-3I").entries[1]?.remark).toBe("similar, pending, list");
  });
});

describe("a text that names nothing", () => {
  test("says so, and Enter opens no supplier of that name", () => {
    const { offer, labels } = palette(account);
    expect(offer("exprt").noMatch).toBe("No action or place is called exprt.");
    expect(labels("exprt")).toContain("export");
    expect(offer("ACME/").noMatch).toBe("Type the number of an account of ACME.");
    expect(labels("exprt").join()).not.toContain("Open supplier");
  });

  test("never has the supplier before the action that was meant", () => {
    const { offer, labels } = palette(account);
    expect(offer("EXPRT").noMatch).toBe("No action or place is called EXPRT.");
    expect(labels("EXPRT")[0]).toBe("export");
    expect(labels("EXPRT").at(-1)).toBe("Open supplier EXPRT");
  });

  test("opens no account when it is an address, and says where to connect", () => {
    for (const here of [account, { kind: "suppliers" } as const]) {
      const { labels, offer } = palette(here);
      for (const text of ["http://127.0.0.1:39747", "sp https://api.example.com/SP-1"]) {
        expect(labels(text)).toEqual([]);
        expect(offer(text).noMatch).toContain("To connect to a service, open profiles.");
      }
    }
  });

  test("is offered as a supplier when it looks like a code and resembles no name", () => {
    const { offer } = palette(account);
    const { entries, noMatch } = offer("NORTH");
    expect(noMatch).toBeNull();
    expect(entries.map(({ label, remark }) => [label, remark])).toEqual([
      ["Open supplier NORTH", "not in this profile"],
    ]);
  });

  test("names the action when that action does not work on this screen", () => {
    expect(palette(account).offer("mute").noMatch).toBe("mute does not work on this screen.");
  });
});

describe("names in the palette", () => {
  test("open a supplier by its code, known to the profile or, with the word supplier, any other", () => {
    const { opened, offer } = palette(account);
    offer("done").entries[0]?.run();
    offer("supplier NEW").entries[0]?.run();
    offer("supplier new").entries[0]?.run();
    expect(opened).toEqual([
      { kind: "overview", supplier: "DONE" },
      { kind: "overview", supplier: "NEW" },
      { kind: "overview", supplier: "new" },
    ]);
  });

  test("open an account that was opened lately as the account it is", () => {
    const { opened, offer } = palette(null, { recent: ["ACME/EXT-0000001"] });
    offer("ACME/EXT-0000001").entries[0]?.run();
    expect(opened).toEqual([{ kind: "account", supplier: "ACME", account: "EXT-0000001" }]);
  });

  test("find a screen by its name before anything that only mentions it", () => {
    const { opened, offer } = palette(account, { recentlyUsed: ["watch"] });
    const first = (text: string) => offer(text).entries[0];
    expect(
      ["activity", "runs", "watch", "profiles", "help", "quit"].map((text) => first(text)?.action),
    ).toEqual(["activity", "runs", "watch-list", "profiles", "help", "quit"]);
    for (const text of ["suppliers", "accounts", "overview"]) first(text)?.run();
    expect(opened).toEqual([
      { kind: "suppliers" },
      { kind: "accounts", supplier: "ACME", tab: "all" },
      { kind: "overview", supplier: "ACME" },
    ]);
  });

  test.each(["accounts", "overview", "reconcile"] as const)(
    "ask for which supplier %s is opened while none is",
    (label) => {
      const { asked, opened, offer } = palette({ kind: "suppliers" });
      const [first] = offer(label).entries;
      expect(first).toMatchObject({ label, disabled: null });
      first?.run();
      expect(asked.map((choice) => choice.label)).toEqual(["PAUSED", "DONE", "ACME"]);
      asked[1]?.run();
      expect(opened).toMatchObject([{ kind: label, supplier: "DONE" }]);
    },
  );

  test("say why nothing of a supplier can be opened while the profile has none", () => {
    const [first] = palette({ kind: "suppliers" }, { suppliers: [] }).offer("reconcile").entries;
    expect(first).toMatchObject({ label: "reconcile", disabled: "Add a supplier first." });
  });

  test("lead to the screen that is open, which closes the palette", () => {
    const { offer } = palette({ kind: "runs" }, { actions: [] });
    expect(offer("runs").entries[0]).toMatchObject({
      disabled: null,
      remark: "This screen is open",
    });
    expect(offer("activity").entries[0]?.disabled).toBeNull();
  });

  test("offer one place once, under the name that was typed", () => {
    const { labels } = palette(account, { recent: ["ACME", "ACME/EXT-1"] });
    expect(labels("").filter((label) => label === "ACME" || label === "overview")).toEqual([
      "ACME",
    ]);
    expect(labels("overview")[0]).toBe("overview");
    expect(labels("overview")).not.toContain("ACME");
  });
});

describe("Tab in the palette", () => {
  const names = ["ACME", "accounts", "activity", "account", "profiles"];
  const tab = (text: string, stem = text) => completed(names, { text, stem }, 1);

  test("completes to what all names share, then cycles through them", () => {
    expect(tab("p")).toEqual({ text: "profiles", stem: "profiles" });
    expect(tab("acc")).toEqual({ text: "account", stem: "account" });
    expect(tab("ac")).toEqual({ text: "ACME", stem: "ac" });
    expect(tab("ACME", "ac")).toEqual({ text: "accounts", stem: "ac" });
    expect(tab("account", "ac")).toEqual({ text: "ACME", stem: "ac" });
    expect(completed(names, { text: "ACME", stem: "ac" }, -1)?.text).toBe("account");
  });

  test("changes nothing where no name begins with the text", () => {
    expect(tab("zz")).toBeNull();
    expect(tab("")).toBeNull();
  });

  test("knows suppliers, recent places, screens and actions", () => {
    const { known } = palette(account, { recent: ["sp ACME/SP-1"] });
    expect(completions(known)).toEqual(
      expect.arrayContaining(["ACME", "sp ACME/SP-1", "suppliers", "accounts", "export"]),
    );
  });
});

describe("a cohort in the palette", () => {
  const cohorts = [
    { name: "wave-3", supplier: "ACME" },
    { name: "late", supplier: "DONE" },
  ];

  test("is opened by its name, also where that could be an account number", () => {
    const { opened, offer, labels } = palette(account, { cohorts });
    expect(labels("wave-3")[0]).toBe("cohort wave-3");
    offer("wave-3").entries[0]?.run();
    offer("late").entries[0]?.run();
    expect(opened).toEqual([
      { kind: "cohort", supplier: "ACME", cohort: "wave-3" },
      { kind: "cohort", supplier: "DONE", cohort: "late" },
    ]);
  });

  test("is found by a part of its name, and offered before anything is typed", () => {
    const { labels } = palette(account, { cohorts });
    expect(labels("wav")).toContain("cohort wave-3");
    expect(labels("")).toContain("cohort late");
    expect(labels("nothing-like-it")).not.toContain("cohort late");
  });
});

describe("the places of counts", () => {
  const counts = { unknown: 0, rejected: 0, retryable: 0, unsent: 0 };
  const gone = (supplier: string, count: number) => ({
    supplier,
    gone: { count, atLeast: false },
    isHeldBack: false,
    hasFailed: false,
  });
  const needs = needsOf({
    work: {
      entries: new Map([
        ["ACME", { ...counts, unknown: 2 }],
        ["DONE", { ...counts, unknown: 3, retryable: 1 }],
      ]),
      rejectedRows: [],
      runs: [],
    },
    watched: [],
    lists: [gone("ACME", 4), gone("DONE", 1)],
    cohorts: [],
  });
  const minute = 60_000;
  const stuck = [
    { supplier: "ACME", count: 3, stuckMs: 40 * minute },
    { supplier: "DONE", count: 0, stuckMs: 30 * minute },
  ];
  const board: Place = { kind: "suppliers" };
  const activity = (supplier: string | null, tab: "unknown" | "rejected" | "retryable"): Place => ({
    kind: "activity",
    supplier,
    account: null,
    tab,
  });

  test.each<[string, Place]>([
    ["gone", { kind: "accounts", supplier: "ACME", tab: "gone" }],
    ["stuck", { kind: "accounts", supplier: "ACME", tab: "pending", filter: "age:>40m" }],
    ["unknown", activity("ACME", "unknown")],
    ["rejected", activity("ACME", "rejected")],
    ["retryable", activity("ACME", "retryable")],
    ["watching", { kind: "watch" }],
  ])("%s on a screen of a supplier is of this supplier", (name, place) => {
    const { offer, opened } = palette(account, { needs, stuck });
    offer(name).entries[0]?.run();
    expect(opened).toEqual([place]);
  });

  test.each<[string, Place]>([
    ["stuck", { kind: "accounts", supplier: "ACME", tab: "pending", filter: "age:>40m" }],
    ["unknown", activity(null, "unknown")],
    ["rejected", activity(null, "rejected")],
    ["retryable", activity(null, "retryable")],
    ["watching", { kind: "watch" }],
  ])("%s on the board is of all suppliers", (name, place) => {
    const { offer, opened } = palette(board, { needs, stuck });
    offer(name).entries[0]?.run();
    expect(opened).toEqual([place]);
  });

  test("gone on the board asks for the supplier, those with most gone accounts first", () => {
    const { offer, opened, asked } = palette(board, { needs });
    offer("gone").entries[0]?.run();
    expect(opened).toEqual([]);
    expect(asked.map(({ label }) => label)).toEqual(["ACME", "DONE", "PAUSED"]);
    asked[1]?.run();
    expect(opened).toEqual([{ kind: "accounts", supplier: "DONE", tab: "gone" }]);
  });

  test("each count has its number", () => {
    const { offer } = palette(board, { needs, stuck });
    const remark = (name: string) => offer(name).entries[0]?.remark;
    expect(remark("unknown")).toContain("5");
    expect(remark("retryable")).toContain("1");
    expect(remark("gone")).toContain("5");
    expect(remark("rejected")).not.toMatch(/\d/u);
  });

  test.each<[string, readonly Place[], string]>([
    [
      "held back",
      [
        { kind: "overview", supplier: "ACME" },
        { kind: "overview", supplier: "DONE" },
      ],
      "No list is held back",
    ],
    [
      "unlisted",
      [
        { kind: "cohort", supplier: "ACME", cohort: "wave-3" },
        { kind: "cohort", supplier: "DONE", cohort: "late" },
      ],
      "on no list",
    ],
    ["stopped", [{ kind: "run", id: "r8x2ab" }], "No run has stopped"],
    ["unsent", [{ kind: "activity", supplier: "DONE", account: null, tab: "all" }], "unsent"],
  ])(
    "%s opens its place, asks if there are several, and says if there is none",
    (name, places, none) => {
      const open = needsOf({
        work: {
          entries: new Map([["DONE", { ...counts, unsent: 2 }]]),
          rejectedRows: [],
          runs: [{ id: "r8x2ab" } as RunRecord],
        },
        watched: [],
        lists: ["ACME", "DONE"].map((supplier) => ({ ...gone(supplier, 0), isHeldBack: true })),
        cohorts: [
          { name: "wave-3", supplier: "ACME", unlisted: 4 },
          { name: "late", supplier: "DONE", unlisted: 1 },
        ],
      });
      const { offer, opened, asked } = palette(board, { needs: open });
      offer(name).entries[0]?.run();
      for (const choice of asked) choice.run();
      expect(opened).toEqual(places);
      const calm = palette(board, { needs: [] }).offer(name).entries[0];
      expect(calm?.disabled).toContain(none);
    },
  );

  test("stuck says that none is stuck only of suppliers whose usual time is known", () => {
    const reasonAt = (supplier: string) =>
      palette({ ...account, supplier }, { stuck }).offer("stuck").entries[0]?.disabled;
    expect(reasonAt("DONE")).toContain("No account is stuck");
    expect(reasonAt("PAUSED")).toContain("not known");
  });

  test("a place of a count and the list of accounts are two entries", () => {
    expect(palette(account, { needs }).labels("")).toEqual(
      expect.arrayContaining(["gone", "accounts", "unknown", "watching"]),
    );
  });
});

test("find searches a number at every supplier, and asks for it if there is none", () => {
  const asked = { count: 0 };
  const { offer, opened } = palette(null, { askNumber: () => asked.count++ });
  offer("find EXT-1").entries[0]?.run();
  expect(opened).toEqual([{ kind: "find", text: "EXT-1" }]);
  offer("find").entries[0]?.run();
  expect(asked.count).toBe(1);
});

test.each(["profile acme-prod", "acme-prod"])("%s opens that profile", (text) => {
  const opened: string[] = [];
  const profile = (name: string) => ({
    name,
    environment: "production",
    isOpen: false,
    open: () => void opened.push(name),
  });
  const { offer } = palette(null, { profiles: [profile("acme-test"), profile("acme-prod")] });
  offer(text).entries[0]?.run();
  expect(opened).toEqual(["acme-prod"]);
});
