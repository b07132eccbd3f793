import { useEffect } from "react";
import { useUsedKeys } from "../../hooks/keys.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import { keyLabel } from "../../keys/bindings.ts";
import { plural } from "../../text/numbers.ts";

/** Says at the start that lines of the keymap file do not hold; the help tells all of them. */
export function useKeymapNotice(): void {
  const { issues, keymap } = useUsedKeys();
  const notices = useNotices();
  useEffect(() => {
    const [first] = issues;
    if (first === undefined) return;
    const help = keyLabel(keymap.keysOf("help")[0] ?? "");
    notices.announce(`${plural(issues.length, "wrong line")}, ${help} tells all. ${first}`, "bad");
  }, [issues, keymap, notices]);
}
