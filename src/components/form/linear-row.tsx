import { Box } from "ink";
import { useKeyWords } from "../../hooks/keys.tsx";
import type { Path } from "../../json/value.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { linearSigns } from "../../text/linear-signs.ts";
import { useTheme } from "../../theme.tsx";
import { SignedLine, Text } from "../text.tsx";
import { headerNotes, shownValue, Typed } from "./control.tsx";
import { type DrawnLine, isTyped } from "./drawn-line.ts";

/**
 * A line of a form in words. With `onType` it is the one in focus: its issues and hints come first,
 * because the line itself grows as it is typed.
 */
export function LinearRow(props: {
  readonly drawn: DrawnLine;
  readonly onType?: (path: Path, text: string) => void;
}) {
  const { drawn, onType } = props;
  const { line } = drawn;
  const { glyphs } = useTheme();
  const key = useKeyWords();
  const words = wordsOf(drawn, glyphs.ellipsis, onType !== undefined, key);
  if (onType === undefined) {
    return (
      <>
        <Text>{words}</Text>
        {drawn.focused ? null : <Below drawn={drawn} />}
      </>
    );
  }
  return (
    <>
      <Below drawn={drawn} />
      {line.kind === "leaf" && isTyped(line) ? (
        <Box>
          <Text>{`${line.label}:`}</Text>
          <Typed line={line} width={drawn.valueWidth} onType={onType} />
        </Box>
      ) : (
        <SignedLine sign={linearSigns.current}>{words}</SignedLine>
      )}
    </>
  );
}

function Below(props: { readonly drawn: DrawnLine }) {
  const { drawn } = props;
  const said = [
    ...(drawn.exact === null ? [] : [drawn.exact]),
    ...drawn.below.map((one) => one.text),
  ];
  return said.length === 0 ? null : <Text>{said.join(" ")}</Text>;
}

function wordsOf(drawn: DrawnLine, ellipsis: string, focused: boolean, key: KeyWords): string {
  const { line } = drawn;
  switch (line.kind) {
    case "leaf": {
      const { text } = shownValue(line, ellipsis);
      return `${line.label}: ${focused || line.text.trim() !== "" || !isTyped(line) ? text : ""}`;
    }
    case "review":
      return `Button ${line.label}`;
    default: {
      const folded = "folded" in line && line.folded ? ", folded" : "";
      const inside = drawn.inside > 0 ? `, ${drawn.inside} wrong inside` : "";
      const issues = headerNotes(line, focused, key).map(({ text }) => `, ${text.trim()}`);
      return `${line.label}${folded}${issues.join("")}${inside}`;
    }
  }
}
