import type { Column } from "../../components/list-screen/column.ts";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { ListState } from "../../components/list-screen/list-spec.ts";
import { Paragraph, Waiting } from "../../components/paragraph.tsx";
import { errorPlace } from "../../components/problem.tsx";
import { useApp, useHere } from "../../hooks/app.tsx";
import { useFindMany } from "../../hooks/find-many.ts";
import { safe } from "../../text/sanitize.ts";
import { useFindManyKeys } from "./find-keys.ts";
import { askWords, foundMany, manyWords } from "./find-many-rows.ts";
import { type FindRow, failureLines, numberOf, progressWords } from "./find-rows.ts";
import { useAsking, useFoundList } from "./found-list.ts";

const noRows: readonly FindRow[] = [];

/** The width of the state in cells, so that the similar number of one that is nowhere fits. */
const stateWidth = 27;
const dropOrder: Readonly<Record<string, number>> = { since: 1, source: 2, svc: 3 };
const maxShown = 300;

/**
 * Searches all suppliers of the profile for the numbers of a pasted text. A key also asks the service
 * for the numbers that are on no list (INTERFACE 4.8).
 */
export function FindManyScreen({ id, pasted }: { readonly id: string; readonly pasted: string }) {
  const { key } = useApp();
  const here = useHere();
  const { asking, ask, again } = useAsking();
  const view = useFindMany(pasted, foundMany, asking);
  const found = view.kind === "searched" ? view.result : null;
  const rows = found?.rows ?? noRows;
  const { list, verdictOn, below, file } = useFoundList(`find-many ${id}`, rows, manyColumns);
  const { isAsking } = asking;
  const notAsked = found?.notAsked ?? [];
  const keys = useFindManyKeys(here, list, { verdictOn, isAsking, notAsked, ask, again });
  const progress = view.kind === "searched" ? view.progress : null;
  const state: ListState =
    view.kind === "reading"
      ? { kind: "reading", words: "Reading the pasted text…" }
      : found === null || found.failed.length === 0
        ? { kind: "ready" }
        : { kind: "partial", lines: failureLines(found.failed, errorPlace(here.session)) };
  return (
    <ListScreen
      list={list}
      state={state}
      empty={noNumberWords(pasted, view.kind === "none" ? view.samples : [])}
      noun={["row", "rows"]}
      below={below}
      file={file}
      above={{
        rows: found === null ? 0 : 2,
        shown:
          view.kind === "reading" ? (
            <Waiting words="Reading the pasted text…" />
          ) : found === null ? null : (
            <>
              <Paragraph bold most={1}>
                {manyWords(found)}
              </Paragraph>
              <Paragraph most={1}>
                {progress === null
                  ? (askWords(found, key("review")) ?? "")
                  : progressWords(progress)}
              </Paragraph>
            </>
          ),
      }}
      valuesOf={(row) => ({
        ...(row.kind === "hit" ? { import_supplier: row.hit.supplier } : {}),
        external_account_number: numberOf(row) ?? "",
      })}
      enter={keys.enter}
      actions={keys.actions}
    />
  );
}

FindManyScreen.help = {
  name: "Find pasted numbers",
  about: [
    "The account numbers of a pasted text, at every supplier of this profile, in the order of the text. Quotes, bullets, brackets and separators around a number do not matter.",
    "A word of the text counts if a list knows it, or if it looks like the numbers of the lists. A number that is nowhere has a line with similar numbers.",
    "The service can be asked for the numbers that are on no list, which takes one request for each number and supplier.",
  ],
  words: ["account", "account-state"],
} as const;

/** Moves the number to the front. The time of the state is more important than the source. */
function manyColumns(columns: readonly Column<FindRow>[]): readonly Column<FindRow>[] {
  const [supplier, number, ...others] = columns.map((column) => {
    if (column.id === "state") return { ...column, width: stateWidth };
    const drop = dropOrder[column.id];
    return drop === undefined ? column : { ...column, drop };
  });
  return [number, supplier, ...others].filter((column) => column !== undefined);
}

function noNumberWords(pasted: string, samples: readonly string[]): readonly string[] {
  const shown = safe(pasted.slice(0, maxShown).trim().replace(/\s+/gu, " "));
  const text = pasted.length > maxShown ? `${shown}…` : shown;
  const counted =
    samples.length === 0
      ? "No list is known yet, so any word with a digit counts."
      : `Numbers like ${samples.map(safe).join(", ")} are what counts as a number.`;
  return ["The pasted text has no account number.", counted, `Pasted: ${text}`];
}
