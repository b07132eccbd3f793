/** The parts that several of the ledger's answers have. Everything in them comes from other machines. */
import * as z from "zod/mini";
import { tookEffectAnswers } from "../journal/entry.ts";

/** The value of an answer with a shape. */
export type Answer<Shape extends z.ZodMiniType> = Unchanging<z.output<Shape>>;

type Unchanging<T> = T extends Uint8Array
  ? T
  : T extends object
    ? { readonly [Name in keyof T]: Unchanging<T[Name]> }
    : T;

export const maybeText = z.nullable(z.string());
export const maybeWhole = z.nullable(z.int());
export const tookEffect = z.enum(tookEffectAnswers);

/** The states of an entry that the ledger stores. */
export const state = z.enum([
  "unsent",
  "sending",
  "confirmed",
  "rejected",
  "retryable",
  "unknown",
  "closed",
]);

/** The author of something in the ledger, as that machine names itself and its person. */
export const authorFields = {
  person: z.string(),
  machine: z.string(),
  /** The login of the database, which a client cannot choose. */
  login: z.string(),
};
