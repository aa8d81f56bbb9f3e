import type { HeldFault } from './held-fault.ts';

/** Auto Scaling groups, launches that fail, nodes that do not register. */
export const groupsAndLaunches: readonly HeldFault[] = [
  {
    fault: 57,
    tests: {
      'unit/operations/doctor.test.ts': ['in two zones are well once AZRebalance is suspended'],
    },
    lacks: 'no lifecycle hook drains what AWS terminates; nothing is drained yet',
  },
  {
    fault: 58,
    tests: {
      'unit/operations/doctor.test.ts': ['in two zones are well once AZRebalance is suspended'],
    },
    lacks: 'no lifecycle hook drains what AWS terminates; nothing is drained yet',
  },
  {
    fault: 59,
    tests: {
      'unit/operations/doctor.test.ts': ['in two zones are well once AZRebalance is suspended'],
    },
    lacks: 'no lifecycle hook drains what AWS terminates; nothing is drained yet',
  },
  {
    fault: 61,
    tests: {
      'unit/scaling/take-back.test.ts': [
        'is refused where AWS could terminate a running instance for it',
      ],
      'scenarios/launches.test.ts': [
        'stays where an instance is not protected, and no instance is lost',
      ],
    },
  },
  {
    fault: 62,
    tests: {
      'unit/operations/size-groups.test.ts': [
        'never goes below an instance that came since the decision was made',
      ],
      'property/scale-up-take-back.property.test.ts': [
        'taking back leaves every instance that is not going, the minimum, and nothing to AWS to choose from',
      ],
    },
  },
  {
    fault: 63,
    tests: {
      'unit/operations/size-groups.test.ts': [
        'never goes below an instance that came since the decision was made',
      ],
      'scenarios/launches.test.ts': [
        'is taken back to the instances there are where all are protected, and none is lost',
      ],
    },
  },
  {
    fault: 65,
    tests: {
      'unit/operations/size-groups.test.ts': [
        'leaves a size alone that somebody has set since the decision was made',
      ],
      'scenarios/launches.test.ts': [
        'is taken back to the instances there are where all are protected, and none is lost',
      ],
    },
  },
  {
    fault: 66,
    tests: {
      'unit/scaling/observe-failed-instances.test.ts': [
        'counts once, however long it stays, and with others of the same look as one',
      ],
      'unit/scaling/decide-alerts.test.ts': [
        'tells of a group whose launches failed three times in a row, also between two back-offs',
      ],
      'scenarios/launches.test.ts': [
        'does not have a group raised for ever whose nodes never register',
      ],
    },
  },
  {
    fault: 67,
    tests: {
      'unit/scaling/observe-ledger.test.ts': ['forgets instances that have left the group'],
    },
  },
  {
    fault: 69,
    tests: {
      'unit/scaling/warm-pool.test.ts': [
        'is not asked twice while AWS takes an instance out of the pool for a raise',
      ],
      'unit/scaling/coming.test.ts': [
        'do not include an instance that comes out of a warm pool for older than it is in service',
      ],
      'unit/scaling/observe-ledger.test.ts': [
        'does not take the old Node of an instance out of a warm pool for the start of its first look',
      ],
    },
  },
  {
    fault: 70,
    tests: {
      'unit/adapters/aws/node-group-calls.test.ts': [
        'asks by tags, page by page, and takes only groups that carry them',
      ],
      'unit/adapters/aws/launch-template-catalogue.test.ts': [
        'asks for a numbered version once in its life',
      ],
      'scenarios/pipeline.test.ts': [
        'gets one raise through, says that the other failed, and repeats it',
      ],
    },
  },
  {
    fault: 71,
    tests: {
      'unit/adapters/aws/node-group-calls.test.ts': [
        'asks by tags, page by page, and takes only groups that carry them',
      ],
      'unit/scaling/what-to-ask.test.ts': [
        'stops before it asks AWS where no pod waits and nothing is on its way',
      ],
    },
  },
  {
    fault: 73,
    tests: {
      'unit/scaling/decide-backed-off.test.ts': ['is not one whose launches AWS only throttles'],
      'unit/scaling/observe-back-off.test.ts': [
        'is no failure of the group where AWS was busy or broken, nor where it came or is under way',
      ],
    },
  },
  {
    fault: 74,
    tests: {
      'unit/scaling/weighted-capacity.test.ts': [
        'is raised by the units of its nodes, which are told beside them',
        'counts on as many nodes as its missing units bring, and asks for no more',
      ],
    },
  },
  {
    fault: 75,
    tests: {
      'unit/scaling/decide-zones-and-types.test.ts': [
        'count nodes by the smallest of their types',
        'take each resource from the type that has least of it',
      ],
    },
  },
  {
    fault: 77,
    tests: {
      'unit/scaling/decide-known-demands.test.ts': [
        'is met by a group whose every type is named, the first override or not',
        'is not promised by a group in which AWS may take another type',
      ],
    },
  },
  {
    fault: 78,
    tests: {
      'unit/scaling/observe-back-off.test.ts': [
        'is a failure of its own once nothing was launched for the start limit',
      ],
      'unit/scaling/decide-backed-off.test.ts': [
        'is not raised: its pods are planned on the next group in the same decision',
      ],
    },
  },
  {
    fault: 79,
    tests: {
      'unit/scaling/observe-back-off.test.ts': [
        'changes nothing within a back-off, and doubles the next one after its end, up to half an hour',
      ],
      'scenarios/launches.test.ts': [
        'has the pods planned on the next group at once, and the group taken back',
      ],
    },
  },
  {
    fault: 81,
    tests: {
      'unit/scaling/decide-backed-off.test.ts': [
        'is left for another though its own minimum is not there',
      ],
    },
  },
  {
    fault: 82,
    tests: {
      'unit/scaling/observe-back-off.test.ts': [
        'is the same failure where it is owed to the minimum',
      ],
      'unit/scaling/decide-backed-off.test.ts': [
        'is raised beside an instance of its minimum that never became a Node, once it may be again',
      ],
    },
  },
  {
    fault: 83,
    tests: {
      'unit/scaling/decide-backed-off.test.ts': [
        'does not hold up the others: nodes that are all broken are the trouble of one group',
      ],
    },
  },
  {
    fault: 85,
    tests: {
      'unit/scaling/decide-backed-off.test.ts': [
        'is not what Nodes of no group make of it, however unready they are',
      ],
    },
  },
  {
    fault: 86,
    tests: {
      'unit/scaling/decide-backed-off.test.ts': ['says why, how often, and until when'],
    },
  },
  {
    fault: 90,
    tests: {
      'unit/scaling/node-template.test.ts': [
        'goes by the instance id alone, and only within the group',
      ],
    },
    lacks: 'nothing is removed yet',
  },
];
