/**
 * The facts about writes of supply points (INTERFACE 4.6): endpoint, retries, results, duplicates.
 */
import { isRecord, memberOf } from "../../json/exact.ts";
import { commonRules } from "../retry-table.ts";
import {
  allItems,
  label,
  nameAt,
  refusedWhole,
  requiredText,
  textAt,
  wholeItem,
} from "./bodies.ts";
import type { KindFacts } from "./kind.ts";

export const supplyPointsKind: KindFacts<"supply-points"> = {
  form: "supply-points",
  path: "/v2/data-import/supply-points/",
  itemsField: null,
  idField: null,
  identityOf: wholeItem,
  nameOf: (inner) => nameAt(memberOf(inner, "supply_point"), "identifier"),
  item: "supply point",
  noun: "supply point",
  plural: "supply points",
  movesMoney: false,
  readBack: { by: "look-up" },
  retries: {
    ...commonRules,
    "no-answer": "look-up",
    "400": "stop",
    "404": "stop",
    "500": "look-up",
    "5xx": "look-up",
  },
  // See INTERFACE 7.3.
  existsCode: "supply_point_import_process_already_imported",
  readBody: (payload) => {
    const inner = isRecord(payload.payload) ? payload.payload : {};
    const supplyPoint = isRecord(inner.supply_point) ? inner.supply_point : {};
    const importSupplier = requiredText(inner.import_supplier, "payload.import_supplier");
    const externalIdentifier = requiredText(
      supplyPoint.identifier,
      "payload.supply_point.identifier",
    );
    return {
      target: { kind: "supply-point", importSupplier, externalIdentifier },
      items: [inner],
      labels: [label(externalIdentifier)],
      payload,
    };
  },
  isDeduplicated: () => false,
  dedupe: {
    summary: () => "safe: the service rejects an identifier that is already imported",
    words: () =>
      "The service rejects an identifier that is already imported. supplyline checks for the import first, and again if no response arrives.",
  },
  naming: {
    fields: ["supply_point_identifier", "identifier", "external_identifier"],
    sent: (inner) => textAt(memberOf(inner, "supply_point"), "identifier"),
    results: (response) => {
      const inner = memberOf(response, "payload");
      return [inner, memberOf(response, "supply_point"), memberOf(inner, "supply_point")];
    },
  },
  statuses: {},
  // A success has the status 201 and an empty body. Any other response might come from a gateway,
  // and the import process can be looked up.
  confirmed: (facts, { httpStatus, body }) =>
    httpStatus === 201 && body.trim() === "" ? allItems(facts, "created") : null,
  refusal: refusedWhole,
  contents: { amount: null, type: null, date: null, reference: null },
  isSummed: false,
  command: "operand",
  sameRow: {
    key: (row) => [row.import_supplier, memberOf(row.supply_point, "identifier")],
    words: (line) => `The same supply point as line ${line}: the service refuses a second import.`,
  },
};
