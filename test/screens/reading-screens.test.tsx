import { useState } from "react";
import { Body } from "../../src/components/body.tsx";
import { Text } from "../../src/components/text.tsx";
import { TextField } from "../../src/components/text-field.tsx";
import { AppProvider, useApp } from "../../src/hooks/app.tsx";
import { useKeys } from "../../src/hooks/keys.tsx";
import { type ScreenEntry, type Screens, screens } from "../../src/screens/registry.tsx";
import { createLazyScreens } from "../../src/screens/shell/lazy-screens.tsx";
import { Shell } from "../../src/screens/shell/shell.tsx";
import type { Place } from "../../src/session/places.ts";
import { appOf } from "../helpers/app.ts";
import { fakeClock } from "../helpers/clock.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openScreen, type Screen } from "../helpers/screen.tsx";

const connect: Place = { kind: "connect", edit: null };

/** Enter leads on to the Connect screen. */
function Here() {
  const { navigation } = useApp();
  useKeys({ open: { run: () => navigation.push(connect) } });
  return (
    <Body>
      <Text>here</Text>
    </Body>
  );
}

function Typed() {
  const [text, setText] = useState("");
  return (
    <Body>
      <Text>{`typed: ${text}.`}</Text>
      <TextField value={text} onChange={setText} focus={true} />
    </Body>
  );
}

const help = { name: "this screen", about: [], words: [] };
Here.help = help;
Typed.help = help;

const never: ScreenEntry<Place> = { needsSession: false, load: () => new Promise(() => {}) };

/** A console whose first-run screen is there, and whose Connect screen is what `read` brings. */
async function open(folders: Folders, read: ScreenEntry<Place>["load"]): Promise<Screen> {
  const others: unknown = Object.fromEntries(Object.keys(screens).map((kind) => [kind, never]));
  const all: Screens = {
    ...(others as Screens),
    "first-run": { needsSession: false, load: async () => Here },
    connect: { needsSession: false, load: read },
  };
  const lazyScreens = createLazyScreens(all);
  await lazyScreens.of("first-run").load();
  const app = appOf({ folders, clock: fakeClock(), holdKeys: () => screen.holdKeys() });
  const screen: Screen = openScreen(
    <AppProvider app={app}>
      <Shell lazyScreens={lazyScreens} />
    </AppProvider>,
  );
  await screen.waitFor("here");
  return screen;
}

test("what is typed while a screen is read is typed into it, in order", async () => {
  const folders = await openFolders();
  const read = Promise.withResolvers<typeof Typed>();
  const screen = await open(folders, () => read.promise);
  await screen.send("\rabc").untilGone("here");
  screen.send("def");
  await new Promise((resolve) => setImmediate(resolve));
  expect(screen.text()).not.toContain("typed");
  read.resolve(Typed);
  await screen.waitFor("typed: abcdef.");
});

test("a screen that is being read can be left with Ctrl-C", async () => {
  const folders = await openFolders();
  const screen = await open(folders, () => new Promise(() => {}));
  await screen.send("\rabc").untilGone("here");
  screen.press("ctrl-c");
  await screen.exit;
});

test("a screen that cannot be read says so, and is read again with r", async () => {
  const folders = await openFolders();
  let tries = 0;
  const read = async () => {
    tries++;
    if (tries === 1) throw new Error("Cannot find module 'connect-screen-4711.js'");
    return Typed;
  };
  const screen = await open(folders, read);
  await screen.press("enter").until("could not be opened");
  expect(screen.text()).toContain("connect-screen-4711.js");
  await screen.waitFor("r try again");
  await screen.send("r").until("typed: .");
});

test("a screen that cannot be read can be left with Esc", async () => {
  const folders = await openFolders();
  const screen = await open(folders, () => Promise.reject(new Error("no such file")));
  await screen.press("enter").until("could not be opened");
  await screen.press("esc").until("here");
});
