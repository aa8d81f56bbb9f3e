import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import type { AwsClientConfig } from '../../testbed/aws-emulator.ts';
import type { RecordedCall } from '../../testbed/emulator-control.ts';

/** IAM's names: `sqs:SendMessage`. */
export type Action = string;

interface Template {
  readonly Resources: Readonly<
    Record<
      string,
      {
        readonly Type: string;
        readonly Properties: {
          readonly PolicyDocument?: {
            readonly Statement: readonly { readonly Action: string | readonly string[] }[];
          };
        };
      }
    >
  >;
}

/** What the policies of the stack's roles allow, by part of the role's id. */
export const grantsOf = async (
  config: AwsClientConfig,
  places: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<Action>>> => {
  const client = new CloudFormationClient(config);
  const { TemplateBody = '' } = await client.send(
    new GetTemplateCommand({ StackName: 'Outrider', TemplateStage: 'Processed' }),
  );
  client.destroy();
  const policies = Object.entries((JSON.parse(TemplateBody) as Template).Resources).filter(
    ([, { Type }]) => Type === 'AWS::IAM::Policy' || Type === 'AWS::IAM::ManagedPolicy',
  );
  return new Map(
    places.map((place) => [
      place,
      new Set(
        policies
          .filter(([id]) => id.includes(place))
          .flatMap(([, { Properties }]) => Properties.PolicyDocument?.Statement ?? [])
          .flatMap(({ Action }) => Action),
      ),
    ]),
  );
};

/** The actions that IAM judges a call by: a batch by its single action, a transaction by each of its parts. */
export const actionsOfCall = ({ service, action, parameters }: RecordedCall): readonly Action[] => {
  if (service === 'dynamodb' && action === 'TransactWriteItems') {
    const { TransactItems = [] } = JSON.parse(parameters ?? '{}') as {
      readonly TransactItems?: readonly Readonly<Record<string, unknown>>[];
    };
    return TransactItems.flatMap((item) => Object.keys(item)).map((kind) =>
      kind === 'ConditionCheck' ? 'dynamodb:ConditionCheckItem' : `dynamodb:${kind}Item`,
    );
  }
  return [`${service}:${action.replace(/^(SendMessage|ChangeMessageVisibility)Batch$/, '$1')}`];
};

/** The calls of the roles whose names contain `place`. */
export const callsOf = (calls: readonly RecordedCall[], place: string): readonly RecordedCall[] =>
  calls.filter(({ principal }) => principal.includes('role/') && principal.includes(place));
