import type { HeldFault } from './held-fault.ts';

/** Nodes that do not exist yet, and how many are asked for. */
export const templatesAndCounting: readonly HeldFault[] = [
  {
    fault: 1,
    tests: {
      'unit/scaling/group-tags.test.ts': ['give labels with their full key'],
      'unit/scaling/decide-stuck-pods.test.ts': ['names the label that no new node has'],
    },
  },
  {
    fault: 2,
    tests: {
      'unit/scaling/node-template.test.ts': ['takes a changed tag at once, whatever lives'],
      'property/scale-up.property.test.ts': [
        'survives a JSON round trip of its input byte for byte',
      ],
    },
  },
  {
    fault: 3,
    tests: {
      'unit/scaling/node-template.test.ts': [
        'carries every well-known label, in the stable and the beta spelling',
      ],
    },
  },
  {
    fault: 5,
    tests: {
      'unit/scaling/decide-zones-and-types.test.ts': [
        'applies the first entry that matches, under the tags',
      ],
      'unit/scaling/decide-stuck-pods.test.ts': ['names the label that no new node has'],
    },
  },
  {
    fault: 6,
    tests: {
      'unit/scaling/node-template.test.ts': ['takes a changed tag at once, whatever lives'],
    },
  },
  {
    fault: 7,
    tests: {
      'unit/scaling/node-template.test.ts': ['never learns labels or taints'],
    },
  },
  {
    fault: 9,
    tests: {
      'unit/scaling/group-tags.test.ts': [
        'give taints of all three effects, with and without a value',
      ],
    },
  },
  {
    fault: 10,
    tests: {
      'unit/scaling/decide-counting-nodes.test.ts': [
        'judges allocatable, not capacity: a pod of the size of the machine gets no useless node',
      ],
      'unit/scaling/node-template.test.ts': [
        'takes what the newest usable node of the type has, whatever older ones have',
      ],
    },
  },
  {
    fault: 11,
    tests: {
      'unit/scaling/decide-counting-nodes.test.ts': [
        'takes ephemeral storage from the root volume',
      ],
      'unit/kubelet/allocatable.test.ts': [
        'takes ephemeral storage from the root volume of the launch template',
      ],
    },
  },
  {
    fault: 13,
    tests: {
      'unit/scaling/group-tags.test.ts': ['give any resource as an exact quantity'],
      'unit/scaling/node-template.test.ts': [
        'lets tags have the last word over policy, and both over what is computed',
      ],
    },
  },
  {
    fault: 14,
    tests: {
      'unit/scaling/decide-stuck-pods.test.ts': [
        'names the resource that no group declares, and the tag that would',
      ],
    },
  },
  {
    fault: 15,
    tests: {
      'unit/scaling/decide-counting-nodes.test.ts': [
        'knows the GPUs of the type from zero, for two pods as for one',
      ],
    },
  },
  {
    fault: 17,
    tests: {
      'unit/scaling/decide-known-demands.test.ts': [
        'get a node from zero of a group whose tag says how many it has',
        'are told the tag where no group says',
      ],
    },
    lacks: 'how many branch interfaces a type has is not known without the tag',
  },
  {
    fault: 18,
    tests: {
      'unit/scaling/decide-nodes-on-their-way.test.ts': [
        'count while a Ready GPU node has no device yet, for more than one pod',
        'stop counting when the start limit has passed without the device',
      ],
    },
  },
  {
    fault: 19,
    tests: {
      'unit/scaling/decide-nodes-on-their-way.test.ts': [
        'count while a Ready GPU node has no device yet, for more than one pod',
        'take no more pods than a real node of the group would',
      ],
    },
  },
  {
    fault: 21,
    tests: {
      'unit/scaling/node-template.test.ts': [
        'promises a device nobody declared once every grown node has it',
      ],
    },
  },
  {
    fault: 22,
    tests: {
      'unit/scaling/decide-nodes-on-their-way.test.ts': [
        'count while a Ready GPU node has no device yet, for more than one pod',
      ],
      'unit/scaling/start-limit-of-group.test.ts': [
        'decides how long its nodes count as on their way',
      ],
      'scenarios/launches.test.ts': [
        'is waited for while its devices are late, and nothing else is raised',
      ],
    },
  },
  {
    fault: 23,
    tests: {
      'unit/scaling/decide-nodes-on-their-way.test.ts': [
        'are not asked for twice before the scheduler has bound the pod',
      ],
    },
  },
  {
    fault: 25,
    tests: {
      'unit/scaling/decide-nodes-on-their-way.test.ts': [
        'count once while their Node carries a startup taint',
      ],
    },
  },
  {
    fault: 26,
    tests: {
      'property/scale-up.property.test.ts': [
        'adds nothing more once it has been carried out, by desired capacity or ledger',
      ],
    },
  },
  {
    fault: 27,
    tests: {
      'unit/scaling/decide-spread.test.ts': [
        'get nodes in every zone that a group is in, %i pods as evenly as they must',
      ],
    },
  },
  {
    fault: 29,
    tests: {
      'unit/scaling/decide-spread.test.ts': [
        'are not planned again on other groups once the best one takes them',
      ],
    },
  },
];
