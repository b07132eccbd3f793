import { expect, it } from "vitest";
import { openConsole } from "../helpers/terminal.ts";

it("a build server's variables and NO_COLOR change neither the drawing nor what the cursor shows", async () => {
  await using terminal = await openConsole(["--sandbox", "open", "ACME"], {
    env: { CI: "true", GITHUB_ACTIONS: "true", NO_COLOR: "1" },
  });
  await terminal.waitFor("120 in all");
  terminal.press("enter");
  await terminal.waitFor("1 of 120");
  const { row, col } = terminal.find("imported");
  expect(terminal.cell(row, col).fg).toBe("default");
  expect(terminal.cell(row, col).inverse).toBe(true);
});

it("a terminal that does not speak UTF-8 is drawn on with ASCII alone", async () => {
  await using terminal = await openConsole(["--sandbox", "open", "ACME"], { env: { LANG: "C" } });
  await terminal.waitFor("120 in all");
  expect(terminal.text()).toContain("Suppliers > ACME");
  expect(terminal.text()).toMatch(/#{5,}-/);
  expect(terminal.text().replace(/[\x20-\x7e\n]/g, "")).toBe("");
});

it("a terminal that is made narrower and wider again shows no rest of the frame before", async () => {
  await using terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    cols: 120,
    rows: 30,
  });
  await terminal.waitFor("final state, polling ended");
  const sizes = [
    [100, 28],
    [80, 24],
    [61, 16],
    [90, 24],
    [80, 24],
  ] as const;
  for (const [cols, rows] of sizes) {
    terminal.resize(cols, rows);
    await terminal.waitFor(
      (screen) => {
        const lines = screen.split("\n");
        return (
          (lines[0] ?? "").endsWith("sandbox") &&
          lines[3] === "The account has been created." &&
          (lines.at(-1) ?? "").endsWith("q quit")
        );
      },
      { describe: `a whole frame at ${cols}×${rows}` },
    );
    expect(terminal.text().match(/The account has been created/g)).toHaveLength(1);
    expect(terminal.text().match(/Service account/g)).toHaveLength(1);
  }
});
