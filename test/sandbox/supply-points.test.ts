import type { Client } from "./client.ts";
import { fakeClock, json, opened, paths } from "./client.ts";

const customer = {
  title: "Dr",
  given_name: "Ada",
  family_name: "Marsh",
  email: "ada@example.org",
  mobile: "+44 7700 900123",
  landline: "",
  salutation: "Dr Marsh",
  account_roles: ["ADMIN"],
  postal_address: {
    administrative_area: "",
    country: "GB",
    street_address: "1 High Street",
    structured_street_address: { postal_delivery_number_value: "1", postal_delivery_type: "" },
  },
};

const account = {
  account_type: "DOMESTIC_THIRD_PARTY_BILLED",
  customer_at_supply_address_from_date: "2025-01-01",
  customers: [customer],
  outage_contact: {
    given_name: "Ben",
    family_name: "Marsh",
    name_type: "AKA",
    phone_1: { number: "07700900123", service_type: "MOBILE_VOICE", prefix: "" },
    email_address: "ben@example.org",
    postal_address: { country: "GB", structured_street_address: { street_name: "High Street" } },
  },
};

const payload = (identifier = "NEW-1", change: object = {}) => ({
  payload: {
    import_supplier: "ACME",
    supply_point: {
      identifier,
      supply_type: "ELECTRICITY_DISTRIBUTION",
      substation: "North",
      critical_load: false,
    },
    accounts: [account],
    ...change,
  },
});

const status = async (client: Client, identifier: string, supplier = "ACME") =>
  json(await client.get(paths.supplyPoint(identifier, supplier)));

describe("the status of a supply point import", () => {
  test.each([
    ["SP-IN-PROGRESS", "IN_PROGRESS"],
    ["SP-PENDING", "PENDING"],
    ["SP-CANCELLED", "CANCELLED"],
    ["SP-DRY-RUN-SUCCEEDED", "DRY_RUN_SUCCEEDED"],
    ["SP-PROCESSED", "PROCESSED"],
    ["SP-ERRORED", "ERRORED"],
    ["SP-DRY-RUN-ERRORED", "DRY_RUN_ERRORED"],
    ["SP/100% Ω", "PROCESSED"],
  ])(
    "%s is %s for good, with an identifier and an error where they belong",
    async (identifier, state) => {
      const clock = fakeClock();
      const client = await opened({ now: clock.now });
      const first = await status(client, identifier);
      expect(first).toEqual({
        status: state,
        service_identifier: state === "PROCESSED" ? expect.stringMatching(/^\d{10}$/) : null,
        created_at: expect.stringMatching(/^2025-11-\d\dT[\d:.]+\+00:00$/),
        modified_at: expect.stringMatching(/^2025-11-\d\dT[\d:.]+\+00:00$/),
        latest_error: state.endsWith("ERRORED")
          ? { code: expect.any(String), detail: expect.any(String), domain: expect.any(String) }
          : null,
      });
      expect(Date.parse(first.modified_at)).toBeGreaterThanOrEqual(Date.parse(first.created_at));
      clock.pass(3000);
      expect(await status(client, identifier)).toEqual(first);
    },
  );

  test("no process is 404 with the code not_found, and the fixedSupplyPoints ones are ACME's alone", async () => {
    const client = await opened();
    for (const [identifier, supplier] of [
      ["SP-NONE", "ACME"],
      ["SP-PENDING", "DONE"],
      ["SP-PENDING", "NOBODY"],
    ] as const) {
      const response = await client.get(paths.supplyPoint(identifier, supplier));
      expect(response.status).toBe(404);
      expect(await json(response)).toEqual({ detail: expect.any(String), code: "not_found" });
    }
  });

  test("SP-MOVING and SP-FAILING move from the first look at them on", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now });
    clock.pass(1800);
    const seen = async () => [
      (await status(client, "SP-MOVING")).status,
      (await status(client, "SP-FAILING")).status,
    ];
    expect(await seen()).toEqual(["PENDING", "PENDING"]);
    clock.pass(4);
    expect(await seen()).toEqual(["IN_PROGRESS", "IN_PROGRESS"]);
    clock.pass(8);
    expect(await seen()).toEqual(["PROCESSED", "ERRORED"]);
  });
});

