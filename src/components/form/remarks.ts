import type { Form } from "../../forms/fields.ts";
import { placeWords, startsWith } from "../../forms/paths.ts";
import type { Path } from "../../json/value.ts";
import type { Tone } from "../../theme.tsx";
import type { FormLine } from "./lines.ts";

/** Something said of one place of a form: by the service, by the checks, or only as a caution. */
export interface Said {
  readonly kind: "refused" | "wrong" | "odd";
  readonly path: Path;
  readonly message: string;
}

/** A remark as it stands below a line. */
export interface Remark {
  readonly tone: Tone;
  readonly text: string;
}

/** Stands before what keeps a form from being sent: not every terminal shows red. */
export const wrongSign = "!";

/** Every remark at its line; what belongs to no line stands above the form. */
export interface Remarks {
  readonly above: readonly Remark[];
  readonly below: ReadonlyMap<string, readonly Remark[]>;
  /** How much is wrong inside what is folded away, by the id of its line. */
  readonly inside: ReadonlyMap<string, number>;
}

/**
 * Places what is said. Of a field that nobody has filled in yet, only what was refused is said,
 * until `all` is asked for.
 */
export function remarksOn(
  form: Form,
  lines: readonly FormLine[],
  said: readonly Said[],
  all: boolean,
): Remarks {
  const above: Remark[] = [];
  const below = new Map<string, Remark[]>();
  const inside = new Map<string, number>();
  for (const one of said) {
    const line = one.path.length === 0 ? null : lineFor(lines, one.path);
    if (line === null) {
      if (all || one.kind === "refused") above.push(remark(form, one, 0));
      continue;
    }
    const [cover = []] = line.covers.filter((path) => startsWith(one.path, path));
    // A section has no place of its own in the body.
    const nameless = line.kind === "section" && line.rows === null;
    const known = nameless ? 0 : cover.length;
    const typed = line.kind === "leaf" && line.text.trim() !== "";
    const isOwn = one.path.length === known;
    if (!all && one.kind !== "refused" && !(typed && isOwn)) continue;
    if ("folded" in line && line.folded && !isOwn) {
      if (one.kind !== "odd") inside.set(line.id, (inside.get(line.id) ?? 0) + 1);
      continue;
    }
    below.set(line.id, [...(below.get(line.id) ?? []), remark(form, one, known)]);
  }
  return { above, below, inside };
}

/** `known` steps of the path are the line's own place. */
function remark(form: Form, { kind, path, message }: Said, known: number): Remark {
  const rest = placeWords(form, path, known);
  const where = rest === "" ? "" : `${rest}: `;
  const who = kind === "refused" ? "The service: " : "";
  return kind === "odd"
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
