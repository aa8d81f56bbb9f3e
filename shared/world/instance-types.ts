import type { InstanceType } from '#scaling/aws-views.ts';

/** An instance type with its price. */
export interface PricedInstanceType extends InstanceType {
  /** Millionths of a dollar an hour, whole. */
  readonly microDollarsPerHour: number;
}

/*
 * A few common types, for simulated accounts only: a real account is asked. Figures are the public
 * ones of the Amazon EC2 instance type pages and of the on-demand price list (us-east-1, Linux,
 * shared tenancy) as of 2025; interfaces and addresses from "IP addresses per network interface per
 * instance type" in the EC2 user guide.
 *
 * Columns: type, vCPU, MiB, architecture, interfaces, IPv4 addresses each, dollars an hour, GPUs.
 */
const table = `
t3.small      2   2048 amd64  3  4 0.0208
t3.medium     2   4096 amd64  3  6 0.0416
t3.large      2   8192 amd64  3 12 0.0832
t3.xlarge     4  16384 amd64  4 15 0.1664
t3.2xlarge    8  32768 amd64  4 15 0.3328
t4g.medium    2   4096 arm64  3  6 0.0336
t4g.large     2   8192 arm64  3 12 0.0672
m5.large      2   8192 amd64  3 10 0.096
m5.xlarge     4  16384 amd64  4 15 0.192
m5.2xlarge    8  32768 amd64  4 15 0.384
m5.4xlarge   16  65536 amd64  8 30 0.768
m6i.large     2   8192 amd64  3 10 0.096
m6i.xlarge    4  16384 amd64  4 15 0.192
m6i.2xlarge   8  32768 amd64  4 15 0.384
m6i.4xlarge  16  65536 amd64  8 30 0.768
m6g.large     2   8192 arm64  3 10 0.077
m6g.xlarge    4  16384 arm64  4 15 0.154
m6g.2xlarge   8  32768 arm64  4 15 0.308
c5.large      2   4096 amd64  3 10 0.085
c5.xlarge     4   8192 amd64  4 15 0.17
c5.2xlarge    8  16384 amd64  4 15 0.34
c5.4xlarge   16  32768 amd64  8 30 0.68
c6i.large     2   4096 amd64  3 10 0.085
c6i.xlarge    4   8192 amd64  4 15 0.17
c6i.2xlarge   8  16384 amd64  4 15 0.34
c6g.large     2   4096 arm64  3 10 0.068
c6g.xlarge    4   8192 arm64  4 15 0.136
r5.large      2  16384 amd64  3 10 0.126
r5.xlarge     4  32768 amd64  4 15 0.252
r5.2xlarge    8  65536 amd64  4 15 0.504
r6i.large     2  16384 amd64  3 10 0.126
r6i.xlarge    4  32768 amd64  4 15 0.252
g4dn.xlarge   4  16384 amd64  3 10 0.526 1
g5.xlarge     4  16384 amd64  4 15 1.006 1
`;

const parseRow = (row: string): PricedInstanceType => {
  const [name = '', vcpu, memoryMiB, architecture = '', interfaces, addresses, dollars, gpus] =
    row.split(/\s+/);
  return {
    name,
    vcpu: Number(vcpu),
    memoryMiB: Number(memoryMiB),
    architecture,
    maxNetworkInterfaces: Number(interfaces),
    ipv4PerInterface: Number(addresses),
    devices: gpus === undefined ? {} : { 'nvidia.com/gpu': Number(gpus) },
    bareMetal: false,
    microDollarsPerHour: Math.round(Number(dollars) * 1_000_000),
  };
};

/** By name, in the order of the table. */
export const instanceTypes: ReadonlyMap<string, PricedInstanceType> = new Map(
  table
    .trim()
    .split('\n')
    .map((row) => {
      const type = parseRow(row);
      return [type.name, type];
    }),
);
