import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formFromSaved, savedFieldsOf } from "../../src/screens/connect/connection-draft.ts";
import {
  clearedFields,
  emptyConnectionForm,
  formOf,
  knownKey,
  problemsOf,
  profileOf,
} from "../../src/screens/connect/connection-form.ts";
import { openProfile } from "../../src/session/leave-profile.ts";
import { profileFrom } from "../../src/settings/schemas.ts";
import { createSecrets } from "../../src/settings/secrets.ts";
import { openSettings, type Settings } from "../../src/settings/settings.ts";
import { openFolders } from "../helpers/folders.ts";
import { world } from "../helpers/world.ts";

const far = profileFrom({
  name: "far",
  baseUrl: "https://api.example.com",
  environment: "test",
  proxy: "http://gate:3128",
  proxyCredentialHelper: "gate-login",
  graphqlUrl: "https://id.example.com/graphql/",
  brand: "acme",
  authForm: "bare",
  compression: "off",
  suppliers: ["ACME"],
});

test("the form of a profile holds every setting, and gives back the same profile", () => {
  const form = formOf(far);
  expect(form).toMatchObject({ more: true, proxy: "http://gate:3128", brand: "acme" });
  expect(profileOf(form, far)).toEqual(far);
  const plain = profileFrom({ name: "a", baseUrl: "https://a.example" });
  expect(formOf(plain)).toMatchObject({ more: false, compression: "auto" });
  expect(formOf({ ...plain, compression: "on" }).more).toBe(true);
});

test("the suppliers of a new profile are typed with it, and a path among them is refused", () => {
  const form = { ...emptyConnectionForm, name: "new", baseUrl: "https://a.example", apiKey: "k" };
  const { suppliers } = profileOf({ ...form, suppliers: "ACME, NORTH ACME" }, null);
  expect(suppliers).toEqual(["ACME", "NORTH"]);
  expect(problemsOf({ ...form, suppliers: "" }, [], false).suppliers).toBeNull();
  expect(problemsOf({ ...form, suppliers: "ACME /tmp/a.csv" }, [], false).suppliers).toMatch(
    /^\/tmp\/a\.csv looks like a path/,
  );
});

test.each<[string, (settings: Settings) => void, RegExp, boolean]>([
  ["a saved key", (settings) => settings.saveApiKey("far", "key-1"), /^saved/, true],
  ["only a saved token", (settings) => settings.saveToken("far", "token-1"), /only a token/, false],
  ["no credentials", () => {}, /^none/, false],
  [
    "a credential helper",
    (settings) => settings.update("far", { credentialHelper: "print-key" }),
    /helper/,
    true,
  ],
])(
  "the form of a profile with %s says so, and needs a key if there is none",
  async (_, prepare, words, hasKey) => {
    await using folders = await openFolders();
    const settings = openSettings({ configDir: folders.config });
    settings.add(far);
    prepare(settings);
    const known = knownKey(() =>
      settings.credentialFacts(settings.find("far") ?? far, createSecrets({})),
    );
    expect(known).toEqual({ words: expect.stringMatching(words), hasKey });
    expect(problemsOf(formOf(far), [], known.hasKey).apiKey === null).toBe(hasKey);
  },
);

test("the form says that credentials that cannot be read are not known", () => {
  const known = knownKey(() => {
    throw new Error("exposed");
  });
  expect(known.words).toMatch(/^not known/);
});

test.each<[string, object, RegExp]>([
  ["the same service leads back to the account", {}, /^Suppliers › ACME › Accounts › EXT-0000001/],
  ["another service leads to the suppliers", { baseUrl: "http://localhost:1" }, /^Suppliers {3}/],
])("after signing in, %s", async (_, stored, header) => {
  const { service: sandbox, folders, at } = await world();
  const settings = openSettings({ configDir: folders.config });
  settings.add(profileFrom({ name: "p", baseUrl: sandbox.baseUrl, environment: "test" }));
  await using opened = await at(
    [{ kind: "suppliers" }, { kind: "account", supplier: "ACME", account: "EXT-0000001" }],
    { profile: "p" },
  );
  const { screen, app } = opened;
  await screen.waitFor(/COMPLETED/);
  await screen.press("P").until("Enter switch to it");
  await screen.press("e").until(/API key +none is saved/);
  const profile = profileFrom({ name: "p", baseUrl: sandbox.baseUrl, ...stored });
  const credentials = app.settings.credentials(profile, app.secrets);
  openProfile(app, { profile, origin: "current", credentials });
  await screen.waitFor(header);
});

