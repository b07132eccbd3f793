import { useState } from "react";
import { useConsole } from "./console.tsx";
import { useNotices } from "./notices.tsx";

/** The columns of account lists as the user chose them, remembered across sessions. */
export function useChosenColumns(): readonly [
  readonly string[] | null,
  (columns: readonly string[] | null) => void,
] {
  const { settings } = useConsole();
  const notices = useNotices();
  const [chosen, setChosen] = useState(() => settings.preferences().accountColumns);
  const choose = (columns: readonly string[] | null) => {
    setChosen(columns);
    try {
      settings.setPreferences({ accountColumns: columns });
    } catch {
      notices.show("Chosen for this session; it could not be saved.", "waiting");
    }
  };
  return [chosen, choose];
}
