import { errorPlace } from "../../components/error-place.ts";
import { attrWords } from "../../forms/attr.ts";
import { formOf } from "../../forms/forms.ts";
import type { Session } from "../../session/open-session.ts";
import type { describeError } from "../../text/describe-error.ts";
import { plural } from "../../text/numbers.ts";
import { operations } from "../../writes/operations.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";

export type DescribeContext = Parameters<typeof describeError>[1];

/** What is written, counted where there can be several: `2 notes`. */
export function whatWords({
  operation,
  facts,
}: Pick<PreparedWrite, "operation" | "facts">): string {
  const { item, itemsField } = operations[operation];
  return itemsField === null ? `a ${item}` : plural(facts.items.length, item);
}

/** The same with whom it is for: `2 notes for account EXT-1 of ACME`. */
export function titleWords(prepared: PreparedWrite): string {
  const { target } = prepared.facts;
  return target.kind === "account"
    ? `${whatWords(prepared)} for account ${target.externalAccountNumber} of ${target.importSupplier}`
    : `supply point ${target.externalIdentifier} of ${target.importSupplier}`;
}

/** What failures of this write are told with. */
export function contextOf(prepared: PreparedWrite, session: Session): DescribeContext {
  const { target } = prepared.facts;
  const supply = target.kind === "supply-point";
  return {
    doing: supply
      ? `creating supply point ${target.externalIdentifier}`
      : `adding ${whatWords(prepared)} to ${target.externalAccountNumber}`,
    ...errorPlace(session),
    field: (attr) => attrWords(formOf(prepared.operation), null, attr),
    subject: {
      kind: target.kind,
      supplier: target.importSupplier,
      id: supply ? target.externalIdentifier : target.externalAccountNumber,
    },
  };
}
