import { useRef, useState } from "react";
import { lineFor, normalizedValue } from "../../components/form/form-layout.ts";
import { type FormLine, lineId, linesOf } from "../../components/form/lines.ts";
import { isFolded } from "../../forms/form-values.ts";
import type { Path } from "../../json/exact.ts";
import type { Actions } from "../../keys/scopes.ts";
import { fixedFields, type OpenDraft } from "../../session/draft.ts";
import { localZone } from "../../text/dates.ts";

export interface FormCursor {
  readonly line: FormLine | null;
  readonly actions: Actions;
  moveTo(id: string): void;
  next(): void;
  /**
   * Returns the first of the places below the cursor, in the order of the lines, or the first place
   * of all if none follows. Returns null if no place belongs to a line.
   */
  nextOf(places: readonly Path[]): Path | null;
}

/** Binds the cursor to a line by its ID, or to its position if the line is removed. */
export function useFormCursor(options: {
  readonly draft: OpenDraft;
  readonly lines: readonly FormLine[];
  readonly page: number;
  readonly start: () => string;
  readonly onLeave: () => void;
}): FormCursor {
  const { draft, lines, page } = options;
  const [cursorLineId, setCursorLineId] = useState(options.start);
  const lastPosition = useRef(0);
  const index = lines.findIndex(({ id }) => id === cursorLineId);
  const position = index >= 0 ? index : Math.min(lastPosition.current, lines.length - 1);
  lastPosition.current = position;
  const line = lines[position] ?? null;
  const moveTo = (id: string) => {
    if (line === null || line.id === id) setCursorLineId(id);
    else {
      options.onLeave();
      setCursorLineId(leaveLine(draft, lines, line, id));
    }
  };
  const moveToPosition = (wanted: number) => {
    const target = lines[Math.max(0, Math.min(wanted, lines.length - 1))];
    if (target) moveTo(target.id);
  };
  const seek = (step: 1 | -1, isWanted: (line: FormLine) => boolean) => {
    const ahead = [...lines.slice(position + 1), ...lines.slice(0, position + 1)];
    const behind = [...lines.slice(position), ...lines.slice(0, position)];
    const target = step === 1 ? ahead.find(isWanted) : behind.findLast(isWanted);
    if (target) moveTo(target.id);
  };
  return {
    line,
    actions: {
      up: () => moveToPosition(position - 1),
      down: () => moveToPosition(position + 1),
      "page-up": () => moveToPosition(position - page),
      "page-down": () => moveToPosition(position + page),
      top: () => moveToPosition(0),
      bottom: () => moveToPosition(lines.length - 1),
      "next-tab": { run: () => seek(1, isStop), label: "next field" },
      "previous-tab": () => seek(-1, isStop),
    },
    moveTo,
    next: () => seek(1, isNext),
    nextOf(places) {
      const ordered = places
        .flatMap((path) => {
          const target = lineFor(lines, path);
          return target === null ? [] : [{ path, line: lines.indexOf(target) }];
        })
        .sort((a, b) => a.line - b.line);
      const next = ordered.find((place) => place.line > position) ?? ordered[0];
      return next?.path ?? null;
    },
  };
}

function isNext(line: FormLine): boolean {
  return line.kind === "section" ? line.rows?.count === 0 : isStop(line);
}

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
 * Returns the ID of the line where the cursor starts: the line of the first refusal of the service,
 * or else of the first issue. Without either, the cursor starts in the last filled field of a
 * reopened draft, or in the first empty field of a new form. `issues` is null for a new form.
 */
export function startLineId(
  lines: readonly FormLine[],
  refusals: readonly { readonly path: Path }[],
  issues: readonly { readonly path: Path }[] | null,
): string {
  const firstProblem = refusals[0] ?? issues?.[0];
  const problemLine = firstProblem && lineFor(lines, firstProblem.path);
  if (problemLine) return problemLine.id;
  const leaves = lines.filter((line) => line.kind === "leaf");
  const isEmpty = ({ text }: (typeof leaves)[number]) => text.trim() === "";
  const start = issues === null ? leaves.find(isEmpty) : leaves.findLast((leaf) => !isEmpty(leaf));
  return (start ?? leaves[0] ?? lines[0])?.id ?? "";
}

/**
 * Unfolds all parts that contain a place. Returns the ID of the line of that place, or null
 * if the place has no line.
 */
export function reveal({ form, state, apply }: OpenDraft, path: Path): string | null {
  const section = form.sections.find(({ fields }) => fields.some(({ name }) => name === path[0]));
  const query = form.query.some(({ name }) => name === path[0]) ? "query" : null;
  const folds = [section?.id ?? query, ...path.map((_, index) => path.slice(0, index + 1))];
  for (const fold of folds)
    if (fold !== null && isFolded(state.get().typed, fold)) apply({ type: "unfold", at: fold });
  const { saved, typed } = state.get();
  const lines = linesOf(form, typed, {
    fixed: new Set(Object.keys(fixedFields(form, saved))),
    shown: (place) => lineId(place) === lineId(path),
  });
  return lineFor(lines, path)?.id ?? null;
}

/**
 * Completes the line that the cursor leaves: removes an empty entry of a list, and makes a loosely
 * typed value exact. Returns the ID of the line that the cursor moves to.
 */
function leaveLine(
  { state, apply }: OpenDraft,
  lines: readonly FormLine[],
  from: FormLine,
  to: string,
): string {
  if (from.kind !== "leaf") return to;
  const { path, leaf, text } = from;
  if (from.entry && text.trim() === "") {
    apply({ type: "remove-row", path });
    return idAfterRemoval(lines, path, to);
  }
  const exact = normalizedValue(leaf, text, {
    now: state.get().typedAt,
    timeZone: localZone(),
  });
  // The text becomes exact here, so that a relative date does not change with the age of the
  // draft.
  if (exact !== null) apply({ type: "set", path, text: exact });
  return to;
}

function idAfterRemoval(lines: readonly FormLine[], entry: Path, to: string): string {
  const target = lines.find(({ id }) => id === to);
  if (target?.kind !== "leaf" || !target.entry) return to;
  const [index, removed] = [target.path.at(-1), entry.at(-1)];
  const list = target.path.slice(0, -1);
  const isSame = lineId(list) === lineId(entry.slice(0, -1));
  if (!isSame || typeof index !== "number" || typeof removed !== "number") return to;
  return index < removed ? to : lineId([...list, index - 1]);
}
