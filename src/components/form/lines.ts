/** Turns a form and its values into the list of visible lines. */
import { sumOfTyped } from "../../forms/decimals.ts";
import {
  choicesOf,
  type Field,
  type Form,
  isLeafField,
  type Leaf,
  type ListField,
  type Presence,
  type RowsField,
  relevanceOf,
  type Sibling,
} from "../../forms/fields.ts";
import {
  type FoldablePart,
  type FormState,
  isFolded,
  isFormValues,
  isValueRows,
  textAt,
  valueAt,
} from "../../forms/form-values.ts";
import type { Path } from "../../json/exact.ts";

interface LineBase {
  /** Identifies the line among all lines. The id of a row contains its index. */
  readonly id: string;
  readonly depth: number;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The path of the line in the body, then, for a section, those of its fields. */
  readonly covers: readonly Path[];
}

interface Foldable {
  readonly fold: FoldablePart;
  readonly folded: boolean;
}

export interface Rows {
  readonly path: Path;
  readonly field: RowsField | ListField;
  readonly count: number;
  /** The exact sum of the typed amounts in the rows, or null if there is none. */
  readonly sum: string | null;
}

export type FormLine =
  | (LineBase &
      Foldable & {
        readonly kind: "section";
        readonly rows: Rows | null;
        /** True if the section has a single field, an array or object of the body. */
        readonly isField: boolean;
      })
  | (LineBase & Foldable & { readonly kind: "object"; readonly filled: boolean })
  | (LineBase & { readonly kind: "rows"; readonly rows: Rows })
  | (LineBase &
      Foldable & {
        readonly kind: "row";
        readonly title: string;
        /** The index of the row, from 0. */
        readonly at: number;
        /** Number of rows of the field. */
        readonly of: number;
        readonly filled: boolean;
      })
  | (LineBase & {
      readonly kind: "leaf";
      readonly path: Path;
      readonly leaf: Leaf;
      readonly text: string;
      /** The known values. Other values are allowed. Empty for free text. */
      readonly choices: readonly string[];
      readonly presence: Presence;
      /** True for an entry of a list. Such an entry has no name. */
      readonly entry: boolean;
    })
  | (LineBase & { readonly kind: "review" });

export type LeafLine = Extract<FormLine, { kind: "leaf" }>;

export function lineId(path: Path): string {
  return JSON.stringify(path);
}

const reviewLineId = "review";

const optionsSection = "query";

export const optionsLineId = `section ${optionsSection}`;

/**
 * Returns the visible lines of a form in the order of the body. Fields in `fixed` are left out,
 * because the caller sets them. A field that its siblings make unused is left out, unless it has a
 * value or `shown` returns true for its path.
 */
export function linesOf(
  form: Form,
  draft: FormState,
  options: { readonly fixed: ReadonlySet<string>; readonly shown: (path: Path) => boolean },
): readonly FormLine[] {
  const { fixed, shown } = options;
  const sections = form.sections.flatMap((section): readonly FormLine[] => {
    const fields = section.fields.filter(({ name }) => !fixed.has(name));
    if (fields.length === 0) return [];
    return sectionLines({ ...section, fields }, draft, shown);
  });
  const query: readonly FormLine[] =
    form.query.length === 0
      ? []
      : sectionLines({ id: optionsSection, title: "Options", fields: form.query }, draft, shown);
  return [
    ...sections,
    ...query,
    { kind: "review", id: reviewLineId, depth: 0, label: "Review", covers: [] },
  ];
}

type Shown = (path: Path) => boolean;

function sectionLines(
  section: { readonly id: string; readonly title: string; readonly fields: readonly Field[] },
  draft: FormState,
  shown: Shown,
): readonly FormLine[] {
  const folded = isFolded(draft, section.id);
  const [first] = section.fields;
  // If a section has a single array or object, both share one header.
  const single = section.fields.length === 1 ? first : undefined;
  const array = single?.type === "rows" ? single : null;
  const object = single?.type === "object" ? single : null;
  const covers = section.fields.map(({ name }) => [name]);
  const header: FormLine = {
    kind: "section",
    id: array ? lineId([array.name]) : `section ${section.id}`,
    depth: 0,
    label: section.title,
    hint: array?.hint,
    covers,
    fold: section.id,
    folded,
    rows: array ? rowsOf(array, draft, [array.name]) : null,
    isField: array !== null || object !== null,
  };
  if (folded) return [header];
  if (array) return [header, ...rowLines(array, draft, [array.name], 1, shown)];
  if (object) return [header, ...fieldLines(object.fields, draft, [object.name], 1, shown)];
  return [header, ...fieldLines(section.fields, draft, [], 1, shown)];
}

