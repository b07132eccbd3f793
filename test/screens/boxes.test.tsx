import { boxRows } from "../../src/components/overlays/frame.tsx";
import { world } from "../helpers/world.ts";

const accounts = [
  { kind: "suppliers" },
  { kind: "overview", supplier: "ACME" },
  { kind: "accounts", supplier: "ACME", tab: "imported" },
] as const;

/** Opens the list of imported accounts. */
async function open(size: { readonly cols: number; readonly rows: number }) {
  const here = await world({ service: { accounts: 200 } });
  return here.at(accounts, size);
}

const room = { columns: 80, rows: 20 };

test.each([
  ["help", "?", "Keys on Accounts"],
  ["the palette", ":", "Go to a place"],
] as const)("opening %s does not change the rows above its box", async (_what, key, title) => {
  const { screen } = await open({ cols: 80, rows: 24 });
  await screen.waitFor(/Imported\]? 122/);
  await screen.waitFor("1 of 122");
  await screen.waitFor("✓ COMPLETED");
  const before = screen.screen();
  await screen.press(key).until(title);
  const behind = screen.screen();
  // The header, the blank line below it, and rows of the body.
  const kept = screen.find(title).row;
  expect(kept).toBeGreaterThanOrEqual(2 + 3);
  expect(behind.slice(0, kept)).toEqual(before.slice(0, kept));
  await screen.press("esc").untilGone(title);
  expect(screen.screen().slice(0, 22)).toEqual(before.slice(0, 22));
});

test("the row of the cursor stays in sight above a box, and returns to its line", async () => {
  const { screen } = await open({ cols: 80, rows: 24 });
  await screen.waitFor("1 of 122");
  await screen.press("end").until("122 of 122");
  const before = screen.screen();
  const row = before.find((line) => line.startsWith("▌")) ?? "";
  expect(before.indexOf(row)).toBeGreaterThan(12);
  await screen.openPalette().until("Go to a place");
  const at = screen.screen().indexOf(row);
  expect(at).toBeGreaterThan(2);
  expect(at).toBeLessThan(screen.find("Go to a place").row);
  await screen.press("esc").untilGone("Go to a place");
  expect(screen.screen().indexOf(row)).toBe(before.indexOf(row));
});

test("a box leaves rows of the screen in sight, also where its question is long", () => {
  const small = { columns: 60, rows: 11 };
  const long = "A question of many words. ".repeat(30);
  const confirm = { kind: "confirm", detail: long, yes: "Yes", onYes: () => {} } as const;
  expect(boxRows({ ...confirm, question: long }, small, 0)).toBe(8);
  expect(boxRows({ ...confirm, question: "Short?", detail: null }, small, 0)).toBe(3);
});

test("a raw answer takes the whole body", () => {
  expect(boxRows({ kind: "raw", title: "entry 1", raw: "{}" }, room, 0)).toBe(20);
});

/** The actions of a list of accounts: those of the list, of every list, and of every screen. */
const onAccounts = [
  ...["filter", "refresh", "pause", "sort", "reverse", "mark", "mark all", "columns", "copy row"],
  ...["raw", "command", "pager", "copy", "export", "for marked", "note", "watch", "transactions"],
  ...["statements", "payment", "new supply point", "open", "account", "supply point", "back"],
  ...["activity", "runs", "profiles", "watch list", "go/do", "help", "quit", "command log"],
  ...["cancel", "suspend", "redraw", "last place"],
];

test.each([
  { cols: 80, rows: 24, pages: 1 },
  { cols: 60, rows: 15, pages: 9 },
])(
  "the help has every key that works on a list, none of them cut, at $cols×$rows",
  async ({ cols, rows, pages }) => {
    const { screen } = await open({ cols, rows });
    await screen.waitFor("1 of 122");
    await screen.press("?").until("Keys on Accounts");
    let shown = screen.text();
    let turned = 1;
    const left = () => /\d+ more below/.exec(screen.text())?.[0];
    for (let more = left(); more !== undefined; more = left()) {
      await screen.press("page-down").untilGone(more);
      shown += `\n${screen.text()}`;
      turned++;
    }
    expect(turned).toBeLessThanOrEqual(pages);
    const [, ...help] = shown.split("Keys on Accounts");
    for (const label of onAccounts)
      expect(help.join("\n")).toMatch(new RegExp(` ${label}( |$)`, "m"));
    expect(help.join("\n")).not.toContain("…");
  },
);
