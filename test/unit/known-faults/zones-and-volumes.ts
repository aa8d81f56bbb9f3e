import type { HeldFault } from './held-fault.ts';

/** DaemonSets, zones, volumes, and what pods of a node ask for. */
export const zonesAndVolumes: readonly HeldFault[] = [
  {
    fault: 30,
    tests: {
      'unit/scaling/take-back.test.ts': [
        'takes back nothing that is there or that the minimum asks for, and nothing after its end',
      ],
      'unit/scaling/coming.test.ts': ['are what desired has above usable nodes'],
    },
  },
  {
    fault: 31,
    tests: {
      'unit/scaling/decide-daemon-sets.test.ts': [
        'hold their host ports: a pod with the same one gets no node, for ever',
      ],
    },
  },
  {
    fault: 33,
    tests: {
      'unit/scaling/decide-counting-nodes.test.ts': [
        'never takes a PreferNoSchedule taint for a hard one',
      ],
    },
  },
  {
    fault: 34,
    tests: {
      'unit/scaling/decide-room.test.ts': [
        'keeps the room that a nominated pod waits for, and does not count its victims as well',
      ],
    },
  },
  {
    fault: 35,
    tests: {
      'unit/scaling/decide-daemon-sets.test.ts': [
        'ask for what their newest live pod asks, as admission left it',
      ],
      'unit/cluster/read-daemon-set.test.ts': [
        'gives the demands of its template, limits counting where no request is given',
      ],
    },
    lacks: 'a LimitRange is not read where no pod of the DaemonSet lives',
  },
  {
    fault: 37,
    tests: {
      'unit/scaling/decide-daemon-sets.test.ts': [
        'run on a tainted group if they tolerate everything, and not if they do not',
      ],
    },
  },
  {
    fault: 38,
    tests: {
      'unit/scaling/decide-daemon-sets.test.ts': ['take their room before any pod'],
      'unit/scaling/launches-for-pods.test.ts': [
        'causes no more once those of all groups together are as many as the policy says',
      ],
    },
  },
  {
    fault: 39,
    tests: {
      'unit/scaling/decide-room.test.ts': [
        'keeps the room that a Pending DaemonSet pod of the node needs',
      ],
      'unit/scaling/decide-ignored-pods.test.ts': ['belong to a DaemonSet'],
    },
  },
  {
    fault: 41,
    tests: {
      'unit/scaling/decide-volumes.test.ts': ['whose zone nobody can be sure of is told so'],
      'unit/scaling/decide-zones-and-types.test.ts': [
        'help no pod that needs one of their zones, and say what would',
      ],
    },
  },
  {
    fault: 42,
    tests: {
      'unit/scaling/decide-volumes.test.ts': [
        'gets a node in the zone of the volume, by the label of its driver',
      ],
      'unit/scaling/decide-zones-and-types.test.ts': ['leave such a pod to the group of that zone'],
    },
  },
  {
    fault: 43,
    tests: {
      'unit/scaling/decide-volumes.test.ts': [
        'gets a node in the zone of the volume, by the label of its driver',
      ],
      'unit/scaling/node-template.test.ts': [
        'carries every well-known label, in the stable and the beta spelling',
      ],
    },
  },
  {
    fault: 45,
    tests: {
      'unit/scaling/decide-volumes.test.ts': [
        'that is not made yet gets a node where its class allows one',
      ],
    },
    lacks: 'nothing is scaled down yet',
  },
  {
    fault: 46,
    tests: {
      'unit/scaling/decide-spread.test.ts': [
        'by zone get a node of the zone that has none of them yet',
      ],
    },
  },
  {
    fault: 47,
    tests: {
      'unit/scaling/decide-spread.test.ts': [
        'get a node of a group of several zones whose balance brings the zone they lack',
      ],
    },
  },
  {
    fault: 49,
    tests: {
      'unit/scaling/decide-spread.test.ts': [
        'get a node in each zone in one decision, and no more than they fill',
      ],
    },
  },
  {
    fault: 50,
    tests: {
      'unit/scaling/decide-spread.test.ts': [
        'get nodes in every zone that has one already, as evenly as they must',
        'get nodes in every zone that a group is in, %i pods as evenly as they must',
      ],
    },
  },
  {
    fault: 51,
    tests: {
      'unit/scaling/decide-volumes.test.ts': [
        'are as many as its driver says there: a pod beyond them gets a new node',
        'are as few on a new node as on those of its type, in whatever group',
        'are as many as EC2 tells of a type of which there is no node yet',
      ],
      'unit/cluster/read-storage.test.ts': [
        'is known by its CSI driver, its zone by the label of that driver',
      ],
    },
  },
  {
    fault: 53,
    tests: {
      'unit/scaling/decide-volumes.test.ts': [
        'are as many as its driver says there: a pod beyond them gets a new node',
      ],
    },
  },
  {
    fault: 54,
    tests: {
      'unit/scaling/decide-volumes.test.ts': ['are counted for the pods planned before, too'],
    },
  },
  {
    fault: 55,
    tests: {
      'unit/scaling/decide-volumes.test.ts': [
        'gets a node in the zone of the volume, by the label of its driver',
      ],
    },
  },
];