describe("validating a supply point", () => {
  test("a sound payload comes back as it was sent", async () => {
    const client = await opened();
    const response = await client.post(paths.validate, payload());
    expect(response.status).toBe(200);
    expect(await json(response)).toEqual(payload());
    expect(client.sandbox.ledger()).toEqual([]);
  });

  const broken = payload("", {
    accounts: [account, { ...account, customers: [customer, { ...customer, landline: "none" }] }],
  });
  const message = [expect.any(String)];

  test("errors mirror the payload", async () => {
    const client = await opened();
    const response = await client.post(paths.validate, broken);
    expect(response.status).toBe(400);
    expect(await json(response)).toEqual({
      supply_point: { identifier: message },
      accounts: [{}, { customers: [{}, { landline: message }] }],
    });
  });

  test("in other layouts on request: below a payload key, arrays as objects by index", async () => {
    const client = await opened({ faults: ["mirror=payload"] });
    expect(await json(await client.post(paths.validate, broken))).toEqual({
      payload: {
        supply_point: { identifier: message },
        accounts: [{}, { customers: [{}, { landline: message }] }],
      },
    });
    client.sandbox.setFaults(["mirror=indexed"]);
    expect(await json(await client.post(paths.validate, broken))).toEqual({
      supply_point: { identifier: message },
      accounts: { "1": { customers: { "1": { landline: message } } } },
    });
  });

  test.each([
    [
      "an unknown supplier",
      payload("X", { import_supplier: "NOBODY" }),
      { import_supplier: message },
    ],
    ["an undocumented field", payload("X", { dry_run: true }), { dry_run: message }],
    ["no accounts", payload("X", { accounts: [] }), { accounts: message }],
    [
      "an account that is no object",
      payload("X", { accounts: [1] }),
      { accounts: [{ non_field_errors: message }] },
    ],
    ["no payload key", { import_supplier: "ACME" }, { payload: message, import_supplier: message }],
    ["no object at all", [], { non_field_errors: message }],
    [
      "a wrong type deep inside",
      payload("X", {
        accounts: [
          {
            ...account,
            outage_contact: {
              ...account.outage_contact,
              phone_1: { number: "07700900123", service_type: "MOBILE_VOICE", prefix: 44 },
            },
          },
        ],
      }),
      { accounts: [{ outage_contact: { phone_1: { prefix: message } } }] },
    ],
  ])("%s is shown where it is", async (_what, body, errors) => {
    const client = await opened();
    const response = await client.post(paths.validate, body);
    expect([response.status, await json(response)]).toEqual([400, errors]);
  });
});

describe("creating a supply point", () => {
  test("answers 201 with no body, and the import runs afterwards", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now });
    expect((await client.get(paths.supplyPoint("NEW 1/a%"))).status).toBe(404);
    const response = await client.post(paths.create, payload("NEW 1/a%"));
    expect([response.status, await response.text()]).toEqual([201, ""]);
    expect(await status(client, "NEW 1/a%")).toEqual({
      status: "PENDING",
      service_identifier: null,
      created_at: "2025-11-21T12:00:00.000+00:00",
      modified_at: "2025-11-21T12:00:00.000+00:00",
      latest_error: null,
    });
    clock.pass(5);
    expect(await status(client, "NEW 1/a%")).toMatchObject({
      status: "IN_PROGRESS",
      modified_at: "2025-11-21T12:00:04.000+00:00",
    });
    clock.pass(60);
    expect(await status(client, "NEW 1/a%")).toMatchObject({
      status: "PROCESSED",
      service_identifier: expect.stringMatching(/^\d{10}$/),
      modified_at: "2025-11-21T12:00:12.000+00:00",
    });
    expect(client.sandbox.ledger()).toMatchObject([{ identifier: "NEW 1/a%" }]);
  });

  test("the beginning of the identifier says how it ends", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now });
    const endings = {
      "ERRORED-1": "ERRORED",
      "CANCELLED-1": "CANCELLED",
      "DRY-RUN-1": "DRY_RUN_SUCCEEDED",
      "DRY-RUN-ERRORED-1": "DRY_RUN_ERRORED",
      "PENDING-1": "PENDING",
    };
    for (const identifier of Object.keys(endings)) {
      expect((await client.post(paths.create, payload(identifier))).status).toBe(201);
    }
    clock.pass(60);
    for (const [identifier, state] of Object.entries(endings)) {
      expect((await status(client, identifier)).status).toBe(state);
    }
  });

  test.each(["SP-PROCESSED", "SP-PENDING", "SP-IN-PROGRESS"])(
    "%s already exists",
    async (identifier) => {
      const client = await opened();
      const response = await client.post(paths.create, payload(identifier));
      expect(response.status).toBe(400);
      expect(await json(response)).toEqual({
        non_field_errors: {
          detail: expect.any(String),
          code: "supply_point_import_process_already_imported",
        },
        supply_point_identifier: identifier,
      });
      expect(client.sandbox.ledger()).toEqual([]);
    },
  );

  test("a second creation is refused, and allowed again once the first has failed", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now });
    await client.post(paths.create, payload("ERRORED-2"));
    expect((await client.post(paths.create, payload("ERRORED-2"))).status).toBe(400);
    clock.pass(60);
    expect((await client.post(paths.create, payload("ERRORED-2"))).status).toBe(201);
    expect((await status(client, "ERRORED-2")).status).toBe("PENDING");
    expect((await client.post(paths.create, payload("SP-ERRORED"))).status).toBe(201);
  });

  test.each([
    ["PAUSED", "import_supplier_paused"],
    ["DONE", "import_supplier_complete"],
  ])("%s takes no migrations", async (import_supplier, code) => {
    const client = await opened();
    const response = await client.post(paths.create, payload("NEW-1", { import_supplier }));
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ non_field_errors: { code } });
    expect((await client.get(paths.supplyPoint("NEW-1", import_supplier))).status).toBe(404);
  });

  test("validation errors name their place, phone numbers with a code of their own", async () => {
    const client = await opened();
    const accounts = [{ ...account, customers: [{ ...customer, landline: "12" }] }];
    const response = await client.post(paths.create, payload("NEW-1", { accounts }));
    expect(response.status).toBe(400);
    expect(await json(response)).toEqual({
      detail: expect.any(String),
      code: "account_failed_validation",
      errors: [
        {
          detail: expect.any(String),
          code: "invalid_phone_number",
          attr: "accounts.0.customers.0.landline",
        },
      ],
    });
  });
});
