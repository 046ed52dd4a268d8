import { lookup as lookupAll } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { Agent } from "undici";
import { isPublicAddress } from "./address-rules.ts";
import { RemoteError } from "./remote-error.ts";

export interface ResolvedAddress {
  address: string;
  family: number;
}

export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

const CONNECT_TIMEOUT_MS = 5_000;

const systemResolve: Resolve = (hostname) => lookupAll(hostname, { all: true, verbatim: true });

const agents = { checked: new WeakMap<Resolve, Agent>(), open: new WeakMap<Resolve, Agent>() };

/**
 * Connects to the very address that was checked, which prevents DNS rebinding.
 *
 * @param checked false only for allow-listed origins
 */
export function dispatcherFor(resolve: Resolve = systemResolve, checked: boolean): Agent {
  const known = checked ? agents.checked : agents.open;
  const agent = known.get(resolve) ?? agentWith(checkedLookup(resolve, checked));
  known.set(resolve, agent);
  return agent;
}

function agentWith(lookup: LookupFunction): Agent {
  return new Agent({
    connect: { lookup, timeout: CONNECT_TIMEOUT_MS },
    connections: 4,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    maxHeaderSize: 32 * 1024,
  });
}

function checkedLookup(resolve: Resolve, checked: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const first = addresses[0];
        if (!first) {
          callback(new RemoteError("unreachable", `The host name ${hostname} could not be found.`), "", 0);
        } else if (checked && !addresses.every(({ address }) => isPublicAddress(address))) {
          callback(new RemoteError("refused", `${hostname} leads to an address that is not public.`), "", 0);
        } else if (options.all) {
          callback(null, addresses);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}
