import { useEffect } from "react";
import { useUsedKeys } from "../../hooks/keys.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import { keyLabel } from "../../keys/bindings.ts";
import { plural } from "../../text/numbers.ts";

/** Says at the start that lines of the keymap file do not hold; the help tells all of them. */
export function useKeymapNotice(): void {
  const { faults, keymap } = useUsedKeys();
  const notices = useNotices();
  useEffect(() => {
    const [first] = faults;
    if (first === undefined) return;
    const help = keyLabel(keymap.keysOf("help")[0] ?? "");
    notices.announce(`${plural(faults.length, "wrong line")}, ${help} tells all. ${first}`, "bad");
  }, [faults, keymap, notices]);
}
