/**
 * Promise: when the SSH connection under it is cut, the program ends, what was typed is kept as a
 * draft and what was sent stands in the journal.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { programWords } from "../helpers/built-program.ts";
import { openFolders, programEnvironment } from "../helpers/folders.ts";
import { startProcess } from "../helpers/process.ts";
import { closedPort, openSandbox, openService, openSocketService } from "../helpers/service.ts";
import { storedDrafts } from "../helpers/state.ts";
import { openTerminal } from "../helpers/terminal.ts";

const sshd = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find((path) => existsSync(path));
const hasSsh = sshd !== undefined && spawnSync("ssh", ["-V"]).status === 0;
if (!hasSsh)
  console.warn("OpenSSH's server is not on this machine: the tests of a cut link are skipped.");

/** Port forwarding by hand: a cable that can be pulled out, without a word to either end. */
async function cable(port: number) {
  return await openSocketService(
    (near) => {
      const far = connect(port, "127.0.0.1").on("error", () => {});
      near.on("close", () => far.destroy());
      near.pipe(far).pipe(near);
    },
    { speaksFirst: true },
  );
}

/** An SSH server for this user alone, with keys that exist for this test only, reached by a cable. */
async function openSshServer(env: Record<string, string>) {
  const folders = await openFolders();
  const at = (name: string) => join(folders.home, "ssh", name);
  mkdirSync(at(""), { mode: 0o700 });
  if (!existsSync("/run/sshd") && process.getuid?.() === 0) mkdirSync("/run/sshd", { mode: 0o755 });
  for (const name of ["host", "user"])
    spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(name)]);
  writeFileSync(at("authorized"), readFileSync(at("user.pub")), { mode: 0o600 });
  const port = await closedPort();
  writeFileSync(
    at("config"),
    [
      `ListenAddress 127.0.0.1:${port}`,
      `HostKey ${at("host")}`,
      `PidFile ${at("pid")}`,
      `AuthorizedKeysFile ${at("authorized")}`,
      "StrictModes no",
      "UsePAM no",
      "PasswordAuthentication no",
      "PermitRootLogin prohibit-password",
    ].join("\n"),
  );
  const server = startProcess([sshd ?? "", "-D", "-e", "-f", at("config")]);
  onTestFinished(() => server.kill());
  await server.stderr.waitForText("Server listening");
  const link = await cable(port);
  const variables = Object.entries(programEnvironment(folders, env)).map(
    ([name, value]) => `${name}='${value}'`,
  );
  /** Runs the program on a terminal at the far end of the cable. */
  const open = (...words: string[]) => {
    const program = [...programWords(), ...words].map((word) => `'${word}'`).join(" ");
    const remote = `cd '${folders.home}'; echo $$ > pid; exec env -i ${variables.join(" ")} ${program}`;
    return openTerminal("ssh", [
      ...["-tt", "-p", String(link.port), "-i", at("user"), "-F", "none"],
      ...["-o", "StrictHostKeyChecking=no", "-o", `UserKnownHostsFile=${at("known")}`],
      ...["-o", "LogLevel=ERROR", `${userInfo().username}@127.0.0.1`, remote],
    ]);
  };
  const pid = () => Number(readFileSync(join(folders.home, "pid"), "utf8"));
  return { folders, open, cut: link.cut, pid };
}

/** Resolves when a process has ended; the test's own bound ends the wait for one that stays. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      if (
        existsSync(`/proc/${pid}/stat`) &&
        /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
      )
        return;
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe.runIf(hasSsh)("a terminal over SSH whose link is cut", () => {
  test("ends the console; the note being written is kept as a draft", async () => {
    const sandbox = await openSandbox();
    const { folders, open, cut, pid } = await openSshServer(sandbox.env);
    const terminal = await open("open", "ACME", "EXT-0000001");
    await terminal.waitFor("COMPLETED");
    await terminal.press("n").until("Notes for");
    await terminal.send("half a note").until("half a note");
    const process = pid();
    cut();
    await terminal.exit;
    await gone(process);
    const drafts = storedDrafts(folders.state, "ad-hoc");
    expect(JSON.stringify(drafts)).toContain("half a note");
  });

  test.each(["the console", "a command"])(
    "ends %s while a write is under way; the journal has it",
    async (face) => {
      const posted = Promise.withResolvers<void>();
      const service = await openService((request, response) => {
        if (request.method === "POST") return posted.resolve();
        const body = JSON.stringify({ status: "COMPLETED", service_account_number: "A-1" });
        response.writeHead(200, { "content-type": "application/json" }).end(body);
      });
      const env = { SUPPLYLINE_BASE_URL: service.baseUrl, SUPPLYLINE_TOKEN: "token-12345678" };
      const { folders, open, cut, pid } = await openSshServer(env);
      const console = face === "the console";
      await using terminal = console
        ? await open("open", "ACME", "EXT-1")
        : await open("notes", "create", "ACME", "EXT-1", "--body", "hello");
      if (console) {
        await terminal.waitFor("COMPLETED");
        await terminal.press("n").until("Notes for");
        await terminal.send("hello").until("hello");
        await terminal.press("page-down").until(/▌.*Review/);
        await terminal.press("enter").until("Nothing has been sent");
        terminal.press("s");
      }
      await posted.promise;
      const process = pid();
      cut();
      await terminal.exit;
      await gone(process);
      const journal = new DatabaseSync(join(folders.state, "journal.sqlite"), { readOnly: true });
      const rows = journal.prepare("SELECT state, body FROM intent").all();
      journal.close();
      expect(rows).toHaveLength(1);
      expect(["sending", "unknown"]).toContain(rows[0]?.state);
      expect(Buffer.from(rows[0]?.body as Uint8Array).toString()).toContain("hello");
      expect(service.received.filter(({ method }) => method === "POST")).toHaveLength(1);
    },
  );
});