test("a setting that is emptied goes back to its default", () => {
  const changed = profileOf({ ...formOf(far), proxy: "", brand: "", compression: "auto" }, far);
  expect(changed.compression).toBeUndefined();
  expect(clearedFields(changed)).toHaveProperty("compression", undefined);
  expect(changed).toMatchObject({ brand: "service", proxyCredentialHelper: "gate-login" });
  expect(clearedFields(changed)).toHaveProperty("proxy", undefined);
  expect(Object.keys(clearedFields(changed))).not.toContain("graphqlUrl");
});

test("a draft keeps every setting but the key, and no address that can hold a password", () => {
  const typed = {
    ...emptyConnectionForm,
    name: "new",
    apiKey: "canary",
    proxy: "http://ada:canary@gate",
    brand: "acme",
    authForm: "bare" as const,
    compression: "on" as const,
    more: true,
  };
  const saved = savedFieldsOf(typed);
  expect(JSON.stringify(saved)).not.toContain("canary");
  expect(formFromSaved(saved, emptyConnectionForm)).toEqual({ ...typed, apiKey: "", proxy: "" });
});

test("the address of a team is checked in its field, and a team is not left there", () => {
  const address = "postgresql://op1@db.example.com/ledger?sslmode=verify-full";
  const of = (team: string, before?: string) =>
    problemsOf({ ...formOf(far), team }, [], true, before).team;
  expect(of("")).toBeNull();
  expect(of(address)).toBeNull();
  expect(of("postgresql://op1@db.example.com/ledger")).toContain("sslmode=verify-full");
  expect(of("postgresql://op1:canary@db.example.com/ledger")).toContain("password");
  expect(of(address, address)).toBeNull();
  expect(of(address.replace("op1", "op2"), address)).toBeNull();
  expect(of("", address)).toContain("profiles edit far --team ''");
  expect(of(address.replace("ledger", "other"), address)).toContain("profiles edit far --team URL");
  const typed = { ...emptyConnectionForm, team: address };
  expect(savedFieldsOf(typed).team).toBe(address);
  expect(savedFieldsOf({ ...typed, team: address.replace("op1", "op1:canary") }).team).toBe("");
});

test("problems of the further settings are found, without repeating a password", () => {
  const form = {
    ...formOf(far),
    proxy: "http://ada:canary@gate",
    graphqlUrl: "http://far.example",
    tokenPath: "a..b",
    brand: "1",
    caFile: "ca.pem",
  };
  const problems = problemsOf(form, [], true);
  expect(problems).toMatchObject({
    proxy: expect.stringContaining("must not contain a password"),
    graphqlUrl: expect.stringContaining("https"),
    tokenPath: expect.stringContaining("names joined by dots"),
    brand: expect.stringContaining("letters"),
    caFile: "must be an absolute path",
  });
  expect(JSON.stringify(problems)).not.toContain("canary");
});

