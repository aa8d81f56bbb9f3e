import { homedir } from 'node:os';
import { join } from 'node:path';

type Variables = Readonly<Record<string, string | undefined>>;

/** What the environment tells the AWS SDK, as far as a person may have mistyped it. */
export interface AwsSettings {
  /** `AWS_PROFILE`, where it is set. */
  readonly profile?: string;
  /** Files that profiles are defined in. */
  readonly profileFiles: readonly string[];
  /** `AWS_ENDPOINT_URL` and its kind, where they are set. */
  readonly endpoints: readonly { readonly variable: string; readonly url: string }[];
}

/** Reads them from the environment, with the SDK's own places for what is not set. */
export const readAwsSettings = (variables: Variables = process.env): AwsSettings => {
  const { AWS_PROFILE: profile, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE } = variables;
  const own = (name: string): string => join(homedir(), '.aws', name);
  return {
    ...(profile === undefined || profile === '' ? {} : { profile }),
    profileFiles: [
      AWS_SHARED_CREDENTIALS_FILE || own('credentials'),
      AWS_CONFIG_FILE || own('config'),
    ],
    endpoints: Object.entries(variables)
      .filter(([name]) => name.startsWith('AWS_ENDPOINT_URL'))
      .flatMap(([variable, url = '']) => (url === '' ? [] : [{ variable, url }]))
      .sort((a, b) => (a.variable < b.variable ? -1 : 1)),
  };
};
