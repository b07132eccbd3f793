/** Disturbances of the machines and the database of a team while the machines write. */
import { runIn } from "../scenarios/stage.ts";
import { pause, stoppedState } from "../scenarios/stopped.ts";
import type { Machine, MachineInput, TeamStage } from "./machines.ts";

/** A disturbance of one round. */
interface Disturbance {
  readonly name: string;
  /** The facts that a machine of the round is given besides its task. Default: none. */
  readonly input?: (machine: number) => Partial<MachineInput>;
  /** Happens before the machines write. */
  readonly before?: (stage: TeamStage) => Promise<void>;
  /** Happens while the machines write. */
  readonly during?: (stage: TeamStage) => Promise<void>;
  /** Happens after the machines have written. */
  readonly after?: (stage: TeamStage, inputs: readonly MachineInput[]) => Promise<void>;
}

/** Longer than the time limit of one answer of the database, in milliseconds. */
const frozenMs = 7_000;

const dayMs = 86_400_000;

/** A machine whose task is a run. */
const withRun = 2;

/** The backups of state folders that were made in this round. */
const backups = new WeakMap<TeamStage, readonly string[]>();

export const disturbances: readonly Disturbance[] = [
  { name: "nothing" },
  {
    name: "database killed",
    during: async ({ cluster }) => {
      cluster.kill();
      await pause(1_000);
      cluster.start();
    },
  },
  {
    name: "database frozen",
    during: async ({ cluster }) => {
      cluster.signal("SIGSTOP");
      await pause(frozenMs);
      cluster.signal("SIGCONT");
    },
  },
  {
    // What was sent before the cut arrives when the machine has given it up.
    name: "database out of reach",
    during: async ({ machines }) => {
      const cut = machines.filter((_, n) => n % 2 === 0);
      for (const { wire } of cut) wire.cut();
      await pause(2 * frozenMs);
      for (const { wire } of cut) wire.heal();
    },
  },
  {
    name: "wrong clocks",
    input: (machine) => ({ clockAheadMs: (machine - 3) * 11 * dayMs }),
  },
  {
    name: "machines stopped between claim and send",
    input: (machine) => (machine % 4 === 2 ? { at: "claimed", time: 3, signal: "SIGSTOP" } : {}),
    during: async ({ folders }) => {
      const running = folders
        .flatMap(({ driven }) => driven)
        .filter(({ child }) => child.exitCode === null && child.signalCode === null);
      await pause(frozenMs);
      for (const { child } of running) child.kill("SIGCONT");
    },
  },
  {
    // Both the machine of the backup and another one continue it, and send what the backup has as unsent.
    name: "state folder restored, and copied",
    during: async (stage) => {
      const machine = stage.machines[withRun];
      const running = machine?.folder.driven.at(-1);
      if (machine === undefined || running === undefined) return;
      running.child.kill("SIGSTOP");
      await stoppedState(running.child.pid ?? 0);
      backups.set(stage, [await stage.backUp(machine), await stage.backUp(machine)]);
      running.child.kill("SIGCONT");
    },
    after: async (stage, inputs) => {
      const input = inputs[withRun];
      const [one, other] = [stage.machines[withRun], stage.machines[withRun + 1]];
      const [restored, copied] = backups.get(stage) ?? [];
      if (one === undefined || other === undefined || input?.task.kind !== "bulk") return;
      const { task, accounts } = input;
      if (restored === undefined || copied === undefined) return;
      const run = one.folder.driven.map(({ lines }) => runIn(lines)).findLast((id) => id !== null);
      const goOn = async (machine: Machine, backup: string) => {
        await stage.run(machine, { task: { kind: "publish" } });
        await stage.restore(machine, backup);
        if (run != null)
          await stage.run(machine, { accounts, task: { ...task, kind: "resume", run } });
        await stage.run(machine, { accounts, task });
        await stage.run(machine, { task: { kind: "join as new" } });
      };
      await goOn(one, restored);
      await goOn(other, copied);
    },
  },
  {
    name: "ledger restored",
    before: async ({ cluster }) => cluster.backUp(),
    after: async ({ cluster, machines, owner, run }) => {
      cluster.restore();
      await owner("SELECT LEDGER.repair('owner', 'restored from a backup')");
      for (const machine of machines) await run(machine, { task: { kind: "publish" } });
      // State folders that were replaced earlier cannot report back.
      for (const { name } of machines)
        await owner("SELECT LEDGER.repair('owner', 'replaced folders', $1)", name);
    },
  },
];
