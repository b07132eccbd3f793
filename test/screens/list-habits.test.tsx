import { beforeEach, onTestFinished, test } from "vitest";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { type OpenedConsole, openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;

beforeEach(async () => {
  service = await openSandbox({ accounts: 120 });
});

async function openList(): Promise<OpenedConsole> {
  onTestFinished(() => service.close());
  const opened = await openConsoleAt({
    service,
    cols: 100,
    rows: 24,
    places: [
      { kind: "suppliers" },
      { kind: "overview", supplier: "ACME" },
      { kind: "accounts", supplier: "ACME", tab: "all" },
    ],
  });
  await opened.screen.waitFor("1 of 120");
  return opened;
}

test("Space marks the row and moves to the next one, so that three of them mark three rows", async () => {
  await using opened = await openList();
  const { screen } = opened;
  screen.press("space", "space", "space");
  await screen.waitFor("4 of 120");
  await screen.waitFor("3 marked");
});

test("Ctrl-D and Ctrl-U move half a page, but not while a text field has the focus", async () => {
  await using opened = await openList();
  const { screen } = opened;
  screen.press("ctrl-d");
  await screen.waitFor("6 of 120");
  screen.press("ctrl-d");
  await screen.waitFor("11 of 120");
  screen.press("ctrl-u");
  await screen.waitFor("6 of 120");
  screen.press("/");
  await screen.waitFor("keep filter");
  screen.send("EXT");
  await screen.waitFor("/ EXT");
  screen.press("ctrl-u");
  await screen.waitForGone("/ EXT");
  await screen.waitFor("6 of 120");
});

test("R reverses the service's order before a sort column is chosen, and each order is named", async () => {
  await using opened = await openList();
  const { screen } = opened;
  await screen.waitFor(/▌ +EXT-0000001/);
  screen.press("g", "R");
  await screen.waitFor("Sorted by the service's order, reversed.");
  await screen.waitFor("service's order, reversed ");
  screen.press("g");
  await screen.waitFor(/▌ +EXT-0000120/);
  screen.press(">");
  await screen.waitFor("Sorted by external account, reversed.");
  await screen.waitFor("▼ External account");
  screen.press("<");
  await screen.waitFor("Sorted by the service's order.");
});

test("the footer says to which list Tab leads", async () => {
  await using opened = await openList();
  const { screen } = opened;
  await screen.waitFor("Tab Pending");
  screen.press("tab");
  await screen.waitFor("[Pending");
  await screen.waitFor("Tab Imported");
});

test("an order by what no row of a tab has is left out", async () => {
  await using opened = await openList();
  const { screen } = opened;
  await screen.waitFor(/▌ +EXT-0000001/);
  screen.press("tab", "tab");
  await screen.waitFor("[Imported");
  screen.press(">");
  await screen.waitFor("Sorted by external account.");
  screen.press(">");
  await screen.waitFor("Sorted by service account.");
  screen.press("<", "<", "<");
  await screen.waitFor("Sorted by creation time.");
});

test("the arrows and the page keys move the cursor while a filter is typed", async () => {
  await using opened = await openList();
  const { screen } = opened;
  screen.press("/");
  await screen.waitFor("keep filter");
  screen.send("EXT");
  await screen.waitFor("/ EXT");
  screen.press("down", "down", "up");
  await screen.waitFor("row 2  120 of 120 match");
  screen.press("page-down");
  await screen.waitFor("row 13  120 of 120 match");
  screen.press("page-up");
  await screen.waitFor("row 2  120 of 120 match");
  await screen.waitFor("/ EXT");
});

test("marks of accounts stay when their list is left", async () => {
  await using opened = await openList();
  const { screen } = opened;
  screen.press("space", "space");
  await screen.waitFor("2 marked");
  screen.press("esc");
  await screen.waitFor("of 120 imported");
  screen.press("enter");
  await screen.waitFor("2 marked");
});