test.each([
  [80, 24],
  [60, 15],
])(
  "at %ix%i the further settings are folded, open on request, and are saved",
  async (cols, rows) => {
    const { service: sandbox, folders, at } = await world();
    const caFile = join(folders.home, "empty.pem");
    await writeFile(caFile, "no certificate");
    await using opened = await at([{ kind: "suppliers" }, { kind: "connect", edit: null }], {
      cols,
      rows,
    });
    const { screen } = opened;
    await screen.waitFor("More settings");
    expect(screen.text()).not.toContain("GraphQL URL");
    screen.send("acme-prod");
    screen.press("tab");
    screen.send(sandbox.baseUrl);
    // The environment was not chosen: the line beside it says that it follows the address.
    await screen.waitFor("loopback: test, until you choose");
    screen.press("tab");
    await screen.press("space").until("production  (sandbox, test, production)");
    screen.press("tab", "tab");
    screen.send(sandbox.apiKey);
    await screen.press("tab", "tab", "enter").until("Fewer settings");
    screen.press("tab", "tab", "tab");
    screen.send(caFile);
    screen.press("tab", "tab", "tab", "tab");
    screen.send("acme");
    await screen.press("tab", "tab", "space").until(/Compression +on {2}\(auto, on, off\)/);
    screen.press("tab", "enter");
    await screen
      .press("up", "up", "up", "up", "up", "up", "up")
      .until("contains no readable PEM certificate");
    screen.press("ctrl-u");
    await screen
      .press("tab", "tab", "tab", "tab", "tab", "tab", "tab", "enter")
      .until("The connection works");
    await screen.press("enter").until("This profile has no suppliers yet");
    const settings = openSettings({ configDir: folders.config });
    expect(settings.find("acme-prod")).toMatchObject({
      environment: "production",
      brand: "acme",
      compression: "on",
    });
  },
);

test("a setting longer than its line is cut there, and pushes no other setting away", async () => {
  const { at } = await world();
  await using opened = await at([{ kind: "suppliers" }, { kind: "connect", edit: null }], {
    cols: 60,
    rows: 15,
  });
  const { screen } = opened;
  await screen.waitFor("More settings");
  screen.press("tab");
  await screen.paste(`https://${"long.".repeat(40)}example`).until(/▌ Base URL .*example/);
  await screen.press("tab").until(/^ {2}Base URL {5}https:\/\/long\..*…$/m);
  await screen.waitFor(/▌ Environment/);
  expect(screen.text()).toContain("More settings");
  expect(screen.screen().filter((line) => line.includes("long."))).toHaveLength(1);
});

test("a connection that was left says that it is not saved, and is discarded with F9", async () => {
  const { at } = await world();
  await using opened = await at([{ kind: "profiles" }, { kind: "connect", edit: null }]);
  const { screen } = opened;
  await screen.waitFor("Test the connection");
  await screen.press("f9").until("Nothing was changed here.");
  await screen.send("far").until(/▌ Profile +far/);
  expect(screen.text()).not.toContain("Not saved yet");
  await screen.press("esc").until("Enter switch to it");
  await screen.press("a").until("Not saved yet: this is as you left it. F9 discards the draft.");
  expect(screen.text()).toMatch(/▌ Profile +far/);
  await screen.press("f9").until("Discard this draft?");
  await screen.press("y").until("The draft is discarded.");
  await screen.press("a").until(/▌ Profile +such as acme-test/);
  expect(screen.text()).not.toContain("Not saved yet");
});

/** A board without suppliers, at its question for codes. */
async function openPrompt() {
  const { at } = await world();
  const places = [{ kind: "suppliers" }] as const;
  const { screen } = await at(places);
  await screen.waitFor("This profile has no suppliers yet");
  await screen.press("a").until("several with commas or spaces");
  return screen;
}

test("several supplier codes are added at once, and those that were added are named", async () => {
  const screen = await openPrompt();
  screen.send("ACME, PAUSED DONE");
  await screen.press("enter").until("Added ACME, PAUSED, DONE");
  await screen.press("a").until("Add an import supplier");
  screen.send("DONE ACME");
  await screen.press("enter").until("Already on the list: DONE, ACME.");
});

test("a path that is pasted for a supplier code is refused, and adds nothing", async () => {
  const screen = await openPrompt();
  screen.paste("/home/me/wave 3/list.csv\n");
  await screen.press("enter").until("Code: /home/me/wave looks like a path, so nothing was added.");
  await screen.press("esc").until("This profile has no suppliers yet");
});
