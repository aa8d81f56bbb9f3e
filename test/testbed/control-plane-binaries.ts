import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedFolder, cacheRoot, digestOf } from './cache.ts';
import { type Progress, run } from './run.ts';

export const components = [
  'etcd',
  'kube-apiserver',
  'kube-scheduler',
  'kube-controller-manager',
] as const;
export type Component = (typeof components)[number];

/** The start of each component's command line. */
export type Binaries = Readonly<Record<Component, readonly [string, ...string[]]>>;

const source = fileURLToPath(new URL('./kubernetes', import.meta.url));

/** One multi-call binary holds all four; it is built from these files alone. */
const folderName = (): string =>
  `control-plane-${digestOf(['go.mod', 'go.sum', 'main.go', 'build.sh'].map((name) => join(source, name)))}`;

/** The binaries that need no build: of `KUBEBUILDER_ASSETS`, or built before. */
export const readyBinaries = (): Binaries | undefined => assets() ?? builtBefore();

/**
 * The binaries, built with Go where nothing else is at hand (about ten minutes on two cores, once).
 * `KUBEBUILDER_ASSETS` is taken only if all four are there: envtest's own archive lacks two of them.
 */
export const findBinaries = async (progress: Progress): Promise<Binaries> => {
  const ready = readyBinaries();
  if (ready !== undefined) return ready;
  progress('building the control plane with Go; this takes about ten minutes, once');
  const folder = await cachedFolder(folderName(), async (partial) => {
    let packages = 0;
    await run(join(source, 'build.sh'), [source, join(partial, 'k8sbed')], {
      env: { ...process.env, GOFLAGS: '-v' },
      onLine: (line) => {
        packages += 1;
        if (packages % 100 === 0)
          progress(`building the control plane: ${packages} packages, ${line}`);
      },
    });
    chmodSync(join(partial, 'k8sbed'), 0o755);
  });
  return multiCall(join(folder, 'k8sbed'));
};

const assets = (): Binaries | undefined => {
  const folder = process.env.KUBEBUILDER_ASSETS;
  if (folder === undefined || !components.every((name) => existsSync(join(folder, name)))) {
    return undefined;
  }
  const path = (name: Component): readonly [string] => [join(folder, name)];
  return {
    etcd: path('etcd'),
    'kube-apiserver': path('kube-apiserver'),
    'kube-scheduler': path('kube-scheduler'),
    'kube-controller-manager': path('kube-controller-manager'),
  };
};

const builtBefore = (): Binaries | undefined => {
  const binary = join(cacheRoot(), folderName(), 'k8sbed');
  return existsSync(binary) ? multiCall(binary) : undefined;
};

const multiCall = (binary: string): Binaries => ({
  etcd: [binary, 'etcd'],
  'kube-apiserver': [binary, 'kube-apiserver'],
  'kube-scheduler': [binary, 'kube-scheduler'],
  'kube-controller-manager': [binary, 'kube-controller-manager'],
});
