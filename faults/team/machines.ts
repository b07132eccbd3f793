/**
 * A team for the campaign: a cluster with a ledger, a service, and machines, each with a state folder,
 * a login and a way to the database that can be cut.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import type { SqlConnection } from "../../src/writes/team/connection.ts";
import { initLedger } from "../../src/writes/team/init-ledger.ts";
import { connectTo } from "../../src/writes/team/postgres.ts";
import { type Cluster, startCluster } from "../../test/helpers/cluster.ts";
import { openWire, type Wire } from "../../test/helpers/wire.ts";
import type { DriverInput } from "../driver-input.ts";
import { type Witness, witness } from "../matrix/witness.ts";
import type { ClientBuild } from "../scenarios/run-driver.ts";
import { type Driven, startDriven } from "../scenarios/stage.ts";
import { supplier } from "../writes.ts";

/** Number of accounts of the service. */
export const accountCount = 8_192;

/** A service that does not answer is given up after this time, in milliseconds. */
const timeoutMs = 1_500;

/** A state folder of a machine, and the reports of the processes that used it. */
export interface StateFolder {
  readonly machine: string;
  readonly path: string;
  readonly driven: Driven[];
}

export type MachineInput = Omit<
  DriverInput,
  "folder" | "configDir" | "baseUrl" | "apiKey" | "team"
>;

/** A machine of the team. */
export interface Machine {
  readonly name: string;
  readonly wire: Wire;
  /** The state folder of today. */
  folder: StateFolder;
  configDir: string;
}

export interface TeamStage extends AsyncDisposable {
  readonly machines: readonly Machine[];
  readonly sandbox: Sandbox;
  readonly watch: Witness;
  readonly cluster: Cluster;
  /** Every state folder that a machine has had, also those that were replaced. */
  readonly folders: readonly StateFolder[];
  /** Starts a process of a machine. */
  drive(machine: Machine, input: MachineInput): Driven;
  /** Runs a process of a machine to its end. */
  run(machine: Machine, input: MachineInput): Promise<Driven>;
  /** Copies the state folder of a machine, as a backup does. */
  backUp(machine: Machine): Promise<string>;
  /** Puts a backup in the place of the state folder, and of the config folder, which is empty then. */
  restore(machine: Machine, backup: string): Promise<void>;
  /** Executes a statement as the owner of the ledger. `LEDGER` stands for the schema. */
  owner(sql: string, ...values: readonly unknown[]): ReturnType<SqlConnection["query"]>;
}

const schema = "supplyline";

interface TeamStageOptions {
  readonly where: string;
  readonly seed: number;
  readonly client: ClientBuild;
  readonly machines: number;
}

export async function openTeamStage(options: TeamStageOptions): Promise<TeamStage> {
  const { where, seed, client } = options;
  const newFolder = (name: string) => mkdtemp(join(where, `${name}-`));
  const cluster = await startCluster();
  const connect = connectTo({
    address: {
      ...{ host: "127.0.0.1", port: cluster.port, database: "postgres", user: "owner", schema },
      isEncrypted: false,
    },
    ca: undefined,
    login: async () => ({ user: "owner", password: null }),
  });
  const owner: TeamStage["owner"] = async (sql, ...values) => {
    const connection = await connect();
    const answer = connection.query(sql.replaceAll("LEDGER", `"${schema}"`), values);
    return answer.finally(() => connection.close(true));
  };
  await initLedger(connect, { host: "127.0.0.1", schema });
  const watch = witness(() => {});
  const { code, status, staged } = supplier;
  const sandbox = await startSandbox({
    ...{ seed, speed: 0, observer: watch },
    suppliers: [{ code, status, staged, imported: accountCount }],
  });
  const folders: StateFolder[] = [];
  const addFolder = async (machine: string) => {
    const folder = { machine, path: await newFolder(machine), driven: [] };
    folders.push(folder);
    return folder;
  };
  const machines: Machine[] = [];
  for (let n = 0; n < options.machines; n++) {
    const name = `machine-${n}`;
    await owner(`CREATE ROLE "${name}" LOGIN IN ROLE "${schema}_team"`);
    const configDir = await newFolder("config");
    const wire = await openWire(cluster.port);
    machines.push({ name, wire, folder: await addFolder(name), configDir });
  }
  const all: Driven[] = [];
  const drive: TeamStage["drive"] = ({ name, wire, folder, configDir }, input) => {
    const { baseUrl, apiKey } = sandbox;
    const team = `postgresql://${name}@127.0.0.1:${wire.port}/postgres?schema=${schema}`;
    const names = { SUPPLYLINE_MACHINE: name, SUPPLYLINE_PERSON: `person of ${name}` };
    const place = { folder: folder.path, configDir, baseUrl, apiKey, team };
    const build = { ...client, env: { ...client.env, ...names } };
    const driven = startDriven({ timeoutMs, ...place, ...input }, build, null);
    folder.driven.push(driven);
    all.push(driven);
    return driven;
  };
  return {
    ...{ machines, sandbox, watch, cluster, folders, drive, owner },
    run: async (machine, input) => {
      const driven = drive(machine, input);
      await driven.ended;
      return driven;
    },
    backUp: async ({ folder }) => {
      const backup = await newFolder("backup");
      await cp(folder.path, backup, { recursive: true });
      return backup;
    },
    restore: async (machine, backup) => {
      machine.folder = await addFolder(machine.name);
      machine.configDir = await newFolder("config");
      await cp(backup, machine.folder.path, { recursive: true });
    },
    [Symbol.asyncDispose]: async () => {
      for (const { child } of all) child.kill("SIGKILL");
      await Promise.all(all.map(({ ended }) => ended));
      for (const { wire } of machines) await wire[Symbol.asyncDispose]();
      await sandbox.close();
      cluster[Symbol.dispose]();
      for (const path of [...folders.map((one) => one.path), ...machines.map((m) => m.configDir)])
        await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
