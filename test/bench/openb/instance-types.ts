import type { InstanceType } from '#scaling/aws-views.ts';
import { instanceType } from '../../helpers/scaling-builders.ts';

export interface PricedType {
  readonly type: InstanceType;
  readonly microDollarsPerHour: number;
}

/*
 * Public figures of the Amazon EC2 instance type pages and of the on-demand price list (us-east-1, Linux, shared
 * tenancy) as of 2025. Columns: type, vCPU, GiB, GPUs, dollars an hour.
 */
const table = `
c5.xlarge       4    8 0  0.17
c5.2xlarge      8   16 0  0.34
c5.4xlarge     16   32 0  0.68
c5.9xlarge     36   72 0  1.53
c5.18xlarge    72  144 0  3.06
m5.xlarge       4   16 0  0.192
m5.2xlarge      8   32 0  0.384
m5.4xlarge     16   64 0  0.768
m5.8xlarge     32  128 0  1.536
m5.16xlarge    64  256 0  3.072
m5.24xlarge    96  384 0  4.608
r5.xlarge       4   32 0  0.252
r5.2xlarge      8   64 0  0.504
r5.4xlarge     16  128 0  1.008
r5.8xlarge     32  256 0  2.016
r5.24xlarge    96  768 0  6.048
g4dn.xlarge     4   16 1  0.526
g4dn.2xlarge    8   32 1  0.752
g4dn.4xlarge   16   64 1  1.204
g4dn.8xlarge   32  128 1  2.176
g4dn.16xlarge  64  256 1  4.352
g4dn.12xlarge  48  192 4  3.912
g4dn.metal     96  384 8  7.824
g5.xlarge       4   16 1  1.006
g5.2xlarge      8   32 1  1.212
g5.4xlarge     16   64 1  1.624
g5.8xlarge     32  128 1  2.448
g5.16xlarge    64  256 1  4.096
g5.12xlarge    48  192 4  5.672
g5.24xlarge    96  384 4  8.144
g5.48xlarge   192  768 8 16.288
g6e.xlarge      4   32 1  1.861
g6e.2xlarge     8   64 1  2.24208
g6e.4xlarge    16  128 1  3.00424
g6e.8xlarge    32  256 1  4.52856
g6e.12xlarge   48  384 4 10.49264
g6e.24xlarge   96  768 4 15.06559
g6e.48xlarge  192 1536 8 30.13118
`;

export const gpu = 'nvidia.com/gpu';

export const pricedTypes: readonly PricedType[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', vcpu, gib, gpus, dollars] = line.split(/\s+/);
    return {
      type: instanceType(name, {
        vcpu: Number(vcpu),
        memoryMiB: Number(gib) * 1024,
        devices: Number(gpus) > 0 ? { [gpu]: Number(gpus) } : {},
        bareMetal: name.endsWith('.metal'),
      }),
      microDollarsPerHour: Math.round(Number(dollars) * 1_000_000),
    };
  });
