/** Stores the filter, order, marks and cursor of each list during a session. */
import { createStore, type Store } from "./store.ts";

/** The column that a list is sorted by, and the direction. `id` is null for the built-in order. */
export interface ListOrder {
  readonly id: string | null;
  readonly descending: boolean;
}

export interface ListSettings<Row> {
  readonly filter: string;
  readonly order: ListOrder;
  readonly marks: ReadonlyMap<string, Row>;
}

/** The cursor of a list: the ID of its row, or null before there is one, and its position from 0. */
export interface ListPlace {
  readonly id: string | null;
  readonly position: number;
}

export interface ListMemory {
  of<Row>(name: string): Store<ListSettings<Row>>;
  placeOf(name: string): { current: ListPlace };
}

export function createListMemory(): ListMemory {
  const lists = new Map<string, unknown>();
  const places = new Map<string, { current: ListPlace }>();
  return {
    placeOf(name) {
      const known = places.get(name) ?? { current: { id: null, position: 0 } };
      places.set(name, known);
      return known;
    },
    of<Row>(name: string) {
      const known =
        lists.get(name) ??
        createStore<ListSettings<Row>>({
          filter: "",
          order: { id: null, descending: false },
          marks: new Map(),
        });
      lists.set(name, known);
      // One name belongs to one list, and so to one kind of row.
      return known as Store<ListSettings<Row>>;
    },
  };
}
