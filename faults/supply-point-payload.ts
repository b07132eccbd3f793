/**
 * A supply point import payload that the service takes (INTERFACE 2). Written by hand from the
 * interface, without the client's schemas: what they get wrong must not be right here for it.
 */
export function supplyPointPayload(identifier: string, importSupplier: string) {
  return {
    import_supplier: importSupplier,
    supply_point: {
      identifier,
      supply_type: "ELECTRICITY_DISTRIBUTION",
      substation: "North",
      critical_load: false,
    },
    accounts: [
      {
        account_type: "DOMESTIC_THIRD_PARTY_BILLED",
        customer_at_supply_address_from_date: "2026-11-01",
        customers: [{ given_name: "Ada", family_name: "Marsh" }],
      },
    ],
  };
}
