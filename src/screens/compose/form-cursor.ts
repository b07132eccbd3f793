/** The cursor of a form: its movement, its start and its place after a removal. */
import { useCallback, useMemo, useRef, useState } from "react";
import { lineFor } from "../../components/form/drawn-line.ts";
import { type FormLine, lineId } from "../../components/form/lines.ts";
import type { Form } from "../../forms/fields.ts";
import { isFolded } from "../../forms/form-values.ts";
import type { Path } from "../../json/exact.ts";
import type { Actions } from "../../keys/scopes.ts";
import type { Composition } from "../../session/composition.ts";
import type { SavedDraft } from "../../state/drafts.ts";

export interface FormCursor {
  readonly line: FormLine | null;
  readonly position: number;
  /** The keys that move the cursor. */
  readonly actions: Actions;
  moveTo(id: string): void;
  /** Moves to the next field, and skips the headers of filled-in or collapsed parts. */
  next(): void;
}

/**
 * Binds the cursor to a line by its ID. If that line is removed, the cursor stays at the same
 * position. `leave` is called for each line that the cursor leaves, and can name another target.
 */
export function useFormCursor(options: {
  readonly lines: readonly FormLine[];
  readonly page: number;
  readonly start: () => string;
  readonly leave: (from: FormLine, to: string) => string;
}): FormCursor {
  const { lines, page, leave } = options;
  const [held, setHeld] = useState(options.start);
  const last = useRef(0);
  const found = lines.findIndex(({ id }) => id === held);
  const position = found >= 0 ? found : Math.min(last.current, lines.length - 1);
  last.current = position;
  const line = lines[position] ?? null;
  const moveTo = useCallback(
    (id: string) => setHeld(line !== null && line.id !== id ? leave(line, id) : id),
    [line, leave],
  );
  const to = useCallback(
    (at: number) => {
      const target = lines[Math.max(0, Math.min(at, lines.length - 1))];
      if (target) moveTo(target.id);
    },
    [lines, moveTo],
  );
  const seek = useCallback(
    (step: 1 | -1, isWanted: (line: FormLine) => boolean) => {
      for (let n = 1; n <= lines.length; n++) {
        const target = lines[(position + step * n + lines.length * n) % lines.length];
        if (target && isWanted(target)) {
          moveTo(target.id);
          return;
        }
      }
    },
    [lines, position, moveTo],
  );
  const actions = useMemo<Actions>(
    () => ({
      up: () => to(position - 1),
      down: () => to(position + 1),
      "page-up": () => to(position - page),
      "page-down": () => to(position + page),
      top: () => to(0),
      bottom: () => to(lines.length - 1),
      "next-tab": { run: () => seek(1, isStop), label: "next field" },
      "previous-tab": () => seek(-1, isStop),
    }),
    [to, seek, position, page, lines.length],
  );
  return {
    line,
    position,
    actions,
    moveTo,
    next: () => seek(1, isNext),
  };
}

/** Returns true if Enter moves to the line. Enter skips a header that it would collapse. */
function isNext(line: FormLine): boolean {
  return line.kind === "section" ? line.rows?.count === 0 : isStop(line);
}

/** Returns true if Tab moves to the line: a field, a place to add a row, or the button. */
function isStop(line: FormLine): boolean {
  switch (line.kind) {
    case "leaf":
    case "rows":
    case "review":
      return true;
    case "section":
      return line.rows !== null;
    case "object":
    case "row":
      return false;
  }
}

/**
 * Returns the ID of the line where the cursor starts. This is the first refusal of the service, or
 * else the first issue of a reopened draft. Without either it is the last filled field of a
 * reopened draft, where the user continues, or the first empty field of a new form.
 */
export function startOf(
  lines: readonly FormLine[],
  draft: {
    readonly refusals: SavedDraft["refusals"];
    readonly issues: readonly { readonly path: Path }[];
    readonly pristine: boolean;
  },
): string {
  const [refused] = draft.refusals;
  const [wrong] = draft.pristine ? [] : draft.issues;
  const issue = refused ?? wrong;
  const line = issue && lineFor(lines, issue.path);
  if (line) return line.id;
  const leaves = lines.filter((one) => one.kind === "leaf");
  const empty = leaves.find(({ text }) => text.trim() === "");
  const written = leaves.findLast(({ text }) => text.trim() !== "");
  const start = draft.pristine ? empty : written;
  return (start ?? leaves[0] ?? lines[0])?.id ?? "";
}

/**
 * Returns the first of the places after a line, in the order of the lines, or the first place of
 * all if none follows. Returns null if no place belongs to a line.
 */
export function nextPlace(
  lines: readonly FormLine[],
  paths: readonly Path[],
  position: number,
): Path | null {
  const places = paths
    .flatMap((path) => {
      const line = lineFor(lines, path);
      return line === null ? [] : [{ path, at: lines.indexOf(line) }];
    })
    .sort((a, b) => a.at - b.at);
  const next = places.find(({ at }) => at > position) ?? places[0];
  return next?.path ?? null;
}

/** Expands all collapsed parts that contain a place. */
export function unfoldTo(form: Form, composition: Composition, path: Path): void {
  const section = form.sections.find(({ fields }) => fields.some(({ name }) => name === path[0]));
  const query = form.query.some(({ name }) => name === path[0]) ? "query" : null;
  const folds = [section?.id ?? query, ...path.map((_, at) => path.slice(0, at + 1))];
  for (const at of folds) {
    if (at !== null && at !== undefined && isFolded(composition.state.get().typed, at)) {
      composition.apply({ type: "unfold", at });
    }
  }
}

/** Returns the ID of a line after an entry above it in the same list is removed. */
export function idAfterRemoval(
  lines: readonly FormLine[],
  entry: Extract<FormLine, { kind: "leaf" }>,
  to: string,
): string {
  const target = lines.find(({ id }) => id === to);
  if (target?.kind !== "leaf" || !target.entry) return to;
  const [at, removed] = [target.path.at(-1), entry.path.at(-1)];
  const same = lineId(target.path.slice(0, -1)) === lineId(entry.path.slice(0, -1));
  if (!same || typeof at !== "number" || typeof removed !== "number" || at < removed) return to;
  return lineId([...target.path.slice(0, -1), at - 1]);
}
