import { Box } from "ink";
import { useMemo } from "react";
import { Body } from "../../components/body.tsx";
import { CauseFoot, CauseTable } from "../../components/cause-table.tsx";
import { Tabs, tabActions } from "../../components/tabs.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { entriesScope, useCauseList } from "../../hooks/causes.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { journalCommand } from "../../session/overlays.ts";
import { activityCommand, journalIsHere, type Tab, tabs } from "./activity-words.ts";

export function CausesTab(props: {
  readonly supplier: string | null;
  readonly account: string | null;
  readonly setTab: (tab: Tab) => void;
}) {
  const { supplier, account, setTab } = props;
  const tab = "causes";
  const { profile, baseUrl } = useSession();
  const { overlays } = useApp();
  const room = useRoom();
  const scope = useMemo(
    () => entriesScope(supplier, account, baseUrl),
    [supplier, account, baseUrl],
  );
  const list = useCauseList(scope, Math.max(1, room.rows - 5), { supplier, account });
  useKeysWaitForJournal(list.view.kind === "opening");
  useKeys({
    ...list.actions,
    ...tabActions(tabs, tab, setTab),
    "as-command": () =>
      overlays.command(
        journalCommand(profile, {
          command: activityCommand({ supplier, account, tab, profile, rows: [] }),
          note: journalIsHere,
        }),
      ),
  });
  return (
    <Body>
      <Tabs tabs={tabs} current={tab} />
      <CauseTable list={list} doing="reading the journal" />
      <Box flexGrow={1} />
      <CauseFoot list={list} />
    </Body>
  );
}
