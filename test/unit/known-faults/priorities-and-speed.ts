import type { HeldFault } from './held-fault.ts';

/** Priorities, pods of a node, balance and speed. */
export const prioritiesAndSpeed: readonly HeldFault[] = [
  {
    fault: 121,
    tests: {
      'unit/scaling/decide-preemption.test.ts': [
        'gets no node; the placeholder that it drives out does',
      ],
      'unit/scaling/decide-room.test.ts': [
        'keeps the room that a nominated pod waits for, and does not count its victims as well',
        'plans a pod that was nominated for a node which is gone',
      ],
      'unit/scaling/decide-ignored-pods.test.ts': [
        'have a priority below the cut-off; at it they count',
      ],
    },
  },
  {
    fault: 122,
    tests: {
      'unit/scaling/decide-preemption.test.ts': [
        'gets a node at once where its policy is never to preempt',
      ],
      'unit/cluster/read-pod.test.ts': ['tells a pod that evicts nobody'],
    },
  },
  {
    fault: 123,
    tests: {
      'unit/scaling/decide-ignored-pods.test.ts': [
        'have scheduling gates',
        'were not tried by the scheduler yet',
      ],
    },
  },
  {
    fault: 125,
    tests: {
      'unit/scaling/decide-known-demands.test.ts': [
        'gets a node of its own though all nodes together have room enough',
      ],
    },
  },
  {
    fault: 126,
    tests: {
      'unit/scaling/node-template.test.ts': [
        'counts pods by network interfaces where the VPC CNI runs',
      ],
      'unit/kubelet/allocatable.test.ts': [
        'counts interface addresses less the interface itself, plus two on the host network',
      ],
    },
  },
  {
    fault: 127,
    tests: {
      'unit/scaling/decide-counting-nodes.test.ts': [
        'takes pods as a resource even where they ask for nothing',
      ],
    },
  },
  {
    fault: 129,
    tests: {
      'unit/scaling/decide-stuck-pods.test.ts': ['names the label that no new node has'],
    },
  },
  {
    fault: 130,
    tests: {
      'unit/scaling/choosing/decide-balancing.test.ts': [
        'get even shares of the nodes of one raise, and the reason says so',
        'become even in size, not in growth: a single node goes to the smallest',
      ],
    },
  },
  {
    fault: 131,
    tests: {
      'property/scheduling-state.property.test.ts': [
        'counts as many of a class in a row as can be placed one by one',
        'answers alike for pods of one class, whatever is placed',
      ],
    },
  },
  {
    fault: 133,
    tests: {
      'unit/scaling/decide-spread.test.ts': ['get a node each, all in one decision, by host'],
    },
  },
  {
    fault: 134,
    tests: {
      'unit/scaling/node-template.test.ts': [
        'takes what the newest usable node of the type has, whatever older ones have',
      ],
    },
  },
  {
    fault: 135,
    tests: {
      'unit/kubelet/allocatable.test.ts': [
        'is capacity less VM overhead, reservations and eviction thresholds',
      ],
      'unit/scaling/node-template.test.ts': [
        'takes what the newest usable node of the type has, whatever older ones have',
      ],
    },
  },
];
