import type { PortCall } from '../helpers/faulty-ports.ts';

/** Puts something between an operation and its ports. */
export type Through = <P extends object>(ports: P) => P;

/**
 * What a message's invocation tells its queue. `again`: give it back, it may work later; `refused`: it never will,
 * and goes to the dead letters.
 */
export type Ending = 'done' | 'again' | 'refused';

/** A message that causes one invocation of the operation. */
export interface Message {
  /** For people: `hint`, `wake-up marked`. */
  readonly what: string;
  /** Each time is an invocation of its own, as an owner that was never there before. */
  deliver(through: Through): Promise<Ending>;
}

export interface SentMessage {
  readonly message: Message;
  readonly afterSeconds: number;
}

/** What an operation left behind, as plain data; equal for equal states, however they came about. */
export type State = Readonly<Record<string, unknown>>;

/** A fresh world, arranged for one case, with all that the harness needs to play it. */
export interface Stage {
  /** What may go wrong beyond the ports, where adapters are real; played once each. */
  readonly outages?: readonly Outage[];
  /** The real ports, for what is read beside the operation. */
  readonly ports: object;
  nowMs(): number;
  /** Lets time pass, leases run out and messages come back. */
  elapse(seconds: number): Promise<void>;
  /** What the operation is called for. */
  readonly first: Message;
  /** What finds, sooner or later, all that a message has left. */
  readonly sweep: Message;
  /**
   * Another message for the same, which may come while the operation is at work and must not be lost on it; and the
   * names of the port calls that make up an answer to it.
   */
  readonly another?: { readonly message: Message; readonly answer: readonly string[] };
  /** Messages to the operation itself that this call has sent. */
  messagesIn(effect: PortCall): readonly SentMessage[];
  /** @param effects every call that reached its port since the stage was set, in order of their ends. */
  state(effects: readonly PortCall[]): Promise<State>;
  close(): Promise<void>;
}

/** Something that the account answers for the length of one invocation. */
export interface Outage {
  /** The call that is answered so: `SetDesiredCapacity`. */
  readonly call: string;
  /** `Throttling, twice` */
  readonly fault: string;
  begin(): Promise<void>;
  /** Whether any call met it. */
  end(): Promise<boolean>;
}

/** One situation in which an operation is made to fail at every port call. */
export interface Arrangement {
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  /** Names of the faults that are played in it, where they are others than its world's. */
  readonly faults?: readonly string[];
  /** Parts of the state as they must be in the end, written out: a fault of every run is no difference. */
  readonly settled?: State;
  /** The same before any sweep. */
  readonly early?: State;
  stage(): Promise<Stage>;
}

/** The worlds in which an operation can be played: in memory, or real adapters on the test bed. */
export type WorldName = 'memory' | 'testbed';

export interface CrashOperation {
  readonly name: string;
  readonly worlds: readonly WorldName[];
  /** Every port call that its arrangements together must cause, sorted: none may be left out in silence. */
  readonly calls: readonly string[];
  /**
   * Calls that stand beside each other: one of them being forbidden must not keep the others from their
   * effect while that lasts.
   */
  readonly independent: readonly string[];
  /** Parts of the state that must be so in any case, the undisturbed one included. */
  readonly settled: State;
  /** Parts of the state that an undisturbed message brings about without any sweep. */
  readonly prompt: readonly string[];
  /** Those of them that a message brings about even if a fault makes it come back. */
  readonly promptAfterFaults: readonly string[];
  /** Calls whose failure may leave the work to the next sweep all the same. */
  readonly mayWait: readonly string[];
  /** Parts of the state that depend on what went wrong, and are compared in the undisturbed run alone. */
  readonly varying: readonly string[];
  /** Those of them that the table tells where they differ: they do no harm, and are to be seen. */
  readonly noted: readonly string[];
  /** Reads that never give an old answer, since their store is asked for the latest (DynamoDB's ConsistentRead). */
  readonly consistent: readonly string[];
  /** The arrangements of a world, and how to take that world down. */
  open(world: WorldName): Promise<OpenWorld>;
}

export interface OpenWorld {
  readonly arrangements: readonly Arrangement[];
  /** Names of the faults that are played there. Default: all. */
  readonly faults?: readonly string[];
  close(): Promise<void>;
}
