import { describe, expect, it } from 'vitest';
import { codes, decide, raises } from '../../helpers/decide.ts';
import {
  boundPod,
  cpuAndMemory,
  daemonSet,
  group,
  minute,
  now,
  pod,
  pods,
} from '../../helpers/scaling-builders.ts';

describe('DaemonSets on new nodes', () => {
  it('take their room before any pod', () => {
    const parts = {
      daemonSets: [daemonSet('agent', { requests: cpuAndMemory(500) })],
      pods: pods(2, 'web', { requests: cpuAndMemory(900) }),
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
  });

  it('ask for what their newest live pod asks, as admission left it', () => {
    const owner = { kind: 'DaemonSet', name: 'agent', uid: 'uid-agent' };
    const parts = {
      daemonSets: [daemonSet('agent', { requests: {} })],
      pods: [
        boundPod('agent-old', 'a', { owner, requests: {}, createdAtMs: now - 9 * minute }),
        boundPod('agent-new', 'a', {
          owner,
          requests: cpuAndMemory(1000),
          createdAtMs: now - minute,
        }),
        pod('web'),
      ],
    };
    expect(raises(parts)).toEqual([]);
    expect(decide(parts).stuck[0]?.reasons).toEqual([
      {
        group: 'workers-a',
        code: 'insufficientResource',
        message:
          'Insufficient cpu: needs 1 CPU, a new m5.large offers 930m CPU (1.93 CPU allocatable, of which DaemonSets take 1 CPU)',
      },
    ]);
  });

  it('run on a tainted group if they tolerate everything, and not if they do not', () => {
    const taintedGroup = group('workers-a', {
      tags: { 'k8s.io/cluster-autoscaler/node-template/taint/dedicated': 'batch:NoSchedule' },
    });
    const tolerations = [{ operator: 'Exists' as const }];
    const fitted = (toleratesAll: boolean) =>
      raises({
        groups: [taintedGroup],
        daemonSets: [
          daemonSet('agent', {
            requests: cpuAndMemory(500),
            tolerations: toleratesAll ? tolerations : [],
          }),
        ],
        pods: pods(2, 'web', { requests: cpuAndMemory(900), tolerations }),
      });
    expect(fitted(true)).toEqual([['workers-a', 0, 2]]);
    expect(fitted(false)).toEqual([['workers-a', 0, 1]]);
  });

  it('hold their host ports: a pod with the same one gets no node, for ever', () => {
    const hostPorts = [{ protocol: 'TCP' as const, hostIp: '0.0.0.0', port: 9100 }];
    const parts = {
      daemonSets: [daemonSet('exporter', { hostPorts })],
      pods: [pod('web', { hostPorts })],
    };
    expect(raises(parts)).toEqual([]);
    expect(codes(parts, 'web')).toEqual([['workers-a', 'hostPort']]);
  });

  it.each(['us-east-1a', 'us-east-1b'])(
    'hold their host ports on every new node if they run in %s alone, one of the two zones',
    (zone) => {
      const hostPorts = [{ protocol: 'TCP' as const, hostIp: '0.0.0.0', port: 9100 }];
      const nodeSelector = { 'topology.kubernetes.io/zone': zone };
      const parts = {
        groups: [group('wide', { zones: ['us-east-1a', 'us-east-1b'] })],
        daemonSets: [daemonSet('exporter', { hostPorts, nodeSelector })],
        pods: [pod('web', { hostPorts })],
      };
      expect(raises(parts)).toEqual([]);
      expect(codes(parts, 'web')).toEqual([['wide', 'zoneNotGuaranteed']]);
    },
  );

  it('count towards the pods of a node', () => {
    const parts = {
      daemonSets: [daemonSet('agent', { requests: {} })],
      pods: pods(2, 'web', { requests: {} }),
      policy: { groups: [{ match: '*', kubelet: { maxPods: 2 } }] },
    };
    expect(raises(parts)).toEqual([['workers-a', 0, 2]]);
  });
});
