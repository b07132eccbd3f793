/** The console in a real tmux, in GNU screen and through mosh, as people keep it open for days. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programWords } from "../../helpers/built-program.ts";
import { type Folders, openFolders, programEnvironment } from "../../helpers/folders.ts";
import { openTerminal, type Terminal } from "../../helpers/terminal.ts";
import { toolPath } from "../../helpers/tools.ts";
import { layLifeline } from "./lifeline.ts";

const tools = {
  tmux: toolPath("tmux"),
  screen: toolPath("screen"),
  server: toolPath("mosh-server"),
  client: toolPath("mosh-client"),
};

let folders: Folders;
let env: Record<string, string>;

beforeEach(async () => {
  folders = await openFolders();
  const sockets = join(folders.home, "screens");
  mkdirSync(sockets, { mode: 0o700 });
  env = programEnvironment(folders, {
    SCREENDIR: sockets,
    TMUX_TMPDIR: folders.home,
    SHELL: "/bin/sh",
  });
});

afterEach(async () => {
  if (tools.tmux) spawnSync(tools.tmux, ["-L", "story", "kill-server"], { env });
  if (tools.screen) spawnSync(tools.screen, ["-S", "story", "-X", "quit"], { env });
  await folders[Symbol.asyncDispose]();
});

/** A script that runs the console, and when that has ended. */
function program(...words: string[]): { readonly path: string; readonly gone: Promise<number> } {
  const id = crypto.randomUUID();
  const lifeline = layLifeline(folders.home, `lifeline-${id}`);
  const path = join(folders.home, `console-${id}`);
  const command = [...programWords(), "--sandbox", ...words].map((word) => `'${word}'`).join(" ");
  writeFileSync(path, `#!/bin/sh\nexec 9>'${lifeline.path}'\nexec ${command}\n`, { mode: 0o700 });
  return { path, gone: lifeline.gone };
}

/** Waits for a whole account in a number of lines and columns, from its header to its footer. */
async function whole(terminal: Terminal, rows: number, top = 0): Promise<void> {
  await terminal.waitFor(
    (screen) => {
      const lines = screen.split("\n").slice(top, top + rows);
      return (
        /^Suppliers › ACME.* sandbox {2}UTC$/.test(lines[0] ?? "") &&
        lines.slice(3, 7).some((line) => /^Service account +A-2FEF5C8F$/.test(line)) &&
        (lines.at(-1) ?? "").endsWith("q quit") &&
        screen.split("Service account").length === 2
      );
    },
    { describe: `a whole frame of ${rows} rows` },
  );
}

