import { moveActions, rangeMarks } from "../../hooks/list-cursor.ts";
import type { Actions } from "../../keys/scopes.ts";
import type { App } from "../../session/app.ts";
import type { Notices } from "../../session/notices.ts";
import { plural } from "../../text/numbers.ts";
import type { ListModel, OrderChoice } from "./list-model.ts";
import type { List } from "./use-list.ts";

export const noRowWords = "There is no row here.";

/**
 * Returns the keys of every list for the cursor, the marks and the order. `page` is the number of
 * visible rows. `isReading` is true while a list without rows is read.
 */
export function listKeys<Row>(
  list: List<Row>,
  page: number,
  notices: Notices,
  isReading: boolean,
): Actions {
  const { position, length, moveTo } = list;
  const noRow = list.current === null ? noRowWords : null;
  // The order of a list can be chosen before its first row is loaded.
  const noSorting = list.total === 0 && !isReading ? noRowWords : null;
  const changeOrder = (next: { id: string | null; descending: boolean }) => {
    list.setOrder(next);
    notices.show(orderWords(list.orders, next));
  };
  return {
    ...moveActions({ from: position, last: length - 1, page, to: moveTo }),
    ...rangeMarks({ position, length, moveTo, mark: list.mark }),
    mark: {
      run() {
        list.toggleMark(position);
        moveTo(position + 1);
      },
      disabled: noRow,
    },
    "mark-all": {
      run: list.markAll,
      label: list.areAllMarked ? "unmark all" : "mark all",
      disabled: noRow ?? list.unmarkable,
    },
    "sort-previous": { run: () => changeOrder(nextOrder(list, -1)), disabled: noSorting },
    "sort-next": { run: () => changeOrder(nextOrder(list, 1)), disabled: noSorting },
    reverse: {
      run: () => changeOrder({ ...list.order, descending: !list.order.descending }),
      disabled: noSorting,
    },
  };
}

/**
 * Returns the action of a list with marks that goes back: it asks if the marks are dropped. No goes
 * back as `back`, or to the place below, and keeps them. Empty without marks.
 */
export function marksQuestion(
  { overlays, navigation }: Pick<App, "overlays" | "navigation">,
  { marks: { count }, unmark }: Pick<ListModel<unknown>, "marks" | "unmark">,
  back: Actions["back"],
): Actions {
  if (count === 0) return {};
  const goBack = typeof back === "function" ? back : (back?.run ?? navigation.back);
  const run = () =>
    overlays.confirm({
      question: `Drop the ${plural(count, "mark", "marks")}?`,
      detail: null,
      yes: "Yes, drop them and stay here",
      onYes: unmark,
      no: { label: "No, keep them and go back", run: goBack },
    });
  return { back: { ...(typeof back === "object" ? back : {}), run } };
}

/** Returns the previous or next order. The direction stays unless an order has its own. */
function nextOrder({ orders, order }: Pick<ListModel<unknown>, "orders" | "order">, step: 1 | -1) {
  const index = Math.max(
    0,
    orders.findIndex(({ id }) => id === order.id),
  );
  const next = orders[(index + step + orders.length) % orders.length] ?? { id: null, name: "" };
  const hasDefault =
    next.id === null || next.begins !== undefined || orders[index]?.begins !== undefined;
  return {
    id: next.id,
    descending: hasDefault ? next.begins === "descending" : order.descending,
  };
}

function orderWords(
  orders: readonly OrderChoice[],
  { id, descending }: { readonly id: string | null; readonly descending: boolean },
): string {
  const choice = orders.find((order) => order.id === id);
  const direction = descending ? `, ${choice?.reversed ?? "reversed"}` : "";
  return `Sorted by ${choice?.name ?? id}${direction}.`;
}
