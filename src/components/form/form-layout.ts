/** Lays out the lines of a form: labels, values, issues and help, before they are drawn. */
import { type Form, type Leaf, nextChoice, offeredFor } from "../../forms/fields.ts";
import { maxRowsShown, rowsOf } from "../../forms/line-view.ts";
import { placeWords, startsWith } from "../../forms/payload-places.ts";
import { exactText } from "../../forms/values-json.ts";
import type { Path } from "../../json/exact.ts";
import { editingOf } from "../../keys/editing.ts";
import { keyLabel } from "../../keys/key-name.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { InputTime } from "../../text/loose-dates.ts";
import { widthOf, wrap } from "../../text/width.ts";
import type { Tone } from "../../theme.tsx";
import { booleanWord, type FormLine, type LeafLine, optionsLineId } from "./lines.ts";

/** An issue at one place of a form, reported by the service or by the validation of the form. */
export interface FormIssue {
  readonly severity: "error" | "warning";
  readonly source: "service" | "form";
  readonly path: Path;
  readonly message: string;
}

interface IssueLine {
  readonly tone: Tone;
  readonly text: string;
}

/** The sign before an issue that prevents sending, because not every terminal shows red. */
export const errorMark = "!";

/** The issues by line. Issues without a line are shown above the form. */
interface IssueLines {
  readonly above: readonly IssueLine[];
  readonly below: ReadonlyMap<string, readonly IssueLine[]>;
  /** Number of errors inside a folded line, by its id. */
  readonly inside: ReadonlyMap<string, number>;
}

/**
 * Assigns the issues to lines. Unless `all` is set, the issues of the form are shown only at fields
 * with text. Issues of the service are always shown.
 */
export function issueLines(
  form: Form,
  lines: readonly FormLine[],
  issues: readonly FormIssue[],
  all: boolean,
): IssueLines {
  const above: IssueLine[] = [];
  const below = new Map<string, IssueLine[]>();
  const inside = new Map<string, number>();
  for (const issue of issues) {
    const line = issue.path.length === 0 ? null : lineFor(lines, issue.path);
    if (line === null) {
      if (all || issue.source === "service") above.push(issueLine(form, issue, 0));
      continue;
    }
    const [cover = []] = line.covers.filter((path) => startsWith(issue.path, path));
    const coversSeveral = line.kind === "section" && !line.isField;
    const ownSteps = coversSeveral ? 0 : cover.length;
    const typed = line.kind === "leaf" && line.text.trim() !== "";
    const isOwn = issue.path.length === ownSteps;
    if (!all && issue.source !== "service" && !(typed && isOwn)) continue;
    if ("folded" in line && line.folded && !isOwn) {
      if (issue.severity === "error") inside.set(line.id, (inside.get(line.id) ?? 0) + 1);
      continue;
    }
    below.set(line.id, [...(below.get(line.id) ?? []), issueLine(form, issue, ownSteps)]);
  }
  return { above, below, inside };
}

/** Formats an issue without the first `ownSteps` steps of its path: those of its line. */
function issueLine(
  form: Form,
  { severity, source, path, message }: FormIssue,
  ownSteps: number,
): IssueLine {
  const rest = placeWords(form, path, ownSteps);
  const place = rest === "" ? "" : `${rest}: `;
  const author = source === "service" ? "The service: " : "";
  return severity === "warning"
    ? { tone: "waiting", text: `Warning: ${place}${message}` }
    : { tone: "bad", text: `${errorMark} ${author}${place}${message}` };
}

/** Returns the innermost line that covers a path, or null if there is none. */
export function lineFor(lines: readonly FormLine[], path: Path): FormLine | null {
  let best: { readonly line: FormLine; readonly length: number } | null = null;
  for (const line of lines) {
    for (const cover of line.covers) {
      if (startsWith(path, cover) && cover.length >= (best?.length ?? 1)) {
        best = { line, length: cover.length };
      }
    }
  }
  return best?.line ?? null;
}

/** A line with its layout: the text beside its value, and the texts below. */
export interface DrawnLine {
  readonly line: FormLine;
  readonly focused: boolean;
  readonly labelWidth: number;
  readonly valueWidth: number;
  /**
   * The value that is sent, shown beside the typed text, or null if both are equal or if there is
   * no room.
   */
  readonly exact: string | null;
  readonly inside: number;
  readonly below: readonly { readonly text: string; readonly tone: Tone }[];
  readonly indent: number;
  readonly height: number;
}

/** Minimum width, in cells, for the typed text and the sent value side by side. */
const minBesideWidth = 48;

/** Width, in cells, that is reserved for values if there is room. Long labels get the rest. */
const preferredValueWidth = 42;

