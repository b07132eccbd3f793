import { checkTeam, teamAddress } from "../../src/settings/team-address.ts";

const whole = "postgresql://op1@db.example.com:6432/ledger?sslmode=verify-full&schema=north";

test("an address has a host, a port, a database, a login and a schema", () => {
  expect(teamAddress(whole)).toEqual({
    host: "db.example.com",
    port: 6432,
    database: "ledger",
    user: "op1",
    schema: "north",
    isEncrypted: true,
  });
  expect(teamAddress("postgres://localhost/ledger")).toEqual({
    host: "localhost",
    port: 5432,
    database: "ledger",
    user: null,
    schema: "supplyline",
    isEncrypted: false,
  });
});

test.each([
  "postgresql://127.0.0.1/ledger",
  "postgresql://[::1]:5433/ledger",
  "postgresql://op%40home@localhost/my%20ledger",
  "postgresql://localhost/ledger?sslmode=verify-full",
])("%s is accepted", (address) => {
  expect(checkTeam(address)).toBeNull();
});

const secret = "s3cret";

test.each([
  [`postgresql://op1:${secret}@db.example.com/ledger?sslmode=verify-full`, /password/],
  ["postgresql://op1:@db.example.com/ledger?sslmode=verify-full", /password/],
  [`postgresql://db.example.com/ledger?sslmode=verify-full&password=${secret}`, /parameters/],
  [
    "postgresql://db.example.com/ledger?sslmode=verify-full&options=-csynchronous_commit%3Doff",
    /parameters/,
  ],
  ["postgresql://db.example.com/ledger?sslmode=verify-full&host=other", /parameters/],
  ["postgresql://db.example.com/ledger", /sslmode=verify-full/],
  ["postgresql://127.1/ledger", /sslmode=verify-full/],
  ["postgresql://localhost.example.com/ledger", /sslmode=verify-full/],
  ["postgresql://db.example.com/ledger?sslmode=require", /sslmode=verify-full/],
  ["postgresql://db.example.com/ledger?sslmode=no-verify", /sslmode=verify-full/],
  ["postgresql://localhost/ledger?sslmode=disable", /sslmode=verify-full/],
  ["postgresql://localhost/ledger?sslmode=verify-full&sslmode=verify-full", /only once/],
  ["postgresql://a.example.com,b.example.com/ledger?sslmode=verify-full", /one host/],
  ["postgresql:///ledger", /address/],
  ["postgresql://localhost", /database/],
  ["postgresql://localhost/a/b", /database/],
  ["postgresql://localhost/%00", /database/],
  ["postgresql://localhost/ledger#x", /fragment/],
  ["postgresql://localhost/ledger?schema=North", /schema/],
  ["postgresql://localhost/ledger?schema=pg_catalog", /schema/],
  ['postgresql://localhost/ledger?schema=a"b', /schema/],
  [`postgresql://localhost/ledger?schema=${"a".repeat(59)}`, /58/],
  ["postgresql://local host/ledger", /control/],
  ["https://localhost/ledger", /address/],
  ["localhost/ledger", /address/],
  ["", /address/],
])("%s is refused, and the reason quotes no password", (address, reason) => {
  expect(checkTeam(address)).toMatch(reason);
  expect(checkTeam(address)).not.toContain(secret);
  expect(() => teamAddress(address)).toThrow(reason);
});
