import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { type OpenedConsole, openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;

beforeEach(async () => {
  service = await openSandbox({ accounts: 120 });
});

async function openList(): Promise<OpenedConsole> {
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
  const { screen } = await openList();
  await screen.press("space", "space", "space").until("4 of 120");
  await screen.waitFor("3 marked");
});

test("Ctrl-D and Ctrl-U move half a page, but not while a text field has the focus", async () => {
  const { screen } = await openList();
  await screen.press("ctrl-d").until("6 of 120");
  await screen.press("ctrl-d").until("11 of 120");
  await screen.press("ctrl-u").until("6 of 120");
  await screen.press("/").until("keep filter");
  await screen.send("EXT").until("/ EXT");
  await screen.press("ctrl-u").untilGone("/ EXT");
  await screen.waitFor("6 of 120");
});

test("R reverses the service's order before a sort column is chosen, and each order is named", async () => {
  const { screen } = await openList();
  await screen.waitFor(/▌ +EXT-0000001/);
  await screen.press("g", "R").until("Sorted by the service's order, reversed.");
  await screen.waitFor("service's order, reversed ");
  await screen.press("g").until(/▌ +EXT-0000120/);
  await screen.press(">").until("Sorted by external account, reversed.");
  await screen.waitFor("▼ External account");
  await screen.press("<").until("Sorted by the service's order.");
});

test("the footer says to which list Tab leads", async () => {
  const { screen } = await openList();
  await screen.waitFor("Tab Pending");
  await screen.press("tab").until("[Pending");
  await screen.waitFor("Tab Imported");
});

test("an order by what no row of a tab has is left out", async () => {
  const { screen } = await openList();
  await screen.waitFor(/▌ +EXT-0000001/);
  await screen.press("tab", "tab").until("[Imported");
  await screen.press(">").until("Sorted by external account.");
  await screen.press(">").until("Sorted by service account.");
  await screen.press("<", "<", "<").until("Sorted by creation time.");
});

test("the arrows and the page keys move the cursor while a filter is typed", async () => {
  const { screen } = await openList();
  await screen.press("/").until("keep filter");
  await screen.send("EXT").until("/ EXT");
  await screen.press("down", "down", "up").until("row 2  120 of 120 match");
  await screen.press("page-down").until("row 13  120 of 120 match");
  await screen.press("page-up").until("row 2  120 of 120 match");
  await screen.waitFor("/ EXT");
});

test("marks of accounts stay when their list is left", async () => {
  const { screen } = await openList();
  await screen.press("space", "space").until("2 marked");
  await screen.press("esc").until("Drop the 2 marks?");
  await screen.press("esc").until("of 120 imported");
  await screen.press("enter").until("2 marked");
});
