/** What the command line hands to a workload; each uses what it understands. */
export interface WorkloadOptions {
  readonly size?: number;
  readonly pending?: number;
  readonly kinds?: number;
  readonly groups?: number;
  readonly input?: string;
  readonly budgetSeconds?: number;
  readonly plot?: string;
}

/** The figures that every workload reports; its own come beside them. */
export interface Figures {
  readonly wallSeconds: number;
  /** User and system time of the work itself, median of at least five runs. */
  readonly cpuSeconds: number;
  /** The same of the first run. */
  readonly coldCpuSeconds: number;
  readonly peakMemoryMiB: number;
  readonly [own: string]: unknown;
}

export interface Workload {
  readonly name: string;
  /** One line for the list of workloads. */
  readonly about: string;
  /** What it understands of the options, one line each, with defaults. */
  readonly options: readonly string[];
  run(options: WorkloadOptions): Promise<Figures>;
  /** What a person reads instead of the JSON. */
  render(figures: Figures): readonly string[];
}
