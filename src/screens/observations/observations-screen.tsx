/** The screen of the stored observations: their size, and the keys to confirm or delete them. */
import { useCallback, useState } from "react";
import { type Column, column, fieldColumn } from "../../components/list-screen/column.ts";
import { detailBlock, ListScreen } from "../../components/list-screen/list-screen.tsx";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { readingState } from "../../components/reading-state.tsx";
import { useHere } from "../../hooks/app.tsx";
import { useReading } from "../../hooks/reading.ts";
import {
  confirmHeldBack,
  purgeObservations,
  type StoredSupplier,
  storedSuppliers,
} from "../../session/stored-observations.ts";
import { formatInstant, utcInstant } from "../../text/dates.ts";
import { bytes, count, plural } from "../../text/numbers.ts";
import { storedFields } from "../../triage/observations/words.ts";

const idOf = ({ supplier, origin }: StoredSupplier) => JSON.stringify([origin, supplier]);

const noSuppliers: readonly StoredSupplier[] = [];

/** The reason why a key is disabled for observations of another service. */
const elsewhere = "It is of another service: open a profile of that service.";

/** Lists the stored observations of each supplier at each service. */
export function ObservationsScreen() {
  const here = useHere();
  const { app, session } = here;
  const { navigation, key } = app;
  const [turn, setTurn] = useState(0);
  const readAgain = () => setTurn((before) => before + 1);
  const read = useCallback(
    async () =>
      storedSuppliers(session.observations, { baseUrl: session.baseUrl, now: app.clock.now() }),
    [app, session],
  );
  const reading = useReading(read, turn);
  const rows = reading.kind === "read" ? reading.value : noSuppliers;
  const list = useRowList({ name: "observations", rows, idOf, columns });
  const { current } = list;
  const isHere = ({ origin }: StoredSupplier) => origin === session.baseUrl;
  const chosen = list.chosen().filter(isHere);
  const wrongService = current === null || isHere(current) ? null : elsewhere;
  return (
    <ListScreen
      list={list}
      state={readingState(reading, "the observations")}
      empty={[
        "Nothing is stored yet.",
        "Each complete list of a supplier is an observation: open a supplier, and its list is recorded.",
      ]}
      noun={["supplier", "suppliers"]}
      file={{ stem: "observations", fields: Object.values(storedFields) }}
      below={detailBlock((row: StoredSupplier) =>
        row.heldBack === null
          ? `${row.supplier} at ${row.origin}, since ${formatInstant(row.firstAt, { seconds: false })}.`
          : `A list with ${plural(row.heldBack.now, "account")} after ${count(row.heldBack.before)} is held back. ${key("review")} records it if it is right.`,
      )}
      valuesOf={({ supplier }) => ({ import_supplier: supplier })}
      enter={({ supplier }) => ({
        run: () => navigation.push({ kind: "overview", supplier }),
        disabled: wrongService,
      })}
      actions={{
        refresh: { run: readAgain, label: "read again", help: "Read again what is stored" },
        ...(current === null
          ? {}
          : {
              changes: {
                run: () => navigation.push({ kind: "changes", supplier: current.supplier }),
                disabled: wrongService,
              },
              review: {
                run: () => confirmHeldBack(here, current, readAgain),
                label: "confirm list",
                help: "Record the list that was held back (asks first)",
                disabled:
                  wrongService ??
                  (current.heldBack === null
                    ? `No list of ${current.supplier} is held back.`
                    : null),
              },
              remove: {
                run: () => purgeObservations(here, chosen, readAgain),
                label: "delete",
                disabled: chosen.length === 0 ? elsewhere : null,
              },
            }),
      }}
    />
  );
}

const timeText = (ms: number) => formatInstant(ms, { seconds: false });

const number = { align: "right" } as const;

const columns: readonly Column<StoredSupplier>[] = [
  fieldColumn(storedFields.supplier, "supplier", "Supplier", 10, { maxWidth: 24 }),
  column("held", "Held back", 12, heldBackText, {
    drop: 0,
    tone: () => "bad",
    value: ({ heldBack }) => (heldBack === null ? null : utcInstant(heldBack.at)),
  }),
  fieldColumn(storedFields.accounts, "accounts", "Accounts", 9, {
    ...number,
    text: ({ accounts }) => count(accounts),
  }),
  fieldColumn(storedFields.observations, "lists", "Lists", 7, {
    ...number,
    text: ({ observations }) => count(observations),
  }),
  fieldColumn(storedFields.firstAt, "first", "First", 16, {
    drop: 2,
    text: ({ firstAt }) => timeText(firstAt),
  }),
  fieldColumn(storedFields.lastAt, "last", "Last", 16, { text: ({ lastAt }) => timeText(lastAt) }),
  fieldColumn(storedFields.bytes, "bytes", "Size", 9, {
    ...number,
    drop: 3,
    text: ({ bytes: size }) => bytes(size),
  }),
  fieldColumn(storedFields.origin, "origin", "Service", 24, {
    drop: 1,
    minWidth: 12,
    maxWidth: 80,
  }),
];

/** Formats the numbers of accounts on a list that is held back and on the list before. */
function heldBackText({ heldBack }: StoredSupplier): string {
  return heldBack === null ? "" : `${count(heldBack.now)} of ${count(heldBack.before)}`;
}
