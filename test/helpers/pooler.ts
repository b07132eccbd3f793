/** Debian's pooler in front of a cluster, where its package is installed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type Cluster, freePort, serverUser } from "./cluster.ts";

/** The program, or null where the package is missing. */
export const poolerProgram = existsSync("/usr/sbin/pgbouncer") ? "/usr/sbin/pgbouncer" : null;

interface Pooler extends AsyncDisposable {
  readonly port: number;
}

/** Starts a pooler in transaction mode. The clients of a login share one session of the database. */
export async function startPooler(cluster: Cluster, logins: readonly string[]): Promise<Pooler> {
  if (poolerProgram === null) throw new Error("pgbouncer is not on this machine.");
  const port = await freePort();
  const at = (name: string) => join(cluster.folder, name);
  writeFileSync(at("logins"), logins.map((login) => `"${login}" ""\n`).join(""));
  writeFileSync(
    at("pooler.ini"),
    `[databases]
* = host=127.0.0.1 port=${cluster.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${at("logins")}
pool_mode = transaction
default_pool_size = 1
`,
  );
  const child = spawn(poolerProgram, ["-q", at("pooler.ini")], {
    ...serverUser(),
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  while (!(await answers(port)))
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}.`);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (!isOpen) await new Promise((resolve) => setTimeout(resolve, 20));
  return isOpen;
}
