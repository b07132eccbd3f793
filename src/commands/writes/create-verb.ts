/** Creates the verbs that write to an imported account, such as `notes create`. */

import type { Command } from "commander";
import type { Operation } from "../../writes/kinds/kind.ts";
import type { Invocation } from "../invocation.ts";
import { identifierArgument } from "../option-values.ts";
import { exits, type Verb } from "../verb.ts";
import type { Account } from "./body-from-options.ts";
import type { CheckedBody } from "./checked-body.ts";
import { itemColumns } from "./item-rows.ts";
import { makeWrite } from "./make-write.ts";
import { addAllowMissing, addWriteOptions, type WriteOptions } from "./write-options.ts";

/** The parts in which the commands that write to an account differ. */
interface Creation<Options> extends Pick<Verb, "examples"> {
  readonly description: string;
  readonly operation: Operation;
  /** Adds the options of this command. */
  options(command: Command): Command;
  /**
   * True if the command has `--allow-missing`, for fields that the interface does not call
   * required.
   */
  readonly allowsMissing?: boolean;
  /** Returns the query parameters to send. Default: none. */
  query?(options: Options): Readonly<Record<string, string>>;
  /** Returns the body to send. Throws `invalid-input` and `usage`. */
  body(
    invocation: Invocation,
    account: Account,
    options: Options,
  ): CheckedBody | Promise<CheckedBody>;
}

/** Creates the verb that writes to an imported account. */
export function createVerb<Options extends object>(creation: Creation<Options>): Verb {
  const { operation, description, examples, options: addOwn, query, body } = creation;
  const { allowsMissing = false } = creation;
  return {
    description,
    examples,
    exits: exits.write,
    columns: itemColumns,
    declare(command) {
      command
        .argument("<supplier>", "import supplier code", identifierArgument)
        .argument("<account>", "external account number", identifierArgument);
      addWriteOptions(addOwn(command));
      if (allowsMissing) addAllowMissing(command);
    },
    async run(invocation, supplier: string, account: string, options: Options & WriteOptions) {
      const { bytes, explain } = await body(invocation, { supplier, account }, options);
      return makeWrite(invocation, {
        request: { operation, query: query?.(options) ?? {}, body: bytes },
        explain,
        options,
      });
    },
  };
}
