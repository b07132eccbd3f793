import { type Console, openConsole } from "../helpers/console.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";

const sizes = [
  { cols: 200, rows: 50 },
  { cols: 60, rows: 15 },
] as const;

test("- goes to the last place and back again", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"]);
  await terminal.waitFor("COMPLETED");
  await terminal.press("-").until("There is no earlier place.");
  await terminal.press("W").until(/^Watch /);
  await terminal.press("-").until("COMPLETED");
  await terminal.press("-").until(/^Watch /);
  await terminal.paste("ACME/EXT-0000007").until(": ACME/EXT-0000007");
  await terminal.press("enter").until(/Accounts › EXT-0000007/);
  // A form is a step on the way, and no place to come back to.
  await terminal.press("S").until("Compose");
  await terminal.press("esc").until(/Accounts › EXT-0000007/);
  await terminal.press("-").until(/^Watch /);
});

test("the palette remembers only places that there are", async () => {
  const folders = await openFolders();
  const terminal = await openConsole(["--sandbox", "open", "ACME"], { folders });
  await terminal.waitFor("of 120 imported");
  const go = async (place: string, seen: string | RegExp) => {
    await terminal.palette(place).until(seen);
  };
  await go("supplier ACNE", /no such supplier|lists nothing/i);
  await go("ACME/EXT-77", "NOT FOUND (404)");
  await go("ACME/EXT-0000001", "final, checked");
  // Seen before, it is known to be missing from the start, and again when it is uncovered.
  await go("supplier ACNE", /no such supplier|lists nothing/i);
  await terminal.press("W").until(/^Watch /);
  await terminal.press("esc").until(/no such supplier|lists nothing/i);
  await go("PAUSED", "of 40 imported");
  await terminal.press(":").until("ACME/EXT-0000001");
  const shown = await terminal.send("AC").until(/: AC\b/);
  expect(shown).toContain("ACME/EXT-0000001");
  expect(shown).not.toContain("ACNE");
  expect(shown).not.toContain("EXT-77");
});

test("a choice that opens another is answered from its first line, however fast", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME"]);
  await terminal.waitFor("of 120 imported");
  await terminal.palette("shift report").until("Shift report: since when?");
  // The second of four times, and at once the first of the suppliers to choose from.
  await terminal.send("j\r\r").until("Shift report of all suppliers since");
});

test("the filter field calls up earlier filters with Ctrl-P and Ctrl-N, after a restart too", async () => {
  const folders = await openFolders();
  const filterBy = async (terminal: Console, text: string) => {
    await terminal.press("/").until("keep filter");
    terminal.press("ctrl-u");
    await terminal.send(text).until(`/ ${text}`);
    await terminal.press("enter").untilGone("keep filter");
  };
  {
    await using terminal = await openConsole(["--sandbox", "open", "ACME"], { folders });
    await terminal.waitFor("of 120 imported");
    await terminal.press("enter").until("1 of 120");
    await filterBy(terminal, "ext:0001");
    await filterBy(terminal, "!0002");
    terminal.press("q");
    await terminal.exit;
  }
  const terminal = await openConsole(["--sandbox", "open", "ACME"], { folders });
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  await terminal.press("/").until("keep filter");
  await terminal.send("mine").until("/ mine");
  await terminal.press("ctrl-p").until("/ !0002");
  await terminal.press("ctrl-p").until("/ ext:0001");
  // The cursor stands behind what was called up.
  await terminal.send("9").until("/ ext:00019");
  await terminal.press("ctrl-p").until("/ !0002");
  await terminal.press("ctrl-n").until("/ ext:00019");
});

test("the palette offers places opened lately and actions run lately first, after a restart too", async () => {
  const folders = await openFolders();
  {
    await using terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
      folders,
    });
    await terminal.waitFor("COMPLETED");
    await terminal.palette("redraw", "Draw the whole screen again").untilGone("Go to a place");
    terminal.press("q");
    await terminal.exit;
  }
  const terminal = await openConsole(["--sandbox"], { folders });
  await terminal.waitFor(/ACME .*\d\.\d +\d/);
  const offered = await terminal.press(":").until("ACME/EXT-0000001");
  const lines = offered.split("\n").map((line) => line.trim());
  const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
  expect(at("ACME/EXT-0000001")).toBeLessThan(at("ACME  "));
  expect(at("redraw")).toBeLessThan(at("filter"));
  await terminal.press("enter").until(/Accounts › EXT-0000001/);
});

test("an action of the palette is for the row the cursor is on, and for the marks as they are", async () => {
  const terminal = await openConsole(["open", "ACME", "--sandbox"]);
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  await terminal.press("j", "j").until("3 of 120");
  await terminal.palette("copy").until("sent to the terminal");
  expect(terminal.copied().at(-1)).toBe("EXT-0000003");
  await terminal.press("space", "space").until("2 marked");
  await terminal.openPalette("copy marked").until(/copy marked as lines +2 accounts/);
});