export function drawLines(
  lines: readonly FormLine[],
  options: {
    readonly columns: number;
    readonly focus: string | null;
    readonly issues: IssueLines;
    readonly typedAt: InputTime;
    /**
     * Returns the text with the values of an example account in place of the placeholders, or null
     * if there is no valid placeholder.
     */
    readonly filled?: (leaf: Leaf, text: string) => string | null;
  },
): readonly DrawnLine[] {
  const { columns, focus, issues, typedAt } = options;
  const widestLabel = (group: readonly FormLine[]) =>
    Math.max(
      0,
      ...group.map((line) => (line.kind === "leaf" ? line.depth * 2 + widthOf(line.label) : 0)),
    );
  const labelWidthOf = (group: readonly FormLine[]) =>
    Math.min(
      widestLabel(group) + 4,
      Math.max(columns - preferredValueWidth, Math.floor(columns * 0.42)),
    );
  // The options have a separate label width, so that their long labels do not move other values.
  const optionsIndex = lines.findIndex(({ id }) => id === optionsLineId);
  const fieldLabels = labelWidthOf(optionsIndex === -1 ? lines : lines.slice(0, optionsIndex));
  const optionLabels = labelWidthOf(optionsIndex === -1 ? [] : lines.slice(optionsIndex));
  return lines.map((line, at) => {
    const focused = line.id === focus;
    const labels = optionsIndex !== -1 && at > optionsIndex ? optionLabels : fieldLabels;
    const labelWidth = Math.max(4, labels - 2 - line.depth * 2);
    const valueWidth = Math.max(8, columns - labels - 1);
    const exact = line.kind === "leaf" ? normalizedValue(line.leaf, line.text, typedAt) : null;
    const filled = line.kind === "leaf" ? (options.filled?.(line.leaf, line.text) ?? null) : null;
    const beside = exact !== null && valueWidth >= minBesideWidth;
    const indent = line.kind === "leaf" ? labels : 2 + (line.depth + 1) * 2;
    const textsBelow: readonly IssueLine[] = [
      ...(exact !== null && !beside ? [{ text: `→ ${exact}`, tone: "muted" as const }] : []),
      ...(filled === null ? [] : [{ text: `→ ${filled}`, tone: "muted" as const }]),
      ...(issues.below.get(line.id) ?? []),
    ];
    const room = Math.max(12, columns - indent - 1);
    const below = textsBelow.flatMap(({ text, tone }) =>
      wrap(text, room).map((part) => ({ text: part, tone })),
    );
    const fieldWidth = valueWidth - (beside ? exact.length + 4 : 0);
    const isMultiline = focused && line.kind === "leaf" && line.leaf.type === "multiline";
    const rows = isMultiline ? Math.min(maxRowsShown, rowsOf(line.text, fieldWidth).length) : 1;
    return {
      line,
      focused,
      labelWidth,
      valueWidth: fieldWidth,
      exact: beside ? `→ ${exact}` : null,
      inside: issues.inside.get(line.id) ?? 0,
      below,
      indent,
      height: rows + below.length,
    };
  });
}

/** Returns the value that is sent for a text, or null if both are equal or the text is invalid. */
export function normalizedValue(leaf: Leaf, text: string, typedAt: InputTime): string | null {
  switch (leaf.type) {
    case "date":
    case "datetime":
    case "amount":
    case "number":
    case "boolean": {
      const exact = exactText(leaf, text, typedAt);
      if (!exact.ok) return null;
      const sent = leaf.type === "boolean" ? booleanWord(exact.text) : exact.text;
      return sent === text ? null : sent;
    }
    case "text":
    case "enumeration":
    case "multiline":
    case "document-path":
      return null;
  }
}

export function helpOf(line: FormLine, key: KeyWords): readonly string[] {
  const [known, input] =
    line.kind === "leaf" ? [choiceWords(line, key), inputHelp(line, key)] : [null, null];
  return [known, line.hint, input].filter((words) => words !== null && words !== undefined);
}

/** Lists the known values, with the key that inserts one, or returns null if there are none. */
function choiceWords({ choices, text }: LeafLine, key: KeyWords): string | null {
  if (choices.length === 0) return null;
  const known = `Known: ${choices.join(", ")}.`;
  const offered = offeredFor(choices, text);
  if (offered !== null) return `${key("next-tab")} takes ${offered}. ${known}`;
  return nextChoice(choices, text) === null
    ? known
    : `${known} ${keyLabel("space")} takes the next.`;
}

function inputHelp(line: LeafLine, key: KeyWords): string | null {
  const { leaf } = line;
  switch (leaf.type) {
    case "date":
      return line.text === "" ? "For example 24.11.26." : null;
    case "datetime":
      return line.text === "" ? "For example 24.11.26 14:00." : null;
    case "multiline": {
      const lineBreak = editingOf("line-break").keys.map(keyLabel).join(" or ");
      return `${lineBreak} breaks the line; ${key("editor")} opens the text in the editor.`;
    }
    case "text":
    case "enumeration":
    case "document-path":
    case "amount":
    case "number":
    case "boolean":
      return null;
  }
}
