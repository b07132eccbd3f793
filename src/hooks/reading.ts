import type { Actions } from "../keys/scopes.ts";
import { prettyRaw } from "../text/pretty-raw.ts";
import { type Overlay, useOverlays } from "./overlay.tsx";
import { usePager } from "./pager.ts";

/** A text as it came over the wire. */
export type RawText = Omit<Extract<Overlay, { readonly kind: "raw" }>, "kind">;

/**
 * The keys that show an answer, or a body, as it came: in front of the screen, or in $PAGER, and in
 * front of the screen where that cannot be started. `disabled` says why there is none.
 */
export function useReading(): (
  text: RawText,
  disabled?: string | null,
) => Pick<Actions, "raw" | "pager"> {
  const overlays = useOverlays();
  const page = usePager();
  return (text, disabled = null) => {
    const open = () => overlays.open({ kind: "raw", ...text });
    const read = async () => {
      if (!(await page(rawLinesOf(text)))) open();
    };
    return { raw: { run: open, disabled }, pager: { run: () => void read(), disabled } };
  };
}

/** The lines of a raw text for a pager: re-indented when it is JSON, after what has to be known. */
export function rawLinesOf({ raw, note }: Pick<RawText, "raw" | "note">): readonly string[] {
  const { lines } = prettyRaw(raw);
  return note === undefined ? lines : [note, "", ...lines];
}
