import { userInfo } from "node:os";
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
  const own = { ...xdg, SUPPLYLINE_CONFIG_DIR: "/own/config", SUPPLYLINE_STATE_DIR: "/own/state/" };
  expect(foldersOf(own, "/home/ada")).toMatchObject({
    configDir: "/own/config",
    stateDir: "/own/state",
  });
});

test.each(["SUPPLYLINE_CONFIG_DIR", "SUPPLYLINE_STATE_DIR"])(
  "a %s that depends on the working folder is refused by name",
  (variable) => {
    for (const path of ["st", "./st", "../st", "~", "~/st", "~ada/st", "$HOME/st", " /st"])
      expect(() => foldersOf({ [variable]: path }, "/home/ada")).toThrow(
        expect.objectContaining({ kind: "usage", message: expect.stringContaining(variable) }),
      );
  },
);

test("relative and empty XDG folders are passed over", () => {
  const xdg = { XDG_CONFIG_HOME: "config", XDG_STATE_HOME: "", XDG_CACHE_HOME: "./cache" };
  const env = { ...xdg, SUPPLYLINE_CONFIG_DIR: "" };
  expect(foldersOf(env, "/home/ada")).toEqual(foldersOf({}, "/home/ada"));
});
