import type { Command } from "commander";
import type { FormKind } from "../forms/fields.ts";
import { examples, type Noun } from "./frame.ts";
import { choiceOption } from "./option-values.ts";

const kinds: readonly FormKind[] = [
  "notes",
  "transactions",
  "statements",
  "payment-instructions",
  "supply-points",
];

/** `schema`: what a payload may hold, for editors that complete and check as one types. */
export const schema: Noun = (program, frame) => {
  program
    .command("schema")
    .description("print the JSON Schema of a payload, for editors")
    .argument("<kind>", kinds.join(", "), choiceOption(kinds))
    .addHelpText("after", examples("supplyline schema transactions > transactions.schema.json"))
    .action((kind: FormKind, _options: unknown, command: Command) =>
      frame.run(command, async (invocation) => {
        const { printSchema } = await import("./schema/print.ts");
        return printSchema(invocation, kind);
      }),
    );
};
