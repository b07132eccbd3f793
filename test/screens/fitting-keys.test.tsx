import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;

beforeAll(async () => {
  service = await openSandbox({ accounts: 20 });
});

const board = { kind: "suppliers" } as const;
const accounts = { kind: "accounts", supplier: "ACME", tab: "all" } as const;

describe("the help", () => {
  test("runs a key that it lists on the screen behind it", async () => {
    const { screen, app } = await openConsoleAt({ service, places: [board, accounts] });
    await screen.waitFor("1 of 20");
    await screen.press("?").until("Keys on");
    await screen.press("+").until("20 marked");
    expect(app.overlays.current.get()).toBeNull();
    await screen.press("?").until("Keys on");
    await screen.press("W").until("Nothing is watched");
  });

  test("moves with its own keys, and explains a key that it does not list", async () => {
    const { screen } = await openConsoleAt({ service, places: [board, accounts] });
    await screen.waitFor("1 of 20");
    await screen.press("?").until("Keys on");
    await screen.press("tab").until("Words on");
    await screen.press("u").until("Esc closes this");
  });
});

describe("the footer", () => {
  test("begins with the keys for marked rows while rows are marked, at 80 by 24", async () => {
    const { screen } = await openConsoleAt({
      service,
      places: [board, accounts],
      cols: 80,
      rows: 24,
    });
    await screen.waitFor("1 of 20");
    const footer = () => screen.text().trimEnd().split("\n").at(-1) ?? "";
    const at = (words: string) => footer().indexOf(words);
    expect(at("for marked")).toBe(-1);
    await screen.press("space").until("1 marked");
    await screen.waitFor(/B for marked/u);
    expect(at("B for marked")).toBeLessThan(at("? help"));
    expect(at("w watch")).toBeGreaterThan(-1);
    expect(at("Y copy marked")).toBeGreaterThan(-1);
    expect(at("Tab")).toBe(-1);
  });
});

describe("while a filter is typed", () => {
  test("its words are offered, Tab completes one, and F1 explains them", async () => {
    const { screen, app } = await openConsoleAt({ service, places: [board, accounts] });
    await screen.waitFor("1 of 20");
    await screen.press("/").until("is:marked");
    screen.send("is:m");
    await screen.waitFor("/ is:m");
    await screen.press("tab").until("/ is:marked");
    await screen.waitFor("0 of 20 match");
    await screen.press("f1").until("Rows that contain the text");
    expect(screen.text()).toContain("cohort:NAME");
    await screen.press("tab").until("All keys, from Accounts");
    await screen.press("shift-tab").until("Words of a filter, from Accounts");
    screen.press("esc");
    await expect.poll(() => app.overlays.current.get()).toBeNull();
    expect(screen.text()).toContain("/ is:marked");
  });

  test("is:marked follows the marks of accounts", async () => {
    const { screen } = await openConsoleAt({
      service,
      places: [board, { ...accounts, filter: "is:marked" }],
    });
    await screen.waitFor("0 of 20 match");
    await screen.press("esc").until("1 of 20");
    await screen.press("space").until("1 marked");
    await screen.press("/").until("is:marked");
    screen.send("is:marked");
    await screen.waitFor("1 of 20 match");
  });
});

describe("the key of the next thing that needs someone", () => {
  test("says that nothing does, and what is not known yet", async () => {
    const { screen } = await openConsoleAt({ service, places: [board, accounts] });
    await screen.waitFor("1 of 20");
    await screen.press("!").until("Nothing needs you");
  });
});
