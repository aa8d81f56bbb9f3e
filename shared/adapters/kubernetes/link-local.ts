import { BlockList, isIP } from 'node:net';

const blocked = new BlockList();
blocked.addSubnet('169.254.0.0', 16, 'ipv4');
blocked.addSubnet('fe80::', 10, 'ipv6');
// EC2's own services over IPv6: metadata at fd00:ec2::254, DNS, time.
blocked.addSubnet('fd00:ec2::', 32, 'ipv6');
// 169.254.0.0/16 within IPv6: IPv4-compatible, NAT64 and 6to4. IPv4-mapped ones match the first rule.
blocked.addSubnet('::a9fe:0', 112, 'ipv6');
blocked.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
blocked.addSubnet('2002:a9fe::', 32, 'ipv6');
// "This host": some systems send it on to where they please.
blocked.addAddress('0.0.0.0', 'ipv4');
blocked.addAddress('::', 'ipv6');

/**
 * Whether an address (IPv6 with or without brackets and zone) is link-local or one of the metadata
 * addresses of EC2. A name is not: it is looked at again when it has been resolved.
 */
export function isLinkLocal(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const family = isIP(address);
  return family !== 0 && blocked.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
