import { useCallback } from "react";
import type { Actions } from "../keys/scopes.ts";
import type { Cause } from "../writes/causes.ts";
import { useCauseActions } from "./cause-actions.ts";
import { type CauseScope, useCauses } from "./causes.ts";
import type { JournalView } from "./journal.ts";
import { useListCursor } from "./list-cursor.ts";
import { useNavigation } from "./navigation.tsx";

/** The causes of failures as a list with a cursor. */
export interface CauseList {
  readonly view: JournalView<readonly Cause[]>;
  readonly causes: readonly Cause[];
  /** Position of the cursor, and of the first line shown. */
  readonly position: number;
  readonly top: number;
  readonly page: number;
  readonly actions: Actions;
}

const none: readonly Cause[] = [];
/** Failures of nothing: what a list has while it is not shown. */
const nowhere: CauseScope = { kind: "entries", filter: {} };

/** The causes of a scope; null while they are not shown. `place` is what their rows are narrowed to. */
export function useCauseList(
  scope: CauseScope | null,
  page: number,
  place: { readonly supplier: string | null; readonly account: string | null },
): CauseList {
  const navigation = useNavigation();
  const view = useCauses(scope);
  const causes = scope !== null && view.kind === "read" ? view.value : none;
  const cursor = useListCursor({
    length: causes.length,
    page,
    idAt: useCallback((at: number) => causes[at]?.key ?? null, [causes]),
    positionOf: useCallback((id: string) => causes.findIndex(({ key }) => key === id), [causes]),
  });
  const current = causes[cursor.position] ?? null;
  const acts = useCauseActions(scope ?? nowhere, current, cursor.position + 1);
  return {
    view,
    causes,
    position: cursor.position,
    top: cursor.top,
    page,
    actions: {
      ...cursor.actions,
      ...acts,
      ...(current === null
        ? {}
        : {
            open: {
              label: "rows",
              run: () =>
                navigation.push({
                  kind: "cause",
                  run: scope?.kind === "run" ? scope.run.id : null,
                  ...place,
                  cause: current.key,
                }),
            },
          }),
    },
  };
}