describe.runIf(tools.tmux)("in tmux", () => {
  const tmux = (...words: string[]) => ["-L", "story", "-f", "/dev/null", ...words];
  /** Sends the server a command, as from another shell. */
  const tell = (...words: string[]) => {
    const { status, stderr } = spawnSync(String(tools.tmux), tmux(...words), {
      env,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  };
  const start = (path: string, size: { readonly cols: number; readonly rows: number }) =>
    openTerminal(String(tools.tmux), tmux("new-session", "-s", "story", path), { ...size, env });

  test.each([
    { cols: 200, rows: 51 },
    { cols: 80, rows: 25 },
    { cols: 60, rows: 16 },
  ])(
    "it is whole after a storm of sizes, and typing meanwhile is not lost, at $cols×$rows",
    async ({ cols, rows }) => {
      const { path } = program("open", "ACME", "EXT-0000001");
      const terminal = await start(path, { cols, rows });
      await whole(terminal, rows - 1);
      await terminal.press("n").until("Note 1");
      const text = "typed in a storm";
      for (const [at, letter] of [...text].entries()) {
        terminal.resize(20 + ((at * 37) % 180), 5 + ((at * 13) % 45));
        terminal.send(letter);
      }
      terminal.resize(cols, rows);
      await terminal.waitFor(/Body +typed in a storm/);
      terminal.press("esc");
      await whole(terminal, rows - 1);
    },
  );

  test("it goes on when it is detached, and is whole when it is attached in another size", async () => {
    const { path, gone } = program("open", "ACME", "EXT-0000001");
    {
      await using terminal = await start(path, { cols: 100, rows: 30 });
      await whole(terminal, 29);
      tell("detach-client");
      await terminal.exit;
    }
    const terminal = await openTerminal(String(tools.tmux), tmux("attach"), {
      cols: 80,
      rows: 25,
      env,
    });
    await whole(terminal, 24);
    terminal.press("q");
    await gone;
    await terminal.exit;
  });

  test("it fits its half when the pane is split, and the whole when that is closed", async () => {
    const { path } = program("open", "ACME", "EXT-0000001");
    const terminal = await start(path, { cols: 100, rows: 41 });
    await whole(terminal, 40);
    tell("split-window", "-v", "exec /bin/sleep 1000");
    await whole(terminal, 20);
    tell("kill-pane");
    await whole(terminal, 40);
    tell("split-window", "-h", "exec /bin/sleep 1000");
    await terminal.waitFor(/50×40 is too small: 60×15 or more/);
    tell("kill-pane");
    await whole(terminal, 40);
  });

  test("it ends when its pane is killed, with what was typed kept", async () => {
    const { path, gone } = program("open", "ACME", "EXT-0000001");
    const terminal = await start(path, { cols: 100, rows: 30 });
    await whole(terminal, 29);
    await terminal.press("n").until("Note 1");
    await terminal.send("in a pane").until("in a pane");
    tell("kill-pane");
    await gone;
    await terminal.exit;
    const again = program("open", "ACME", "EXT-0000001");
    const second = await start(again.path, { cols: 100, rows: 30 });
    await whole(second, 29);
    await second.press("n").until(/restored/);
    await second.waitFor("in a pane");
  });

  test("a copy reaches the terminal around tmux, by tmux's clipboard or through it", async () => {
    const { path } = program("open", "ACME", "EXT-0000001");
    const terminal = await start(path, { cols: 100, rows: 30 });
    await whole(terminal, 29);
    tell("set", "-g", "set-clipboard", "on");
    tell("set", "-g", "allow-passthrough", "on");
    await terminal.press("y").until("sent to the terminal");
    const copied = Buffer.from("A-2FEF5C8F").toString("base64");
    // tmux's own way names no clipboard; what went through it is as the console wrote it.
    for (const sequence of [`]52;;${copied}`, `]52;c;${copied}`])
      await terminal.waitFor(() => terminal.bytes().includes(sequence), { describe: sequence });
  });
});

describe.runIf(tools.screen)("in GNU screen", () => {
  test("it is drawn, resized, detached and attached in another size, and gives the window back", async () => {
    const { path, gone } = program("open", "ACME", "EXT-0000001");
    {
      await using terminal = await openTerminal(
        String(tools.screen),
        ["-c", "/dev/null", "-S", "story", path],
        {
          cols: 100,
          rows: 30,
          env,
        },
      );
      await whole(terminal, 30);
      terminal.resize(80, 24);
      await whole(terminal, 24);
      terminal.press("ctrl-a");
      terminal.send("d");
      await terminal.exit;
    }
    const terminal = await openTerminal(String(tools.screen), ["-r", "story"], {
      cols: 90,
      rows: 26,
      env,
    });
    await whole(terminal, 26);
    terminal.press("q");
    await gone;
    await terminal.exit;
  });
});

describe.runIf(tools.server && tools.client)("through mosh", () => {
  /** Starts a mosh server with the console in it; returns what its client needs, and a way to end it. */
  const serve = (path: string) => {
    const locale = { LC_ALL: "C.UTF-8" };
    const { stdout, stderr } = spawnSync(
      String(tools.server),
      ["new", "-i", "127.0.0.1", "--", path],
      {
        env: { ...env, ...locale },
        encoding: "utf8",
      },
    );
    const [, port = "", key = ""] = /MOSH CONNECT (\d+) (\S+)/.exec(stdout) ?? [];
    const [, pid = ""] = /pid = (\d+)/.exec(stderr) ?? [];
    return {
      port,
      env: { ...env, ...locale, MOSH_KEY: key },
      [Symbol.dispose]: () => {
        try {
          process.kill(Number(pid));
        } catch {
          // It ended with its console.
        }
      },
    };
  };

  test("draws each line in its place, with the header and the environment in sight", async () => {
    const { path, gone } = program("open", "ACME", "EXT-0000001");
    using server = serve(path);
    const terminal = await openTerminal(String(tools.client), ["127.0.0.1", server.port], {
      cols: 80,
      rows: 24,
      env: server.env,
    });
    await whole(terminal, 24);
    await terminal.press("n").until("Note 1");
    await terminal.send("typed over the air").until(/Body +typed over the air/);
    expect(terminal.screen()[0]).toMatch(/^Compose .* sandbox {2}UTC$/);
    terminal.press("esc");
    await whole(terminal, 24);
    terminal.press("q");
    await gone;
    await terminal.exit;
  });
});
