import type { FormValues } from "../../forms/form-values.ts";
import { forms } from "../../forms/forms.ts";
import type { Path } from "../../json/value.ts";
import { CommandError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { repeated } from "../option-values.ts";
import { exits, type Verb } from "../verb.ts";
import { bodyFromFile } from "../writes/body-from-file.ts";
import { bodyFromOptions } from "../writes/body-from-options.ts";
import { makeWrite } from "../writes/make-write.ts";
import { addAccount, addWriteOptions, type WriteOptions } from "../writes/write-options.ts";

/** `notes create`: INTERFACE 4.1. */
export const verb: Verb = {
  examples: [
    "supplyline notes create ACME EXT-0000001 --body 'Agreed' --pin --unpin-at +7d",
    "supplyline notes create ACME EXT-0000001 --document a/welcome.pdf --dry-run",
    "supplyline notes create ACME EXT-0000001 --from notes.json --json",
  ],
  exits: exits.write,
  declare: (command) =>
    addWriteOptions(
      addAccount(command.description("add a note, or those of a file, to an imported account"))
        .option("--body <text>", "the note's text")
        .option(
          "--document <path>",
          "a stored document, below the supplier's root (several may be given)",
          repeated,
        )
        .option(
          "--created-at <time>",
          "its time, such as now, -3d or '2026-11-20 14:00'; the same text may then be added again",
        )
        .option("--pin", "pin it to the top of the account's page")
        .option("--unpin-at <time>", "when it is unpinned again")
        .option(
          "--from <file>",
          "a JSON array of notes or the whole body, or - for standard input",
        ),
    ),
  run: createNotes,
};

interface NoteOptions extends WriteOptions {
  readonly body?: string;
  readonly document?: readonly string[];
  readonly createdAt?: string;
  readonly pin?: boolean;
  readonly unpinAt?: string;
  /** A file, or `-` for standard input. */
  readonly from?: string;
}

/** Adds one note given by options, or the notes of a file (INTERFACE 4.1). */
async function createNotes(
  invocation: Invocation,
  supplier: string,
  accountNumber: string,
  options: NoteOptions,
): Promise<number> {
  const { from } = options;
  const account = { supplier, account: accountNumber };
  const said = saidOf(options);
  if (from !== undefined && said.length > 0)
    throw new CommandError(
      "usage",
      `--from and ${said.join(", ")} are two ways to say it`,
      "Give one.",
    );
  if (from === undefined && said.length === 0)
    throw new CommandError(
      "usage",
      "notes create needs a note",
      "Give it with --body or --document, or a file with --from FILE (or - for standard input).",
    );
  const payload =
    from === undefined
      ? bodyFromOptions(invocation, forms.notes, account, valuesOf(options), optionAt)
      : await bodyFromFile(invocation, forms.notes, from, { account });
  return makeWrite(invocation, {
    request: { operation: "notes create", body: payload.bytes },
    explain: payload.explain,
    options,
  });
}

const optionNames = {
  body: "--body",
  document: "--document",
  createdAt: "--created-at",
  pin: "--pin",
  unpinAt: "--unpin-at",
} as const;

function saidOf(options: NoteOptions): string[] {
  return Object.entries(optionNames).flatMap(([name, flag]) =>
    options[name as keyof typeof optionNames] === undefined ? [] : [flag],
  );
}

/** One note as a form would have it typed; what was not given is not in it. */
function valuesOf({ body, document, createdAt, pin, unpinAt }: NoteOptions): FormValues {
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

/** The option that a field of the note was given with. */
function optionAt([, , field]: Path): string | null {
  switch (field) {
    case "body":
      return "--body";
    case "document_paths":
      return "--document";
    case "created_at":
      return "--created-at";
    case "is_pinned":
      return "--pin";
    case "unpin_at":
      return "--unpin-at";
    default:
      return null;
  }
}
