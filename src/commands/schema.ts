import type { Command } from "commander";
import { formKinds } from "../forms/fields.ts";
import { examples, type Noun } from "./frame.ts";
import { choiceOption } from "./option-values.ts";
import type { SchemaKind } from "./schema/print.ts";

const kinds: readonly SchemaKind[] = [...formKinds, "keymap"];

/** `schema`: what a payload, or the keymap, may hold, for editors that complete and check as one types. */
export const schema: Noun = (program, frame) => {
  program
    .command("schema")
    .description("print the JSON Schema of a payload, or of keymap.json, for editors")
    .argument("<kind>", kinds.join(", "), choiceOption(kinds))
    .addHelpText("after", examples("supplyline schema transactions > transactions.schema.json"))
    .action((kind: SchemaKind, _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { printSchema } = await import("./schema/print.ts");
        return printSchema(invocation, kind);
      }),
    );
};
