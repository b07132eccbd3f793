import { type FormKind, formKinds } from "../../src/forms/forms.ts";
import type { Act } from "./service.ts";

/** A kind of write, for the tests that go through all kinds. */
export interface KindSample {
  /**
   * A body with every field that INTERFACE 2 and 4 document, in the documented order. Written out by
   * hand from there, so that a field forgotten in a form shows.
   */
  readonly documented: string;
  /**
   * The agreed rules after `never-sent`, `no-answer`, `400`, `404`, `500` and `5xx`: R resend, RC resend where the service recognizes it, U unknown, V look up, X stop, `block`
   * stop and block the form.
   */
  readonly retries: string;
  /** Writes of the kind, and the answer that confirms each; the sandbox takes the first one. */
  readonly writes: readonly {
    readonly name: string;
    readonly body: object;
    readonly query?: Readonly<Record<string, string>>;
    /** True if the service recognizes it when it is repeated. */
    readonly deduplicated: boolean;
    readonly success: Act;
  }[];
  /** Bodies that the sandbox rejects, each with the place and the code of its first problem. */
  readonly rejected: readonly {
    readonly body: object;
    readonly attr: string;
    readonly code: string;
  }[];
  /** The command's words after `create` for the first write; `FILE` is a file with its body. */
  readonly command: readonly string[];
}

export const account = { import_supplier: "ACME", external_account_number: "EXT-0000001" };

/** Every kind has a file in test/writes/kinds, by its name. */
export const samples = Object.fromEntries(
  await Promise.all(
    formKinds.map(async (kind) => {
      const { sample } = (await import(`../writes/kinds/${kind}.ts`)) as { sample: KindSample };
      return [kind, sample] as const;
    }),
  ),
) as Readonly<Record<FormKind, KindSample>>;
