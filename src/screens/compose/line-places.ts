import { lineFor } from "../../components/form/issue-lines.ts";
import { type FormLine, lineId } from "../../components/form/lines.ts";
import type { Form } from "../../forms/fields.ts";
import { isFolded } from "../../forms/folds.ts";
import type { Path } from "../../json/value.ts";
import type { Composition } from "../../session/composition.ts";
import type { SavedDraft } from "../../settings/saved-drafts.ts";

/**
 * Where the cursor begins: at what the service refused; in a draft that was taken up again at the
 * first problem, or where the writing ended, so that what is typed next does not go elsewhere; in an
 * empty form at the first field.
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
 * The first of these places behind a line, in the order of the lines, and from the top again where
 * there is none; null when none of them belongs to a line.
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

/** Opens everything on the way to a place. */
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

/** The id that a line has once an entry above it in the same list is removed. */
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
