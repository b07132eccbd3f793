/** Checks the payload of a supply point import (INTERFACE part 2). */
import type { Check, Problem } from "../checks.ts";
import {
  date,
  email,
  emptyOr,
  flag,
  list,
  name,
  object,
  optional,
  phoneNumber,
  problem,
  required,
  text,
} from "../checks.ts";
import type { Service } from "../service.ts";

interface SupplyPointPayload {
  readonly import_supplier: string;
  readonly supply_point: { readonly identifier: string };
}

const optionalTexts = (...names: readonly string[]) =>
  Object.fromEntries(names.map((field) => [field, optional(text)]));

const customerAddress = object({
  ...optionalTexts(
    "administrative_area",
    "country",
    "delivery_point_identifier",
    "dependent_locality",
  ),
  ...optionalTexts("locality", "postal_code", "sorting_code", "street_address"),
  structured_street_address: optional(
    object(optionalTexts("postal_delivery_number_value", "postal_delivery_type")),
  ),
});

const customer = object({
  ...optionalTexts("title", "salutation"),
  given_name: required(name),
  family_name: required(name),
  email: optional(emptyOr(email)),
  mobile: optional(emptyOr(phoneNumber)),
  landline: optional(emptyOr(phoneNumber)),
  account_roles: optional(list(name)),
  postal_address: optional(customerAddress),
});

const outageAddress = object({
  ...optionalTexts("administrative_area", "country", "locality", "postal_code"),
  ...optionalTexts("delivery_point_identifier"),
  structured_street_address: optional(
    object({
      ...optionalTexts("house_number_1", "building_or_property_name", "flat_or_unit_number"),
      ...optionalTexts("flat_or_unit_type", "street_name", "street_type"),
    }),
  ),
});

const phone = object({
  number: required(phoneNumber),
  service_type: required(name),
  prefix: optional(text),
});

const outageContact = object({
  ...optionalTexts("title", "suffix", "name_type"),
  given_name: required(name),
  family_name: required(name),
  phone_1: optional(phone),
  phone_2: optional(phone),
  email_address: optional(emptyOr(email)),
  postal_address: optional(outageAddress),
});

const account = object({
  account_type: required(name),
  customer_at_supply_address_from_date: required(date),
  customers: required(list(customer, 1)),
  outage_contact: optional(outageContact),
});

const payloadFields = (knownSupplier: Check): Check =>
  object({
    import_supplier: required(knownSupplier),
    supply_point: required(
      object({
        identifier: required(name),
        supply_type: required(name),
        substation: optional(text),
        critical_load: optional(flag),
      }),
    ),
    accounts: required(list(account, 1)),
  });

const envelope = object({ payload: required(() => []) });

export function supplyPointProblems(service: Service, body: unknown): readonly Problem[] {
  const outer = envelope(body, []);
  if (outer.length > 0) return outer;
  const knownSupplier: Check = (value, path) => {
    const problems = name(value, path);
    if (problems.length > 0 || service.suppliers.has(String(value))) return problems;
    return problem(path, "unknown_import_supplier", "No import supplier has this code.");
  };
  return payloadFields(knownSupplier)(payloadOf(body), []);
}

export function payloadOf(body: unknown): SupplyPointPayload {
  return (body as { readonly payload: SupplyPointPayload }).payload;
}
