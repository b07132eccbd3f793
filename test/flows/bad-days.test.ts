import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox, openService } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";

test("a key pasted beside the fields of the connection goes nowhere", async () => {
  const folders = await openFolders();
  const terminal = await openConsole([], { folders });
  await terminal.waitFor("Connect to a service");
  terminal.press("down");
  await terminal.press("enter").until("Test the connection");
  await terminal.press("shift-tab").until(/▌ \[ Test the connection/);
  await terminal.paste("not-for-any-place").until("Nothing was pasted: go to a field first");
  expect(terminal.text()).not.toContain("not-for-any-place");
  expect(terminal.text()).toContain("Test the connection");
  await terminal.press("enter").until("Nothing was sent: see the fields marked !");
  expect(terminal.text()).toContain("! must not be empty: the platform operator issues it");
});

test("a wrong key is reported, corrected and stored only where the user said", async () => {
  const folders = await openFolders();
  const service = await openSandbox({ speed: 1 });
  await using terminal = await openConsole([], { folders });
  await terminal.waitFor("Connect to a service");
  terminal.press("down");
  await terminal.press("enter").until("Test the connection");
  await terminal.send("mine").until("mine");
  terminal.press("tab");
  await terminal.paste(service.baseUrl).until(service.baseUrl);
  await terminal.press("tab", "tab", "tab").until("After the test you choose");
  await terminal.paste("not-the-key\n").until("•••");
  terminal.press("tab");
  await terminal.send("ACME, NORTH").until(/Suppliers +ACME, NORTH/);
  await terminal.press("tab", "tab").until(/▌ \[ Test the connection/);
  const refused = await terminal.press("enter").until("Check the API key");
  expect(refused).not.toContain("not-the-key");
  await expect(stat(join(folders.config, "profiles.json"))).rejects.toThrow();

  await terminal.press("up", "up", "up", "ctrl-u").untilGone("•");
  await terminal.paste(service.apiKey).until("•••");
  await terminal.press("tab", "tab", "tab").until(/▌ \[ Test the connection/);
  await terminal.press("enter").until("The connection works");
  const where = await terminal.waitFor("Save the API key");
  expect(where.replace(/\s+/g, "")).toContain(`${folders.config}/credentials.json`);
  await terminal.press("enter").until(/ACME .*\d\.\d +\d/);
  await terminal.waitFor("NORTH");

  const kept = join(folders.config, "credentials.json");
  expect(await readFile(kept, "utf8")).toContain(service.apiKey);
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  expect((await stat(folders.config)).mode & 0o777).toBe(0o700);

  await terminal.press("P").until("saved key");
  terminal.resize(60, 15);
  await terminal.waitFor(/mine +\w+ +\S+ +saved key/);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a service that fails in mid-poll is reported, and the polling recovers by itself", async () => {
  const here = await world({ service: { speed: 1 } });
  const terminal = await here.terminal("open ACME EXT-0000006", { cols: 120 });
  await terminal.waitFor("IN_PROGRESS");
  here.service.setFaults(["reset-before@account-status"]);
  await terminal.press("r").until("broke before the response arrived");
  const down = await terminal.waitFor("offline");
  expect(down).toContain("IN_PROGRESS");
  here.service.setFaults(["html@account-status"]);
  await terminal.press("r").until(/not.*JSON|unreadable|could not be read/);
  await terminal.press("v").until("<!DOCTYPE html>");
  await terminal.press("esc").until("Observed");
  here.service.setFaults([]);
  await terminal.press("r").untilGone(/not.*JSON|unreadable|could not be read/);
  await terminal.waitFor(/checked just now, every 5 s/);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a list that is still arriving shows no rate and no finish", async () => {
  const day = 86_400_000;
  const rows = Array.from({ length: 200 }, (_, at) => ({
    external_account_number: `EXT-${at}`,
    service_account_number: `A-${at}`,
    account_created_at: new Date(Date.now() - (at * day) / 20).toISOString(),
  }));
  const body = JSON.stringify(rows);
  const half = body.length / 2;
  const rest = Promise.withResolvers<void>();
  const { baseUrl } = await openService((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write(body.slice(0, half));
    rest.promise.then(() => response.end(body.slice(half)));
  });
  const terminal = await openConsole(["open", "ACME"], {
    env: { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_TOKEN: "token-12345678" },
  });
  await terminal.waitFor("pending so far");
  const told = await terminal.waitFor(/[1-9]\d* imported/);
  expect(told).toContain("rates and finish: known when all accounts are loaded");
  rest.resolve();
  await terminal.waitFor("of 200 imported");
  await terminal.waitFor(/[\d.]+(\/h| a day) last/);
});

test("Ctrl-C cancels a load that drips in, keeps the rows that came, and leaves the second time", async () => {
  const here = await world({
    service: { speed: 1, accounts: 2_000, faults: ["drip=1024/100ms@all"] },
  });
  const terminal = await here.terminal("open ACME");
  await terminal.waitFor(/loading….*, [\d,]+ rows/);
  await terminal.waitFor(/[1-9]\d* imported/);
  await terminal.press("enter").until(/▌ +EXT-0000001/);
  await terminal.press("ctrl-c").until("Ctrl-C again quits");
  await terminal.waitFor("EXT-0000001");
  await terminal.waitFor("canceled");
  terminal.press("ctrl-c");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("production says PROD, is read-only, and is unlocked by typing the profile's name", async () => {
  const here = await world({ env: { SUPPLYLINE_ENVIRONMENT: "production" } });
  const terminal = await here.terminal("open ACME");
  await terminal.waitFor("of 120 imported");
  expect(terminal.screen()[0]).toMatch(/ad-hoc +PROD +read-only +UTC$/);
  const { row, col } = terminal.find("PROD");
  expect(terminal.cell(row, col)).toMatchObject({ inverse: true, bold: true });
  await terminal.press("U").until("Unlock writes to ad-hoc");
  await terminal.send("other").until("name  other");
  await terminal.press("enter").until("That is not ad-hoc; still locked");
  await terminal.press("ctrl-u").untilGone("name  other");
  await terminal.send("ad-hoc").until("name  ad-hoc");
  await terminal
    .press("enter")
    .until((screen) => !(screen.split("\n")[0] ?? "").includes("read-only"), {
      describe: "a header without read-only",
    });
  await terminal.press("U").until("read-only");
});

test("an unknown supplier is a sentence, not an empty list", async () => {
  const terminal = await openConsole(["--sandbox", "open", "UNHEARD"], { cols: 120 });
  await terminal.waitFor(/no such supplier/i);
  await terminal.press("o").until("Open an account of UNHEARD");
  await terminal.press("esc").untilGone("Open an account of UNHEARD");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a service that is down at the start is reported on the screen, and the console stays", async () => {
  const here = await world({ service: { speed: 1 } });
  await here.service.close();
  const terminal = await here.terminal("open ACME EXT-1");
  await terminal.waitFor("could not be reached");
  await terminal.waitFor("offline");
  await terminal.press("?").until("Keys on Account");
  await terminal.press("esc").untilGone("Keys on Account");
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

test("a key from the environment that is refused is reported without a profile that no command knows", async () => {
  const here = await world({ env: { SUPPLYLINE_API_KEY: "revoked" } });
  const terminal = await here.terminal("open ACME EXT-0000001");
  await terminal.waitFor("The API key is not valid");
  const told = terminal.text().replace(/\s+/g, " ");
  expect(told).toContain("in SUPPLYLINE_API_KEY");
  expect(told).not.toContain("--profile ad-hoc");
});

test("a state folder that is open to others is named with its remedy on one line", async () => {
  const folders = await openFolders();
  await mkdir(folders.state, { recursive: true });
  await chmod(folders.state, 0o755);
  const terminal = await openConsole(["--sandbox"], { folders, cols: 110 });
  await terminal.waitFor(/^.*Not saved: .*Fix: chmod 700 \S+/m);
});
