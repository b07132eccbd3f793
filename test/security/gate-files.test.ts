/**
 * Promise: text that stands in the user's own files (profiles, preferences, keymap, history, drafts,
 * the watch list), or that is typed and pasted, reaches the terminal only through the gate, whatever
 * it says.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openConsole } from "../helpers/console.ts";
import { byHand, hostileCodes } from "./files-by-hand.ts";
import { columnsOf, everyPayload, everything, expectHarmless, leave, notice } from "./harmless.ts";
import { hostileService } from "./hostile-service.ts";

const sizes = [
  { cols: 140, rows: 40 },
  { cols: 60, rows: 15 },
];

/** Prints a key, whatever its arguments say. */
const helper = 'process.stdout.write(JSON.stringify({ Version: 1, ApiKey: "key-12345678" }))';

/** A stored profile of a hostile service, with everything in it that a check lets through. */
async function desk() {
  const service = await hostileService();
  const hand = await byHand();
  const profile = {
    name: "mine",
    baseUrl: service.baseUrl,
    environment: "test",
    mutation: `mutation {${everything}}`,
    credentialHelper: `'${process.execPath}' -e '${helper}' '${everything.replaceAll(/['\0]/g, "")}'`,
    suppliers: ["ACME", ...hostileCodes],
  };
  // One that no one switches to: its address is never asked.
  const other = {
    ...profile,
    name: "other",
    baseUrl: `http://127.0.0.1:9/${"\u3164\u034f\u115f日本"}~url`,
  };
  hand.config("profiles.json", { profiles: [profile, other], current: "mine" });
  const env = {};
  return { service, ...hand, env, profile };
}

const historyKey = (baseUrl: string) => JSON.stringify(["mine", baseUrl]);

test.each(sizes)("Suppliers at $cols×$rows: codes edited into a profile by hand", async (size) => {
  const { folders, env } = await desk();
  const terminal = await openConsole([], { env, folders, ...size });
  await terminal.waitFor("ACME");
  await terminal.waitFor("~code");
  // The numbers behind the codes stand in one column.
  const counts = await terminal.waitFor((text) => /~code.* \d/.test(text), {
    describe: "a count behind a hostile code",
  });
  expect(counts).toContain("~code");
  for (let n = 0; n < hostileCodes.length; n++) terminal.press("down");
  await terminal.waitFor(new RegExp(`${hostileCodes.at(-1)?.slice(0, 2)}.*~code`, "u"));
  await terminal.press("enter").until(/Suppliers › .*~code/);
  expectHarmless(terminal);
  await leave(terminal);
});

test.each(sizes)("Profiles and Connect at $cols×$rows: a profile edited by hand", async (size) => {
  const { folders, env } = await desk();
  const terminal = await openConsole([], { env, folders, ...size });
  await terminal.waitFor("ACME");
  await terminal.press("P").until(/other .*…/);
  expect(new Set(columnsOf(terminal, "http://127")).size).toBe(1);
  terminal.press("down");
  // The preview shows the whole address.
  if (size.cols > 100) await terminal.waitFor("~url");
  await terminal.press("e").until(/▌ Profile +other/);
  // The last of the fields, and back to the first: all of it was drawn once, on a small screen too.
  await terminal.press("up").until(/▌ \[ Test the connection \]/);
  await terminal.press("down").until(/▌ Profile +other/);
  await terminal.waitFor(size.cols > 70 ? "~url" : /Base URL +http:\/\/127.*…/);
  await terminal.paste(`na${everything}~typed`).until(/~typ/);
  // Text that is stored, and shown as it is, is typed on.
  await terminal.press("tab").until(/▌ Base URL .*~url/);
  await terminal.paste(`${everything}~field`).until("~field");
  expectHarmless(terminal);
  await terminal.press("esc").until(/other .*…/);
  await leave(terminal);
});

