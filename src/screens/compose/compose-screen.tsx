import { ComposeForm } from "./compose-form.tsx";
import { Gone } from "./gone.tsx";
import { useOpenedDraft } from "./opened-draft.ts";

/** A payload being composed (INTERFACE 4.1–4.6), by the id of its draft. */
export function ComposeScreen(props: { readonly draft: string }) {
  const opened = useOpenedDraft(props.draft);
  if (opened === null) return <Gone />;
  return <ComposeForm {...opened} />;
}
