import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AwsEmulator, type AwsEmulatorOptions, startAwsEmulator } from './aws-emulator.ts';
import { environmentReady, python } from './aws-environment.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { readyBinaries } from './control-plane-binaries.ts';
import { type Fleet, type FleetOptions, startFleet } from './fleet.ts';
import { canRun, type Progress } from './run.ts';

/** A cluster, an account and the machines between them, all on this machine. */
export interface Testbed {
  readonly controlPlane: ControlPlane;
  readonly emulator: AwsEmulator;
  readonly fleet: Fleet;
  /** Logs and everything else that was written. */
  readonly folder: string;
  /** What the fleet could not do, round by round; empty in a healthy run. */
  readonly fleetProblems: readonly string[];
  stop(): Promise<void>;
}

export interface TestbedOptions {
  readonly progress?: Progress;
  readonly nodeMonitorGraceSeconds?: number;
  readonly aws?: Omit<AwsEmulatorOptions, 'folder' | 'progress'>;
  readonly fleet?: Omit<FleetOptions, 'kube' | 'control' | 'onProblem'>;
}

/**
 * Why the test bed cannot run here, or `undefined`. Where `CI` is set it throws instead of giving a
 * reason: there, a skipped test would be a lie.
 */
export const testbedAvailable = async (): Promise<string | undefined> => {
  const missing = await whatIsMissing();
  if (missing === undefined) return undefined;
  const reason = `The test bed needs ${missing}.`;
  if (process.env.CI) throw new Error(reason);
  return reason;
};

const whatIsMissing = async (): Promise<string | undefined> => {
  if (process.platform === 'win32') return 'Linux or macOS';
  if (!(await canRun('openssl', 'version'))) return 'openssl';
  if (!(await canRun(python(), '-c', 'import venv, ensurepip'))) {
    return 'Python 3.10 or newer with venv (OUTRIDER_PYTHON names another interpreter)';
  }
  if (readyBinaries() === undefined && !(await canRun('go', 'version'))) {
    return 'Go 1.26 or newer, or KUBEBUILDER_ASSETS with etcd, kube-apiserver, kube-scheduler and kube-controller-manager';
  }
  return undefined;
};

/** Whether everything slow has been made before, so that the test bed is up within seconds. */
export const testbedCached = async (): Promise<boolean> =>
  readyBinaries() !== undefined && (await environmentReady());

/** Brings both halves up side by side. What was started ends again if the other half fails. */
export const startTestbed = async (options: TestbedOptions = {}): Promise<Testbed> => {
  const folder = mkdtempSync(join(tmpdir(), 'outrider-testbed-'));
  const progress = options.progress ?? (() => undefined);
  const [controlPlane, emulator] = await together(
    startControlPlane({
      folder,
      progress,
      ...(options.nodeMonitorGraceSeconds === undefined
        ? {}
        : { nodeMonitorGraceSeconds: options.nodeMonitorGraceSeconds }),
    }),
    startAwsEmulator({ folder, progress, ...options.aws }),
  );
  const fleetProblems: string[] = [];
  const fleet = startFleet({
    kube: controlPlane.admin,
    control: emulator.control,
    onProblem: (problem) => fleetProblems.push(problem),
    ...options.fleet,
  });
  return {
    controlPlane,
    emulator,
    fleet,
    folder,
    fleetProblems,
    stop: async () => {
      await fleet.stop();
      await Promise.all([controlPlane.stop(), emulator.stop()]);
    },
  };
};

interface Stoppable {
  stop(): Promise<void>;
}

const together = async <A extends Stoppable, B extends Stoppable>(
  first: Promise<A>,
  second: Promise<B>,
): Promise<readonly [A, B]> => {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'fulfilled' && b.status === 'fulfilled') return [a.value, b.value];
  await Promise.all([a, b].map((r) => (r.status === 'fulfilled' ? r.value.stop() : undefined)));
  throw a.status === 'rejected' ? a.reason : (b as PromiseRejectedResult).reason;
};
