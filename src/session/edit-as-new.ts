/** Opens a new draft that is filled with the payload of a journal entry. */
import { errorLine } from "../errors/error-words.ts";
import { emptyForm } from "../forms/form-values.ts";
import { forms } from "../forms/forms.ts";
import { parseJson } from "../forms/parse-json.ts";
import { toValues } from "../forms/values-json.ts";
import { draftService, newDraftId, type SavedDraft } from "../state/drafts.ts";
import { type ActivityDetail, bodyText, showActivity } from "../writes/activity-detail.ts";
import { formKindOf } from "../writes/kinds/kinds.ts";
import type { Here } from "./app.ts";
import { targetFields } from "./draft.ts";

/** The content of a new draft, without the fields that identify it. */
type DraftContent = Omit<SavedDraft, "id" | "profile" | "service" | "updatedAt">;

/** Opens the form of an entry's operation as a new draft that is filled with the entry's payload. */
export function editAsNew({ app, session }: Here, entry: number): void {
  const { formDrafts, clock, notices, navigation } = app;
  const open = async () => {
    const { journal } = (await session.writes()).context;
    const content = draftOf(showActivity(journal, entry), bodyText(journal, entry));
    if (typeof content === "string") {
      notices.show(content, "waiting");
      return;
    }
    const id = newDraftId();
    const { profile } = session;
    formDrafts.save({
      ...content,
      id,
      profile: profile.name,
      service: draftService(profile),
      updatedAt: clock.now(),
    });
    navigation.push({ kind: "compose", draft: id });
  };
  open().catch((error: unknown) =>
    notices.show(errorLine(error, { doing: "opening the draft" }), "bad"),
  );
}

/** Returns a draft with the payload of an entry, or a sentence with the reason why there is none. */
export function draftOf(detail: ActivityDetail, body: string | null): DraftContent | string {
  const { journal_id: id, operation, import_supplier: supplier } = detail;
  const kind = formKindOf(operation);
  if (kind === null) return `There is no form for ${operation}.`;
  if (body === null) return `The body of entry ${id} has been purged from the journal.`;
  const form = forms[kind];
  const account = detail.external_account_number ?? null;
  const target = targetFields(form, { supplier, account });
  const parsed = parseJson(form, body);
  const empty = emptyForm(form, target);
  const read = parsed.ok ? toValues(form, parsed.body) : null;
  const query = Object.entries(detail.query).map(([name, value]): [string, boolean] => [
    name,
    value === "true",
  ]);
  return {
    kind,
    supplier,
    account,
    value: { ...empty, values: { ...(read?.values ?? empty.values), ...target } },
    query: Object.fromEntries(query),
    refusals: [],
    fromEntry: id,
    // If parts do not fit the form, the whole body is saved as an editor's text, so that nothing is
    // lost.
    ...(read !== null && read.unfit.length === 0 ? {} : { edited: body }),
  };
}
