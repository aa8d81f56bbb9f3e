import { type Permission, permissionsIn } from '../../helpers/iam-permissions.ts';
import type { AwsEmulator } from '../../testbed/aws-emulator.ts';
import type { RecordedCall } from '../../testbed/emulator-control.ts';

/** The roles of an account, each with all that its policies allow, by name; without those of the CDK's bootstrap. */
export const rolesOf = async (
  emulator: AwsEmulator,
): Promise<ReadonlyMap<string, readonly Permission[]>> => {
  const answer = await askIam(emulator, 'GetAccountAuthorizationDetails');
  const managed = new Map(
    membersOf(answer, 'Policies').map((policy) => [textIn(policy, 'Arn'), documentsIn(policy)]),
  );
  const roles = membersOf(answer, 'RoleDetailList').filter(
    (role) => !textIn(role, 'RoleName').startsWith('cdk-'),
  );
  return new Map(
    roles.map((role) => [
      textIn(role, 'RoleName'),
      [
        ...documentsIn(elementIn(role, 'RolePolicyList')),
        ...membersOf(role, 'AttachedManagedPolicies').flatMap(
          (attached) => managed.get(textIn(attached, 'PolicyArn')) ?? [],
        ),
      ],
    ]),
  );
};

/** IAM's query API; its client is none that the project needs otherwise. */
const askIam = async ({ endpoint, clientConfig }: AwsEmulator, action: string): Promise<string> => {
  const { region, credentials } = clientConfig;
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      // The emulator takes the account's own key at its word.
      authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/${region}/iam/aws4_request, SignedHeaders=host, Signature=none`,
    },
    body: new URLSearchParams({ Action: action, Version: '2010-05-08' }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${action}: ${answer.status} ${text}`);
  return text;
};

/** What stands between the first `<name>` and its end tag; lists nest, so that it counts. */
const elementIn = (xml: string, name: string): string => {
  const start = xml.indexOf(`<${name}>`);
  if (start < 0) return '';
  const inner = start + name.length + 2;
  let [at, depth] = [inner, 1];
  const tags = new RegExp(`<(/?)${name}>`, 'g');
  tags.lastIndex = inner;
  for (let tag = tags.exec(xml); tag !== null && depth > 0; tag = tags.exec(xml)) {
    depth += tag[1] === '/' ? -1 : 1;
    at = tag.index;
  }
  return xml.slice(inner, at);
};

const textIn = (xml: string, name: string): string => elementIn(xml, name);

/** The members of a list, without those of lists within them. */
const membersOf = (xml: string, list: string): readonly string[] => {
  const members: string[] = [];
  let rest = elementIn(xml, list);
  while (rest.includes('<member>')) {
    const member = elementIn(rest, 'member');
    members.push(member);
    rest = rest.slice(rest.indexOf('<member>') + member.length + '<member></member>'.length);
  }
  return members;
};

const documentsIn = (xml: string): readonly Permission[] =>
  [...xml.matchAll(/<(PolicyDocument|Document)>([^<]*)<\/\1>/g)].flatMap(([, , document = '']) =>
    permissionsIn(JSON.parse(decodeURIComponent(document))),
  );

/** The actions that IAM judges a call by: a batch by its single action, a transaction by each of its parts. */
export const actionsOfCall = ({ judged }: RecordedCall): readonly string[] =>
  judged.map(({ action }) => action);

/** The calls of the roles whose names contain `place`. */
export const callsOf = (calls: readonly RecordedCall[], place: string): readonly RecordedCall[] =>
  calls.filter(({ principal }) => principal.includes('role/') && principal.includes(place));
