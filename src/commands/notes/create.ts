/** The command `notes create`: adds notes to an imported account (INTERFACE 4.1). */

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
  options: (command) =>
    command
      .option("--body <text>", "the note's text")
      .option("--template <template>", "a stored text, filled in; see templates list")
      .option("--case <number>", "for {case} in the template")
      .option(
        "--document <path>",
        "a stored document, below the supplier's root (several may be given)",
        repeated,
      )
      .option(
        "--created-at <time>",
        "its time, such as now, -3d or '2026-11-20 14:00'; the same text can then be added again",
      )
      .option("--pin", "pin it to the top of the account's page")
      .option("--unpin-at <time>", "the time at which it is unpinned")
      .option("--from <file>", "a JSON array of notes or the whole body, or - for standard input"),
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
    const values = valuesOf({ ...options, body });
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
  readonly body?: string;
  readonly template?: string;
  readonly case?: string;
  readonly document?: readonly string[];
  readonly createdAt?: string;
  readonly pin?: boolean;
  readonly unpinAt?: string;
  /** A file, or `-` for standard input. */
  readonly from?: string;
}

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

const noteOptions = [
  ["body", "--body", "body"],
  ["template", "--template", null],
  ["document", "--document", "document_paths"],
  ["createdAt", "--created-at", "created_at"],
  ["pin", "--pin", "is_pinned"],
  ["unpinAt", "--unpin-at", "unpin_at"],
] as const;

function givenOptions(options: NoteOptions): string[] {
  return noteOptions.flatMap(([name, flag]) => (options[name] === undefined ? [] : [flag]));
}

function valuesOf({
  body,
  document,
  createdAt,
  pin,
  unpinAt,
}: Omit<NoteOptions, "body"> & { readonly body: string | undefined }): FormValues {
  const note = {
    ...(body === undefined ? {} : { body }),
    ...(document === undefined
      ? {}
      : { document_paths: document.map((path) => ({ document_path: path })) }),
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
    ...(pin === true ? { is_pinned: "yes" } : {}),
    ...(unpinAt === undefined ? {} : { unpin_at: unpinAt }),
  };
  return { notes: [note] };
}

function optionAt([, , field]: Path): string | null {
  return noteOptions.find(([, , optionField]) => optionField === field)?.[1] ?? null;
}
