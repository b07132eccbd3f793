import { isSamePlace, type Place, supplierOf } from "../../session/places.ts";
import { type PaletteEntry, type PaletteKnown, placeEntry } from "./palette-places.ts";

/**
 * Returns the palette entries for screens that no action opens here, and for screens that are open
 * already.
 */
export function pageEntries(known: PaletteKnown): readonly PaletteEntry[] {
  const { here } = known;
  const supplier =
    (here === null ? null : supplierOf(here)) ??
    (known.suppliers.length === 1 ? (known.suppliers[0] ?? null) : null);
  const page = (
    place: Place,
    label: string,
    remark: string,
    names?: readonly string[],
  ): PaletteEntry => {
    const isHere = here !== null && isSamePlace(here, place);
    return placeEntry(known, place, label, isHere ? "This screen is open" : remark, names);
  };
  const ofSupplier = (
    label: string,
    placeOf: (supplier: string) => Place,
    remarkOf: (supplier: string) => string,
  ): PaletteEntry =>
    supplier === null
      ? askingEntry(known, label, placeOf, remarkOf("a supplier"))
      : page(placeOf(supplier), label, remarkOf(supplier));
  const works = new Set(known.actions.map(({ id }) => id));
  const all = { kind: "activity", supplier: null, account: null } as const;
  return [
    page({ kind: "suppliers" }, "suppliers", "The import suppliers of this profile"),
    page({ kind: "cohorts" }, "cohorts", "Your stored lists of accounts"),
    ofSupplier(
      "accounts",
      (code) => ({ kind: "accounts", supplier: code, tab: "all" }),
      (name) => `The list of accounts of ${name}`,
    ),
    ofSupplier(
      "overview",
      (code) => ({ kind: "overview", supplier: code }),
      (name) => `The import progress of ${name}`,
    ),
    ...(works.has("changes")
      ? []
      : [
          ofSupplier(
            "changes",
            (code) => ({ kind: "changes", supplier: code }),
            (name) => `Changes at ${name}`,
          ),
        ]),
    ...(works.has("observations")
      ? []
      : [page({ kind: "observations" }, "observations", "Observations of each supplier's lists")]),
    ...(works.has("reconcile")
      ? []
      : [
          ofSupplier(
            "reconcile",
            (code) => ({ kind: "reconcile", supplier: code }),
            (name) => `Your own list compared with the accounts of ${name}`,
          ),
        ]),
    ...(works.has("activity") ? [] : [page(all, "activity", "The journal of this machine")]),
    ...(works.has("runs") ? [] : [page({ kind: "runs" }, "runs", "Bulk runs")]),
    page({ kind: "notices" }, "notices", "Messages of this session"),
    page(
      { kind: "bulk-file", path: null },
      "run a file",
      "Check a CSV or JSONL file of rows, then send them",
      ["run a file", "bulk file", "csv", "file", "import"],
    ),
    ...(works.has("watch-list")
      ? []
      : [
          page({ kind: "watch" }, "watch list", "Watched accounts and supply points", [
            "watch list",
            "watch",
          ]),
        ]),
    ...(works.has("profiles")
      ? []
      : [page({ kind: "profiles" }, "profiles", "The profiles of this machine")]),
  ];
}

/** Returns an entry for a place of a supplier if no supplier is open. It asks for the supplier. */
function askingEntry(
  known: PaletteKnown,
  label: string,
  placeOf: (supplier: string) => Place,
  remark: string,
): PaletteEntry {
  const choices = known.suppliers.map((code) => ({
    label: code,
    hint: "",
    run: () => known.go(placeOf(code)),
  }));
  return {
    id: `place ${label}`,
    label,
    remark,
    names: [label],
    action: null,
    disabled: choices.length === 0 ? "Add a supplier first." : null,
    run: () => known.choose(`Open ${label} of which supplier?`, choices),
  };
}
