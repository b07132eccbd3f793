import type { FormValues } from "../../forms/form-values.ts";
import { forms } from "../../forms/forms.ts";
import type { Path } from "../../json/value.ts";
import { CommandError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { bodyFromFile } from "../writes/body-from-file.ts";
import { type Account, bodyFromOptions } from "../writes/body-from-options.ts";
import { makeWrite } from "../writes/make-write.ts";
import { againOf, type WriteOptions } from "../writes/write-options.ts";

export interface NoteOptions extends WriteOptions {
  readonly body?: string;
  readonly document?: readonly string[];
  readonly createdAt?: string;
  readonly pin?: boolean;
  readonly unpinAt?: string;
  /** A file, or `-` for standard input. */
  readonly from?: string;
}

/** Adds one note given by options, or the notes of a file (INTERFACE 4.1). */
export async function createNotes(
  invocation: Invocation,
  account: Account,
  options: NoteOptions,
): Promise<number> {
  const { from, settle, dryRun } = options;
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
  const again = againOf(options);
  const payload =
    from === undefined
      ? bodyFromOptions(invocation, forms.notes, account, valuesOf(options), optionAt)
      : await bodyFromFile(invocation, forms.notes, from, { account });
  return makeWrite(invocation, {
    request: { operation: "notes create", body: payload.bytes },
    again,
    explain: payload.explain,
    ...(settle === undefined ? {} : { settle }),
    ...(dryRun === undefined ? {} : { dryRun }),
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

/** One note as a form would have it typed; what nobody asked for is not in it. */
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
