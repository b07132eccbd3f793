/** The command `notes create`: adds notes to an imported account (INTERFACE 4.1). */

import { Option } from "commander";
import type { FormValues } from "../../forms/form-values.ts";
import { forms } from "../../forms/forms.ts";
import { filledTemplate, templateProblem } from "../../forms/placeholders.ts";
import type { Path } from "../../json/exact.ts";
import { currentUser } from "../../settings/custom/values.ts";
import { openNoteTemplates, unknownTemplate } from "../../settings/note-templates.ts";
import { utcInstant } from "../../text/dates.ts";
import { usageError } from "../command-error.ts";
import { needTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { repeated } from "../option-values.ts";
import { bodyFromFile, bodyFromOptions } from "../writes/body.ts";
import { createVerb } from "../writes/make-write.ts";

export const verb = createVerb<NoteOptions>({
  operation: "notes create",
  description: "add a note, or those of a file, to an imported account",
  options: (command) => {
    for (const { option } of noteOptions) command.addOption(option);
    return command.option(
      "--from <file>",
      "a JSON array of notes or the whole body, or - for standard input",
    );
  },
  async body(invocation, account, options) {
    const { from } = options;
    const given = givenOptions(options);
    const body = bodyOf(invocation, account, options);
    if (from !== undefined && given.length > 0)
      throw usageError(`--from and ${given.join(", ")} exclude each other`, "Give one.");
    if (from !== undefined) return bodyFromFile(invocation, forms.notes, from, { account });
    if (given.length === 0)
      throw usageError(
        "notes create needs a note",
        "Give it with --body, --template or --document, or a file with --from FILE (or - for standard input).",
      );
    const values = valuesOf({ ...options, template: undefined, body });
    return bodyFromOptions(invocation, forms.notes, account, values, optionAt);
  },
  examples: [
    "supplyline notes create ACME EXT-0000001 --body 'Agreed' --pin --unpin-at +7d",
    "supplyline notes create ACME EXT-0000001 --template call --case 4711",
    "supplyline notes create ACME EXT-0000001 --document a/welcome.pdf --dry-run",
    "supplyline notes create ACME EXT-0000001 --from notes.json --json",
  ],
});

interface NoteOptions {
  readonly body?: string | undefined;
  readonly template?: string | undefined;
  readonly case?: string;
  /** A file, or `-` for standard input. */
  readonly from?: string;
  readonly [name: string]: string | true | readonly string[] | undefined;
}

/** The options that describe one note, with the field that each fills, or null for `--case`. */
const noteOptions = (
  [
    ["--body <text>", "the note's text", "body"],
    ["--template <template>", "a stored text, filled in; see templates list", "body"],
    ["--case <number>", "for {case} in the template", null],
    [
      "--document <path>",
      "a stored document, below the supplier's root (several may be given)",
      "document_paths",
    ],
    [
      "--created-at <time>",
      "its time, such as now, -3d or '2026-11-20 14:00'; the same text can then be added again",
      "created_at",
    ],
    ["--pin", "pin it to the top of the account's page", "is_pinned"],
    ["--unpin-at <time>", "the time at which it is unpinned", "unpin_at"],
  ] as const
).map(([flags, meaning, field]) => ({
  option:
    field === "document_paths"
      ? new Option(flags, meaning).argParser(repeated)
      : new Option(flags, meaning),
  field,
}));

/**
 * Returns the text of the note, from `--body` or a template. Throws `usage` if the options exclude
 * each other or the template cannot be filled in.
 */
function bodyOf(
  invocation: Invocation,
  { supplier, account }: { readonly supplier: string; readonly account: string },
  { body, template: name, case: caseNumber }: NoteOptions,
): string | undefined {
  if (name === undefined) {
    if (caseNumber === undefined) return body;
    throw usageError("--case is for a template", "Name one with --template NAME.");
  }
  if (body !== undefined) throw usageError("--body and --template exclude each other", "Give one.");
  const { profile } = needTarget(invocation);
  const templates = openNoteTemplates(invocation.folders.configDir).of(profile.name);
  const template = templates.find((candidate) => candidate.name === name);
  if (template === undefined) throw unknownTemplate(profile.name, name, templates);
  const problem = templateProblem(template.text);
  if (problem !== null) throw usageError(`the template ${name} cannot be used. ${problem}`);
  const { env, clock } = invocation.io;
  const filled = filledTemplate(template.text, {
    account: { external_account_number: account, import_supplier: supplier },
    now: utcInstant(clock.now()),
    me: currentUser(env),
    case: caseNumber,
  });
  if ("text" in filled) return filled.text;
  throw usageError(
    `the template ${name} needs a value for {${filled.missing}}`,
    filled.missing === "case" ? "Give it with --case NUMBER." : "Set USER in the environment.",
  );
}

function givenOptions(options: NoteOptions): string[] {
  return noteOptions
    .filter(({ option, field }) => field !== null && options[option.attributeName()] !== undefined)
    .map(({ option }) => `--${option.name()}`);
}

function valuesOf(options: NoteOptions): FormValues {
  const note: Record<string, FormValues[string]> = {};
  for (const { option, field } of noteOptions) {
    const given = options[option.attributeName()];
    if (field === null || given === undefined) continue;
    note[field] =
      typeof given === "object"
        ? given.map((path) => ({ document_path: path }))
        : given === true
          ? "yes"
          : given;
  }
  return { notes: [note] };
}

function optionAt([, , field]: Path): string | null {
  const named = noteOptions.find((candidate) => candidate.field === field);
  return named === undefined ? null : `--${named.option.name()}`;
}
