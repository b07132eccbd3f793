import type { Form } from "../../forms/fields.ts";
import { placeWords, startsWith } from "../../forms/paths.ts";
import type { Path } from "../../json/value.ts";
import type { Tone } from "../../theme.tsx";
import type { FormLine } from "./lines.ts";

/** An issue at one place of a form; who found it: the service, or the checks of the form. */
export interface FormIssue {
  readonly severity: "error" | "warning";
  readonly source: "service" | "form";
  readonly path: Path;
  readonly message: string;
}

/** An issue as it stands below a line. */
export interface IssueLine {
  readonly tone: Tone;
  readonly text: string;
}

/** Stands before what keeps a form from being sent: not every terminal shows red. */
export const wrongSign = "!";

/** Every issue at its line; those that belong to no line stand above the form. */
export interface IssueLines {
  readonly above: readonly IssueLine[];
  readonly below: ReadonlyMap<string, readonly IssueLine[]>;
  /** Number of errors inside a folded line, by its id. */
  readonly inside: ReadonlyMap<string, number>;
}

/**
 * Places the issues. A field that is not filled in yet shows only those of the service, unless `all`
 * is set.
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
  for (const one of issues) {
    const line = one.path.length === 0 ? null : lineFor(lines, one.path);
    if (line === null) {
      if (all || one.source === "service") above.push(issueLine(form, one, 0));
      continue;
    }
    const [cover = []] = line.covers.filter((path) => startsWith(one.path, path));
    // A section has no place of its own in the body.
    const nameless = line.kind === "section" && line.rows === null;
    const known = nameless ? 0 : cover.length;
    const typed = line.kind === "leaf" && line.text.trim() !== "";
    const isOwn = one.path.length === known;
    if (!all && one.source !== "service" && !(typed && isOwn)) continue;
    if ("folded" in line && line.folded && !isOwn) {
      if (one.severity === "error") inside.set(line.id, (inside.get(line.id) ?? 0) + 1);
      continue;
    }
    below.set(line.id, [...(below.get(line.id) ?? []), issueLine(form, one, known)]);
  }
  return { above, below, inside };
}

/** `known` steps of the path are the line's own place. */
function issueLine(
  form: Form,
  { severity, source, path, message }: FormIssue,
  known: number,
): IssueLine {
  const rest = placeWords(form, path, known);
  const where = rest === "" ? "" : `${rest}: `;
  const who = source === "service" ? "The service: " : "";
  return severity === "warning"
    ? { tone: "waiting", text: `Warning: ${where}${message}` }
    : { tone: "bad", text: `${wrongSign} ${who}${where}${message}` };
}

/** The innermost line that stands for a place, or null. */
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