function rowsOf(field: RowsField | ListField, draft: FormState, path: Path): Rows {
  const value = valueAt(draft.values, path);
  const rows = isValueRows(value) ? value : [];
  return { path, field, count: rows.length, sum: sumIn(field, rows) };
}

function sumIn(field: RowsField | ListField, rows: readonly unknown[]): string | null {
  if (field.type === "list" || field.total === undefined) return null;
  const { total } = field;
  return sumOfTyped(rows.map((row) => (isFormValues(row) ? textAt(row, [total]) : "")));
}

function fieldLines(
  fields: readonly Field[],
  draft: FormState,
  path: Path,
  depth: number,
  shown: Shown,
): readonly FormLine[] {
  const sibling = (name: string) => textAt(draft.values, [...path, name]);
  return fields.flatMap((field): readonly FormLine[] => {
    const place = [...path, field.name];
    const filled = isFilled(valueAt(draft.values, place));
    if (relevanceOf(field, fields, sibling) !== "used" && !filled && !shown(place)) return [];
    const base = {
      id: lineId(place),
      depth,
      label: field.label,
      hint: field.hint,
      covers: [place],
    };
    if (isLeafField(field)) {
      const { presence } = field;
      const text = textAt(draft.values, place);
      return [{ ...base, ...leafOf(field, place, text, sibling), presence, entry: false }];
    }
    if (field.type === "object") {
      const folded = isFolded(draft, place);
      const header: FormLine = { ...base, kind: "object", fold: place, folded, filled };
      return folded
        ? [header]
        : [header, ...fieldLines(field.fields, draft, place, depth + 1, shown)];
    }
    const header: FormLine = { ...base, kind: "rows", rows: rowsOf(field, draft, place) };
    return [header, ...rowLines(field, draft, place, depth + 1, shown)];
  });
}

function rowLines(
  field: RowsField | ListField,
  draft: FormState,
  path: Path,
  depth: number,
  shown: Shown,
): readonly FormLine[] {
  const value = valueAt(draft.values, path);
  const rows = isValueRows(value) ? value : [];
  return rows.flatMap((row, at): readonly FormLine[] => {
    const place = [...path, at];
    const base = {
      id: lineId(place),
      depth,
      label: `${field.itemLabel} ${at + 1}`,
      covers: [place],
    };
    if (field.type === "list") {
      const text = textAt(draft.values, place);
      const leaf = leafOf(field.item, place, text, () => undefined);
      return [{ ...base, ...leaf, presence: "optional", entry: true }];
    }
    const folded = isFolded(draft, place);
    const title = field.titleFrom
      .map((name) =>
        textAt(draft.values, [...place, name])
          .trim()
          .replace(/\s*[\r\n][\s\S]*$/, ""),
      )
      .find((text) => text !== "");
    const header: FormLine = {
      ...base,
      kind: "row",
      fold: place,
      folded,
      title: title ?? "",
      at,
      of: rows.length,
      filled: isFilled(row),
    };
    if (folded) return [header];
    return [header, ...fieldLines(field.item.fields, draft, place, depth + 1, shown)];
  });
}

function leafOf(leaf: Leaf, path: Path, text: string, sibling: Sibling) {
  const typed = leaf.type === "boolean" ? booleanWord(text) : text;
  return { kind: "leaf", path, leaf, text: typed, choices: choicesOf(leaf, sibling) } as const;
}

export function booleanWord(text: string): string {
  return text === "true" ? "yes" : text === "false" ? "no" : text;
}

function isFilled(value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (Array.isArray(value)) return value.some(isFilled);
  return isFormValues(value) && Object.values(value).some(isFilled);
}
