import { Box, Text, useApp, useInput, usePaste, useWindowSize } from "ink";
import { useState } from "react";
import { describe, expect, test } from "vitest";
import { openScreen } from "./screen.tsx";

/** Shows every key, paste and size it gets; `q` ends it, `!` makes it fail. */
function Listener() {
  const [heard, setHeard] = useState<string[]>([]);
  const { columns, rows } = useWindowSize();
  const { exit } = useApp();
  usePaste((text) => setHeard((before) => [...before, `paste ${JSON.stringify(text)}`]));
  useInput((input, key) => {
    if (input === "q") exit("bye");
    if (input === "!") exit(new Error("broken on purpose"));
    const name = key.upArrow ? "up" : key.escape ? "esc" : JSON.stringify(input);
    setHeard((before) => [...before, name]);
  });
  return (
    <Box flexDirection="column" height={rows}>
      <Text>
        {columns}×{rows}
      </Text>
      {heard.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added
        <Text key={index}>{item}</Text>
      ))}
    </Box>
  );
}

describe("an Ink element on a screen", () => {
  test("fills the alternate screen, in raw mode, until it is disposed", async () => {
    const screen = openScreen(<Listener />, { cols: 30, rows: 4 });
    await screen.waitFor("30×4");
    expect(screen.screen()).toEqual(["30×4", "", "", ""]);
    expect([screen.altScreen(), screen.rawMode()]).toEqual([true, true]);
    await screen[Symbol.asyncDispose]();
    expect(screen.rawMode()).toBe(false);
    expect(screen.bytes()).toContain("\x1b[?1049l");
  });

  test("hears keys one by one, also when they come in one piece, and pastes whole", async () => {
    await using screen = openScreen(<Listener />);
    await screen.waitFor("80×24");
    screen.press("j", "j", "up");
    await screen.waitFor('"j"\n"j"\nup\n');
    screen.paste("two\nlines");
    await screen.waitFor('paste "two\\rlines"');
    screen.press("esc");
    await screen.waitFor("esc");
  });

  test("is drawn again at a new size, smaller and larger", async () => {
    await using screen = openScreen(<Listener />);
    await screen.waitFor("80×24");
    screen.press("j");
    await screen.waitFor('"j"');
    screen.resize(60, 15);
    await screen.waitFor("60×15");
    expect(screen.screen()).toEqual(["60×15", '"j"', ...Array(13).fill("")]);
    screen.resize(250, 70);
    await screen.waitFor("250×70");
    expect(screen.screen()).toEqual(["250×70", '"j"', ...Array(68).fill("")]);
  });

  test("can be given another element", async () => {
    await using screen = openScreen(<Text>before</Text>);
    await screen.waitFor("before");
    screen.rerender(<Text>after</Text>);
    await screen.waitForGone("before");
    expect(screen.text()).toContain("after");
  });

  test("hands over what it ended with", async () => {
    await using screen = openScreen(<Listener />);
    await screen.waitFor("80×24");
    screen.press("q");
    expect(await screen.exit).toBe("bye");
  });

  test("fails a wait at once, with the reason, when it fails", async () => {
    await using screen = openScreen(<Listener />);
    await screen.waitFor("80×24");
    const waiting = screen.waitFor("never");
    screen.press("!");
    await expect(waiting).rejects.toThrow("broken on purpose");
    await expect(screen.exit).rejects.toThrow("broken on purpose");
  });

  test("reports that the connection was lost", async () => {
    await using screen = openScreen(<Listener />);
    await screen.waitFor("80×24");
    expect(screen.hungUp()).toBe(false);
    screen.hangUp();
    await expect.poll(() => screen.hungUp()).toBe(true);
  });
});
