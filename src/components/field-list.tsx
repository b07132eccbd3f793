/** Shows a small form: fields below each other, one of them in focus. */
import { Box } from "ink";
import { useState } from "react";
import { useApp } from "../hooks/app.tsx";
import { useKeys } from "../hooks/keys.tsx";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { linearSigns } from "../text/linear-signs.ts";
import { padOrTruncate } from "../text/width.ts";
import { useTheme } from "../theme.tsx";
import { useBodyFocus } from "./body.tsx";
import { errorMark } from "./form/form-layout.ts";
import { Paragraph } from "./paragraph.tsx";
import { Line, SignedLine, Text } from "./text.tsx";
import { TextField } from "./text-field.tsx";

interface FieldBase {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | null;
}

export type Field =
  | (FieldBase & {
      readonly kind: "text" | "secret";
      readonly value: string;
      readonly placeholder?: string;
      readonly onChange: (value: string) => void;
    })
  | (FieldBase & {
      readonly kind: "choice";
      readonly value: string;
      readonly choices: readonly string[];
      readonly note?: string;
      readonly onChange: (value: string) => void;
    })
  | (FieldBase & {
      readonly kind: "button";
      readonly disabled?: string | null;
      readonly onPress: () => void;
    });

/**
 * Shows fields below each other and handles their keys. The arrow keys and Tab move the focus.
 * Enter presses a button, or moves from another field to the next. On a choice, Space selects the
 * next value, and a typed character selects the value that begins with that character. The screen
 * behind the form receives no typed characters.
 */
export function FieldList(props: { readonly fields: readonly Field[] }) {
  const theme = useTheme();
  const linear = useLinear();
  const focus = useBodyFocus();
  const { notices, key } = useApp();

  const room = useRoom();
  const [focusedId, setFocusedId] = useState(props.fields[0]?.id ?? "");
  const position = Math.max(
    0,
    props.fields.findIndex((field) => field.id === focusedId),
  );
  const current = props.fields[position];
  const focusOn = (next: number) => {
    const field = props.fields[(next + props.fields.length) % props.fields.length];
    if (field) setFocusedId(field.id);
  };
  useKeys(
    {
      up: () => focusOn(position - 1),
      down: () => focusOn(position + 1),
      "next-tab": { run: () => focusOn(position + 1), label: "next field" },
      "previous-tab": () => focusOn(position - 1),
      ...(current?.kind === "choice"
        ? { mark: { run: () => selectNext(current), label: "change", help: changeHelp } }
        : {}),
      open:
        current?.kind === "button"
          ? { run: current.onPress, disabled: current.disabled ?? null, label: current.label }
          : { run: () => focusOn(position + 1), label: "next field" },
    },
    {
      active: focus,
      printable: {
        allowed: ["mark"],
        other: (typed) => {
          if (current?.kind === "choice") {
            const value = current.choices.find((choice) => choice.startsWith(typed.toLowerCase()));
            if (value !== undefined) current.onChange(value);
            else notices.explain(`${key("mark")} takes the next of ${current.choices.join(", ")}.`);
          } else notices.explain(`${key("next-tab")} goes to the next field.`);
        },
      },
    },
  );
  if (linear) return <LinearFields fields={props.fields} current={focus ? current : undefined} />;
  // The fields that do not fit are hidden. Two lines are reserved for the hint of the field in
  // focus, and two for problems.
  const maxShown = Math.max(1, room.rows - 4);
  const top = Math.max(
    0,
    Math.min(position - Math.floor(maxShown / 2), props.fields.length - maxShown),
  );
  const labels = props.fields.filter(({ kind }) => kind !== "button");
  const width = Math.max(0, ...labels.map(({ label }) => label.length)) + 2;
  const cells = Math.max(8, Math.min(maxCells, room.columns - width - 3));
  return (
    <Box flexDirection="column" flexShrink={0}>
      {props.fields.slice(top, top + maxShown).map((field, index) => {
        const focused = focus && top + index === position;
        return (
          <Box key={field.id} flexDirection="column" flexShrink={0}>
            <Box>
              <Box flexShrink={0}>
                <Line
                  pieces={[
                    { text: focused ? `${theme.cursor} ` : "  ", tone: "accent" },
                    ...(field.kind === "button"
                      ? []
                      : [{ text: padOrTruncate(field.label, width), tone: "muted" as const }]),
                  ]}
                />
              </Box>
              <Control field={field} focused={focused} cells={cells} />
            </Box>
            {field.problem ? (
              <Paragraph indent={width + 2} tone="bad">
                {`${errorMark} ${field.problem}`}
              </Paragraph>
            ) : null}
          </Box>
        );
      })}
      {props.fields.some(({ hint }) => hint) ? (
        <Box flexDirection="column" height={hintRows} overflow="hidden" flexShrink={0}>
          <Paragraph indent={2} most={hintRows}>
            {focus ? (current?.hint ?? " ") : " "}
          </Paragraph>
        </Box>
      ) : null}
    </Box>
  );
}

const hintRows = 2;

const maxCells = 60;

const changeHelp =
  "Take the next value of the choice; a character takes the one that begins with it";

function LinearFields(props: {
  readonly fields: readonly Field[];
  readonly current: Field | undefined;
}) {
  const { current } = props;
  const isTyped = current?.kind === "text" || current?.kind === "secret";
  return (
    <>
      {props.fields.map((field) => (
        <Text key={field.id}>{fieldWords(field)}</Text>
      ))}
      {props.fields.map((field) =>
        field.problem ? <Text key={field.id}>{`${field.label}: ${field.problem}`}</Text> : null,
      )}
      {current?.hint ? <Text>{current.hint}</Text> : null}
      {current && isTyped ? (
        <Box key={current.id}>
          <Text>{`${current.label}:`}</Text>
          <Control field={current} focused cells={maxCells} />
        </Box>
      ) : current ? (
        <SignedLine sign={linearSigns.current}>{fieldWords(current)}</SignedLine>
      ) : null}
    </>
  );
}

/** Describes a field and its value on one line. A secret is not shown. */
function fieldWords(field: Field): string {
  switch (field.kind) {
    case "text":
      return `${field.label}: ${field.value}`;
    case "secret":
      return `${field.label}: ${field.value === "" ? "" : "typed, not shown"}`;
    case "choice":
      return `${field.label}: ${field.value}${field.note ? ` (${field.note})` : ""}, one of ${field.choices.join(", ")}`;
    case "button":
      return `Button ${field.label}${field.disabled ? `: ${field.disabled}` : ""}`;
  }
}

function selectNext(field: Extract<Field, { kind: "choice" }>): void {
  const next = field.choices[(field.choices.indexOf(field.value) + 1) % field.choices.length];
  if (next !== undefined) field.onChange(next);
}

function Control(props: {
  readonly field: Field;
  readonly focused: boolean;
  readonly cells: number;
}) {
  const { field, focused, cells } = props;
  switch (field.kind) {
    case "text":
    case "secret":
      return (
        <TextField
          value={field.value}
          onChange={field.onChange}
          focus={focused}
          secret={field.kind === "secret"}
          code
          edged
          width={cells}
          {...(field.placeholder ? { placeholder: field.placeholder } : {})}
        />
      );
    case "choice":
      return (
        <Text>
          <Text bold={focused}>{field.value}</Text>
          <Text tone="muted">{`  (${field.note ?? field.choices.join(", ")})`}</Text>
        </Text>
      );
    case "button":
      return (
        <Text selected={focused} tone={field.disabled ? "muted" : "title"}>
          {`[ ${field.label} ]`}
        </Text>
      );
  }
}
