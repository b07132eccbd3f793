import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings, sandboxProfile } from "../../src/settings/settings.ts";
import { freshFolder } from "./settings-folder.ts";

const prod = profileFrom({ name: "prod", baseUrl: "https://host.example", credentialHelper: "op" });
const local = profileFrom({ name: "local", baseUrl: "http://localhost:8080" });

describe("profiles", () => {
  test("reading settings that were never kept leaves the disk alone", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    expect(settings.profiles()).toEqual([]);
    expect(settings.currentName()).toBeNull();
    expect(settings.find("prod")).toBeNull();
    expect(existsSync(config)).toBe(false);
  });

  test("are found again, in the order they were added", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    settings.add(prod);
    settings.add(local);
    expect(openSettings({ configDir: config }).profiles()).toEqual([prod, local]);
    expect(settings.find("local")).toEqual(local);
  });

  test("are seen at once by another console that is open already", () => {
    const { config } = freshFolder();
    const [one, other] = [openSettings({ configDir: config }), openSettings({ configDir: config })];
    one.add(prod);
    other.add(local);
    one.addSupplier("local", "ACME");
    expect(other.profiles().map((profile) => profile.suppliers)).toEqual([[], ["ACME"]]);
  });

  test("the sandbox is always there and never stored", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    expect(settings.find("sandbox")).toEqual(sandboxProfile);
    settings.use("sandbox");
    expect(settings.currentName()).toBe("sandbox");
    expect(settings.profiles()).toEqual([]);
    expect(() => settings.add({ ...prod, name: "sandbox" })).toThrow(
      expect.objectContaining({ kind: "exists" }),
    );
    expect(() => settings.update("sandbox", { readOnly: true })).toThrow(
      expect.objectContaining({ kind: "invalid" }),
    );
    settings.addSupplier("sandbox", "OTHER");
    expect(settings.find("sandbox")?.suppliers).toEqual([
      "ACME",
      "PAUSED",
      "DONE",
      "NORTH",
      "OTHER",
    ]);
    expect(openSettings({ configDir: config }).find("sandbox")).toEqual(sandboxProfile);
  });

  test("one made from the environment works alike for as long as the console runs", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    const passing = { ...prod, name: "ad-hoc" };
    settings.addInMemory(passing);
    settings.addSupplier("ad-hoc", "ACME");
    expect(settings.find("ad-hoc")).toEqual({ ...passing, suppliers: ["ACME"] });
    expect(settings.profiles()).toEqual([]);
    expect(existsSync(config)).toBe(false);
    expect(() => settings.add(passing)).toThrow(expect.objectContaining({ kind: "exists" }));
  });

  test("a name is taken only once", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    settings.add(prod);
    expect(() => settings.add({ ...local, name: "prod" })).toThrow(
      expect.objectContaining({ kind: "exists" }),
    );
    expect(settings.profiles()).toEqual([prod]);
  });

  test("an unknown name is reported with the known ones", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    settings.add(prod);
    const wrong = expect.objectContaining({
      kind: "unknown-profile",
      message: expect.stringContaining("prod, sandbox"),
    });
    expect(() => settings.use("pord")).toThrow(wrong);
    expect(() => settings.update("pord", {})).toThrow(wrong);
    expect(() => settings.remove("pord")).toThrow(wrong);
    expect(() => settings.addSupplier("pord", "ACME")).toThrow(wrong);
    expect(() => settings.saveApiKey("pord", "key")).toThrow(wrong);
  });

  test("a change of some fields leaves the others, and undefined takes one away", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    settings.add(prod);
    const changed = settings.update("prod", { readOnly: true, credentialHelper: undefined });
    const { credentialHelper: _, ...rest } = prod;
    expect(changed).toEqual({ ...rest, readOnly: true });
    expect(settings.find("prod")).toEqual(changed);
  });

  test("a change that cannot be is refused and nothing is changed", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    settings.add(prod);
    expect(() => settings.update("prod", { baseUrl: "http://host.example" })).toThrow(
      expect.objectContaining({ kind: "invalid", message: expect.stringContaining("base URL") }),
    );
    expect(() => settings.update("prod", { baseUrl: null })).toThrow(
      expect.objectContaining({ kind: "invalid" }),
    );
    expect(settings.profiles()).toEqual([prod]);
  });

  test("the current one is forgotten when it is removed", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    settings.add(prod);
    settings.add(local);
    settings.use("prod");
    expect(settings.currentName()).toBe("prod");
    settings.remove("prod");
    expect(settings.currentName()).toBeNull();
    expect(settings.profiles()).toEqual([local]);
  });

  test("suppliers keep their order, are known once and can be taken out", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    settings.add(prod);
    for (const code of ["B", "A", "B"]) settings.addSupplier("prod", code);
    expect(settings.find("prod")?.suppliers).toEqual(["B", "A"]);
    settings.removeSupplier("prod", "B");
    settings.removeSupplier("prod", "never there");
    expect(settings.find("prod")?.suppliers).toEqual(["A"]);
    expect(() => settings.addSupplier("prod", "..")).toThrow(
      expect.objectContaining({ kind: "invalid" }),
    );
  });

  test("what a later version wrote into the file stays through a change", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    settings.add(prod);
    const file = JSON.parse(readFileSync(settings.file, "utf8"));
    file.profiles[0].colour = "teal";
    writeFileSync(settings.file, JSON.stringify({ ...file, later: { kept: true } }));
    settings.update("prod", { readOnly: true });
    settings.add(local);
    settings.use("local");
    settings.remove("local");
    expect(JSON.parse(readFileSync(settings.file, "utf8"))).toEqual({
      later: { kept: true },
      profiles: [{ ...prod, readOnly: true, colour: "teal" }],
    });
  });
});

describe("preferences", () => {
  test("have defaults, are kept, and keep what a later version wrote", () => {
    const { config } = freshFolder();
    const settings = openSettings({ configDir: config });
    expect(settings.preferences()).toEqual({
      pollIntervalMs: 5_000,
      accountColumns: null,
      watchBell: true,
      reducedMotion: false,
      recordObservations: true,
    });
    settings.setPreferences({ pollIntervalMs: 2_000 });
    const file = `${config}/preferences.json`;
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), later: 1 }));
    settings.setPreferences({ accountColumns: ["created", "external"] });
    expect(openSettings({ configDir: config }).preferences()).toEqual({
      pollIntervalMs: 2_000,
      accountColumns: ["created", "external"],
      watchBell: true,
      reducedMotion: false,
      recordObservations: true,
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ later: 1 });
  });

  test.each([0, 999, 1_000.5, 3_600_001, Number.NaN])("refuse to poll every %d ms", (ms) => {
    const { config } = freshFolder();
    expect(() =>
      openSettings({ configDir: config }).setPreferences({ pollIntervalMs: ms }),
    ).toThrow(expect.objectContaining({ kind: "invalid" }));
    expect(existsSync(config)).toBe(false);
  });
});
