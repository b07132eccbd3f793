import type { Command } from "commander";
import { examples, type Noun } from "./frame.ts";
import type { NoteOptions } from "./notes/create.ts";
import { identifierArgument, repeated } from "./option-values.ts";
import { addWriteOptions } from "./writes/write-options.ts";

/** `notes create`: INTERFACE 4.1. */
export const notes: Noun = (program, frame) => {
  const noun = program.command("notes").description("notes on an imported account: create");
  noun.addHelpText(
    "after",
    examples("supplyline notes create ACME EXT-0000001 --body 'Meter read agreed'"),
  );

  addWriteOptions(
    noun
      .command("create")
      .description("add a note, or those of a file, to an imported account")
      .argument("<supplier>", "import supplier code", identifierArgument)
      .argument("<account>", "external account number", identifierArgument)
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
      .option("--from <file>", "a JSON array of notes or the whole body, or - for standard input"),
  )
    .addHelpText(
      "after",
      examples(
        "supplyline notes create ACME EXT-0000001 --body 'Agreed' --pin --unpin-at +7d",
        "supplyline notes create ACME EXT-0000001 --document a/welcome.pdf --dry-run",
        "supplyline notes create ACME EXT-0000001 --from notes.json --json",
      ),
    )
    .action((supplier: string, account: string, options: NoteOptions, command: Command) =>
      frame.run(command, async (invocation) => {
        const { createNotes } = await import("./notes/create.ts");
        return createNotes(invocation, { supplier, account }, options);
      }),
    );
};
