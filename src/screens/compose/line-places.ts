import { type FormLine, lineId } from "../../components/form/lines.ts";
import { lineFor } from "../../components/form/remarks.ts";
import type { Form, Path } from "../../forms/fields.ts";
import { isFolded } from "../../forms/folds.ts";
import type { Composition } from "../../hooks/composition.ts";
import type { Draft } from "../../settings/draft.ts";

/** Where the cursor begins: at the first field that has nothing in it. */
export function startOf(lines: readonly FormLine[], refusals: Draft["refusals"]): string {
  const refused = refusals[0] && lineFor(lines, refusals[0].path);
  if (refused) return refused.id;
  const empty = lines.find((line) => line.kind === "leaf" && line.text.trim() === "");
  const first = lines.find((line) => line.kind === "leaf");
  return (empty ?? first ?? lines[0])?.id ?? "";
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

/** The id that a line has once an entry above it in the same list is gone. */
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
