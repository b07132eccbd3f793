import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveKey } from "../../src/keys/scopes.ts";
import type { App } from "../../src/session/app.ts";
import type { Place } from "../../src/session/places.ts";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import type { KeyName } from "../helpers/key-bytes.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;
let folders: Folders;

beforeAll(async () => {
  service = await openSandbox({ accounts: 20 });
  folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
  await openCohorts(folders.state).add({
    name: "wave-1",
    supplier: "ACME",
    from: "wave-1.txt",
    column: null,
    now: 0,
    bytes: Buffer.from("EXT-0000001\nNOPE-1\n"),
  });
  await writeFile(
    join(folders.home, "bad.csv"),
    "import_supplier,external_account_number,body\nACME,,one\n",
  );
});

/** Every place that is no form, and what shows that it is drawn. */
const places: readonly (readonly [Place | "a file", string | RegExp])[] = [
  [{ kind: "first-run" }, "Connect to a service"],
  [{ kind: "suppliers" }, "This profile has no suppliers yet"],
  [{ kind: "profiles" }, /1 of 1/],
  [{ kind: "overview", supplier: "ACME" }, "of 20 imported"],
  [{ kind: "cohorts" }, "1 of 1"],
  [{ kind: "cohort", supplier: "ACME", cohort: "wave-1" }, "of 2 imported"],
  [{ kind: "find", text: "EXT-0000001" }, "Supplier"],
  [{ kind: "accounts", supplier: "ACME", tab: "all" }, "1 of 20"],
  [{ kind: "account", supplier: "ACME", account: "EXT-0000001" }, "COMPLETED"],
  [{ kind: "account", supplier: "ACME", account: "NOPE-1" }, "NOT FOUND"],
  [{ kind: "supply-point", supplier: "ACME", identifier: "NOPE" }, "NOT FOUND"],
  [{ kind: "activity", supplier: null, account: null }, "Nothing has been sent"],
  [{ kind: "write", id: "1" }, "The journal does not exist yet"],
  [{ kind: "watch" }, "Nothing is watched"],
  [{ kind: "command-log" }, /Command log/],
  [{ kind: "notices" }, "Nothing was reported"],
  [{ kind: "runs" }, "No bulk run yet"],
  [{ kind: "run", id: "none" }, "Runs › none"],
  ["a file", "[Causes"],
];

const keys = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ9<>+-=/,:?@;!",
  ...["f2", "f3", "f4", "f5", "f10", "ctrl-f", "ctrl-b", "ctrl-s", "ctrl-k", "home", "delete"],
];

/** The keys that nothing answers: no action that works, no reason on the screen or in a notice. */
async function silentKeys(app: App, press: (key: KeyName) => void, text: () => string) {
  const silent: string[] = [];
  for (const name of keys) {
    const found = resolveKey(app.keys.scopes(), name, app.keys.keymap);
    if (found !== null && !found.action.disabled) continue;
    const before = app.notices.shown.get();
    const isAnswered = () =>
      app.notices.shown.get() !== before ||
      app.overlays.current.get() !== null ||
      (typeof found?.action.disabled === "string" && text().includes(found.action.disabled));
    press(name);
    try {
      await expect.poll(isAnswered, { timeout: 2_000, interval: 5 }).toBe(true);
    } catch {
      silent.push(name);
    }
    app.overlays.close();
    // A key that comes earlier is for the question.
    const isClear = () => app.keys.scopes().every(({ modal }) => !modal);
    await expect.poll(isClear, { interval: 5 }).toBe(true);
  }
  return silent;
}

test.each(places)("on %o, a key that does nothing says why", async (at, drawn) => {
  const place = at === "a file" ? bulkFile() : at;
  const { screen, app } = await openConsoleAt({
    service,
    folders,
    cols: 160,
    rows: 40,
    places: [{ kind: "suppliers" }, place],
  });
  await screen.waitFor(drawn);
  expect(await silentKeys(app, screen.press.bind(screen), () => screen.text())).toEqual([]);
});

function bulkFile(): Place {
  return { kind: "bulk-file", path: join(folders.home, "bad.csv") };
}

test.each([
  ["the help", "?"],
  ["a command", "x"],
] as const)("in %s, a key that does nothing says how it is closed", async (_, open) => {
  const { screen, app } = await openConsoleAt({
    service,
    folders,
    cols: 160,
    rows: 40,
    places: [{ kind: "suppliers" }],
  });
  await screen.waitFor("This profile has no suppliers yet");
  await screen.press(open).until("close");
  expect(app.overlays.current.get()).not.toBeNull();
  await screen.send("w").until("w does nothing here; Esc closes this.");
});

test.each([
  ["w", "w works on an account or a supply point."],
  [">", "> works on a list."],
  ["E", "E works on a list."],
  ["s", "s works on a review."],
  [";", "; does nothing here; ? lists the keys."],
])("%s on the overview says what it works on", async (key, words) => {
  const { screen } = await openConsoleAt({
    service,
    folders,
    places: [{ kind: "suppliers" }, { kind: "overview", supplier: "ACME" }],
  });
  await screen.waitFor("of 20 imported");
  await screen.send(key).until(words);
});

test.each<[Place, string, string]>([
  [{ kind: "activity", supplier: null, account: null }, "A", "This is Activity."],
  [{ kind: "watch" }, "W", "This is Watch."],
  [{ kind: "runs" }, "L", "This is Runs."],
  [{ kind: "profiles" }, "P", "This is Profiles."],
  [{ kind: "cohorts" }, "O", "This is Cohorts."],
])("on %o, %s says that it is open", async (place, key, words) => {
  const { screen } = await openConsoleAt({
    service,
    folders,
    cols: 160,
    places: [{ kind: "suppliers" }, place],
  });
  await screen.waitFor("help");
  await screen.send(key).until(words);
});
