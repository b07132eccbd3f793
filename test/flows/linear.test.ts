import { fastClock } from "../helpers/clock.ts";
import { type Console, openConsole } from "../helpers/console.ts";
import { anAccount, atAccount, everywhere, fresh, goBack, goTo } from "./everywhere.ts";

/** Everything that was said, as lines. */
function said(terminal: Console): readonly string[] {
  return terminal.bytes().split(/\r?\n/);
}

interface Mode {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly sequences: RegExp;
  /** Columns and lines of the terminals on which every screen is opened. */
  readonly sizes: [cols: number, rows: number][];
}

const modes: readonly Mode[] = [
  {
    name: "--accessible",
    args: ["--accessible"],
    env: {},
    sequences: /\x1b\[\?2004[hl]/g,
    sizes: [
      [80, 24],
      [40, 10],
    ],
  },
  {
    name: "INK_SCREEN_READER",
    args: [],
    env: { INK_SCREEN_READER: "true" },
    sequences: /\x1b\[\?2004[hl]/g,
    sizes: [[80, 24]],
  },
  { name: "TERM=dumb", args: [], env: { TERM: "dumb" }, sequences: /(?!)/g, sizes: [[60, 15]] },
];

describe.each(modes)("with $name", ({ args, env, sequences, sizes }) => {
  test.each(sizes)(
    "every screen is written at %i×%i in lines that are only added",
    async (...size) => {
      const [cols, rows] = size;
      const terminal = await openConsole([...args, ...anAccount], {
        cols,
        rows,
        env: { ...env },
        clock: fastClock(),
      });
      await atAccount(terminal);
      for (const place of everywhere) {
        await goTo(terminal, place);
        await goBack(terminal, place);
      }
      expect(terminal.altScreen()).toBe(false);
      expect(terminal.bytes().replace(sequences, "")).not.toMatch(/[\x00-\x09\x0b\x0c\x0e-\x1f]/);
      expect(terminal.bytes()).not.toMatch(/\r(?!\n)/);
    },
  );

  test("a newcomer chooses by number, finds an account and sends it a note", async () => {
    const terminal = await openConsole([...args], { env: { ...env }, clock: fastClock() });
    await terminal.waitFor("1. Sandbox");
    const press = async (keys: string, seen: string | RegExp) => {
      const shown = fresh(terminal);
      terminal.send(keys);
      await shown(seen);
    };
    // Worst first: every supplier has its place once all of them are loaded.
    await press("1\r", /4\. DONE, Pending 2, Imported 94\.6 %/);
    await press("3\r", /3\. PAUSED, Pending \d+, Imported [\d.]+ %/);
    await press("3\r", "Row 3 is selected. Enter opens it.");
    await press("99\r", "Choose a number from 1 to 4.");
    await press("2\r", /2\. ACME/);
    await press("\r", "of 120 imported");
    await press("\r", /16\. EXT/);
    await press("57\r", /57\. EXT-0000057/);
    await press("\r", "EXT-0000057");
    await press("n", "Body:");
    await press("Called the customer", "Called the customer");
    await press("\x1b[6~", "Button Review");
    await press("\r", "Nothing has been sent");
    await press("s", /confirmed/);
    await press("q", "");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });
});

test("a change of status is one line, and checks that find nothing new in none", async () => {
  const terminal = await openConsole(["--accessible", "--sandbox", "open", "ACME", "EXT-0000007"], {
    rows: 50,
    clock: fastClock(),
  });
  await terminal.waitFor("IN_PROGRESS");
  await terminal.waitFor("COMPLETED");
  await terminal.waitFor("no further change expected");
  const told = said(terminal);
  for (const status of ["UNKNOWN", "IN_PROGRESS", "COMPLETED"]) {
    expect(told.filter((line) => line.includes(status))).toHaveLength(1);
  }
  expect(told.filter((line) => line.startsWith("Checking"))).toHaveLength(1);
  expect(told.filter((line) => line.includes("asked"))).toHaveLength(0);
});

test("each field of a form holds what is typed into it", async () => {
  const terminal = await openConsole(["--accessible"], { clock: fastClock() });
  await terminal.waitFor("2. Connect");
  const press = async (keys: string, seen: string | RegExp) => {
    const shown = fresh(terminal);
    terminal.send(keys);
    await shown(seen);
  };
  await press("2\r", "Profile:");
  await press("prod", "prod");
  await press("\t", "Base URL:");
  await press("https://a.example", /https:\/\/a\.example/);
  await press("\x1b[Z", "Profile: prod");
  await press("uction", "uction");
  await press("\x0c", /Base URL: https:\/\/a\.example[\s\S]*Profile: production/);
});

test("Ctrl-L writes the screen again", async () => {
  const terminal = await openConsole(["--accessible", ...anAccount], { clock: fastClock() });
  await atAccount(terminal);
  const shown = fresh(terminal);
  terminal.press("ctrl-l");
  await shown(/Suppliers > ACME > Accounts > EXT-0000001[\s\S]*no further change expected/);
});