test.each(sizes)("the first run at $cols×$rows, in folders with hostile names", async (size) => {
  const { folders } = await byHand();
  const config = join(folders.home, `c${everything.replaceAll(/[\0/]/g, "").slice(0, 60)}~config`);
  const state = join(folders.home, "s\u001b]0;owned\u0007\u202e\u009b31m~state");
  for (const folder of [config, state]) mkdirSync(folder, { mode: 0o700 });
  const env = { SUPPLYLINE_CONFIG_DIR: config, SUPPLYLINE_STATE_DIR: state };
  const terminal = await openConsole([], { env, folders, ...size });
  await terminal.waitFor((text) => text.replace(/\s+/g, "").includes("~config/profiles.json"), {
    describe: "the path of the profiles to its end",
  });
  await terminal.press("down", "enter").until("More settings");
  terminal.paste(everything);
  terminal.press("tab");
  await terminal.paste(`https://${everything}~host`).until("~host");
  expectHarmless(terminal);
  terminal.press("ctrl-c");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("Help and the notice at the start: a keymap with hostile actions and keys", async () => {
  const { folders, env, config } = await desk();
  const lines = everyPayload.flatMap(([, payload], n) => [
    `${JSON.stringify(`act${n}${payload.toWellFormed()}~action`)}: "x"`,
    `"refresh": ${JSON.stringify(`${payload.toWellFormed()}~key`)}`,
  ]);
  config("keymap.json", `{${lines.join(",\n")}}`);
  const terminal = await openConsole([], { env, folders, cols: 140, rows: 40 });
  await terminal.waitFor(/invalid lines/);
  await terminal.waitFor("ACME");
  await terminal.press("?").until("Lines of keymap.json that do not work");
  await terminal.waitFor("~action");
  for (let n = 0; n < 6; n++) {
    terminal.press("page-down");
  }
  terminal.press("end");
  // The notice above the footer stays.
  await terminal.waitFor((text) => text.split("act0").length === 2, { describe: "the last lines" });
  expectHarmless(terminal);
  await terminal.press("?").untilGone("Lines of keymap.json");
  await leave(terminal);
  // What was said before the console came stands behind it.
  expectHarmless(terminal);
});

describe("a key that is a quarter of a megabyte", () => {
  test("is reported in a few words, and the console opens", async () => {
    const { folders, env, config } = await desk();
    config(
      "keymap.json",
      JSON.stringify({
        ["y".repeat(40_000)]: 5,
        ["z".repeat(10_000)]: "q",
        refresh: "\u009b".repeat(100_000),
      }),
    );
    const terminal = await openConsole([], { env, folders, cols: 80, rows: 24 });
    await terminal.waitFor("ACME");
    await terminal.waitFor(/invalid line/);
    await terminal.press("?").until("Lines of keymap.json that do not work");
    await terminal.press("page-down").until("refresh keeps");
    expectHarmless(terminal);
    expect(terminal.bytes().length).toBeLessThan(200_000);
  });
});

test("palette: places, filters and actions of a history written by hand", async () => {
  const { service, folders, env, state } = await desk();
  const places = everyPayload.map(([, payload], n) => `AC${payload.trim()}/n${n}~place`);
  const owner = historyKey(service.baseUrl);
  const uses = [
    ...places.map((value) => ({ list: "place", owner, value })),
    { list: "place", owner: "__proto__", value: "polluted" },
    { list: "filter", owner: "accounts", value: `f${everything}~filter` },
    { list: "filter", owner: "constructor", value: everything },
    ...[everything, "__proto__", "toString"].map((value) => ({ list: "action", owner: "", value })),
    { list: "tour", owner: "", value: "1e300" },
  ];
  await state((rows) => {
    // The first is the newest.
    for (const use of uses.toReversed()) rows.insert("used", use);
  });
  const terminal = await openConsole(["open", "ACME"], { env, folders, cols: 140, rows: 40 });
  await terminal.waitFor(`${service.rows.length} accounts  loaded`);
  await terminal.press(":").until("~place");
  for (const [n] of everyPayload.entries()) {
    terminal.send(`n${n}~`);
    // The first of them, as an example: what looks like an address of the web is no account.
    await terminal.waitFor(n === 0 ? /n0~place +lately: account/ : `find n${n}~`);
    await terminal.press("ctrl-u").until("~place");
  }
  await terminal.paste(`AC\u001b]0;owned\u0007\u202e/x${everything}~pasted`).until("~pasted");
  await terminal.press("esc").untilGone("~pasted");
  await terminal
    .press("enter")
    .until(new RegExp(`ACME › Accounts[^]*\\b1 of ${service.rows.length}\\b`));
  await terminal.press("/").until("keep filter");
  await terminal.press("ctrl-p").until("~filter");
  expectHarmless(terminal);
  await terminal.press("esc").untilGone("keep filter");
  await leave(terminal);
});

test("columns of preferences written by hand", async () => {
  const { service, folders, env, config } = await desk();
  config("preferences.json", {
    accountColumns: [everything, "__proto__", "constructor", "external_account_number"],
  });
  const terminal = await openConsole(["open", "ACME"], { env, folders, cols: 140, rows: 40 });
  await terminal.waitFor(`${service.rows.length} accounts  loaded`);
  await terminal
    .press("enter")
    .until(new RegExp(`ACME › Accounts[^]*\\b1 of ${service.rows.length}\\b`));
  expectHarmless(terminal);
  await leave(terminal);
});

test("the watch list: entries, states and times written by hand, the bell for one of them", async () => {
  const { service, folders, env, state } = await desk();
  const seen = (at: number) => ({ state: `S${everything}~seen`, firstSeenAt: at, lastSeenAt: at });
  const entry = (number: string, more: object = {}) => ({
    kind: "account",
    supplier: "ACME",
    number,
    addedAt: 1,
    timeline: [],
    ...more,
  });
  const list = [
    ...everyPayload.map(([, payload], n) => entry(`w${n}${payload.toWellFormed()}~watched`)),
    entry("..", { timeline: [seen(1e308), seen(-1e308)] }),
    entry(".", { supplier: everything, addedAt: 1e308 }),
    entry("late", { addedAt: 1.5e308, timeline: [seen(8.64e15 + 1)] }),
    entry("point", { kind: "supply-point", timeline: [seen(0), seen(Date.now() + 1e12)] }),
    entry("__proto__"),
    { kind: "__proto__", supplier: "x", number: "y", addedAt: 1, timeline: [] },
  ];
  await state((rows) => {
    for (const { addedAt, timeline, ...subject } of list)
      rows.insert("watched", {
        ...{ profile: "mine", service: service.baseUrl, ...subject },
        ...{ added_at: addedAt, timeline: JSON.stringify(timeline) },
      });
  });
  service.payload = everything;
  const terminal = await openConsole([], { env, folders, cols: 140, rows: 50 });
  await terminal.waitFor("ACME");
  await terminal.press("W").until("~watched");
  await terminal.press("end").until("__proto__");
  const watched = /\d+ need you/;
  await terminal.waitFor(watched);
  for (let n = 0; n < list.length; n++) terminal.press("up");
  service.payload = "";
  await terminal.press("r").until(/Watch: .*COMPLETED/);
  await terminal.waitFor("14 done");
  // Several that ended are one line, which Enter unfolds. They can end between two keys.
  const isOpened = (screen: string) => !watched.test(screen);
  const isUnfolded = (screen: string) => /^(\d+) of (?!\1\b)\d+/m.test(screen);
  do {
    await terminal.press("end").until(/^(\d+) of \1\b/m);
    terminal.press("enter");
    await terminal.waitFor((screen) => isOpened(screen) || isUnfolded(screen), {
      describe: "an account, or the folded lines",
    });
  } while (!isOpened(terminal.text()));
  await terminal.waitFor("Observed");
  expectHarmless(terminal, [notice]);
  await terminal.press("esc").until(watched);
  await leave(terminal);
});

test("a draft written by hand: fields, refusals, folds", async () => {
  const { folders, env, state } = await desk();
  const few = "\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u009b31m\u202e\u200b日本";
  const draft = {
    id: "d1",
    kind: "notes",
    profile: "mine",
    supplier: "ACME",
    account: "EXT-1",
    value: {
      values: {
        import_supplier: everything,
        external_account_number: everything,
        notes: [
          { body: `b${everything}~body`, created_at: `c${everything}~created`, __proto__: "x" },
          { body: ["not", "text"], document_paths: [everything, 5, null] },
        ],
        [everything]: everything,
      },
      folded: [everything, '["notes",1e999]', "[[[[", "null"],
    },
    query: { [everything]: true },
    refusals: [
      { path: [], message: `m${few}~above` },
      { path: ["notes", 0, "body"], message: `m${few}~at` },
      { path: ["notes", 1e308, everything, "__proto__"], message: everything },
    ],
  };
  const others = ["toString", "__proto__", everything].map((kind, n) => ({
    ...draft,
    id: `other-${n}`,
    kind,
  }));
  const deep = `{"value":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  await state((rows) => {
    const stored = { profile: "mine", service: null, updated_at: Number.MAX_SAFE_INTEGER };
    for (const { id, profile, ...value } of [draft, ...others])
      rows.insert("draft", { ...stored, id, profile, value: JSON.stringify(value) });
    rows.insert("draft", { ...stored, id: "deep", value: deep });
  });
  const terminal = await openConsole(["open", "ACME", "EXT-1"], {
    env,
    folders,
    cols: 140,
    rows: 50,
  });
  await terminal.waitFor("COMPLETED");
  await terminal.press("n").until("Notes for");
  const unbroken = (screen: string) => screen.replace(/\s+/g, "");
  for (const tail of ["~above", "~at"])
    await terminal.waitFor((screen) => unbroken(screen).includes(tail), { describe: tail });
  expectHarmless(terminal);
  await terminal.press("esc").untilGone("Notes for");
  await leave(terminal);
});

test("what is pasted into a field or outside one: no key, no sequence", async () => {
  const { folders, env, service } = await desk();
  const terminal = await openConsole(["open", "ACME"], { env, folders, cols: 100, rows: 30 });
  await terminal.waitFor(`${service.rows.length} accounts  loaded`);
  for (const [n, [, payload]] of everyPayload.entries()) {
    if (/[\r\n]|\u001b\[\d*~/.test(payload)) continue;
    await terminal.paste(`EXT-${n}${payload}~once`).until(new RegExp(`: .*EXT-${n}(?!\\d).*~once`));
    await terminal.press("esc").untilGone("Go to a place");
  }
  await terminal
    .paste(everyPayload.map(([, payload], n) => `p${n}${payload}~many`).join("\n"))
    .until("Pasted text");
  await terminal.press("esc").untilGone("Pasted text");
  await terminal.press("o").until("Open an account of ACME");
  await terminal.paste(`x${everything}~prompt`).until("~prompt");
  await terminal.press("enter").untilGone("Open an account of ACME");
  await terminal.waitFor("Observed");
  await terminal.press("esc").untilGone("Observed");
  await terminal.waitFor("ACME");
  await terminal.paste("9".repeat(1_000_000)).until("has no account number");
  await terminal.press("esc").untilGone("Pasted text");
  await terminal.press("o").until("Open an account of ACME");
  await terminal.paste("9".repeat(1_000_000)).until("999999");
  await terminal.press("ctrl-u").untilGone("999999");
  expectHarmless(terminal);
  expect(service.rows.length).toBeGreaterThan(0);
});
