import { resolve } from "node:path";
import { expect, test } from "vitest";
import { places } from "../../src/settings/places.ts";

test("without any variable both folders stand below the home folder", () => {
  expect(places({}, "/home/ada")).toEqual({
    configDir: "/home/ada/.config/supplyline",
    stateDir: "/home/ada/.local/state/supplyline",
  });
});

test("the XDG folders are used, and our own variables stand above them", () => {
  const xdg = { XDG_CONFIG_HOME: "/x/config", XDG_STATE_HOME: "/x/state" };
  expect(places(xdg, "/home/ada")).toEqual({
    configDir: "/x/config/supplyline",
    stateDir: "/x/state/supplyline",
  });
  const own = { ...xdg, SUPPLYLINE_CONFIG_DIR: "/own/config", SUPPLYLINE_STATE_DIR: "own-state" };
  expect(places(own, "/home/ada")).toEqual({
    configDir: "/own/config",
    stateDir: resolve("own-state"),
  });
});

test("relative and empty XDG folders are passed over", () => {
  const env = { XDG_CONFIG_HOME: "config", XDG_STATE_HOME: "", SUPPLYLINE_CONFIG_DIR: "" };
  expect(places(env, "/home/ada")).toEqual(places({}, "/home/ada"));
});
