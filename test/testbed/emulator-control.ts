/** What IAM was asked about a call of a role. A batch or transaction may ask several times. */
export interface Judgement {
  /** `sqs:SendMessage` */
  readonly action: string;
  /** An ARN; `*` where the action has no resources. */
  readonly resource: string;
  /** The condition keys that the role's policies name, where the call has a value. */
  readonly context: Readonly<Record<string, string | readonly string[]>>;
}

/** One API call that the emulator answered. */
export interface RecordedCall {
  /** IAM's names: `autoscaling`, `SetDesiredCapacity`. */
  readonly service: string;
  readonly action: string;
  /** ARN of the user or role; the account's root for the test's own calls. */
  readonly principal: string;
  readonly atMs: number;
  readonly milliseconds: number;
  /** HTTP status of the answer. */
  readonly status: number;
  /** The request's body, where it is small JSON or a form and no secret. */
  readonly parameters: string | null;
  /** Empty for whoever may do everything. */
  readonly judged: readonly Judgement[];
  /** The injected error, where there was one. */
  readonly fault?: string;
}

export interface CallFilter {
  readonly service?: string;
  readonly action?: string;
  /** Part of the principal's ARN. */
  readonly principal?: string;
  readonly sinceMs?: number;
}

/** What happens to the next `times` matching calls: an error, a wait, or both. */
export interface Fault {
  readonly service: string;
  /** `*`: any. With service `autoscaling`, `Launch` makes a group's next launch fail. */
  readonly action: string;
  /** `Throttling`, `InternalFailure`, `InsufficientInstanceCapacity`, … Absent: only `delayMs` passes. */
  readonly code?: string;
  /** What the answer says; default: a line of the test bed's or, for a launch, AWS's own. */
  readonly message?: string;
  /** The answer comes so much later (at most a minute), and after the effect where there is one. */
  readonly delayMs?: number;
  /** The call takes effect all the same, and its caller is told `code`. */
  readonly afterEffect?: boolean;
  /** Default: 1. */
  readonly times?: number;
  /** So many matching calls go well before. Default: 0. */
  readonly skip?: number;
  /** HTTP status; default: the one AWS uses with `code`. */
  readonly status?: number;
  /** Only calls that name it in path or body: a group, a queue, a key. Default: any. */
  readonly resource?: string;
  /** Only callers whose ARN holds this, such as the name of a function's role. Default: any. */
  readonly principal?: string;
  /** Only for `Launch`. Default: any group. */
  readonly group?: string;
}

/** An instance as its own machine would know itself, with the group that made it. */
export interface EmulatedInstance {
  readonly id: string;
  readonly type: string;
  readonly zone: string;
  readonly architecture: 'x86_64' | 'arm64';
  readonly privateIp: string;
  readonly privateDnsName: string;
  /** Of EC2: `running`, `terminated`, … */
  readonly state: string;
}

export interface EmulatedGroup {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly instances: readonly EmulatedInstance[];
}

/** The emulator's own HTTP path, beside AWS's. */
export interface EmulatorControl {
  answers(): Promise<boolean>;
  /** Oldest first. */
  calls(filter?: CallFilter): Promise<readonly RecordedCall[]>;
  forgetCalls(): Promise<void>;
  inject(fault: Fault): Promise<void>;
  /** Those that have not happened yet; one with a delay is gone from here as soon as its call waits. */
  faults(): Promise<readonly Fault[]>;
  clearFaults(): Promise<void>;
  /** An event of AWS's own on the default bus, such as a Spot interruption warning. */
  emit(source: string, detailType: string, detail: unknown): Promise<void>;
  /** All groups with their instances; leaves no trace among the calls. */
  groups(): Promise<readonly EmulatedGroup[]>;
  /** Back to an empty account. */
  reset(): Promise<void>;
}

/** A client of the emulator's control path. */
export const emulatorControl = (endpoint: string): EmulatorControl => {
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${endpoint}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const clearFaults = async (): Promise<void> => {
    await send('DELETE', '/_testbed/faults');
  };
  const forgetCalls = async (): Promise<void> => {
    await send('DELETE', '/_testbed/calls');
  };
  return {
    answers: async () => (await fetch(`${endpoint}/_ministack/health`)).ok,
    calls: async (filter = {}) => {
      const query = new URLSearchParams(
        Object.entries(filter).map(([name, value]): [string, string] => [name, `${value}`]),
      );
      const path = `/_testbed/calls?${query}`;
      return (await send<{ readonly calls: readonly RecordedCall[] }>('GET', path)).calls;
    },
    forgetCalls,
    inject: async (fault) => {
      await send('POST', '/_testbed/faults', fault);
    },
    faults: async () =>
      (await send<{ readonly faults: readonly Fault[] }>('GET', '/_testbed/faults')).faults,
    clearFaults,
    emit: async (source, detailType, detail) => {
      await send('POST', '/_testbed/events', { source, detailType, detail });
    },
    groups: async () =>
      (await send<{ readonly groups: readonly EmulatedGroup[] }>('GET', '/_testbed/groups')).groups,
    reset: async () => {
      await send('POST', '/_ministack/reset');
      await Promise.all([clearFaults(), forgetCalls()]);
    },
  };
};
