/** Fills the body of a note from a template that the user chooses. */
import { dirname } from "node:path";
import type { FormLine } from "../../components/form/lines.ts";
import { errorLine } from "../../errors/error-words.ts";
import { filledTemplate, needsCase, templateProblem } from "../../forms/placeholders.ts";
import type { Here } from "../../session/app.ts";
import type { OpenDraft } from "../../session/draft.ts";
import { currentUser } from "../../settings/custom/values.ts";
import { type NoteTemplate, openNoteTemplates } from "../../settings/note-templates.ts";
import { utcInstant } from "../../text/dates.ts";

export function chooseTemplate(
  { app, session: { profile } }: Here,
  draft: OpenDraft,
  { path, text }: Extract<FormLine, { kind: "leaf" }>,
): void {
  const { settings, clock, env, drafts, notices, overlays } = app;

  const fill = (template: NoteTemplate, caseNumber: string) => {
    const { supplier, account } = draft.state.get().saved;
    const filled = filledTemplate(template.text, {
      account:
        account === null ? null : { external_account_number: account, import_supplier: supplier },
      now: utcInstant(clock.now()),
      me: currentUser(env),
      case: caseNumber,
    });
    if ("text" in filled) return filled.text;
    // The prompt always supplies the case, so the missing value is the user's name.
    const why = `{${filled.missing}} has no value. Set USER in the environment.`;
    notices.show(`${template.name}: ${why}`, "bad");
    return null;
  };
  const insert = (filled: string) => {
    const body = text.trim() === "" ? filled : `${text}\n${filled}`;
    draft.apply({ type: "set", path, text: body });
  };
  const applyTemplate = (template: NoteTemplate) => {
    const problem = templateProblem(template.text);
    if (problem !== null) {
      notices.show(`${template.name}: ${problem}`, "bad");
      return;
    }
    const lastTyped = String(drafts.get(lastCaseKey) ?? "");
    // The template is filled before the prompt, so that a missing user name is reported first.
    const filled = fill(template, lastTyped || "-");
    if (filled === null) return;
    if (!needsCase(template.text)) insert(filled);
    else {
      overlays.prompt({
        title: `Note from ${template.name}`,
        label: "Case",
        hint: "Filled in for {case}.",
        initial: lastTyped,
        onSubmit: (typed) => {
          if (typed === "") return "Type the number of the case.";
          drafts.set(lastCaseKey, typed);
          const withCase = fill(template, typed);
          if (withCase !== null) insert(withCase);
          return null;
        },
      });
    }
  };
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
      run: () => applyTemplate(template),
    })),
  );
}

const lastCaseKey = "note template: case";
