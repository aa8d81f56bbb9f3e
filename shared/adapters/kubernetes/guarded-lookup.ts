import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { PortError } from '#ports/port-error.ts';
import { isLinkLocal } from './link-local.ts';

/**
 * Resolves a name as Node does, and fails where it leads to an address that `checkApiAccess` would have
 * refused. The connection goes to the very address looked at here, so a name that changes gains nothing.
 */
export const guardedLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, options, (error, address, family) => {
    const addresses = Array.isArray(address) ? address.map((each) => each.address) : [address];
    const bad = error === null ? addresses.find(isLinkLocal) : undefined;
    if (bad === undefined) return done(error, address, family);
    const said = `${hostname} is a link-local or metadata address: ${bad}`;
    return done(new PortError('invalid', said), address, family);
  });
};
