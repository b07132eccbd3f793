import { dirname } from "node:path";
import type { FormLine } from "../../components/form/lines.ts";
import { errorLine } from "../../errors/error-words.ts";
import { filledTemplate, needsCase, templateProblem } from "../../forms/note-template.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import type { Actions } from "../../keys/scopes.ts";
import type { Composition } from "../../session/composition.ts";
import { currentUser } from "../../settings/custom/values.ts";
import { type NoteTemplate, openNoteTemplates } from "../../settings/note-templates.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { utcInstant } from "../../text/dates.ts";

/** The key that puts a template of the profile into the body of a note, while the cursor is there. */
export function useNoteTemplates(options: {
  readonly draft: SavedDraft;
  readonly composition: Composition;
  readonly line: FormLine | null;
  readonly isForSeveral: boolean;
}): Actions {
  const { draft, composition, line, isForSeveral } = options;
  const { settings, clock, env, drafts, notices, overlays } = useApp();
  const { profile } = useSession();
  const isBody = line?.kind === "leaf" && line.path.at(-1) === "body";
  if (draft.kind !== "notes" || !isBody) return {};
  const { path, text } = line;
  const set = (next: string) => composition.apply({ type: "set", path, text: next });

  const fill = (template: NoteTemplate, caseNumber: string) => {
    const { supplier, account } = draft;
    const filled = filledTemplate(template.text, {
      account:
        isForSeveral || account === null
          ? null
          : { external_account_number: account, import_supplier: supplier },
      now: utcInstant(clock.now()),
      me: currentUser(env),
      case: caseNumber,
    });
    if ("text" in filled) return filled.text;
    // The case is asked for, so that it is the user's name.
    const why = `{${filled.missing}} has no value. Set USER in the environment.`;
    notices.show(`${template.name}: ${why}`, "bad");
    return null;
  };
  const use = (filled: string) => set(text.trim() === "" ? filled : `${text}\n${filled}`);
  const take = (template: NoteTemplate) => {
    const problem = templateProblem(template.text);
    if (problem !== null) {
      notices.show(`${template.name}: ${problem}`, "bad");
      return;
    }
    const lastTyped = String(drafts.get(lastCase) ?? "");
    const filled = fill(template, lastTyped || "-");
    if (filled === null) return;
    if (!needsCase(template.text)) use(filled);
    else {
      overlays.prompt({
        title: `Note from ${template.name}`,
        label: "Case",
        hint: "Filled in for {case}.",
        initial: lastTyped,
        onSubmit: (typed) => {
          if (typed === "") return "Type the number of the case.";
          drafts.set(lastCase, typed);
          const withCase = fill(template, typed);
          if (withCase !== null) use(withCase);
          return null;
        },
      });
    }
  };
  const choose = () => {
    let templates: readonly NoteTemplate[];
    try {
      templates = openNoteTemplates(dirname(settings.file)).of(profile.name);
    } catch (error) {
      notices.show(errorLine(error, { doing: "reading the templates" }), "bad");
      return;
    }
    if (templates.length === 0) {
      const add = "supplyline templates add NAME --body TEXT";
      notices.explain(`${profile.name} has no template; ${add} adds one.`);
      return;
    }
    overlays.choose(
      "Note from a template",
      templates.map((template) => ({
        label: template.name,
        hint: template.text.split("\n")[0] ?? "",
        run: () => take(template),
      })),
    );
  };

  return { template: choose };
}

/** The case that was typed last, for as long as the console runs. */
const lastCase = "note template: case";
