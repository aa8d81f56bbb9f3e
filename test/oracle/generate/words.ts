/*
 * Few keys and values, so that matches, misses and collisions are all common; some of them as odd as the
 * API server lets them be. It takes no label value with signs or with letters beyond ASCII: what it refuses
 * never was in a cluster.
 */

export const hostname = 'kubernetes.io/hostname';
export const zoneKey = 'topology.kubernetes.io/zone';
export const regionKey = 'topology.kubernetes.io/region';
export const oldZoneKey = 'failure-domain.beta.kubernetes.io/zone';
export const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;
export const topologyKeys = [zoneKey, zoneKey, hostname, 'rack', 'nowhere'] as const;

export const podKeys = ['app', 'tier', 'rev'] as const;
export const podValues = ['a', 'b', 'c', ''] as const;

export const nodeKeys = ['pool', 'size', 'rack', 'example.com/odd_Key.1'] as const;
export const nodeValues = ['a', 'b', '1', '2', '10', '007', '', 'x_y.Z-9'] as const;
/** For Gt and Lt: whole numbers in any form, and what is none. */
export const numbers = [
  ...['0', '1', '2', '5', '10', '007', '1.5', '1e3', '0x10', '1_000', 'junk', '', '00'],
  ...['9223372036854775807', '9223372036854775808'],
] as const;

export const taintKeys = ['dedicated', 'gpu', 'level'] as const;
export const taintValues = ['a', 'b', '', '1', '5', '10', '007'] as const;
export const effects = ['NoSchedule', 'NoSchedule', 'NoExecute', 'PreferNoSchedule'] as const;
