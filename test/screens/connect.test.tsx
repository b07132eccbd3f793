import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { formFromSaved, savedFieldsOf } from "../../src/screens/connect/connection-draft.ts";
import {
  clearedFields,
  emptyConnectionForm,
  formOf,
  problemsOf,
  profileOf,
} from "../../src/screens/connect/connection-form.ts";
import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

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
    const sandbox = await openSandbox();
    onTestFinished(() => sandbox.close());
    await using folders = await openFolders();
    const caFile = join(folders.home, "empty.pem");
    await writeFile(caFile, "no certificate");
    await using opened = await openConsoleAt({
      service: sandbox,
      folders,
      places: [{ kind: "suppliers" }, { kind: "connect", edit: null }],
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
    screen.press("space");
    await screen.waitFor("production  (sandbox, test, production)");
    screen.press("tab", "tab");
    screen.send(sandbox.apiKey);
    screen.press("tab", "tab", "enter");
    await screen.waitFor("Fewer settings");
    screen.press("tab", "tab");
    screen.send(caFile);
    screen.press("tab", "tab", "tab", "tab");
    screen.send("acme");
    screen.press("tab", "tab", "space");
    await screen.waitFor(/Compression +on {2}\(auto, on, off\)/);
    screen.press("tab", "enter");
    screen.press("up", "up", "up", "up", "up", "up", "up");
    await screen.waitFor("contains no readable PEM certificate");
    screen.press("ctrl-u");
    screen.press("tab", "tab", "tab", "tab", "tab", "tab", "tab", "enter");
    await screen.waitFor("The connection works");
    screen.press("enter");
    await screen.waitFor("This profile has no suppliers yet");
    const settings = openSettings({ configDir: folders.config });
    expect(settings.find("acme-prod")).toMatchObject({
      environment: "production",
      brand: "acme",
      compression: "on",
    });
  },
);

test("a setting longer than its line is cut there, and pushes no other setting away", async () => {
  const sandbox = await openSandbox();
  onTestFinished(() => sandbox.close());
  await using opened = await openConsoleAt({
    service: sandbox,
    places: [{ kind: "suppliers" }, { kind: "connect", edit: null }],
    cols: 60,
    rows: 15,
  });
  const { screen } = opened;
  await screen.waitFor("More settings");
  screen.press("tab");
  screen.paste(`https://${"long.".repeat(40)}example`);
  await screen.waitFor(/▌ Base URL .*example/);
  screen.press("tab");
  await screen.waitFor(/^ {2}Base URL {5}https:\/\/long\..*…$/m);
  await screen.waitFor(/▌ Environment/);
  expect(screen.text()).toContain("More settings");
  expect(screen.screen().filter((line) => line.includes("long."))).toHaveLength(1);
});

test("a connection that was left says that it is not saved, and is discarded with F9", async () => {
  const sandbox = await openSandbox();
  onTestFinished(() => sandbox.close());
  await using opened = await openConsoleAt({
    service: sandbox,
    places: [{ kind: "profiles" }, { kind: "connect", edit: null }],
  });
  const { screen } = opened;
  await screen.waitFor("Test the connection");
  screen.press("f9");
  await screen.waitFor("Nothing was changed here.");
  screen.send("far");
  await screen.waitFor(/▌ Profile +far/);
  expect(screen.text()).not.toContain("Not saved yet");
  screen.press("esc");
  await screen.waitFor("Enter switch to it");
  screen.press("a");
  await screen.waitFor("Not saved yet: this is as you left it. F9 discards the draft.");
  expect(screen.text()).toMatch(/▌ Profile +far/);
  screen.press("f9");
  await screen.waitFor("Discard this draft?");
  screen.press("y");
  await screen.waitFor("The draft is discarded.");
  screen.press("a");
  await screen.waitFor(/▌ Profile +such as acme-test/);
  expect(screen.text()).not.toContain("Not saved yet");
});

/** A board without suppliers, at its question for codes. */
async function openPrompt() {
  const sandbox = await openSandbox();
  onTestFinished(() => sandbox.close());
  const places = [{ kind: "suppliers" }] as const;
  const opened = await openConsoleAt({ service: sandbox, places });
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { screen } = opened;
  await screen.waitFor("This profile has no suppliers yet");
  screen.press("a");
  await screen.waitFor("several with commas or spaces");
  return screen;
}

test("several supplier codes are added at once, and those that were added are named", async () => {
  const screen = await openPrompt();
  screen.send("ACME, PAUSED DONE");
  screen.press("enter");
  await screen.waitFor("Added ACME, PAUSED, DONE");
  screen.press("a");
  await screen.waitFor("Add an import supplier");
  screen.send("DONE ACME");
  screen.press("enter");
  await screen.waitFor("Already on the list: DONE, ACME.");
});

test("a path that is pasted for a supplier code is refused, and adds nothing", async () => {
  const screen = await openPrompt();
  screen.paste("/home/me/wave 3/list.csv\n");
  screen.press("enter");
  await screen.waitFor("Code: /home/me/wave looks like a path, so nothing was added.");
  screen.press("esc");
  await screen.waitFor("This profile has no suppliers yet");
});
