/** How one cluster's API server is reached, and as whom, without changing anything. */
export interface ApiServerCheck {
  /** Reads the secret. Throws as the functions' reading of it does. */
  access(): Promise<AccessFacts>;
  /** Asks for the version, without saying who asks. */
  probe(): Promise<ServerFacts>;
  /** Whether the identity may do this, as the API server itself says. */
  may(action: ApiAction): Promise<boolean>;
}

export interface AccessFacts {
  readonly server: string;
  readonly identity: 'token' | 'client certificate' | 'EKS';
  /** When the token or client certificate runs out; absent where it does not, or does not say so. */
  readonly expiresAtMs?: number;
  /** When the authority runs out that the server's certificate is checked with. */
  readonly authorityExpiresAtMs: number;
}

export interface ServerFacts {
  /** `v1.34.1` */
  readonly version: string;
  /** Milliseconds by which its clock is ahead of this machine's; exact to a second. Absent: it does not say. */
  readonly clockAheadMs?: number;
  readonly certificateExpiresAtMs: number;
}

export interface ApiAction {
  readonly verb: string;
  /** API group; empty for the core group. */
  readonly group: string;
  readonly resource: string;
  /** One object alone, by its name. Absent: all of them. */
  readonly object?: { readonly namespace: string; readonly name: string };
}
