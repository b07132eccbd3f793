import { Box } from "ink";
import type { ReactNode } from "react";
import { useApp } from "../hooks/app.tsx";
import { useKeys } from "../hooks/keys.tsx";
import type { TypedPath } from "../hooks/typed-path.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import type { Action, Actions } from "../keys/scopes.ts";
import { coarseAge } from "../text/ages.ts";
import { bytes, plural } from "../text/numbers.ts";
import { safe } from "../text/sanitize.ts";
import { padOrTruncate, widthOf } from "../text/width.ts";
import { Body, useBodyFocus } from "./body.tsx";
import { Paragraph } from "./paragraph.tsx";
import { Line, Text } from "./text.tsx";
import { TextField } from "./text-field.tsx";

const sizeWidth = 9;
const ageWidth = 12;
/** Cells after the label and after the field. */
const labelGap = 2;
const fieldGap = 1;
const minFieldWidth = 20;

interface FieldProps {
  readonly label: string;
  readonly typed: TypedPath;
  readonly multiline?: boolean;
}

/**
 * Asks for a file in the whole body: the field, then `above`, then the problem of the text with its
 * completions, or `hint` if there are none. `keys` are further keys, which come before those of the
 * form.
 */
export function PathForm(
  props: FieldProps & {
    readonly question: string;
    readonly accept: Action;
    readonly keys: Actions;
    /** Closes the form, or null if the form is the whole screen. */
    readonly onClose: (() => void) | null;
    readonly above?: ReactNode;
    readonly hint: ReactNode;
  },
) {
  const { label, typed, multiline = false, onClose, hint } = props;
  const room = useRoom();
  const focus = useBodyFocus();
  useKeys(
    {
      open: props.accept,
      "next-tab": typed.complete,
      ...(onClose === null ? {} : { back: { run: onClose, label: "cancel" } }),
      ...props.keys,
    },
    { typing: true, active: focus },
  );
  const width = room.columns - widthOf(label) - labelGap - fieldGap;
  return (
    <Body>
      <Paragraph bold>{props.question}</Paragraph>
      <Box marginTop={1}>
        <Label text={label} />
        <TextField
          focus={focus}
          multiline={multiline}
          value={typed.text}
          onChange={typed.change}
          width={Math.max(minFieldWidth, width)}
        />
      </Box>
      {props.above}
      <Box marginTop={1} flexDirection="column">
        {typed.problem === null ? null : <Paragraph tone="bad">{typed.problem}</Paragraph>}
        {typed.count > 0 ? (
          <PathCandidates typed={typed} most={Math.max(1, room.rows - 6)} />
        ) : (
          hint
        )}
      </Box>
    </Body>
  );
}

/** Shows the field of a prompt, with at most `most` completions, or `hint` below it. */
export function PathField(props: FieldProps & { readonly most: number; readonly hint: string }) {
  const { label, typed, most, hint } = props;
  return (
    <Box flexDirection="column">
      <Box>
        <Label text={label} />
        <TextField focus value={typed.text} onChange={typed.change} />
      </Box>
      {typed.problem !== null ? (
        <Paragraph tone="bad">{typed.problem}</Paragraph>
      ) : typed.count > 0 ? (
        <PathCandidates typed={typed} most={most} />
      ) : (
        <Paragraph tone="muted">{hint}</Paragraph>
      )}
    </Box>
  );
}

function Label({ text }: { readonly text: string }) {
  return (
    <Box flexShrink={0}>
      <Text tone="muted">{text + " ".repeat(labelGap)}</Text>
    </Box>
  );
}

function PathCandidates(props: { readonly typed: TypedPath; readonly most: number }) {
  const { most } = props;
  const { candidates, count: total } = props.typed;
  const { clock } = useApp();
  const linear = useLinear();
  const { columns } = useRoom();
  if (linear) return <Text>{candidates.map(({ name }) => name).join("  ")}</Text>;
  const maxNameWidth = Math.max(8, columns - sizeWidth - ageWidth - 4);
  const maxShown = total > most ? Math.max(1, most - 1) : most;
  const shown = candidates.slice(0, maxShown);
  const nameWidth = Math.max(0, ...shown.map(({ name }) => widthOf(safe(name))));
  const now = clock.now();
  return (
    <>
      {shown.map(({ name, size, changedAt }) => (
        <Line
          key={name}
          pieces={[
            { text: padOrTruncate(safe(name), Math.min(maxNameWidth, nameWidth)) },
            {
              text: `  ${padOrTruncate(size === null ? "" : bytes(size), sizeWidth, { align: "right" })}  ${changedAt === null ? "" : coarseAge(Math.max(0, now - changedAt))}`,
              tone: "muted",
            },
          ]}
        />
      ))}
      {total > shown.length ? (
        <Text tone="muted">{`and ${plural(total - shown.length, "more name")}`}</Text>
      ) : null}
    </>
  );
}
