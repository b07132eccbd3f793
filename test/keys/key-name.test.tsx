import { Box, Text, useInput } from "ink";
import { useState } from "react";
import { keyName } from "../../src/keys/key-name.ts";
import { openScreen } from "../helpers/screen.tsx";

/** Shows the name of every key it hears. */
function Named() {
  const [names, setNames] = useState<string[]>([]);
  useInput((input, key) => {
    const name = keyName(input, key);
    if (name !== null) setNames((before) => [...before, name]);
  });
  return (
    <Box>
      <Text>{`heard: ${names.join(" ")}.`}</Text>
    </Box>
  );
}

test.each([
  ["Home, in each of its encodings", "\x1b[H\x1b[1~\x1b[7~\x1bOH", "home home home home"],
  ["End, in each of its encodings", "\x1b[F\x1b[4~\x1b[8~\x1bOF", "end end end end"],
  ["Delete and both kinds of Backspace", "\x1b[3~\x7f\b", "delete backspace backspace"],
  [
    "Ctrl with an arrow: xterm, rxvt, older ones",
    "\x1b[1;5D\x1bOd\x1b[5C\x1bOc",
    "ctrl-left ctrl-left ctrl-right ctrl-right",
  ],
  [
    "Alt with an arrow: xterm, Esc before the arrow, another modifier",
    "\x1b[1;3D\x1b\x1b[C\x1b[1;9C",
    "alt-left alt-right alt-right",
  ],
  ["Alt with a letter, small or capital", "\x1bb\x1bF\x1bd", "alt-b alt-f alt-d"],
  ["Alt with Backspace and with Enter", "\x1b\x7f\x1b\r", "alt-backspace alt-enter"],
  ["Ctrl-J, which is not Enter", "\n\r", "ctrl-j enter"],
  ["Ctrl with Delete", "\x1b[3;5~", "ctrl-delete"],
  ["Ctrl with Space and with signs", "\x00\x1f\x1c", "ctrl-space ctrl-_ ctrl-\\"],
  ["letters of any script and marks", "é漢\u0301😀", "é 漢 \u0301 😀"],
  ["function keys, in each of their encodings", "\x1bOP\x1b[11~\x1b[[A\x1b[19~", "f1 f1 f1 f8"],
  ["no name for mouse reports and answers", "x\x1b[1;1R\x1b[?62cy", "x y"],
  ["no name for Insert of rxvt with Shift", "x\x1b[2$y", "x y"],
])("a key has one name: %s", async (_, bytes, names) => {
  await using screen = openScreen(<Named />);
  await screen.waitFor("heard: .");
  await screen.send(bytes).until(`heard: ${names}.`);
});

test("a single Esc byte is the Esc key", async () => {
  await using screen = openScreen(<Named />);
  await screen.waitFor("heard: .");
  await screen.press("esc").until("heard: esc.");
});
