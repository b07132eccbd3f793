import { userInfo } from "node:os";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { foldersOf, homeFolder } from "../../src/settings/folders.ts";

test("without any variable both folders stand below the home folder", () => {
  expect(foldersOf({}, "/home/ada")).toEqual({
    configDir: "/home/ada/.config/supplyline",
    stateDir: "/home/ada/.local/state/supplyline",
    cacheDir: "/home/ada/.cache/supplyline",
  });
});

test.each([undefined, "", "relative", "./home", "~"])(
  "a home folder of %j counts as not set, also for packages",
  (HOME) => {
    const env = { HOME };
    expect(homeFolder(env)).toBe(userInfo().homedir);
    expect(env.HOME).toBe(userInfo().homedir);
    expect(homeFolder({ HOME: "/home/ada" })).toBe("/home/ada");
  },
);

test("the XDG folders are used, and our own variables stand above them", () => {
  const xdg = { XDG_CONFIG_HOME: "/x/config", XDG_STATE_HOME: "/x/state" };
  expect(foldersOf(xdg, "/home/ada")).toMatchObject({
    configDir: "/x/config/supplyline",
    stateDir: "/x/state/supplyline",
  });
  const own = { ...xdg, SUPPLYLINE_CONFIG_DIR: "/own/config", SUPPLYLINE_STATE_DIR: "own-state" };
  expect(foldersOf(own, "/home/ada")).toMatchObject({
    configDir: "/own/config",
    stateDir: resolve("own-state"),
  });
});

test("relative and empty XDG folders are passed over", () => {
  const xdg = { XDG_CONFIG_HOME: "config", XDG_STATE_HOME: "", XDG_CACHE_HOME: "./cache" };
  const env = { ...xdg, SUPPLYLINE_CONFIG_DIR: "" };
  expect(foldersOf(env, "/home/ada")).toEqual(foldersOf({}, "/home/ada"));
});
