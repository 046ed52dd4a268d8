import { type AddressInfo, createServer } from "node:net";
import { OperatorError } from "./terminal.ts";

/**
 * Finds out whether the server may listen there, before anything slow is done.
 * @param port 0 asks the system for one
 * @returns the port
 * @throws OperatorError with a sentence on what is in the way
 */
export async function probePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => probe.once("error", reject).listen({ host, port }, resolve));
  } catch (error) {
    throw new OperatorError(listenFailure(error as NodeJS.ErrnoException, host, port));
  }
  const found = (probe.address() as AddressInfo).port;
  await new Promise((resolve) => probe.close(resolve));
  return found;
}

/** Why listening failed, as a sentence for the operator. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === "EADDRINUSE") return `Port ${port} is taken: stop what uses it, or set PORT to another.`;
  if (error.code === "EACCES")
    return `Port ${port} needs more rights than this user has: set PORT to one above 1023.`;
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return `HOST ${host} is no address of this machine: 127.0.0.1 is, and 0.0.0.0 stands for all.`;
  }
  return `The web server cannot listen on ${host}, port ${port}: ${error.message}.`;
}