test("marks are copied as lines, TSV or JSON; too many are refused as a whole", async () => {
  const here = await world({ service: { accounts: 30_000 } });
  const terminal = await here.terminal("open ACME", { cols: 120 });
  await terminal.waitFor("of 30,000 imported");
  await terminal.press("enter").until("1 of 30,000");
  await terminal.press("space", "space").until("2 marked");
  await terminal.press("Y").until("2 marked accounts as lines: sent to the terminal");
  const numbers = (terminal.copied().at(-1) ?? "").split("\n");
  expect(numbers).toHaveLength(2);
  const copyAs = async (form: string) => {
    await terminal.palette(`copy marked as ${form}`).until(`as ${form}: sent to the terminal`);
    return terminal.copied().at(-1) ?? "";
  };
  const tsv = (await copyAs("TSV")).trimEnd().split("\n");
  expect(tsv[0]).toBe("external_account_number\tservice_account_number\taccount_created_at");
  expect(tsv.slice(1).map((line) => line.split("\t")[0])).toEqual(numbers);
  const json = JSON.parse(await copyAs("JSON"));
  expect(
    json.map((one: { external_account_number: string }) => one.external_account_number),
  ).toEqual(numbers);
  await terminal.press("+").until("30,000 marked");
  await terminal
    .press("Y")
    .until("30,000 marked accounts are too much for the terminal's clipboard");
  expect(terminal.copied().at(-1)).toContain('"external_account_number"');
});

test("a number pasted outside a field is offered as a place; none of its characters acts as a key", async () => {
  const terminal = await openConsole(["--sandbox"]);
  await terminal.waitFor(/ACME .*\d\.\d +\d/);
  await terminal.paste("EXT-0000001\n").until(/ACME\/EXT-0000001 +imported/);
  await terminal.press("enter").until("COMPLETED");
  // A terminal that does not mark pastes sends it as if it were typed.
  await terminal.send("qqWALE-00077\r").until(": qqWALE-00077");
  await terminal.press("esc").untilGone("Go to a place");
  // In front of a dialog no one takes a paste.
  await terminal.press("?").until("Keys on");
  terminal.paste("q");
  await terminal.press("?").untilGone("Keys on");
  await terminal.paste("x".repeat(300)).until("The pasted text has no account number.");
});

test("several numbers pasted into a list are marked there, or found", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME"], { cols: 100 });
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  await terminal
    .paste('`EXT-0000001`,\r\n"EXT-0000003"\n\n EXT-0000003 \nEXT-9999999\n')
    .until("Mark its numbers");
  await terminal.press("enter").until("Marked 2 accounts; not on this list: EXT-9999999.");
  await terminal.waitFor("2 marked");
  await terminal.paste("EXT-0000002\nEXT-0000004\n").until("Mark its numbers");
  await terminal.press("j", "enter").until("2 pasted numbers: 2 at ACME.");
});

test.each(sizes)(
  "? shows the keys of a screen on one page, then its words, then every key, at $cols×$rows",
  async (size) => {
    const terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"], size);
    await terminal.waitFor("COMPLETED");
    await terminal.press("?").until("Keys on Account");
    const pages: string[] = [];
    for (const next of ["Words on Account", "All keys, from Account", "Keys on Account"]) {
      let page = terminal.text();
      while (/\d+ more below/.test(terminal.text())) {
        const [left] = /\d+ more below/.exec(terminal.text()) ?? [""];
        await terminal.press("page-down").untilGone(left);
        page += terminal.text();
      }
      pages.push(page.replace(/\s+/g, " "));
      await terminal.press("tab").until(next);
    }
    const [keys, words, all] = pages;
    for (const key of ["n note", "Esc to ACME", "? help"]) expect(keys).toContain(key);
    for (const said of [
      "is it imported, is it stuck, and since when?",
      "A migration is creating the account",
      "NOT FOUND (404)",
      "Staged: the service has its data",
      "unknown",
    ]) {
      expect(words, said).toContain(said);
    }
    expect(all).toContain("Works here");
    expect(all).toContain("Works elsewhere");
  },
);

test("the header counts down what is left of an unlocked production profile", async () => {
  const service = await openSandbox({ speed: 1 });
  await using terminal = await openConsole(["open", "ACME"], {
    env: { ...service.env, SUPPLYLINE_ENVIRONMENT: "production" },
  });
  await terminal.waitFor("of 120 imported");
  expect(terminal.screen()[0]).toContain("read-only");
  const name = /(\S+) +PROD/.exec(terminal.screen()[0] ?? "")?.[1] ?? "";
  await terminal.press("U").until("Unlock writes to");
  await terminal.send(name).until(`Profile's name  ${name}`);
  await terminal.press("enter").until(/unlocked 15 min/);
  expect(terminal.screen()[0]).not.toContain("read-only");
  await terminal.press("U").untilGone("unlocked 15 min");
  expect(terminal.screen()[0]).toContain("read-only");
});

test("a supplier's code alone leads to the supplier, whatever was opened of it lately", async () => {
  const here = await world({ service: { speed: 1 } });
  // Nothing lists the suppliers of a profile that comes from the environment.
  const terminal = await here.terminal("open ACME EXT-0000001");
  await terminal.waitFor("COMPLETED");
  await terminal.press("W").until(/^Watch /);
  await terminal.palette("ACME").until("of 120 imported");
});
